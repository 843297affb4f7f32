# SPDX-License-Identifier: MIT
# Run by YADE: convex rocks on a plane, some steps timed. rocks.json is a list of lists of corners, in place.
import json
import os
import sys
import time

from yade import polyhedra_utils, utils

file, step, steps, stiffness = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
material = PolyhedraMat(density=2600, young=20 * stiffness, poisson=0.3, frictionAngle=0.4636)  # tan 0.5
O.materials.append(material)
O.bodies.append(utils.wall(0, axis=2, sense=1, material=material))
for corners in json.load(open(file)):
    O.bodies.append(polyhedra_utils.polyhedra(material, v=[Vector3(*c) for c in corners]))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Polyhedra_Aabb(), Bo1_Wall_Aabb()], verletDist=0.002),
    InteractionLoop([Ig2_Wall_Polyhedra_PolyhedraGeom(), Ig2_Polyhedra_Polyhedra_PolyhedraGeom()],
                    [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()], [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()]),
    NewtonIntegrator(damping=0.3, gravity=(0, 0, -9.81)),
]
O.dt = step
O.run(5, True)  # the first sorting and the first contacts
start = time.perf_counter()
O.run(steps, True)
seconds = time.perf_counter() - start
print("ROCKS %.6g s %d contacts" % (seconds, sum(1 for i in O.interactions if i.isReal)), flush=True)
os._exit(0)

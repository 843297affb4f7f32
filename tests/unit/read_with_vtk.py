# SPDX-License-Identifier: MIT
"""Opens every file of a .pvd with VTK's own reader and compares it, number by number, with what was meant.

usage: read_with_vtk.py FRAMES.pvd EXPECTED.json
EXPECTED.json: a list of {file, time, part, points: [[x, y, z]...], arrays: {name: [...]}}, in the order of the .pvd.
"""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkCommonCore import vtkCommand


def read(path):
    reader = vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver(vtkCommand.ErrorEvent, lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    if errors or reader.GetErrorCode() != 0:
        sys.exit(f"{path}: VTK cannot read it")
    return reader.GetOutput()


def compare(where, found, expected):
    found = vtk_to_numpy(found).tolist() if found is not None else None
    if found != expected:
        sys.exit(f"{where}: VTK read {found}, expected {expected}")


def check(path, expected):
    data = read(path)
    count = len(expected["points"])
    if data.GetNumberOfPoints() != count or data.GetNumberOfVerts() != count:
        sys.exit(f"{path}: {data.GetNumberOfPoints()} points, {data.GetNumberOfVerts()} verts, expected {count}")
    if count:
        compare(f"{path}: points", data.GetPoints().GetData(), expected["points"])
    for i in range(count):
        if data.GetCell(i).GetPointId(0) != i:
            sys.exit(f"{path}: vertex {i} is not point {i}")
    point_data = data.GetPointData()
    names = {point_data.GetArrayName(i) for i in range(point_data.GetNumberOfArrays())}
    if names != set(expected["arrays"]):
        sys.exit(f"{path}: has the arrays {sorted(names)}, expected {sorted(expected['arrays'])}")
    for name, values in expected["arrays"].items():
        compare(f"{path}: {name}", point_data.GetArray(name), values)
    compare(f"{path}: TimeValue", data.GetFieldData().GetArray("TimeValue"), [expected["time"]])


def main():
    pvd, sidecar = sys.argv[1:]
    with open(sidecar, encoding="utf-8") as file:
        expected = json.load(file)
    entries = ElementTree.parse(pvd).getroot().findall("Collection/DataSet")
    if len(entries) != len(expected):
        sys.exit(f"{pvd}: {len(entries)} files, expected {len(expected)}")
    for entry, wanted in zip(entries, expected):
        found = (entry.get("file"), float(entry.get("timestep")), int(entry.get("part")))
        if found != (wanted["file"], wanted["time"], wanted["part"]):
            sys.exit(f"{pvd}: has {found}, expected {wanted['file']}, {wanted['time']}, {wanted['part']}")
        check(os.path.join(os.path.dirname(pvd), wanted["file"]), wanted)
    print(f"{len(entries)} files read")


if __name__ == "__main__":
    main()

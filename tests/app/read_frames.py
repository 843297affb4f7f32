# SPDX-License-Identifier: MIT
"""Opens every file of a .pvd with VTK's own reader and prints, as JSON, what it found.

usage: read_frames.py FRAMES.pvd
prints: a list of {file, time, part, points: [[x, y, z]...], arrays: {name: [...]}}, in the order of the .pvd
"""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def read(path):
    reader = vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver(vtkCommand.ErrorEvent, lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    if errors or reader.GetErrorCode() != 0:
        sys.exit(f"{path}: VTK cannot read it")
    data = reader.GetOutput()
    if data.GetNumberOfVerts() != data.GetNumberOfPoints():
        sys.exit(f"{path}: {data.GetNumberOfPoints()} points, {data.GetNumberOfVerts()} verts")
    arrays = data.GetPointData()
    return {
        "points": vtk_to_numpy(data.GetPoints().GetData()).tolist() if data.GetNumberOfPoints() else [],
        "arrays": {arrays.GetArrayName(i): vtk_to_numpy(arrays.GetArray(i)).tolist() for i in range(arrays.GetNumberOfArrays())},
    }


def main():
    pvd = sys.argv[1]
    entries = ElementTree.parse(pvd).getroot().findall("Collection/DataSet")
    found = []
    for entry in entries:
        file = entry.get("file")
        item = {"file": file, "time": float(entry.get("timestep")), "part": int(entry.get("part"))}
        item.update(read(os.path.join(os.path.dirname(pvd), file)))
        found.append(item)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()

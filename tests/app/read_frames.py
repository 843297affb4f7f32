# SPDX-License-Identifier: MIT
"""Opens every file of a .pvd with VTK's own reader and prints, as JSON, what it found.

usage: read_frames.py FRAMES.pvd
prints: a list of {file, time, part, points: [[x, y, z]...], arrays: {name: [...]}, cells: [[point...]...],
cell_arrays: {name: [...]}}, in the order of the .pvd; part 2, the solids, has no arrays of points, the others none of cells
"""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def arrays_of(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)).tolist() for i in range(data.GetNumberOfArrays())}


def read(path, solids):
    reader = vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver(vtkCommand.ErrorEvent, lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    if errors or reader.GetErrorCode() != 0:
        sys.exit(f"{path}: VTK cannot read it")
    data = reader.GetOutput()
    if data.GetNumberOfVerts() != (0 if solids else data.GetNumberOfPoints()):
        sys.exit(f"{path}: {data.GetNumberOfPoints()} points, {data.GetNumberOfVerts()} verts")
    count = data.GetNumberOfCells() if solids else 0
    return {
        "points": vtk_to_numpy(data.GetPoints().GetData()).tolist() if data.GetNumberOfPoints() else [],
        "arrays": arrays_of(data.GetPointData()),
        "cells": [[cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())] for cell in map(data.GetCell, range(count))],
        "cell_arrays": arrays_of(data.GetCellData()),
    }


def main():
    pvd = sys.argv[1]
    entries = ElementTree.parse(pvd).getroot().findall("Collection/DataSet")
    found = []
    for entry in entries:
        file = entry.get("file")
        item = {"file": file, "time": float(entry.get("timestep")), "part": int(entry.get("part"))}
        item.update(read(os.path.join(os.path.dirname(pvd), file), item["part"] == 2))
        found.append(item)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()

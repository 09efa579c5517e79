"""Runs the notebooks of this folder from start to end and fails where a cell raises."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient

here = pathlib.Path(__file__).parent
for path in sorted(here.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(here)}}).execute()
    print(f"{path.name}: {len(notebook.cells)} cells ran")
sys.exit(0)

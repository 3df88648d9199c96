"""Tools of the project: `python -m tools.generate` writes the pages of docs/ that are made from the code."""

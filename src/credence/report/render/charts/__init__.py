"""One chart per file: an SVG without colours, and the table of the values in it."""

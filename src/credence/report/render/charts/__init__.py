"""One drawing each: SVG without colours of its own, and the table of the very values it was drawn from."""

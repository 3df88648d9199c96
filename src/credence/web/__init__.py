"""The HTTP layer: one table of routes, one pipeline for every request, one reader and writer per dialect."""

"""HTTP and nothing else: one table of routes, one pipeline for every request, one reader and writer per dialect.

`api/` answers programs, `sign_in/` is where people prove who they are, `sites/` has the console, the portal and the
workbench. `web` serves them all.
"""

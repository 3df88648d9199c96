"""The acts on a deployment, for the command line, the management API, the console and the portal alike (D30, D41)."""

"""The operator console: screens rendered by the server, on the address of the management API (D30)."""

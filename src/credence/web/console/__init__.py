"""The operator console: screens that the server draws, on the address of the management API (D30)."""

"""The acts of operators on applications, accounts and keys: the same for command line, API and desired state (D30)."""

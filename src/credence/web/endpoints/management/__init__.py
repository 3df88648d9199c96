"""The endpoints of the management API (D30): each act is that of the command line, with the same line in the audit trail."""

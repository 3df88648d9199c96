"""The endpoints of the management API (D30): each acts like a command of the command line, with the same audit line."""

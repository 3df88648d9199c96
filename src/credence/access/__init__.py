"""Access rules: from which networks and at which hours a caller may call, and the caller's address (D15, D26)."""

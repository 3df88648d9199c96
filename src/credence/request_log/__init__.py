"""The request log: the answered requests of this node for a limited time, and their search (D30, threats A11, A12, I12)."""

"""The request log: what this node answered, for a bounded time, and its search (D30, threats A11, A12, I12)."""

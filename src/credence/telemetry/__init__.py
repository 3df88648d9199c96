"""What the operator sees: structured lines, never a secret."""

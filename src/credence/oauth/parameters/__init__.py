"""Parameters of token requests: attributes, scopes and resources."""

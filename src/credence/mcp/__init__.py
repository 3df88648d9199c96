"""The Model Context Protocol: language-model agents search companies and read reports (decision D32)."""

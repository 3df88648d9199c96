"""What makes the sandbox easy to begin with: its own certificates, ready accounts, and a scenario for every refusal."""

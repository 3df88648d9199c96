"""The sandbox: its own certificates, ready accounts, invented companies, and a scenario for every refusal (D18, D24)."""

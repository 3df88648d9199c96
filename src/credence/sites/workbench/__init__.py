"""The credit workbench: companies, lists, alerts and decisions for people, on the address of the API (docs/workbench.md)."""

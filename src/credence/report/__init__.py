"""The credit report: its schema, how it is built, rendered and cached, and the searches that lead to it."""

"""Background tasks of a running service: they follow the change log, delete expired rows, rotate keys and serve metrics."""

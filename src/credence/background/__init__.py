"""What a running service does besides answering: it follows the change log, frees what has expired, closes connections
that the server leaves open, counts together with other nodes, and says how it fares.
"""

"""Reads requests and writes responses in two dialects; the dialect of the request decides that of the response (D1)."""

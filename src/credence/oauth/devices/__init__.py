"""Devices without a browser: the two codes of RFC 8628, and the protection of the user code against guessing."""

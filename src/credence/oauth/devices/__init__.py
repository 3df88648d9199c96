"""Devices without a browser: the two codes of RFC 8628, and how the one that people type is protected from guessing."""

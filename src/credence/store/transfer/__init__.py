"""Copies whole stores: to another database, to a backup and back."""

"""Requests and responses, with their header fields."""

"""Loads a source into a new data set, checks it and puts it in service."""

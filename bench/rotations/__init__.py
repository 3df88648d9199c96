"""Rotations at random over all live families of a store, by how many families it has: `python -m bench.rotations`."""

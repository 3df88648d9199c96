"""Tests of `credence.monitoring`."""

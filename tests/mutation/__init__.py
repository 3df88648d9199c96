"""Mutation testing: faults planted in the program one by one, and whether a test fails."""

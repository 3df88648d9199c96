"""Examines a deployment from outside, through its public address and whatever proxy stands before it (threats P17, A9, E6).

It sends what any caller could send and learns from the answers that the specification promises. No credentials are
needed, none is guessed, and nothing in the deployment changes.
"""

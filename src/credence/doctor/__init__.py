"""Checks a deployment from outside, through its public address and its proxy (threats P17, A9, E6).

The requests are ones that any caller could send, and the checks read the responses. They need no credentials, guess
none, and change nothing in the deployment.
"""

"""The wire form of the credit answers: member names and types exactly as the field tables of the report schema.

Every member that may be unknown has a default, None or an empty tuple, and is then absent from the JSON, never null.
"""

"""The models of the credit answers, with names and types exactly as in the field tables of the report schema.

A docstring that begins with a name in backquotes gives the model's name in the field tables. A member that may be unknown
has the default None or an empty tuple; it is then absent from the JSON, never null.
"""

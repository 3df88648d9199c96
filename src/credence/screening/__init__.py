"""Screening of requests: size, structure of the body, and attack patterns (D16, D17; rows P of the threat table).

The pipeline applies the modules in this order. `size` checks lengths only. `json_shape` and `xml_shape` parse a body
into a dict of strings or refuse it, with the rules they share in `document`. `patterns` screens the decoded values.
`limits.Limits` has the limits of size and structure.

Nothing here reads a clock, a setting or a store. A refusal is `Refused` with a reason code for the operator.
"""

"""Screening of requests: structure of the body, and attack patterns (D16, D17; rows P of the threat table).

`json_shape` and `xml_shape` parse a body into a dict of strings or refuse it, with the rules they share in `document`. Then
`patterns` screens the decoded values. `limits.Limits` has the limits of size and structure; the sizes are checked earlier,
where the head (`web/messages/request.py`) and the body (`transport/bodies.py`) arrive.

Nothing here reads a clock, a setting or a store. A refusal is `Refused` with a reason code for the operator.
"""

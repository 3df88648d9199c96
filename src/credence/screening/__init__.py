"""May these bytes be looked at? One file per protection, entered in this order by the pipeline.

`size` looks at lengths only. `json_shape` and `xml_shape` turn a body into a dict of strings, or refuse it; what they
have in common stands in `document`. `patterns` screens the decoded values. `caller` says who is calling from where,
`spike` how often, within the paces of `spike_limits`, and `access` whether this address may call at this hour. Limits of
size and shape are fields of `limits.Limits`. `connections` judges what the requests come on, at times of its own.

Nothing here reads a clock, a setting or a store: time and limits are arguments, an answer is a value, and a refusal is
`Refused` with a reason code for the operator. `spike_shared` alone has somebody to ask: the server in which nodes count
together. The rows P, A and I of the threat table are what this room is for.
"""

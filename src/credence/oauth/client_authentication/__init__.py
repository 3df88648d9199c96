"""How an application proves that a request is its own (RFC 6749 §2.3, RFC 7523, RFC 8705).

`methods` lists the methods, `private_key_jwt` and `mutual_tls` verify one each, and the endpoints call `authentication`.
"""

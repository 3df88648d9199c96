"""Credence: a token service (OAuth 2.0, OpenID Connect) and the UK business credit-risk API its tokens open.

The way of a request, each room entered once and in this order:

    granian            sockets, TLS, HTTP/1.1 and 2
      web/            one table of routes, one pipeline that knows the order of refusals (D3)
      screening/           may these bytes be looked at?
      web/dialects/   what was said?       bytes -> one frozen request value
      oauth/, companies/  do it                one file per grant or act; identity/ and crypto/ serve it, store/ is the I/O
      web/dialects/   say it back          a value or a refusal -> bytes in the caller's dialect

A refusal is a value of `refusals`; only the pipeline turns one into an answer. Time and the store are arguments.
"""

__version__ = "0.2.0"

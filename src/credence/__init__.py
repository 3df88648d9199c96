"""Credence: a token service (OAuth 2.0, OpenID Connect) and the UK business credit-risk API that its tokens open.

A request passes the packages in this order (docs/architecture.md has every step):

    granian             TLS, HTTP/1.1 and HTTP/2
      web/              the table of routes, and the pipeline with the order of refusals (D3)
      screening/        size, structure and attack patterns of the request
      web/dialects/     bytes -> one frozen value
      api/              answers programs; sign_in/ and sites/ answer people
      oauth/            authenticates, issues and revokes tokens; identity/, ratelimit/ and access/ serve it
      report/           searches and reports, from scoring/, datasets/ and companies/
      web/dialects/     a value or a refusal -> bytes in the caller's dialect

A refusal is a value of `refusals`; only the pipeline turns one into an answer. Time and the store are arguments.
"""

__version__ = "0.3.0"

"""The documentation of each route, for the OpenAPI document and the reference page.

Paths, methods, protection, models and refusals are derived (`openapi.py`); summaries, parameters and examples are
written here. A row of the route table cannot be defined without its `Operation`.
"""

"""The words about each route, for the OpenAPI document and the reference page: what the code cannot say about itself.

Paths, methods, protection, models and refusals are derived (`openapi.py`); summaries, parameters and examples stand
here. A row of the table of routes cannot be written without its `Operation`.
"""

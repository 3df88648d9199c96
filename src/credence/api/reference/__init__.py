"""The published description of the route table: documentation of each row, OpenAPI document, and reference page."""

"""The API reference as a page, made from the OpenAPI document."""

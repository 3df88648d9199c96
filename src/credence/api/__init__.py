"""What programs call: tokens, the credit API, monitoring, management, and the description of all of it (OpenAPI)."""

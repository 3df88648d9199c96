"""The developer portal: what developers do with their own applications, on the address of the service."""

"""The developer portal: developers manage their own applications on the address of the service."""

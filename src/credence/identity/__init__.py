"""Applications and accounts: registration, secrets, passwords, and limits on login attempts."""

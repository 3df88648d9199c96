"""Who asks: applications with their secrets, accounts with their passwords."""

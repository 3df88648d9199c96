"""The one client that calls out (D29): what it may call, to which address it connects, how much it reads."""

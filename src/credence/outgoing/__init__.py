"""The outgoing HTTP client (D29): which URLs it may call, which addresses it may connect to, and how much it reads."""

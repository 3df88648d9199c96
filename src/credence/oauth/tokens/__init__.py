"""The tokens themselves: access, refresh and ID tokens, what they claim and what binds them."""

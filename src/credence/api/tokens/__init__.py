"""The endpoints for holders and verifiers of tokens, and the registration of clients."""

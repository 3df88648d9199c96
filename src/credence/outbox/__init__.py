"""Makes the deliveries of the outbox: when each is attempted, how many at a time, and what follows from the result."""

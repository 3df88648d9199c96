"""The deliveries of the outbox are made: when each is attempted, how many at a time, what becomes of it."""

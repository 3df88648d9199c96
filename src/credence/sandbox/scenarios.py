"""One way to provoke each answer (D24)."""

REHEARSED_FAILURE = "99999500"

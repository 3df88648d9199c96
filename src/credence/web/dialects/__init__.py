"""What was said, and how to say it back. Two dialects over one core; the request's form decides the answer's (D1)."""

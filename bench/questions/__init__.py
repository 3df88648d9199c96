"""One file per question. Each has `ask`, which yields its measurements as they are made."""

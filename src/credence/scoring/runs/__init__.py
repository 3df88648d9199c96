"""A scoring run: every company of the register is scored, and what runs before it found stays as history."""

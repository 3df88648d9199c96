"""A scoring run scores every company of the register and keeps the results of earlier runs as history."""

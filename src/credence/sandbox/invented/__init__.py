"""Invented companies and their people, for every branch of a client (D24). None of them exists, and their names say so."""

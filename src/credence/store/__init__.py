"""What the service keeps. `contract` promises, `memory`, `sqlite` and `postgres` keep it, `mirror` remembers what is hot."""

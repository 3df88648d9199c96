"""What the service keeps. `contract` promises; `memory`, `sqlite` and `postgres` keep the promise; `mirror` remembers what
is hot; `migrations` brings a schema up to date; `moving` takes a store elsewhere.
"""

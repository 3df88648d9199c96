"""What answers on each route of `routes.py`, once its protection has let the request through. One file per subject."""

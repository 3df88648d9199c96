"""The endpoints of the routes, called once the protection of the route allows the request. One file per subject."""

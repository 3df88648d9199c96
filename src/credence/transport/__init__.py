"""Limits on connections and on the time a request body may take."""

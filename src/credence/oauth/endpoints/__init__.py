"""What each OAuth endpoint does, in the order of D3. The web layer reads the request and writes the answer."""

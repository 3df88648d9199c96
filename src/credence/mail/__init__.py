"""Messages to people by mail: notices of changes of their account, and links and codes that prove an address.

A message is a row of the outbox, so it is sent although the relay or a node is away for a while, and no page waits for the
relay. The row is sealed and has no link and no code: these are made when the message is sent.
"""

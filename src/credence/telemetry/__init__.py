"""What operators see: the log, the audit trail, metrics and explanations of reason codes. None contains a secret."""

"""Acts of operators, whichever way they come: what they change, who may do them, and what the trail says."""

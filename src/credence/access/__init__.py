"""Who may call from where and when: network and time rules, and the address of the caller (D15, D26)."""

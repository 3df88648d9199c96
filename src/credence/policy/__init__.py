"""Policies: dated files of rules that turn a report into accept, refer or decline, for one company or a list of them."""

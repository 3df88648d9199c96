"""The endpoints of monitoring: portfolios, their companies, rules, and the feed of events."""

-- Serves programs of schema 1 and later.
-- locks: all writes

-- From a company to the events about it, for its page: without it each page reads the events of a year.
CREATE INDEX monitoring_events_company ON monitoring_events (company, number);

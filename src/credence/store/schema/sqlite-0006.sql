-- Serves programs of schema 1 and later.
-- locks: all writes

-- Which application read the report on which company, by the month of the last time: whom the decision of a dispute concerns.
-- `until` is the end of the retention.
CREATE TABLE report_reads (
    client_id TEXT NOT NULL,
    company   TEXT NOT NULL,
    until     INTEGER NOT NULL,
    PRIMARY KEY (client_id, company)
);
CREATE INDEX report_reads_until ON report_reads (until);

-- No foreign keys lead from `work` and `run_members` to `records`: on Postgres each would lock the run's row for
-- every wake-up addressed to it. The store removes dependents itself, in the same transaction.

-- Every document. Text compares byte by byte, which is the order of all lists; keys and names are lower case.
CREATE TABLE records (
    sequence       INTEGER PRIMARY KEY AUTOINCREMENT,
    key            TEXT NOT NULL UNIQUE,
    kind           TEXT NOT NULL,
    parent         TEXT NOT NULL,
    subscription   TEXT NOT NULL,
    resource_group TEXT NOT NULL,
    name           TEXT NOT NULL,
    unique_key     TEXT,
    version        INTEGER NOT NULL,
    etag           TEXT NOT NULL,
    body           TEXT NOT NULL
) STRICT;
CREATE INDEX records_by_parent ON records (kind, parent, name);
CREATE INDEX records_by_subscription ON records (kind, subscription, resource_group, name);
CREATE UNIQUE INDEX records_unique ON records (kind, unique_key) WHERE unique_key IS NOT NULL;

-- A run's progress, a row a member.
CREATE TABLE run_members (
    run     TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    cluster TEXT NOT NULL,
    open    INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (run, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_members_open ON run_members (cluster, run) WHERE open;

-- Members whose cluster has changed since their run was advanced. Only ever appended to, so that nobody who notes
-- something waits for the transaction that advances the run and takes the notes.
CREATE TABLE touched_members (
    note    INTEGER PRIMARY KEY,
    run     TEXT NOT NULL,
    ordinal INTEGER NOT NULL
) STRICT;
CREATE INDEX touched_members_of_run ON touched_members (run);

-- What is due when, and who holds it until when. `at` is simulated, `expires` is real time by this database's
-- clock; both in microseconds since 1970.
CREATE TABLE work (
    kind    INTEGER NOT NULL,
    key     TEXT NOT NULL,
    at      INTEGER,
    owner   TEXT,
    expires INTEGER,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_due_of_kind ON work (kind, at);
CREATE INDEX work_due ON work (at) WHERE at IS NOT NULL;
CREATE INDEX work_leases ON work (owner, expires) WHERE owner IS NOT NULL;

CREATE TABLE counters (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The one clock, as JSON.
CREATE TABLE clock (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    setting TEXT NOT NULL
) STRICT;

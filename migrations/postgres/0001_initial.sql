-- No foreign keys lead from `work` and `run_members` to `records`: each would lock the run's row for every wake-up
-- addressed to it. The store removes dependents itself, in the same transaction.

-- Every document. Collation "C" compares byte by byte as SQLite does, which is the order of all lists; keys and
-- names are lower case. Bodies are text and not json, because they pass through as they are.
CREATE TABLE records (
    sequence       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key            text COLLATE "C" NOT NULL UNIQUE,
    kind           text COLLATE "C" NOT NULL,
    parent         text COLLATE "C" NOT NULL,
    subscription   text COLLATE "C" NOT NULL,
    resource_group text COLLATE "C" NOT NULL,
    name           text COLLATE "C" NOT NULL,
    unique_key     text COLLATE "C",
    version        bigint NOT NULL,
    etag           text COLLATE "C" NOT NULL,
    body           text NOT NULL
);
CREATE INDEX records_by_parent ON records (kind, parent, name);
CREATE INDEX records_by_subscription ON records (kind, subscription, resource_group, name);
CREATE UNIQUE INDEX records_unique ON records (kind, unique_key) WHERE unique_key IS NOT NULL;

-- A run's progress, a row a member.
CREATE TABLE run_members (
    run     text COLLATE "C" NOT NULL,
    ordinal bigint NOT NULL,
    cluster text COLLATE "C" NOT NULL,
    open    boolean NOT NULL,
    body    text NOT NULL,
    PRIMARY KEY (run, ordinal)
);
CREATE INDEX run_members_open ON run_members (cluster, run) WHERE open;

-- Members whose cluster has changed since their run was advanced. Only ever appended to, so that nobody who notes
-- something waits for the transaction that advances the run and takes the notes.
CREATE TABLE touched_members (
    note    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run     text COLLATE "C" NOT NULL,
    ordinal bigint NOT NULL
);
CREATE INDEX touched_members_of_run ON touched_members (run);

-- What is due when, and who holds it until when. `at` is simulated, `expires` is real time by this database's
-- clock; both in microseconds since 1970.
CREATE TABLE work (
    kind    smallint NOT NULL,
    key     text COLLATE "C" NOT NULL,
    at      bigint,
    owner   text COLLATE "C",
    expires bigint,
    PRIMARY KEY (kind, key)
);
CREATE INDEX work_due_of_kind ON work (kind, at);
CREATE INDEX work_due ON work (at) WHERE at IS NOT NULL;
CREATE INDEX work_leases ON work (owner, expires) WHERE owner IS NOT NULL;

CREATE TABLE counters (
    name  text COLLATE "C" PRIMARY KEY,
    value bigint NOT NULL
);

-- The one clock, as JSON.
CREATE TABLE clock (
    id      smallint PRIMARY KEY CHECK (id = 1),
    setting text NOT NULL
);

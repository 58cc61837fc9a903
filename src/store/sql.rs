//! What both databases share: statements that mean the same on both, and how rows and errors read.
//!
//! Placeholders are `$1`, `$2` …, which both understand. No connection is used here. A statement that differs
//! between the databases lives in the adapter; where only the reading of the clock or the locking differs,
//! [`lease_statements`] writes it into the adapter's module.

use std::collections::BTreeSet;

use sqlx::FromRow;

use super::error::StoreError;
use super::page::{JsonEquals, ListQuery, Scope};
use super::records::{Kind, NewRecord, Record};
use super::run_members::MemberRow;
use super::work::{Claim, Due, WorkKind};
use crate::domain::clock::ClockSetting;
use crate::domain::etag::ETag;
use crate::domain::time::from_micros;

/// The columns of [`RecordRow`].
macro_rules! record_columns {
    () => {
        "SELECT key, kind, resource_group, name, version, etag, sequence, body FROM records "
    };
}
pub(super) use record_columns;

pub(super) const GET: &str = concat!(record_columns!(), "WHERE key = $1 AND kind = $2");
pub(super) const GET_UNIQUE: &str = concat!(record_columns!(), "WHERE kind = $1 AND unique_key = $2");
pub(super) const CHILDREN: &str =
    concat!(record_columns!(), "WHERE kind = $1 AND parent = $2 ORDER BY sequence");
pub(super) const ALL: &str = concat!(record_columns!(), "WHERE kind = $1 ORDER BY sequence");
pub(super) const CREATED_AFTER: &str =
    concat!(record_columns!(), "WHERE kind = $1 AND sequence > $2 ORDER BY sequence LIMIT $3");
pub(super) const COUNT: &str = "SELECT count(*) FROM records WHERE kind = $1 AND parent = $2";
pub(super) const KEY_EXISTS: &str = "SELECT count(*) FROM records WHERE key = $1";
pub(super) const DELETE: &str = "DELETE FROM records WHERE key = $1 AND version = $2";
pub(super) const DELETE_RECORDS_BETWEEN: &str = "DELETE FROM records WHERE key > $1 AND key < $2";
/// What belongs to the records of [`DELETE_RECORDS_BETWEEN`].
pub(super) const DELETE_DEPENDENTS_BETWEEN: [&str; 3] = [
    "DELETE FROM work WHERE key > $1 AND key < $2",
    "DELETE FROM run_members WHERE run > $1 AND run < $2",
    "DELETE FROM touched_members WHERE run > $1 AND run < $2",
];

pub(super) const MEMBERS: &str =
    "SELECT ordinal, cluster, open, body FROM run_members WHERE run = $1 ORDER BY ordinal";
pub(super) const DELETE_MEMBERS: &str = "DELETE FROM run_members WHERE run = $1";
pub(super) const TAKE_TOUCHED: &str = "DELETE FROM touched_members WHERE run = $1 RETURNING ordinal";

/// Declares the statements that note a change of clusters; `clusters` is the condition that a member's cluster is in
/// the list given as `$1`. `$2` and `$3` are the kind of work and the instant of `WAKE_TOUCHED_RUNS`.
macro_rules! touch_statements {
    (clusters: $clusters:literal) => {
        const TOUCH: &str = concat!(
            "INSERT INTO touched_members (run, ordinal) SELECT run, ordinal FROM run_members WHERE open AND ",
            $clusters
        );
        const WAKE_TOUCHED_RUNS: &str = concat!(
            "INSERT INTO work (kind, key, at) SELECT DISTINCT CAST($2 AS smallint), run, CAST($3 AS bigint) FROM run_members WHERE open AND ",
            $clusters,
            " ORDER BY run ",
            sql::keep_earlier!()
        );
    };
}
pub(super) use touch_statements;

/// Ends an insertion into `work`: of two instants the earlier one stays.
macro_rules! keep_earlier {
    () => {
        "ON CONFLICT (kind, key) DO UPDATE SET at = excluded.at WHERE work.at IS NULL OR work.at > excluded.at"
    };
}
pub(super) use keep_earlier;

pub(super) const SCHEDULE: &str = "INSERT INTO work (kind, key, at) VALUES ($1, $2, $3) \
     ON CONFLICT (kind, key) DO UPDATE SET at = excluded.at";
pub(super) const RELEASE: &str =
    "UPDATE work SET owner = NULL, expires = NULL WHERE kind = $1 AND key = $2 AND owner = $3";
pub(super) const RELEASE_OWNER: &str =
    "UPDATE work SET owner = NULL, expires = NULL WHERE owner IS NOT NULL AND owner = $1";
pub(super) const RELEASE_ALL: &str = "UPDATE work SET owner = NULL, expires = NULL WHERE owner IS NOT NULL";

/// Declares the statements about due work and leases; `now` is the database's clock in microseconds since 1970,
/// `keys` is the condition that a row's key is in the list given as `$2`, `lock` ends a SELECT whose rows stay locked
/// and passes over rows that others lock.
macro_rules! lease_statements {
    (now: $now:literal, keys: $keys:literal, lock: $lock:literal) => {
        const UNSCHEDULE: &str = concat!("DELETE FROM work WHERE kind = $1 AND ", $keys);
        const DUE: &str =
            concat!("SELECT key, at FROM work WHERE kind = $1 AND at <= $2 ORDER BY key LIMIT $3", $lock);
        const FIRST_FREE: &str = concat!(
            "SELECT key, at, owner FROM work WHERE kind = $1 AND at <= $2 \
             AND (owner IS NULL OR owner = $3 OR expires <= ",
            $now,
            ") ORDER BY key LIMIT $4",
            $lock
        );
        const LEASE: &str =
            concat!("UPDATE work SET owner = $3, expires = ", $now, " + $4 WHERE kind = $1 AND ", $keys);
        const NEXT_DUE: &str = concat!(
            "SELECT at FROM work WHERE at IS NOT NULL AND (owner IS NULL OR owner = $1 OR expires <= ",
            $now,
            ") ORDER BY at LIMIT 1"
        );
        const NEXT_EXPIRY: &str = concat!(
            "SELECT min(expires) - ",
            $now,
            " FROM work WHERE owner IS NOT NULL AND owner <> $1 AND at IS NOT NULL AND expires > ",
            $now
        );
        const RENEW: &str = concat!(
            "UPDATE work SET expires = ",
            $now,
            " + $2 WHERE (kind, key) IN (SELECT kind, key FROM work WHERE owner = $1 AND expires > ",
            $now,
            $lock,
            ")"
        );
        const HELD: &str = concat!("SELECT count(*) FROM work WHERE owner = $1 AND expires > ", $now);
    };
}
pub(super) use lease_statements;

pub(super) const COUNTER: &str = "SELECT value FROM counters WHERE name = $1";
pub(super) const BUMP: &str = "INSERT INTO counters (name, value) VALUES ($1, 1) \
     ON CONFLICT (name) DO UPDATE SET value = counters.value + 1";
pub(super) const CLOCK: &str = "SELECT setting FROM clock WHERE id = 1";
pub(super) const SET_CLOCK: &str = "INSERT INTO clock (id, setting) VALUES (1, $1) \
     ON CONFLICT (id) DO UPDATE SET setting = excluded.setting";

pub(super) const APPLIED_MIGRATIONS: &str = "SELECT version FROM _sqlx_migrations WHERE success";

/// A row of `records`.
#[derive(FromRow)]
pub(super) struct RecordRow {
    key: String,
    kind: String,
    resource_group: String,
    name: String,
    version: i64,
    etag: String,
    sequence: i64,
    body: String,
}

impl TryFrom<RecordRow> for Record {
    type Error = StoreError;

    fn try_from(row: RecordRow) -> Result<Self, StoreError> {
        let corrupt = |source| StoreError::Corrupt { key: row.key.clone(), source };
        let kind = Kind::parse(&row.kind).ok_or_else(|| {
            corrupt(serde::de::Error::custom(format_args!("unknown kind of record '{}'", row.kind)))
        })?;
        let etag: ETag = serde_json::from_value(row.etag.into()).map_err(corrupt)?;
        let place = (row.resource_group, row.name);
        Ok(Self {
            key: row.key,
            kind,
            place,
            version: row.version,
            etag,
            sequence: row.sequence,
            body: row.body,
        })
    }
}

/// All rows as records.
pub(super) fn records(rows: Vec<RecordRow>) -> Result<Vec<Record>, StoreError> {
    rows.into_iter().map(Record::try_from).collect()
}

/// A row of `run_members`.
#[derive(FromRow)]
pub(super) struct MemberRowRead {
    ordinal: i64,
    cluster: String,
    open: bool,
    body: String,
}

impl From<MemberRowRead> for MemberRow {
    fn from(row: MemberRowRead) -> Self {
        Self { ordinal: ordinal(row.ordinal), cluster: row.cluster, open: row.open, body: row.body }
    }
}

/// Ordinals as they are read, each once, ascending.
pub(super) fn ordinals(rows: Vec<i64>) -> Vec<u32> {
    rows.into_iter().map(ordinal).collect::<BTreeSet<_>>().into_iter().collect()
}

fn ordinal(row: i64) -> u32 {
    u32::try_from(row).expect("ordinals are written from u32 only")
}

/// Due work as it is read: `(key, at)`.
pub(super) fn due(kind: WorkKind, (key, at): (String, i64)) -> Due {
    Due { kind, key, at: from_micros(at) }
}

/// A row that `owner` has claimed, as it was read before: `(key, at, owner)`.
pub(super) fn claim(kind: WorkKind, (key, at, before): (String, i64, Option<String>), owner: &str) -> Claim {
    Claim { due: due(kind, (key, at)), renewed: before.as_deref() == Some(owner) }
}

/// A duration as the stores count it.
pub(super) fn micros(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX / 4)
}

/// A duration as it is read; zero where the instant has passed.
pub(super) fn duration(micros: i64) -> std::time::Duration {
    std::time::Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

/// The clock's row as it is read.
pub(super) fn clock(setting: &str) -> Result<ClockSetting, StoreError> {
    serde_json::from_str(setting).map_err(|source| StoreError::Corrupt { key: "clock".to_owned(), source })
}

/// The clock's row as it is written.
pub(super) fn clock_text(setting: &ClockSetting) -> String {
    serde_json::to_string(setting).expect("a clock's setting has string keys only, so it always serialises")
}

/// A write of a member that the run does not have: its plan was replaced meanwhile.
pub(super) fn no_such_member(run: &str) -> StoreError {
    StoreError::Conflict { key: run.to_owned() }
}

/// The range of keys strictly between whose ends lies everything below `key`: `0` is the character after `/`.
pub(super) fn below(key: &str) -> (String, String) {
    (format!("{key}/"), format!("{key}0"))
}

/// A page's statement: first all of `texts` are bound, then the limit.
#[derive(Debug)]
pub(super) struct ListStatement<'q> {
    pub(super) sql: String,
    pub(super) texts: Vec<&'q str>,
}

/// Writes a page's statement; `text_at` is a condition's left side, given the names from the document's root
/// inwards: the string there, or NULL where there is none.
pub(super) fn list<'q>(query: &'q ListQuery, text_at: impl Fn(&[&str]) -> String) -> ListStatement<'q> {
    let (scope, order, id) = match &query.scope {
        Scope::Parent(key) => ("parent", "name", key),
        Scope::Subscription(id) => ("subscription", "resource_group, name", id),
    };
    let mut sql = format!("{}WHERE kind = $1 AND {scope} = $2", record_columns!());
    let mut texts = vec![query.kind.as_str(), id];
    if let Some((group, name)) = &query.after {
        if matches!(query.scope, Scope::Subscription(_)) {
            texts.push(group);
        }
        texts.push(name);
        let places: Vec<String> = (3..=texts.len()).map(|place| format!("${place}")).collect();
        sql += &format!(" AND ({order}) > ({})", places.join(", "));
    }
    for JsonEquals { path, value, ignore_case } in &query.filter {
        texts.push(value);
        let (left, right) = (text_at(path), format!("${}", texts.len()));
        sql += &if *ignore_case {
            format!(" AND lower({left}) = lower({right})")
        } else {
            format!(" AND {left} = {right}")
        };
    }
    sql += &format!(" ORDER BY {order} LIMIT ${}", texts.len() + 1);
    ListStatement { sql, texts }
}

/// Counts a kind's records by `text`, a string in each document.
pub(super) fn tally(text: &str) -> String {
    format!(
        "SELECT text, count(*) FROM (SELECT {text} AS text FROM records WHERE kind = $1) AS found \
         WHERE text IS NOT NULL GROUP BY text ORDER BY text"
    )
}

/// What `Exists` names: the record's key where that is taken, else its unique key.
pub(super) fn exists(record: &NewRecord, key_is_taken: bool) -> StoreError {
    let unique = record.unique.as_ref().filter(|_| !key_is_taken);
    StoreError::Exists { key: unique.unwrap_or(&record.locator.key).clone() }
}

/// What the database says, as far as a caller can act on it.
pub(super) fn failed(error: sqlx::Error) -> StoreError {
    let code = error.as_database_error().and_then(|error| error.code().map(std::borrow::Cow::into_owned));
    match (&error, code.as_deref()) {
        (
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed,
            _,
        ) => StoreError::Unavailable(Box::new(error)),
        (_, Some(code)) if is_transient(code) => StoreError::Unavailable(Box::new(error)),
        // Serialization failure and deadlock: another transaction won, and the database does not say on which row.
        (_, Some("40001" | "40P01")) => {
            StoreError::Conflict { key: "of a concurrent transaction".to_owned() }
        }
        _ => StoreError::Database(Box::new(error)),
    }
}

/// Whether the database is away rather than in disagreement. Postgres: connection exceptions, too many connections,
/// shutdown and start, idle too long in a transaction. SQLite: busy, locked, full, I/O errors (with their extended
/// codes, whose low byte is the plain one).
fn is_transient(code: &str) -> bool {
    match code.parse::<u32>() {
        Ok(sqlite) if code.len() != 5 => matches!(sqlite & 0xff, 5 | 6 | 10 | 13),
        _ => {
            code.starts_with("08")
                || matches!(code, "53300" | "57P01" | "57P02" | "57P03" | "57P05" | "25P03")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_one_statement_whose_placeholders_count_up() {
        let query = ListQuery {
            kind: Kind::Gate,
            scope: Scope::Subscription("sub".to_owned()),
            filter: vec![
                JsonEquals {
                    path: &["properties", "state"],
                    value: "Pending".to_owned(),
                    ignore_case: false,
                },
                JsonEquals { path: &["target"], value: "X".to_owned(), ignore_case: true },
            ],
            after: Some(("rg".to_owned(), "n".to_owned())),
            limit: 5,
        };
        let statement = list(&query, |path| format!("at({})", path.join(".")));
        let conditions = statement.sql.split_once("WHERE ").unwrap().1;
        assert_eq!(
            conditions,
            "kind = $1 AND subscription = $2 AND (resource_group, name) > ($3, $4) \
             AND at(properties.state) = $5 AND lower(at(target)) = lower($6) \
             ORDER BY resource_group, name LIMIT $7"
        );
        assert_eq!(statement.texts, ["gates", "sub", "rg", "n", "Pending", "X"]);
    }

    #[test]
    fn below_a_key_are_its_children_only() {
        let (from, to) = below("/a/b");
        let inside = |key: &str| key > from.as_str() && key < to.as_str();
        assert!(inside("/a/b/c") && inside("/a/b/c/d"));
        assert!(!inside("/a/b") && !inside("/a/b-c") && !inside("/a/bc") && !inside("/a/b0"));
    }

    #[test]
    fn codes_that_pass_are_told_from_those_that_do_not() {
        for code in ["08006", "57P01", "53300", "25P03", "5", "517", "6", "13"] {
            assert!(is_transient(code), "{code}");
        }
        for code in ["23505", "42601", "40001", "2067", "1"] {
            assert!(!is_transient(code), "{code}");
        }
    }
}

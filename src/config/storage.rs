//! The storage section: which database, and who migrates it.

use std::{fmt, path::PathBuf, str::FromStr};

use clap::{Args, builder::BoolishValueParser};

use super::InvalidSetting;

/// Where state is kept.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct StorageConfig {
    /// sqlite://PATH (created when missing), sqlite::memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE
    #[arg(
        long,
        env = "DATABASE_URL",
        hide_env_values = true,
        value_name = "URL",
        default_value = "sqlite://fleetplane.db"
    )]
    pub database_url: DatabaseUrl,
}

/// Whether the service migrates its database; `serve` only, since `migrate` exists to do it.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct MigrationConfig {
    /// Refuse to start when migrations are pending, instead of applying them
    #[arg(long, env = "FLEETPLANE_NO_MIGRATE", value_parser = BoolishValueParser::new())]
    pub no_migrate: bool,
}

/// A database the service has an adapter for.
///
/// Neither `Debug` nor `Display` shows the password, so that it can stand in logs and error messages.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A SQLite file, created when it does not exist.
    SqliteFile(PathBuf),
    /// A SQLite database that lives as long as the process.
    SqliteMemory,
    /// A Postgres connection URL, as given.
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "sqlite::memory:" || text == "sqlite://:memory:" {
            return Ok(Self::SqliteMemory);
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        match text.strip_prefix("sqlite://") {
            Some("") => {
                Err(InvalidSetting::new("a path must follow sqlite://, as in sqlite://fleetplane.db"))
            }
            Some(path) if path.contains('?') => {
                Err(InvalidSetting::new("parameters after ? are not understood; give the path alone"))
            }
            Some(path) => Ok(Self::SqliteFile(PathBuf::from(path))),
            None => Err(InvalidSetting::new("expected sqlite://PATH, sqlite::memory: or postgres://…")),
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SqliteFile(path) => write!(f, "sqlite://{}", path.display()),
            Self::SqliteMemory => f.write_str("sqlite::memory:"),
            Self::Postgres(url) => f.write_str(&without_secrets(url)),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

/// `url` with its password replaced and its parameters (which may carry one too) cut off.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split('?').next().unwrap_or_default();
    match rest.rsplit_once('@') {
        Some((credentials, place)) => {
            let user = credentials.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}:***@{place}")
        }
        None => format!("{scheme}://{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("sqlite://fleetplane.db", DatabaseUrl::SqliteFile("fleetplane.db".into()))]
    #[case("sqlite:///var/lib/f.db", DatabaseUrl::SqliteFile("/var/lib/f.db".into()))]
    #[case("sqlite::memory:", DatabaseUrl::SqliteMemory)]
    #[case("postgres://u@h/d", DatabaseUrl::Postgres("postgres://u@h/d".into()))]
    #[case("postgresql://u@h/d", DatabaseUrl::Postgres("postgresql://u@h/d".into()))]
    fn database_urls_name_their_adapter(#[case] text: &str, #[case] expected: DatabaseUrl) {
        assert_eq!(text.parse::<DatabaseUrl>().unwrap(), expected);
    }

    #[rstest]
    #[case("mysql://h/d", "postgres://")]
    #[case("fleetplane.db", "sqlite://PATH")]
    #[case("sqlite://", "path must follow")]
    #[case("sqlite://f.db?mode=ro", "not understood")]
    fn other_database_urls_are_refused_with_what_would_be_right(#[case] text: &str, #[case] hint: &str) {
        let error = text.parse::<DatabaseUrl>().unwrap_err().to_string();
        assert!(error.contains(hint), "{error}");
    }

    #[rstest]
    #[case("postgres://fleet:s3cret@db:5432/f?password=s3cret", "postgres://fleet:***@db:5432/f")]
    #[case("postgres://fleet:s3c@ret@db/f", "postgres://fleet:***@db/f")]
    #[case("postgres://db/f", "postgres://db/f")]
    fn passwords_are_never_shown(#[case] text: &str, #[case] shown: &str) {
        let url: DatabaseUrl = text.parse().unwrap();
        assert_eq!(url.to_string(), shown);
        assert_eq!(format!("{url:?}"), format!("DatabaseUrl({shown})"));
    }
}

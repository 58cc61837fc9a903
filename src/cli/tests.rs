//! Precedence and naming of the settings, and that the compose file only uses settings there are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::{Command as Definition, CommandFactory as _};
use rstest::rstest;

use super::*;
use crate::config::{CertificateSource, ClockSetting, DatabaseUrl, LogFormat, OperationDurations};

const COMPOSE: &str = include_str!("../../docker-compose.yml");

/// The settings of `serve` with these flags, or clap's message.
fn serve(flags: &[&str]) -> Result<ServeArgs, String> {
    let line = ["fleetplane", "serve"].iter().chain(flags);
    match Cli::try_parse_from(line).map_err(|error| error.to_string())?.command {
        Command::Serve(args) => Ok(args),
        other => panic!("parsed {other:?}"),
    }
}

/// Runs `test`, the caller, again in a process of its own with these variables; true there, false in the parent, which
/// has then seen it succeed. A process can't safely change its own environment while other tests read it.
fn in_process_with<T: Fn()>(_test: T, variables: &[(&str, &str)]) -> bool {
    if std::env::var_os("FLEETPLANE_CHILD_OF_TEST").is_some() {
        return true;
    }
    let (_, name) = std::any::type_name::<T>().split_once("::").unwrap();
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env("FLEETPLANE_CHILD_OF_TEST", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    false
}

#[test]
fn the_command_line_is_well_formed() {
    Cli::command().debug_assert();
}

#[test]
fn defaults_are_those_of_the_settings_table() {
    let args = serve(&[]).unwrap();
    assert_eq!(args.http.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(args.http.public_url, None);
    assert_eq!(args.storage.database_url, DatabaseUrl::SqliteFile("fleetplane.db".into()));
    assert_eq!(args.clock.clock, ClockSetting::Real);
    assert_eq!(args.simulation.catalogue, None);
    assert_eq!(args.limits.max_members, 1000);
    assert_eq!(args.log.log_format, LogFormat::Text);
    assert_eq!(args.tls.source(), None);
    let switches = [
        args.http.no_simulator_api,
        args.migration.no_migrate,
        args.limits.strict_resource_groups,
        args.limits.throttle,
        args.http.dev_identity,
    ];
    assert_eq!(switches, [false; 5]);
}

#[test]
fn every_flag_is_read() {
    let args = serve(&[
        "--listen=0.0.0.0:1",
        "--database-url=sqlite::memory:",
        "--clock=scaled:60",
        "--operation-durations=zero",
        "--catalogue=c.json",
        "--max-members=5",
        "--log-format=json",
        "--public-url=https://fleet.example.com",
        "--strict-resource-groups",
        "--throttle",
        "--no-simulator-api",
        "--dev-identity",
        "--no-migrate",
    ])
    .unwrap();
    assert_eq!(args.http.listen.to_string(), "0.0.0.0:1");
    assert_eq!(args.http.public_url.unwrap().as_str(), "https://fleet.example.com");
    assert_eq!(args.storage.database_url, DatabaseUrl::SqliteMemory);
    assert_eq!(args.clock.clock, ClockSetting::Scaled(60.0));
    assert_eq!(args.simulation.operation_durations(false), OperationDurations::Zero);
    assert_eq!(args.simulation.catalogue, Some("c.json".into()));
    assert_eq!(args.limits.max_members, 5);
    assert_eq!(args.log.log_format, LogFormat::Json);
    assert!(args.http.no_simulator_api && args.http.dev_identity && args.migration.no_migrate);
    assert!(args.limits.strict_resource_groups && args.limits.throttle);
}

#[tokio::test]
async fn an_identity_for_everybody_is_given_on_loopback_only() {
    let args = serve(&["--dev-identity", "--listen=0.0.0.0:0", "--database-url=sqlite::memory:"]).unwrap();
    let message = super::serve::run(&args).await.unwrap_err().to_string();
    assert!(message.contains("on loopback only, not on 0.0.0.0:0"), "{message}");
}

#[rstest]
#[case("--clock=fast", "expected real, scaled:N, manual or manual:TIMESTAMP")]
#[case("--database-url=mysql://h/d", "expected sqlite://PATH")]
#[case("--listen=8080", "--listen <ADDRESS:PORT>")]
#[case("--max-members=0", "0 is not in 1..")]
#[case("--log-format=xml", "[possible values: text, json]")]
#[case("--operation-durations=some", "[possible values: zero, simulated]")]
#[case("--public-url=example.com", "absolute URL")]
fn a_wrong_value_is_refused_with_what_would_be_right(#[case] flag: &str, #[case] hint: &str) {
    let message = serve(&[flag]).unwrap_err();
    assert!(message.contains(hint), "{message}");
}

#[test]
fn a_certificate_is_given_with_its_key_or_made() {
    let args = serve(&["--tls-cert=c.pem", "--tls-key=k.pem"]).unwrap();
    let files = CertificateSource::Files { certificate: Path::new("c.pem"), key: Path::new("k.pem") };
    assert_eq!(args.tls.source(), Some(files));
    let args = serve(&["--tls-self-signed=tls"]).unwrap();
    assert_eq!(args.tls.source(), Some(CertificateSource::SelfSigned(Path::new("tls"))));
}

#[rstest]
#[case(&["--tls-cert=c.pem"], "--tls-key <FILE>")]
#[case(&["--tls-key=k.pem"], "--tls-cert <FILE>")]
#[case(&["--tls-self-signed=tls", "--tls-cert=c.pem", "--tls-key=k.pem"], "cannot be used with")]
fn half_a_certificate_or_two_are_refused(#[case] flags: &[&str], #[case] hint: &str) {
    let message = serve(flags).unwrap_err();
    assert!(message.contains(hint), "{message}");
}

#[test]
fn operations_take_no_time_on_a_manual_clock_unless_asked() {
    let default = serve(&[]).unwrap().simulation;
    assert_eq!(default.operation_durations(true), OperationDurations::Zero);
    assert_eq!(default.operation_durations(false), OperationDurations::Simulated);
    let asked = serve(&["--operation-durations=simulated"]).unwrap().simulation;
    assert_eq!(asked.operation_durations(true), OperationDurations::Simulated);
}

#[test]
fn flags_win_over_the_environment_and_that_over_defaults() {
    let variables = [
        ("FLEETPLANE_MAX_MEMBERS", "7"),
        ("FLEETPLANE_CLOCK", "manual"),
        ("DATABASE_URL", "postgres://u@h/d"),
    ];
    if in_process_with(flags_win_over_the_environment_and_that_over_defaults, &variables) {
        let args = serve(&["--max-members=9"]).unwrap();
        assert_eq!(args.limits.max_members, 9);
        assert!(args.clock.clock.is_manual());
        assert_eq!(args.storage.database_url, DatabaseUrl::Postgres("postgres://u@h/d".into()));
        assert_eq!(args.http.listen.to_string(), "127.0.0.1:8080");
    }
}

#[test]
fn switches_take_true_false_1_and_0_from_the_environment() {
    let variables = [
        ("FLEETPLANE_THROTTLE", "true"),
        ("FLEETPLANE_NO_MIGRATE", "1"),
        ("FLEETPLANE_STRICT_RESOURCE_GROUPS", "false"),
        ("FLEETPLANE_NO_SIMULATOR_API", "0"),
    ];
    if in_process_with(switches_take_true_false_1_and_0_from_the_environment, &variables) {
        let args = serve(&[]).unwrap();
        assert!(args.limits.throttle && args.migration.no_migrate);
        assert!(!args.limits.strict_resource_groups && !args.http.no_simulator_api);
    }
}

#[test]
fn a_wrong_value_in_the_environment_is_refused() {
    let variables = [("FLEETPLANE_THROTTLE", "perhaps")];
    if in_process_with(a_wrong_value_in_the_environment_is_refused, &variables) {
        let message = serve(&[]).unwrap_err();
        assert!(message.contains("'perhaps'") && message.contains("--throttle"), "{message}");
    }
}

/// The variable of each flag of each command: flag → variable.
fn variables(definition: &Definition) -> BTreeMap<String, Option<String>> {
    let own = definition.get_arguments().filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version"));
    let own = own.filter_map(|arg| {
        let variable = arg.get_env().map(|name| name.to_string_lossy().into_owned());
        Some((arg.get_long()?.to_owned(), variable))
    });
    own.chain(definition.get_subcommands().flat_map(variables)).collect()
}

#[test]
fn every_flag_has_its_environment_variable() {
    for (flag, variable) in variables(&Cli::command()) {
        let expected = match flag.as_str() {
            "database-url" => "DATABASE_URL".to_owned(),
            flag => format!("FLEETPLANE_{}", flag.to_uppercase().replace('-', "_")),
        };
        assert_eq!(variable, Some(expected), "--{flag}");
    }
}

/// The lines of one service of the compose file, without their indentation.
fn compose_service(name: &str) -> Vec<&'static str> {
    let head = format!("  {name}:");
    let body = COMPOSE.lines().skip_while(|line| **line != head).skip(1);
    let body: Vec<_> =
        body.take_while(|line| line.is_empty() || line.starts_with("    ")).map(str::trim).collect();
    assert!(!body.is_empty(), "the compose file has no service {name}");
    body
}

/// The `NAME: value` lines of a service that name one of the binary's variables.
fn compose_variables() -> BTreeMap<&'static str, &'static str> {
    let lines = compose_service("fleetplane").into_iter().filter_map(|line| line.split_once(": "));
    let named = lines.filter(|(name, _)| name.starts_with("FLEETPLANE_") || *name == "DATABASE_URL");
    named.map(|(name, value)| (name, value.trim_matches('"'))).collect()
}

#[test]
fn the_compose_file_sets_only_variables_that_serve_reads() {
    let definition = Cli::command();
    let known = variables(definition.find_subcommand("serve").unwrap());
    let known: BTreeSet<_> = known.into_values().flatten().collect();
    let used = compose_variables();
    assert!(used.contains_key("DATABASE_URL") && used.contains_key("FLEETPLANE_LISTEN"), "{used:?}");
    for name in used.keys() {
        assert!(known.contains(*name), "{name} is no setting of serve; there are {known:?}");
    }
}

#[test]
fn the_compose_file_sets_values_that_serve_takes() {
    let used = compose_variables();
    let flags = used.iter().map(|(name, value)| {
        let flag = name.trim_start_matches("FLEETPLANE_").to_lowercase().replace('_', "-");
        format!("--{flag}={value}")
    });
    let flags: Vec<_> = flags.collect();
    let args = serve(&flags.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let DatabaseUrl::Postgres(url) = args.storage.database_url else { panic!("{:?}", args.storage) };
    let postgres = compose_service("postgres");
    for (variable, part) in [
        ("POSTGRES_USER", "postgres://{}:"),
        ("POSTGRES_PASSWORD", ":{}@postgres:5432/"),
        ("POSTGRES_DB", "/{}"),
    ] {
        let prefix = format!("{variable}: ");
        let value = postgres.iter().find_map(|line| line.strip_prefix(prefix.as_str()));
        let part = part.replace("{}", value.unwrap_or_else(|| panic!("postgres lacks {variable}")));
        assert!(url.contains(&part), "{part} is not in {url}");
    }
}

#[test]
fn the_compose_file_publishes_the_port_it_listens_on_and_only_on_loopback() {
    let listen = compose_variables()["FLEETPLANE_LISTEN"];
    let port = listen.strip_prefix("0.0.0.0:").expect("inside the container all interfaces");
    let published = format!("- \"127.0.0.1:{port}:{port}\"");
    assert!(compose_service("fleetplane").contains(&published.as_str()), "{published} is missing");
    assert!(!compose_service("postgres").contains(&"ports:"), "Postgres needs no published port");
}

#[test]
fn the_compose_file_runs_a_command_the_binary_has() {
    let command = compose_service("fleetplane").into_iter().find_map(|line| line.strip_prefix("command: "));
    let words: Vec<_> =
        command.unwrap().trim_matches(['[', ']']).split(", ").map(|w| w.trim_matches('"')).collect();
    let line = std::iter::once("fleetplane").chain(words);
    assert!(matches!(Cli::try_parse_from(line).unwrap().command, Command::Serve(_)));
}

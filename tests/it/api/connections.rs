//! Connections that clients keep for their next request, on the real listener.

use std::net::SocketAddr;

use axum::http::StatusCode;
use clap::Parser as _;
use fleetplane::app::App;
use fleetplane::cli::{Cli, Command};
use fleetplane::lifecycle::shutdown;
use fleetplane::testing::app::{FLEET, VERSION};
use rstest::rstest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const LAST: &str = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

async fn rest(connection: &mut TcpStream) -> String {
    let mut text = String::new();
    connection.read_to_string(&mut text).await.unwrap();
    text
}

/// Sends a request's head, and its body only when the server has had time to answer; then one more request.
async fn converse(address: SocketAddr, line: &str, header: &str) -> String {
    let mut connection = TcpStream::connect(address).await.unwrap();
    let head = format!("{line} HTTP/1.1\r\nHost: localhost\r\n{header}Content-Length: 2\r\n\r\n");
    connection.write_all(head.as_bytes()).await.unwrap();
    let mut other = TcpStream::connect(address).await.unwrap();
    other.write_all(LAST.as_bytes()).await.unwrap();
    assert!(rest(&mut other).await.starts_with("HTTP/1.1 200"));
    connection.write_all(format!("{{}}{LAST}").as_bytes()).await.unwrap();
    rest(&mut connection).await
}

#[rstest]
#[case::header(&format!("PUT {FLEET}?api-version={VERSION}"), "If-None-Match: \"x\"\r\n", 400)]
#[case::version(&format!("PUT {FLEET}"), "", 400)]
#[case::path("PUT /nowhere", "", 404)]
#[case::method(&format!("PUT {FLEET}/gates/x?api-version={VERSION}"), "", 405)]
#[case::no_body_taken(&format!("POST {FLEET}/updateRuns/x/start?api-version={VERSION}"), "", 404)]
#[tokio::test]
async fn a_connection_outlives_an_answer_that_no_body_was_needed_for(
    #[case] line: &str,
    #[case] header: &str,
    #[case] status: u16,
) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let line_of_flags = ["fleetplane", "serve", "--database-url=sqlite::memory:", "--clock=manual"];
    let Command::Serve(args) = Cli::parse_from(line_of_flags).command else { panic!("serve is a command") };
    let app = App::start(&args).await.unwrap();
    let (trigger, until) = shutdown();
    let server = tokio::spawn(async move { app.serve(listener, None, until).await.unwrap() });

    let answers = converse(address, line, header).await;
    let refused = StatusCode::from_u16(status).unwrap();
    assert!(answers.starts_with(&format!("HTTP/1.1 {refused}\r\n")), "{answers}");
    assert!(answers.contains("HTTP/1.1 200 OK\r\n"), "the next request is answered, too: {answers}");
    trigger.request();
    server.await.unwrap();
}

//! The API over HTTPS: the real listener, a client that trusts the kept authority, and clients that do not behave.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser as _;
use fleetplane::app::App;
use fleetplane::cli::{Cli, Command};
use fleetplane::clock::{RealTime as _, SystemTime};
use fleetplane::lifecycle::{ShutdownTrigger, shutdown};
use fleetplane::testing::app::{FLEET, VERSION};
use fleetplane::tls::server_config;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A service that serves HTTPS on a free port.
struct Secured {
    address: SocketAddr,
    trigger: ShutdownTrigger,
    server: JoinHandle<()>,
    folder: PathBuf,
}

impl Secured {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let folder = std::env::temp_dir().join(format!("fleetplane-https-{}", address.port()));
        let line = ["fleetplane", "serve", "--database-url=sqlite::memory:", "--clock=manual"];
        let Command::Serve(mut args) = Cli::parse_from(line).command else { panic!("serve is a command") };
        args.tls.tls_self_signed = Some(folder.clone());
        // The client goes by the machine's clock.
        let tls = server_config(args.tls.source().unwrap(), SystemTime.now()).unwrap();
        let app = App::start(&args).await.unwrap();
        let (trigger, until) = shutdown();
        let server = tokio::spawn(async move { app.serve(listener, Some(tls), until).await.unwrap() });
        Self { address, trigger, server, folder }
    }

    /// The answer's head and body to a request with this first line and body.
    async fn send(&self, line: &str, body: &str) -> String {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(self.folder.join("ca.pem")).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let host = ServerName::try_from("localhost").unwrap();
        let tcp = TcpStream::connect(self.address).await.unwrap();
        let mut stream = TlsConnector::from(Arc::new(config)).connect(host, tcp).await.unwrap();
        let request = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    async fn stop(self) {
        self.trigger.request();
        self.server.await.unwrap();
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

#[tokio::test]
async fn urls_in_answers_say_https() {
    let service = Secured::start().await;
    let line = format!("PUT {FLEET}?api-version={VERSION}");
    let answer = service.send(&line, r#"{"location": "westeurope"}"#).await;
    assert!(answer.starts_with("HTTP/1.1 201 Created\r\n"), "{answer}");
    assert!(answer.contains("azure-asyncoperation: https://localhost/subscriptions/"), "{answer}");
    service.stop().await;
}

#[tokio::test]
async fn clients_that_are_silent_or_speak_no_tls_keep_nobody_waiting() {
    let service = Secured::start().await;
    let silent = TcpStream::connect(service.address).await.unwrap();
    let mut plain = TcpStream::connect(service.address).await.unwrap();
    plain.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut refused = Vec::new();
    plain.read_to_end(&mut refused).await.unwrap();
    assert!(!refused.starts_with(b"HTTP"), "plain HTTP is not served");
    let answer = service.send("GET /livez", "").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    drop(silent);
    service.stop().await;
}

#[tokio::test]
async fn the_end_waits_for_no_handshake() {
    let service = Secured::start().await;
    let mut silent = TcpStream::connect(service.address).await.unwrap();
    let answer = service.send("GET /livez", "").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    service.stop().await;
    let mut rest = Vec::new();
    silent.read_to_end(&mut rest).await.unwrap();
    assert!(rest.is_empty(), "the connection was closed without a word");
}

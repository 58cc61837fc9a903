//! Clients that vanish: before all of their request is there, or before its answer. Nothing is done by half, and nothing
//! of the service stays with them.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use fleetplane::app::App;
use fleetplane::lifecycle::{ShutdownTrigger, shutdown};
use fleetplane::testing::app::{Backend, FLEET, TestApp, VERSION};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::kinds::Kind;

/// More clients than any pool has connections.
const CLIENTS: usize = 64;
/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many clusters one request makes.
const CLUSTERS: usize = 200;

/// The service behind a socket.
struct Served {
    test: TestApp,
    address: SocketAddr,
    trigger: ShutdownTrigger,
    server: JoinHandle<()>,
}

impl Served {
    async fn new(backend: Backend) -> Self {
        let test = Kind::Run.app(backend).await;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (trigger, until) = shutdown();
        let app = App::of(test.service.clone(), None, true);
        let server = tokio::spawn(async move { app.serve(listener, None, until).await.unwrap() });
        Self { test, address, trigger, server }
    }

    fn connected(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request, and as much of its body as is asked for.
    fn send(&self, method: &str, path: &str, body: &Value, share: f64) -> TcpStream {
        let (mut stream, body) = (self.connected(), body.to_string());
        let separator = if path.contains('?') { '&' } else { '?' };
        let head = format!(
            "{method} {path}{separator}api-version={VERSION} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let sent = (body.len() as f64 * share) as usize;
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body.as_bytes()[..sent]).unwrap();
        stream
    }

    /// Sends a request and waits for the answer; its status.
    fn ask(&self, method: &str, path: &str, body: &Value) -> u16 {
        let mut answer = String::new();
        self.send(method, path, body, 1.0).read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{answer}"))
    }

    /// Until nobody uses a connection of the store any more. Each look is a request to the service.
    async fn until_idle(&self) {
        let idle = async {
            loop {
                assert_eq!(self.ask("GET", FLEET, &json!({})), 200);
                let pool = self.test.service.store.pool();
                if pool.open == pool.idle {
                    return;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, idle).await.expect("no connection stays held");
    }

    async fn end(self) {
        self.trigger.request();
        tokio::time::timeout(PATIENCE, self.server).await.expect("the service ends").unwrap();
    }
}

fn strategy(client: usize) -> String {
    format!("{FLEET}/updateStrategies/s{client}")
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_body_does_nothing_and_holds_nothing(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let served = Served::new(backend).await;
    let body = super::strategy_body();
    let halves: Vec<TcpStream> =
        (0..CLIENTS).map(|client| served.send("PUT", &strategy(client), &body, 0.5)).collect();
    // While they are there, and when they are gone.
    assert_eq!(served.ask("PUT", &strategy(0), &body), 201);
    served.until_idle().await;
    drop(halves);
    assert_eq!(served.ask("PUT", &strategy(0), &body), 200);
    for client in 1..CLIENTS {
        assert_eq!(served.ask("GET", &strategy(client), &json!({})), 404);
    }
    served.until_idle().await;
    served.end().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_before_the_answer_leaves_nothing_half_done(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let served = Served::new(backend).await;
    let clusters = |client: usize| {
        json!({
            "subscriptionId": "11111111-2222-3333-4444-555555555555", "resourceGroup": "rg", "count": CLUSTERS,
            "namePrefix": format!("c{client}-"),
        })
    };
    for client in 0..CLIENTS {
        drop(served.send("PUT", &strategy(client), &super::strategy_body(), 1.0));
        if client % 16 == 0 {
            drop(served.send("POST", "/simulator/clusters", &clusters(client), 1.0));
        }
    }
    served.until_idle().await;
    for client in 0..CLIENTS {
        let put = served.ask("PUT", &strategy(client), &super::strategy_body());
        assert!([200, 201].contains(&put), "made by who left, or now: {put}");
        assert_eq!(served.ask("GET", &strategy(client), &json!({})), 200);
    }
    for client in (0..CLIENTS).step_by(16) {
        let cluster = |index: usize| {
            let clusters = FLEET.replace("fleets/fleet1", "managedClusters");
            format!("{clusters}/c{client}-{index}")
        };
        let first = served.ask("GET", &cluster(0), &json!({}));
        assert_eq!(served.ask("GET", &cluster(CLUSTERS - 1), &json!({})), first, "all of them or none");
        let expected = if first == 200 { 409 } else { 201 };
        assert_eq!(served.ask("POST", "/simulator/clusters", &clusters(client)), expected);
    }
    served.until_idle().await;
    served.end().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_whose_starter_left_is_started_or_can_be(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let served = Served::new(backend).await;
    for run in 0..8 {
        let run = format!("{FLEET}/updateRuns/r{run}");
        assert_eq!(served.ask("PUT", &run, &super::run_body()), 201);
        drop(served.send("POST", &format!("{run}/start"), &json!({}), 1.0));
    }
    served.until_idle().await;
    for run in 0..8 {
        let run = format!("{FLEET}/updateRuns/r{run}");
        let shown = served.test.get(&run).await.expect(200).json();
        let started = shown["properties"]["status"]["status"]["state"] != "NotStarted";
        assert_eq!(served.ask("POST", &format!("{run}/start"), &json!({})), if started { 409 } else { 200 });
        assert_eq!(served.ask("DELETE", &run, &json!({})), 200);
    }
    served.end().await;
}

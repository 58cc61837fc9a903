//! A listener whose connections have shaken hands.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

/// How long a client may take to shake hands.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);

/// Accepts TCP connections and hands over those whose handshake is done. Handshakes run side by side, so that a slow
/// client keeps nobody waiting; one that fails is dropped. Dropping the listener drops those that still run.
pub struct TlsListener {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
    handshakes: JoinSet<Option<(TlsStream<TcpStream>, SocketAddr)>>,
}

impl TlsListener {
    /// Shakes hands on what `tcp` accepts.
    pub fn new(tcp: TcpListener, config: Arc<ServerConfig>) -> Self {
        Self { tcp, acceptor: config.into(), handshakes: JoinSet::new() }
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            tokio::select! {
                // axum's own rules for connections that cannot be accepted.
                (stream, peer) = Listener::accept(&mut self.tcp) => {
                    self.handshakes.spawn(shake_hands(self.acceptor.clone(), stream, peer));
                }
                Some(finished) = self.handshakes.join_next() => {
                    if let Ok(Some(connection)) = finished {
                        return connection;
                    }
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.tcp.local_addr()
    }
}

async fn shake_hands(
    acceptor: TlsAcceptor,
    stream: TcpStream,
    peer: SocketAddr,
) -> Option<(TlsStream<TcpStream>, SocketAddr)> {
    let shaken = timeout(HANDSHAKE_LIMIT, acceptor.accept(stream)).await;
    let shaken = shaken.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    shaken
        .inspect_err(
            |error| tracing::debug!(%peer, error = error as &dyn std::error::Error, "no TLS handshake"),
        )
        .ok()
        .map(|stream| (stream, peer))
}

//! HTTPS: the certificate, and the listener that shakes hands.
//!
//! rustls with ring, because both build with nothing but a C compiler. No HTTP here, and no setting is read: `config`
//! says where the certificate comes from. To add a source, give it a file that returns an [`Identity`] and a variant
//! of [`CertificateSource`].

mod error;
mod files;
mod listener;
mod self_signed;
#[cfg(test)]
mod tests;

pub use error::TlsError;
pub use listener::TlsListener;

use std::sync::Arc;

use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::config::CertificateSource;
use crate::domain::time::Timestamp;

/// What the server shows, and proves to be its own.
struct Identity {
    /// The certificate, then those between it and its authority.
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

/// The server's side of TLS 1.2 and 1.3, with the certificate from `source`; `now` is real time.
///
/// # Errors
/// See [`TlsError`].
pub fn server_config(source: CertificateSource<'_>, now: Timestamp) -> Result<Arc<ServerConfig>, TlsError> {
    let identity = match source {
        CertificateSource::Files { certificate, key } => files::read(certificate, key)?,
        CertificateSource::SelfSigned(folder) => self_signed::issue(folder, now)?,
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Unusable)?
        .with_no_client_auth()
        .with_single_cert(identity.chain, identity.key)
        .map_err(TlsError::Unusable)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

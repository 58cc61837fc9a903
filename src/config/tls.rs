//! The TLS section: whether the API is served over HTTPS, and with which certificate.

use std::path::{Path, PathBuf};

use clap::Args;

/// Where the certificate comes from. Without one the API is served over plain HTTP.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct TlsConfig {
    /// PEM file of the certificate and its chain: serve HTTPS only
    #[arg(long, env = "FLEETPLANE_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,

    /// PEM file of the certificate's private key
    #[arg(long, env = "FLEETPLANE_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// Serve HTTPS only, with a certificate for localhost from an authority of its own, which is kept in this folder
    #[arg(
        long,
        env = "FLEETPLANE_TLS_SELF_SIGNED",
        value_name = "FOLDER",
        conflicts_with_all = ["tls_cert", "tls_key"]
    )]
    pub tls_self_signed: Option<PathBuf>,
}

/// What the settings ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateSource<'a> {
    /// A certificate and its key, in two PEM files.
    Files {
        /// The certificate and its chain.
        certificate: &'a Path,
        /// Its private key.
        key: &'a Path,
    },
    /// One made by the service, whose authority is kept in this folder.
    SelfSigned(&'a Path),
}

impl TlsConfig {
    /// Where the certificate comes from; `None` for plain HTTP.
    #[must_use]
    pub fn source(&self) -> Option<CertificateSource<'_>> {
        match (&self.tls_self_signed, &self.tls_cert, &self.tls_key) {
            (Some(folder), _, _) => Some(CertificateSource::SelfSigned(folder)),
            (None, Some(certificate), Some(key)) => Some(CertificateSource::Files { certificate, key }),
            _ => None,
        }
    }
}

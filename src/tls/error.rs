//! Why HTTPS cannot be served.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::pem;

/// Why there is no certificate to serve with.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file or folder can't be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file has not the PEM section it should have.
    #[error("{path} has no usable PEM {section}: {source}")]
    Pem {
        /// Which file.
        path: PathBuf,
        /// What should be in it.
        section: &'static str,
        /// What is wrong.
        source: pem::Error,
    },
    /// The kept authority is not whole.
    #[error("{path} cannot be used: {problem}; remove ca.pem and ca-key.pem to have a new authority made")]
    Authority {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A certificate could not be made.
    #[error("no certificate could be made: {0}")]
    Making(#[from] rcgen::Error),
    /// Certificate and key are no pair, or of a kind that is not supported.
    #[error("the certificate and its key cannot be used: {0}")]
    Unusable(rustls::Error),
}

impl TlsError {
    /// For `map_err`: a failure with the file or folder at `path`.
    pub(super) fn io(path: &Path) -> impl Fn(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path: path.clone(), source }
    }

    /// A fault of the authority's file at `path`.
    pub(super) fn authority(path: &Path, problem: &dyn Display) -> Self {
        Self::Authority { path: path.to_owned(), problem: problem.to_string() }
    }

    /// For `map_err`: a `section` that is not in the file at `path`.
    pub(super) fn pem(path: &Path, section: &'static str) -> impl Fn(pem::Error) -> Self {
        let path = path.to_owned();
        move |source| match source {
            pem::Error::Io(source) => Self::Io { path: path.clone(), source },
            source => Self::Pem { path: path.clone(), section, source },
        }
    }
}

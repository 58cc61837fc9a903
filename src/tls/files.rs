//! A certificate and its key from two PEM files.

use std::path::Path;

use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::{Identity, TlsError};

/// Reads them.
///
/// # Errors
/// Where a file can't be read or lacks its PEM section. Whether they are a pair is seen by whoever uses them.
pub(super) fn read(certificate: &Path, key: &Path) -> Result<Identity, TlsError> {
    let fault = TlsError::pem(certificate, "certificate");
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate).map_err(&fault)?.collect();
    let chain = chain.map_err(&fault)?;
    if chain.is_empty() {
        return Err(fault(pem::Error::NoItemsFound));
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(TlsError::pem(key, "private key"))?;
    Ok(Identity { chain, key })
}

//! A certificate for localhost, from an authority of the service's own.
//!
//! The authority is made once and kept in a folder, so that clients need to be told of it once. It can vouch for
//! nothing but loopback: whoever gets hold of its key can still not pretend to be another host. The certificate itself
//! is made at each start and kept nowhere; so it never expires between two starts, and there is no second key to guard.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use chrono::{Datelike as _, TimeDelta};
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, NameConstraints, date_time_ymd,
};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};

use super::{Identity, TlsError};
use crate::domain::time::{LAST, Timestamp};

/// The authority's certificate, for clients to trust.
const CERTIFICATE: &str = "ca.pem";
/// The authority's private key.
const KEY: &str = "ca-key.pem";
/// The hosts that certificates are for.
const HOST: &str = "localhost";
const ADDRESSES: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
/// How long one certificate holds. Some clients refuse more than 825 days.
const VALID_DAYS: i64 = 800;

/// A certificate that begins a day before `now` (clocks differ), from the authority kept in `folder`, or a new one.
///
/// # Errors
/// Where the folder can't be read or written, or what is in it is no authority.
pub(super) fn issue(folder: &Path, now: Timestamp) -> Result<Identity, TlsError> {
    let authority = authority(folder, now)?;
    let mut names = vec![HOST.to_owned()];
    names.extend(ADDRESSES.map(|address| address.to_string()));
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name.push(DnType::CommonName, HOST);
    hold(&mut params, now - TimeDelta::days(1), now + TimeDelta::days(VALID_DAYS - 1));
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    let certificate = params.signed_by(&key, &authority)?;
    let key = PrivatePkcs8KeyDer::from(key.serialize_der());
    Ok(Identity { chain: vec![certificate.into()], key: key.into() })
}

/// The kept authority; made where the folder has none.
pub(super) fn authority(folder: &Path, now: Timestamp) -> Result<Issuer<'static, KeyPair>, TlsError> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(TlsError::io(folder))?;
    // Of several that start at once, one makes the authority.
    let turn = File::open(folder).map_err(TlsError::io(folder))?;
    turn.lock().map_err(TlsError::io(folder))?;
    let (key, path) = (folder.join(KEY), folder.join(CERTIFICATE));
    if path.exists() && !key.exists() {
        return Err(TlsError::authority(
            &key,
            &format!("it is missing, and {CERTIFICATE} is none without it"),
        ));
    }
    let key = kept_key(&key)?;
    if !path.exists() {
        let certificate = params(now).self_signed(&key)?.pem();
        keep(&path, &certificate, 0o644).map_err(TlsError::io(&path))?;
    }
    let certificate =
        CertificateDer::from_pem_file(&path).map_err(|error| TlsError::authority(&path, &error))?;
    // A certificate contains its public key as it is.
    let public = key.public_key_raw();
    if !certificate.windows(public.len()).any(|part| part == public) {
        return Err(TlsError::authority(&path, &format!("it does not belong to {KEY}")));
    }
    let path = path.canonicalize().map_err(TlsError::io(&path))?;
    tracing::info!(r#"for clients to trust this service: export REQUESTS_CA_BUNDLE="{}""#, path.display());
    Ok(Issuer::new(params(now), key))
}

/// The authority's key; made where there is none, for its owner's eyes only.
fn kept_key(path: &Path) -> Result<KeyPair, TlsError> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let mode = fs::metadata(path).map_err(TlsError::io(path))?.mode();
            if mode & 0o077 != 0 {
                let problem = format!("its mode, {:o}, lets others at it, 600 would not", mode & 0o777);
                return Err(TlsError::authority(path, &problem));
            }
            KeyPair::from_pem(&text).map_err(|error| TlsError::authority(path, &error))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = KeyPair::generate()?;
            keep(path, &key.serialize_pem(), 0o600).map_err(TlsError::io(path))?;
            Ok(key)
        }
        Err(error) => Err(TlsError::io(path)(error)),
    }
}

/// Writes a file that is either not there or whole, whatever happens meanwhile.
fn keep(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let draft = path.with_extension("draft");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

/// The authority, which never expires. Its name is always the same, for certificates name their issuer by it.
fn params(now: Timestamp) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "fleetplane local authority");
    hold(&mut params, now - TimeDelta::days(1), LAST);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let mut permitted_subtrees = vec![GeneralSubtree::DnsName(HOST.to_owned())];
    permitted_subtrees.extend(ADDRESSES.map(|address| {
        let bits = if address.is_ipv4() { 32 } else { 128 };
        GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, bits))
    }));
    params.name_constraints = Some(NameConstraints { permitted_subtrees, excluded_subtrees: Vec::new() });
    params
}

/// From the beginning of one day to that of another.
fn hold(params: &mut CertificateParams, from: Timestamp, until: Timestamp) {
    let [from, until] = [from, until].map(|at| date_time_ymd(at.year(), at.month() as u8, at.day() as u8));
    (params.not_before, params.not_after) = (from, until);
}

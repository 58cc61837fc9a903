//! The kept authority, the certificates it issues, and files that are no certificate.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use chrono::TimeDelta;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rstest::rstest;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{PrivatePkcs8KeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, RootCertStore};

use super::*;
use crate::clock::RandomIds;
use crate::domain::ids::IdSource as _;
use crate::domain::time::from_micros;

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("fleetplane-tls-{}", RandomIds.next()));
        fs::create_dir(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// 2026-11-30T00:00:00Z.
fn now() -> Timestamp {
    from_micros(1_795_996_800_000_000)
}

/// What a client that trusts the folder's authority says about a certificate shown by `host` at `at`.
fn verify(folder: &Folder, shown: &Identity, host: &str, at: Timestamp) -> Result<(), rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.0.join("ca.pem")).unwrap()).unwrap();
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
    let host = ServerName::try_from(host).unwrap();
    let at = UnixTime::since_unix_epoch(std::time::Duration::from_secs(at.timestamp().unsigned_abs()));
    verifier.verify_server_cert(&shown.chain[0], &shown.chain[1..], &host, &[], at).map(drop)
}

#[rstest]
fn a_certificate_is_for_loopback(#[values("localhost", "127.0.0.1", "::1")] host: &str) {
    let folder = Folder::new();
    let shown = self_signed::issue(&folder.0, now()).unwrap();
    verify(&folder, &shown, host, now()).unwrap();
}

#[rstest]
fn a_certificate_is_for_nothing_else(#[values("example.com", "127.0.0.2", "a.example")] host: &str) {
    let folder = Folder::new();
    let shown = self_signed::issue(&folder.0, now()).unwrap();
    assert!(verify(&folder, &shown, host, now()).is_err());
}

#[test]
fn the_authority_can_vouch_for_nothing_but_loopback() {
    let folder = Folder::new();
    let authority = self_signed::authority(&folder.0, now()).unwrap();
    let vouched_for = |host: &str| {
        let mut params = CertificateParams::new([host.to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(2026, 11, 1), date_time_ymd(2027, 11, 1));
        let key = KeyPair::generate().unwrap();
        let chain = vec![params.signed_by(&key, &authority).unwrap().into()];
        let shown = Identity { chain, key: PrivatePkcs8KeyDer::from(key.serialize_der()).into() };
        verify(&folder, &shown, host, now())
    };
    assert_eq!(vouched_for("localhost"), Ok(()));
    assert!(vouched_for("example.com").is_err());
    assert!(vouched_for("127.0.0.2").is_err());
}

#[test]
fn the_authority_is_kept_and_its_certificates_are_always_fresh() {
    let folder = Folder::new();
    let first = self_signed::issue(&folder.0, now()).unwrap();
    let authority = fs::read(folder.0.join("ca.pem")).unwrap();
    let later = now() + TimeDelta::days(3650);
    let second = self_signed::issue(&folder.0, later).unwrap();
    assert_eq!(fs::read(folder.0.join("ca.pem")).unwrap(), authority);
    verify(&folder, &first, "localhost", now()).unwrap();
    assert!(verify(&folder, &first, "localhost", later).is_err(), "it expires");
    verify(&folder, &second, "localhost", later).unwrap();
}

#[test]
fn only_its_owner_may_read_the_authoritys_key() {
    let folder = Folder::new();
    self_signed::issue(&folder.0.join("new/folder"), now()).unwrap();
    let key = fs::metadata(folder.0.join("new/folder/ca-key.pem")).unwrap();
    assert_eq!(key.permissions().mode() & 0o777, 0o600);
    let names: Vec<_> = fs::read_dir(folder.0.join("new/folder")).unwrap().collect();
    assert_eq!(names.len(), 2, "the authority's certificate and key, nothing else");
}

#[test]
fn an_authoritys_key_that_others_can_read_is_refused() {
    let folder = Folder::new();
    self_signed::issue(&folder.0, now()).unwrap();
    fs::set_permissions(folder.0.join("ca-key.pem"), fs::Permissions::from_mode(0o640)).unwrap();
    let error = server_config(CertificateSource::SelfSigned(&folder.0), now()).unwrap_err().to_string();
    assert!(error.contains("ca-key.pem cannot be used: its mode, 640, lets others at it"), "{error}");
}

#[test]
fn of_several_that_start_at_once_one_makes_the_authority() {
    let folder = Folder::new();
    let issue = || self_signed::issue(&folder.0, now()).unwrap();
    let shown = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8).map(|_| scope.spawn(issue)).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect::<Vec<_>>()
    });
    for shown in &shown {
        verify(&folder, shown, "localhost", now()).unwrap();
    }
}

#[test]
fn a_lost_authority_certificate_is_made_anew_from_its_key() {
    let folder = Folder::new();
    let before = self_signed::issue(&folder.0, now()).unwrap();
    fs::remove_file(folder.0.join("ca.pem")).unwrap();
    self_signed::issue(&folder.0, now()).unwrap();
    verify(&folder, &before, "localhost", now()).unwrap();
}

#[rstest]
#[case("ca.pem", "nonsense")]
#[case("ca-key.pem", "nonsense")]
#[case("ca-key.pem", "")]
fn a_broken_authority_is_named(#[case] file: &str, #[case] text: &str) {
    let folder = Folder::new();
    self_signed::issue(&folder.0, now()).unwrap();
    folder.file(file, text);
    let error = server_config(CertificateSource::SelfSigned(&folder.0), now()).unwrap_err().to_string();
    assert!(error.contains(&format!("{file} cannot be used")), "{error}");
}

#[test]
fn the_certificate_of_another_authority_is_refused() {
    let (folder, other) = (Folder::new(), Folder::new());
    self_signed::issue(&folder.0, now()).unwrap();
    self_signed::issue(&other.0, now()).unwrap();
    fs::copy(other.0.join("ca.pem"), folder.0.join("ca.pem")).unwrap();
    let error = server_config(CertificateSource::SelfSigned(&folder.0), now()).unwrap_err().to_string();
    assert!(error.contains("it does not belong to ca-key.pem"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_one_is_named() {
    let folder = Folder::new();
    let file = folder.file("file", "");
    let error = server_config(CertificateSource::SelfSigned(&file), now()).unwrap_err().to_string();
    assert!(error.starts_with(&file.display().to_string()), "{error}");
}

/// A certificate and key as an operator has them.
fn pair() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["fleet.example.com".to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

fn from_files(certificate: &str, key: &str) -> Result<Arc<ServerConfig>, String> {
    let folder = Folder::new();
    let (certificate, key) = (folder.file("cert.pem", certificate), folder.file("key.pem", key));
    let source = CertificateSource::Files { certificate: &certificate, key: &key };
    server_config(source, now()).map_err(|error| error.to_string())
}

#[test]
fn a_certificate_and_its_key_are_served_from_files() {
    let (certificate, key) = pair();
    from_files(&certificate, &key).unwrap();
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let ((certificate, _), (_, key)) = (pair(), pair());
    let error = from_files(&certificate, &key).unwrap_err();
    assert!(error.starts_with("the certificate and its key cannot be used"), "{error}");
}

#[test]
fn a_file_without_its_section_is_named() {
    let (certificate, key) = pair();
    let error = from_files(&key, &key).unwrap_err();
    assert!(error.contains("cert.pem has no usable PEM certificate"), "{error}");
    let error = from_files(&certificate, &certificate).unwrap_err();
    assert!(error.contains("key.pem has no usable PEM private key"), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let folder = Folder::new();
    let missing = folder.0.join("missing.pem");
    let source = CertificateSource::Files { certificate: &missing, key: &missing };
    let error = server_config(source, now()).unwrap_err();
    assert!(matches!(&error, TlsError::Io { path, .. } if *path == missing), "{error}");
}

#[test]
fn a_key_that_is_missing_is_named_and_no_other_is_made() {
    let folder = Folder::new();
    self_signed::issue(&folder.0, now()).unwrap();
    fs::remove_file(folder.0.join("ca-key.pem")).unwrap();
    let problem = self_signed::issue(&folder.0, now()).err().unwrap().to_string();
    assert!(problem.contains("ca-key.pem cannot be used: it is missing"), "{problem}");
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["ca.pem"]);
}

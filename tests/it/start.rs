//! What a start that fails says on standard error: what could not be done, and why not.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use fleetplane::clock::RandomIds;
use fleetplane::domain::ids::IdSource as _;
use fleetplane::testing::databases::TestDatabase;

/// An empty folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("fleetplane-start-{}", RandomIds.next()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn url(&self, file: &str) -> String {
        format!("sqlite://{}", self.0.join(file).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is left over fails no test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What `serve` says that cannot start on this database.
fn refused(url: &str, flags: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fleetplane"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database-url", url])
        .args(flags)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_file_that_is_no_database_is_called_so() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("f.db"), "no database, but a text of some length".repeat(100)).unwrap();
    let told = refused(&folder.url("f.db"), &[]);
    assert!(told.contains("file is not a database"), "{told}");
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = Folder::new();
    let told = refused(&folder.url("missing/f.db"), &[]);
    assert!(told.contains("missing/f.db") && told.contains("No such file or directory"), "{told}");
}

#[test]
fn a_database_that_is_missing_lacks_its_migrations_and_is_not_made() {
    let folder = Folder::new();
    let told = refused(&folder.url("f.db"), &["--no-migrate"]);
    assert!(told.contains("migrations are pending") && told.contains("fleetplane migrate"), "{told}");
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0, "nothing is written");
}

#[tokio::test]
async fn a_database_that_the_server_does_not_have_is_named_without_the_password() {
    let database = TestDatabase::postgres().await;
    let (server, _) = database.url().split('?').next().unwrap().rsplit_once('/').unwrap();
    let (_, place) = server.rsplit_once('@').unwrap();
    let told = refused(&format!("postgres://postgres:s3cret@{place}/nowhere"), &[]);
    assert!(told.contains("database \"nowhere\" does not exist"), "{told}");
    assert!(!told.contains("s3cret"), "{told}");
}

#[test]
fn a_server_that_is_not_there_is_told_from_one_that_is_slow() {
    let told = refused("postgres://fleet:s3cret@127.0.0.1:1/fleet", &[]);
    assert!(told.contains("refused"), "{told}");
    assert!(!told.contains("s3cret"), "{told}");
}

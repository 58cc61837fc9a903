//! What keeps a second process off an SQLite file: a lock on a file beside it.
//!
//! The operating system frees the lock when the process ends, however it ends. The database itself is not locked
//! this way, because SQLite locks it in its own manner.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::store::StoreError;

/// The lock, held from opening to closing.
#[derive(Debug)]
pub(super) struct FileGuard(Mutex<Option<File>>);

impl FileGuard {
    /// Holds nothing: a database in memory can't be shared.
    pub(super) fn none() -> Self {
        Self(Mutex::new(None))
    }

    /// Takes the database at `path`.
    ///
    /// # Errors
    /// [`StoreError::Held`] where another process has it; [`StoreError::Unavailable`] where the folder can't be
    /// written.
    pub(super) fn take(path: &Path) -> Result<Self, StoreError> {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        let unavailable = |error: std::io::Error| {
            let at = format!("{}: {error}", Path::new(&lock).display());
            StoreError::Unavailable(Box::new(std::io::Error::new(error.kind(), at)))
        };
        let file = File::options().create(true).append(true).open(&lock).map_err(unavailable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(Mutex::new(Some(file)))),
            Err(TryLockError::WouldBlock) => Err(StoreError::Held(format!(
                "'{}' is in use by another fleetplane; an SQLite file serves one process, Postgres any number",
                path.display()
            ))),
            Err(TryLockError::Error(error)) => Err(unavailable(error)),
        }
    }

    /// Whether there is nothing to hold.
    pub(super) fn is_none(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Gives the database back.
    pub(super) fn release(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

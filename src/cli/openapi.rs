//! `fleetplane openapi`: writes the OpenAPI documents, or checks that those on disk are what this binary would write.

use std::path::{Path, PathBuf};

use clap::{Args, builder::BoolishValueParser};

use crate::api::openapi::files;

/// Where the documents are, and whether to write them.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct OpenapiArgs {
    /// Folder of the documents
    #[arg(long, env = "FLEETPLANE_DIRECTORY", value_name = "FOLDER", default_value = "openapi")]
    pub directory: PathBuf,

    /// Write nothing; fail when a document on disk is not what would be written
    #[arg(long, env = "FLEETPLANE_CHECK", value_parser = BoolishValueParser::new())]
    pub check: bool,
}

/// Why the documents are not as they should be.
#[derive(Debug, thiserror::Error)]
pub enum OpenapiError {
    /// A document can't be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file, or folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Documents on disk differ from what this binary would write.
    #[error("{0} is not what this binary would write; `fleetplane openapi` writes it anew")]
    Drift(String),
}

/// Writes or checks, and says what it did.
///
/// # Errors
/// See [`OpenapiError`].
pub fn run(args: &OpenapiArgs) -> Result<(), OpenapiError> {
    if !args.check {
        std::fs::create_dir_all(&args.directory).map_err(io(&args.directory))?;
    }
    for (name, text) in files() {
        let path = args.directory.join(name);
        match args.check {
            true => check(&path, &text)?,
            false => std::fs::write(&path, &text).map_err(io(&path))?,
        }
        println!("{} {}", if args.check { "up to date:" } else { "written:" }, path.display());
    }
    Ok(())
}

fn check(path: &Path, text: &str) -> Result<(), OpenapiError> {
    let found = std::fs::read_to_string(path).map_err(io(path))?;
    if found == text { Ok(()) } else { Err(OpenapiError::Drift(path.display().to_string())) }
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> OpenapiError {
    let path = path.to_owned();
    move |source| OpenapiError::Io { path: path.clone(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::RandomIds;
    use crate::domain::ids::IdSource as _;

    #[test]
    fn what_was_written_passes_the_check_until_it_is_changed() {
        let directory = std::env::temp_dir().join(format!("fleetplane-openapi-{}", RandomIds.next()));
        let run = |check| run(&OpenapiArgs { directory: directory.clone(), check });
        assert!(matches!(run(true), Err(OpenapiError::Io { .. })), "nothing is written yet");
        run(false).unwrap();
        run(true).unwrap();
        std::fs::write(directory.join("fleetplane.json"), "{}\n").unwrap();
        let drift = run(true);
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(matches!(drift, Err(OpenapiError::Drift(_))), "{drift:?}");
    }
}

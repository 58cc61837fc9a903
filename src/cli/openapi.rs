//! `fleetplane openapi`: writes the OpenAPI documents, or checks that those on disk are what this binary would write.

use std::path::PathBuf;

use clap::{Args, builder::BoolishValueParser};

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

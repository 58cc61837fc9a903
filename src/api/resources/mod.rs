//! Lists of resources whatever their type, as Azure Resource Manager has them: `az resource list` reads them.
//!
//! Listed is what has a place and tags of its own in a resource group. To list a further type, add it to
//! [`listing::KINDS`]; its stored document needs `id`, `location` and `tags`.

pub mod list;
pub mod list_by_group;
mod listing;
mod wanted;

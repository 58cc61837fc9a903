//! Resource groups: `Microsoft.Resources/resourceGroups`.

pub mod delete;
mod exists;
pub mod get;
pub mod head;
pub mod list;
pub mod patch;
pub mod put;
mod render;

pub use exists::group_exists;

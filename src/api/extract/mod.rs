//! What handlers ask of a request, checked before they run.
//!
//! [`Call`] is every ARM operation's first argument; [`RawBody`] is read by the use case when its turn has come. No
//! rule of a resource may live here. To add a header, parse it in a file of its own and give `Call` a field.

mod base;
mod body;
mod call;
mod encoding;
mod json;
mod principal;
mod query;
mod unscoped;

pub use base::{PublicBase, Scheme};
pub use body::{BODY_LIMIT, RawBody, agrees_with_url};
pub use call::Call;
pub use principal::principal;
pub use query::{MAX_TOP, QueryParameters, skip_token};
pub use unscoped::Unscoped;

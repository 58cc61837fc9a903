//! Query parameters: keys compare without case, the first of several counts, unknown ones are ignored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::domain::refusal::{Code, Refusal};

/// How many resources a page has where nothing is said.
const DEFAULT_TOP: u32 = 100;
/// How many it may have.
pub const MAX_TOP: u32 = 1000;

/// The parameters of one request, decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryParameters(Vec<(String, String)>);

impl QueryParameters {
    /// Reads the query of a URI.
    pub fn parse(query: Option<&str>) -> Self {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(
            &format!("/?{}", query.unwrap_or_default()).parse().unwrap_or_default(),
        );
        Self(pairs.map(|pairs| pairs.0).unwrap_or_default())
    }

    /// The parameter `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// How many resources the page has at most.
    ///
    /// # Errors
    /// `InvalidTop` where `$top` is no number from 1 to 1000.
    pub fn top(&self) -> Result<u32, Refusal> {
        let Some(text) = self.get("$top") else { return Ok(DEFAULT_TOP) };
        text.parse().ok().filter(|top| (1..=MAX_TOP).contains(top)).ok_or_else(|| {
            Refusal::at(Code::InvalidTop, "$top", format!("$top must be a number from 1 to {MAX_TOP}."))
        })
    }

    /// Where the page begins: after the resource of this group and name.
    ///
    /// # Errors
    /// `InvalidSkipToken` where it is none that a `nextLink` carried.
    pub fn after(&self) -> Result<Option<(String, String)>, Refusal> {
        let Some(token) = self.get("$skipToken") else { return Ok(None) };
        let bytes = URL_SAFE_NO_PAD.decode(token).ok();
        let place = bytes.and_then(|bytes| serde_json::from_slice::<(String, String)>(&bytes).ok());
        // No name has U+0000, and no text in Postgres either.
        let place = place.filter(|(group, name)| !group.contains('\0') && !name.contains('\0'));
        place.map(Some).ok_or_else(|| {
            Refusal::at(
                Code::InvalidSkipToken,
                "$skipToken",
                "The $skipToken is not one that the service gave out. Follow the nextLink of a page as it is.",
            )
        })
    }
}

/// The token that [`QueryParameters::after`] reads.
pub fn skip_token(place: &(String, String)) -> String {
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(place).expect("a pair of strings is JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn keys_compare_without_case_and_the_first_counts() {
        let query = QueryParameters::parse(Some("API-Version=1&api-version=2&%24top=5"));
        assert_eq!(query.get("api-version"), Some("1"));
        assert_eq!(query.top(), Ok(5));
        assert_eq!(QueryParameters::parse(None).top(), Ok(100));
    }

    #[rstest]
    fn a_top_out_of_range_is_refused(#[values("0", "1001", "-1", "x", "")] top: &str) {
        let query = QueryParameters::parse(Some(&format!("$top={top}")));
        assert_eq!(query.top().unwrap_err().code, Code::InvalidTop);
    }

    #[test]
    fn a_skip_token_survives_the_link() {
        let place = ("rg".to_owned(), "näme/1".to_owned());
        let query = QueryParameters::parse(Some(&format!("$skiptoken={}", skip_token(&place))));
        assert_eq!(query.after(), Ok(Some(place)));
        for token in ["!", "bm8", ""] {
            let query = QueryParameters::parse(Some(&format!("$skipToken={token}")));
            assert_eq!(query.after().unwrap_err().code, Code::InvalidSkipToken, "{token}");
        }
    }
}

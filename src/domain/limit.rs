//! The two limits of a strategy that are a count or a percentage: `maxConcurrency` and `maxAllowedFailures`.
//!
//! Texts are kept as sent, because strategies are echoed verbatim; how a stage's and its groups' limits bear
//! on each other is the plan's business, not this module's. All arithmetic is on integers: a percentage of a
//! number of clusters must never depend on how a float rounds. To add a third such limit, write its grammar
//! as another `parse` over [`Amount`] and say which way its percentages round.

use serde::{Deserialize, Serialize};

/// The most members of one stage that may be upgraded at once, and the default where nothing is said.
pub const STAGE_MAX_CONCURRENCY: u32 = 50;

/// How many members of one group are upgraded at once where nothing is said.
pub const GROUP_DEFAULT_CONCURRENCY: u32 = 1;

/// Why a text is no limit. The message says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// Not a `maxConcurrency`.
    #[error(
        "'{0}' is not a valid maxConcurrency; expected a whole number from 1, such as \"3\", \
         or a percentage from 1% to 100%, such as \"25%\""
    )]
    MaxConcurrency(String),
    /// Not a `maxAllowedFailures`.
    #[error(
        "'{0}' is not a valid maxAllowedFailures; expected a whole number from 0, such as \"3\", \
         or a percentage from 0% to 100%, such as \"25%\""
    )]
    MaxAllowedFailures(String),
}

/// What a limit's text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A number of members. Numbers beyond `u32` read as its maximum: no fleet comes near either.
    Count(u32),
    /// A percentage of the members in scope, 0 to 100.
    Percent(u8),
}

impl Amount {
    /// Reads `DIGITS` or `DIGITS%`, leaving to the caller which of them its grammar admits.
    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_suffix('%').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        // Digits only fail to parse when there are too many of them.
        let number = digits.parse().unwrap_or(u32::MAX);
        if digits.len() == text.len() {
            return Some(Self::Count(number));
        }
        let in_range = digits.len() <= 2 || digits == "100";
        in_range.then(|| u8::try_from(number).ok().map(Self::Percent)).flatten()
    }
}

/// The whole clusters in `percent` of `n`, and whether a fraction of one is left over.
fn percent_of(percent: u8, n: usize) -> (u32, bool) {
    // Hundreds and the rest apart, so that no `n` overflows.
    let (hundreds, rest) = (n / 100, n % 100 * usize::from(percent));
    let whole = hundreds.saturating_mul(usize::from(percent)).saturating_add(rest / 100);
    (u32::try_from(whole).unwrap_or(u32::MAX), rest % 100 != 0)
}

/// How many members may be upgraded at once: `^([1-9]\d*|([1-9]\d?|100)%)$`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MaxConcurrency {
    text: String,
    amount: Amount,
}

impl MaxConcurrency {
    /// Reads the text of a strategy.
    ///
    /// # Errors
    /// [`LimitError::MaxConcurrency`] when it is not of the grammar.
    pub fn parse(text: &str) -> Result<Self, LimitError> {
        match Amount::parse(text) {
            Some(amount) if !text.starts_with('0') => Ok(Self { text: text.to_owned(), amount }),
            _ => Err(LimitError::MaxConcurrency(text.to_owned())),
        }
    }

    /// The text as it was sent.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What the text says.
    pub const fn amount(&self) -> Amount {
        self.amount
    }

    /// The number this stands for among `n` members: percentages round down, and it is never below 1.
    pub fn resolve(&self, n: usize) -> u32 {
        match self.amount {
            Amount::Count(count) => count.max(1),
            Amount::Percent(percent) => percent_of(percent, n).0.max(1),
        }
    }

    /// Whether a stage may not ask for this: a count above [`STAGE_MAX_CONCURRENCY`]. A group may.
    pub const fn exceeds_stage_maximum(&self) -> bool {
        matches!(self.amount, Amount::Count(count) if count > STAGE_MAX_CONCURRENCY)
    }
}

/// The effective limit of a stage with `n` planned members: [`STAGE_MAX_CONCURRENCY`] unless less is asked for.
pub fn stage_concurrency(asked: Option<&MaxConcurrency>, n: usize) -> u32 {
    asked.map_or(STAGE_MAX_CONCURRENCY, |limit| limit.resolve(n).min(STAGE_MAX_CONCURRENCY))
}

/// The effective limit of a group with `n` planned members in a stage limited to `stage`: what is asked for,
/// else [`GROUP_DEFAULT_CONCURRENCY`], but neither above its own size nor above its stage, and at least 1.
pub fn group_concurrency(asked: Option<&MaxConcurrency>, n: usize, stage: u32) -> u32 {
    let size = u32::try_from(n).unwrap_or(u32::MAX);
    asked.map_or(GROUP_DEFAULT_CONCURRENCY, |limit| limit.resolve(n)).min(size).min(stage).max(1)
}

/// How many members may fail before the stage or group does: `^(\d+|(\d\d?|100)%)$`, or empty for "not set".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MaxAllowedFailures {
    text: String,
    amount: Option<Amount>,
}

impl MaxAllowedFailures {
    /// Reads the text of a strategy. The empty text is accepted and means the same as an absent member.
    ///
    /// # Errors
    /// [`LimitError::MaxAllowedFailures`] when it is not of the grammar.
    pub fn parse(text: &str) -> Result<Self, LimitError> {
        let amount = Amount::parse(text);
        if amount.is_none() && !text.is_empty() {
            return Err(LimitError::MaxAllowedFailures(text.to_owned()));
        }
        Ok(Self { text: text.to_owned(), amount })
    }

    /// The text as it was sent.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What the text says; `None` when it is empty, which is to be read as not set (and not as 0).
    pub const fn amount(&self) -> Option<Amount> {
        self.amount
    }

    /// The number this stands for among `n` members, percentages rounded up; `None` when not set.
    pub fn resolve(&self, n: usize) -> Option<u32> {
        self.amount.map(|amount| match amount {
            Amount::Count(count) => count,
            Amount::Percent(percent) => {
                let (whole, fraction) = percent_of(percent, n);
                whole.saturating_add(u32::from(fraction))
            }
        })
    }
}

impl TryFrom<String> for MaxConcurrency {
    type Error = LimitError;

    fn try_from(text: String) -> Result<Self, LimitError> {
        Self::parse(&text)
    }
}

impl From<MaxConcurrency> for String {
    fn from(limit: MaxConcurrency) -> Self {
        limit.text
    }
}

impl TryFrom<String> for MaxAllowedFailures {
    type Error = LimitError;

    fn try_from(text: String) -> Result<Self, LimitError> {
        Self::parse(&text)
    }
}

impl From<MaxAllowedFailures> for String {
    fn from(limit: MaxAllowedFailures) -> Self {
        limit.text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn concurrency(text: &str) -> MaxConcurrency {
        MaxConcurrency::parse(text).unwrap()
    }

    fn failures(text: &str) -> MaxAllowedFailures {
        MaxAllowedFailures::parse(text).unwrap()
    }

    #[rstest]
    #[case("1", Amount::Count(1))]
    #[case("3", Amount::Count(3))]
    #[case("4294967295", Amount::Count(u32::MAX))]
    #[case("99999999999999999999999", Amount::Count(u32::MAX))]
    #[case("1%", Amount::Percent(1))]
    #[case("99%", Amount::Percent(99))]
    #[case("100%", Amount::Percent(100))]
    fn max_concurrency_reads_counts_and_percentages(#[case] text: &str, #[case] amount: Amount) {
        assert_eq!(concurrency(text).amount(), amount);
        assert_eq!(concurrency(text).as_str(), text);
    }

    #[rstest]
    fn max_concurrency_refuses_what_is_not_of_its_grammar(
        #[values(
            "", "0", "0%", "00", "01", "05%", "101%", "200%", "1000%", "100 %", "%", "-1", "+1", "1.5",
            "2.5%", " 3", "3 ", "3%%", "%3", "three", "٣"
        )]
        text: &str,
    ) {
        assert_eq!(MaxConcurrency::parse(text), Err(LimitError::MaxConcurrency(text.to_owned())));
    }

    #[rstest]
    #[case("0", Amount::Count(0))]
    #[case("007", Amount::Count(7))]
    #[case("3", Amount::Count(3))]
    #[case("99999999999999999999999", Amount::Count(u32::MAX))]
    #[case("0%", Amount::Percent(0))]
    #[case("05%", Amount::Percent(5))]
    #[case("25%", Amount::Percent(25))]
    #[case("100%", Amount::Percent(100))]
    fn max_allowed_failures_reads_counts_and_percentages(#[case] text: &str, #[case] amount: Amount) {
        assert_eq!(failures(text).amount(), Some(amount));
        assert_eq!(failures(text).as_str(), text);
    }

    #[rstest]
    fn max_allowed_failures_refuses_what_is_not_of_its_grammar(
        #[values("101%", "005%", "%", "-1", "+1", "1.5", " ", " 3", "3%%", "none", "٣")] text: &str,
    ) {
        assert_eq!(MaxAllowedFailures::parse(text), Err(LimitError::MaxAllowedFailures(text.to_owned())));
    }

    #[test]
    fn empty_max_allowed_failures_is_not_set_and_not_zero() {
        assert_eq!(failures("").resolve(20), None);
        assert_eq!(failures("0").resolve(20), Some(0));
    }

    // Twenty clusters in two groups of eight and twelve, each limited to a quarter.
    #[rstest]
    #[case("25%", 20, 5)]
    #[case("25%", 8, 2)]
    #[case("25%", 12, 3)]
    #[case("25%", 19, 4)]
    #[case("25%", 7, 1)]
    #[case("25%", 3, 1)]
    #[case("1%", 0, 1)]
    #[case("29%", 100, 29)]
    #[case("57%", 100, 57)]
    #[case("100%", 7, 7)]
    #[case("3", 2, 3)]
    fn concurrency_percentages_round_down_but_never_below_one(
        #[case] text: &str,
        #[case] n: usize,
        #[case] expected: u32,
    ) {
        assert_eq!(concurrency(text).resolve(n), expected);
    }

    #[rstest]
    #[case("25%", 5, 2)]
    #[case("25%", 20, 5)]
    #[case("25%", 19, 5)]
    #[case("25%", 7, 2)]
    #[case("25%", 12, 3)]
    #[case("1%", 1, 1)]
    #[case("0%", 20, 0)]
    #[case("7%", 100, 7)]
    #[case("100%", 4, 4)]
    #[case("25%", 0, 0)]
    #[case("4", 2, 4)]
    fn failure_percentages_round_up(#[case] text: &str, #[case] n: usize, #[case] expected: u32) {
        assert_eq!(failures(text).resolve(n), Some(expected));
    }

    #[test]
    fn huge_scopes_saturate_instead_of_overflowing() {
        assert_eq!(concurrency("100%").resolve(usize::MAX), u32::MAX);
        assert_eq!(failures("99%").resolve(usize::MAX), Some(u32::MAX));
    }

    #[test]
    fn a_stage_defaults_to_fifty_and_is_clamped_to_it() {
        assert_eq!(stage_concurrency(None, 3), 50);
        assert_eq!(stage_concurrency(Some(&concurrency("100%")), 400), 50);
        assert_eq!(stage_concurrency(Some(&concurrency("25%")), 20), 5);
        assert!(concurrency("51").exceeds_stage_maximum());
        assert!(!concurrency("50").exceeds_stage_maximum());
        assert!(!concurrency("100%").exceeds_stage_maximum());
    }

    #[test]
    fn a_group_defaults_to_one_and_is_clamped_to_its_size_and_its_stage() {
        assert_eq!(group_concurrency(None, 8, 50), 1);
        assert_eq!(group_concurrency(Some(&concurrency("4")), 8, 2), 2);
        assert_eq!(group_concurrency(Some(&concurrency("4")), 3, 50), 3);
        assert_eq!(group_concurrency(Some(&concurrency("25%")), 12, 5), 3);
        assert_eq!(group_concurrency(Some(&concurrency("4")), 0, 50), 1);
    }

    #[test]
    fn limits_are_the_texts_as_sent_in_json() {
        let json = r#"["007","05%",""]"#;
        let limits: Vec<MaxAllowedFailures> = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&limits).unwrap(), json);
        assert!(serde_json::from_str::<MaxConcurrency>(r#""0""#).is_err());
    }

    proptest! {
        #[test]
        fn percentages_bracket_the_exact_share(percent in 1u8..=100, n in 1usize..100_000) {
            let text = format!("{percent}%");
            let (down, up) = (concurrency(&text).resolve(n) as usize, failures(&text).resolve(n).unwrap() as usize);
            let share = n * usize::from(percent);
            prop_assert!(up * 100 >= share && up * 100 < share + 100, "the smallest number not below the share");
            prop_assert!(down == 1 || (down * 100 <= share && down * 100 + 100 > share));
            prop_assert!(down >= 1 && down <= n);
        }
    }
}

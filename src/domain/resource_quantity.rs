//! Kubernetes quantities, such as `500m` of CPU or `1Gi` of memory: read, and compared exactly.
//!
//! Nothing is computed with them and none is written: bodies echo the texts that users sent. To read one more
//! suffix, add it to [`multiplier`].

use std::str::FromStr;

/// Why a text is no quantity. The message says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// Not of the grammar.
    #[error(
        "'{0}' is not a Kubernetes quantity; expected a number and one of the suffixes \
         n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or an exponent, such as 500m, 2 or 1Gi"
    )]
    Malformed(String),
    /// Beyond what is compared exactly, some 10^29.
    #[error("'{0}' is too large a quantity")]
    TooLarge(String),
}

/// An amount of a resource. `1000m`, `1`, `1.0` and `1e0` are the same one.
///
/// As in Kubernetes, what is finer than a billionth is rounded up, away from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity {
    billionths: i128,
}

impl Quantity {
    /// Nothing of a resource.
    pub const ZERO: Self = Self { billionths: 0 };
}

const BILLION: i128 = 1_000_000_000;

/// The billionths that one of `suffix` stands for, except where it is an exponent.
fn multiplier(suffix: &str) -> Option<i128> {
    Some(match suffix {
        "n" => 1,
        "u" => 1_000,
        "m" => 1_000_000,
        "" => BILLION,
        "k" => BILLION * 1_000,
        "M" => BILLION * 1_000_000,
        "G" => BILLION * BILLION,
        "T" => BILLION * BILLION * 1_000,
        "P" => BILLION * BILLION * 1_000_000,
        "E" => BILLION * BILLION * BILLION,
        "Ki" => BILLION << 10,
        "Mi" => BILLION << 20,
        "Gi" => BILLION << 30,
        "Ti" => BILLION << 40,
        "Pi" => BILLION << 50,
        "Ei" => BILLION << 60,
        _ => return None,
    })
}

/// The power of ten in `suffix`, when it is an exponent: `e` or `E`, a sign or none, digits.
fn exponent(suffix: &str) -> Option<i32> {
    let power = suffix.strip_prefix(['e', 'E'])?;
    let digits = power.strip_prefix(['+', '-']).unwrap_or(power);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    // Digits only fail to parse when there are too many of them; the sign decides what that means.
    is_number.then(|| power.parse().unwrap_or(if power.starts_with('-') { i32::MIN } else { i32::MAX }))
}

/// `number / 10^places`, rounded up. Beyond 38 places nothing is left of any number but the rounding.
fn divided_by_power_of_ten(number: i128, places: u32) -> i128 {
    match 10_i128.checked_pow(places) {
        Some(divisor) => number / divisor + i128::from(number % divisor != 0),
        None => i128::from(number != 0),
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let malformed = || QuantityError::Malformed(text.to_owned());
        let too_large = || QuantityError::TooLarge(text.to_owned());
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let is_of_suffix = |c: char| !c.is_ascii_digit() && c != '.';
        let (number, suffix) = unsigned.split_at(unsigned.find(is_of_suffix).unwrap_or(unsigned.len()));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = [whole, fraction].concat();
        if digits.is_empty() || fraction.contains('.') {
            return Err(malformed());
        }
        let (multiplier, power) = match (multiplier(suffix), exponent(suffix)) {
            (Some(multiplier), _) => (multiplier, 0),
            (None, Some(power)) => (BILLION, power),
            (None, None) => return Err(malformed()),
        };
        // Digits only fail to parse when there are too many of them.
        let digits: i128 = digits.parse().map_err(|_| too_large())?;
        let scaled = digits.checked_mul(multiplier).ok_or_else(too_large)?;
        let places = i64::try_from(fraction.len()).map_err(|_| too_large())? - i64::from(power);
        // Places to move the point to the left, as a fraction or a negative exponent does, or else to the right.
        let billionths = match u32::try_from(places) {
            Ok(places) => divided_by_power_of_ten(scaled, places),
            Err(_) if scaled == 0 || places > 0 => i128::from(scaled != 0),
            Err(_) => u32::try_from(-places)
                .ok()
                .and_then(|power| scaled.checked_mul(10_i128.checked_pow(power)?))
                .ok_or_else(too_large)?,
        };
        Ok(Self { billionths: if text.starts_with('-') { -billionths } else { billionths } })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn quantity(text: &str) -> Quantity {
        text.parse().unwrap()
    }

    #[rstest]
    #[case("1", "1000m")]
    #[case("0.5", "500m")]
    #[case(".5", "500m")]
    #[case("5.", "5")]
    #[case("+2", "2")]
    #[case("-1", "-1000m")]
    #[case("0", "0Gi")]
    #[case("-0", "0")]
    #[case("1Ki", "1024")]
    #[case("1Gi", "1024Mi")]
    #[case("1.5Gi", "1536Mi")]
    #[case("1k", "1000")]
    #[case("1E", "1000P")]
    #[case("1E3", "1k")]
    #[case("1e3", "1k")]
    #[case("1e+3", "1k")]
    #[case("12e-3", "12m")]
    #[case("1.5e1", "15")]
    #[case("1Ei", "1024Pi")]
    #[case("1000n", "1u")]
    #[case("1000u", "1m")]
    #[case("0e999", "0")]
    #[case("0e99999999999", "0")]
    fn one_amount_has_many_spellings(#[case] one: &str, #[case] other: &str) {
        assert_eq!(quantity(one), quantity(other));
    }

    #[rstest]
    #[case("500m", "1")]
    #[case("999Mi", "1Gi")]
    #[case("1G", "1Gi")]
    #[case("1023.999Ki", "1Mi")]
    #[case("-1", "0")]
    #[case("9007199254740992", "9007199254740993")]
    #[case("7E", "7Ei")]
    fn the_first_is_less_than_the_second(#[case] less: &str, #[case] more: &str) {
        assert!(quantity(less) < quantity(more));
    }

    #[rstest]
    #[case("0.1n", "1n")]
    #[case("1.0000000001", "1000000001n")]
    #[case("-0.1n", "-1n")]
    #[case("1e-50", "1n")]
    #[case("1e-99999999999", "1n")]
    fn what_is_finer_than_a_billionth_is_rounded_away_from_zero(#[case] fine: &str, #[case] rounded: &str) {
        assert_eq!(quantity(fine), quantity(rounded));
    }

    #[rstest]
    fn other_texts_are_malformed(
        #[values(
            "", ".", "+", "-", "Gi", "m", "1 Gi", " 1", "1GB", "1gi", "1K", "1KI", "1mm", "1..5", "1.5.2",
            "1e", "1e+", "1e1.5", "1E3k", "--1", "+-1", "1-", "0x10", "1,5", "٣", "1μ", "NaN"
        )]
        text: &str,
    ) {
        assert_eq!(text.parse::<Quantity>(), Err(QuantityError::Malformed(text.to_owned())));
    }

    #[rstest]
    fn what_is_not_compared_exactly_is_too_large(
        #[values("1e40", "1e99999999999", "999999999999999Ei", "1000000000000000000000000000000000000000")]
        text: &str,
    ) {
        assert_eq!(text.parse::<Quantity>(), Err(QuantityError::TooLarge(text.to_owned())));
    }

    proptest! {
        #[test]
        fn order_is_that_of_the_numbers(a in 0u32..100_000, b in 0u32..100_000) {
            let millis = |n: u32| quantity(&format!("{n}m"));
            let decimal = |n: u32| quantity(&format!("{}.{:03}", n / 1000, n % 1000));
            prop_assert_eq!(millis(a).cmp(&decimal(b)), a.cmp(&b));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "[+-]?[0-9.]{0,45}[eE]?[+-]?[0-9kKMGimnu]{0,12}") {
            let _ = text.parse::<Quantity>();
        }
    }
}

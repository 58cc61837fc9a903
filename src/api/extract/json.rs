//! JSON as bodies are taken: what could be kept only in part is refused whole.
//!
//! A member that occurs twice is refused, because one of its values would be dropped silently; U+0000 is refused,
//! because Postgres holds it in no text. No rule of a resource lives here. To refuse more, extend the visitor.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A JSON value in which no member occurs twice and no text contains U+0000.
pub struct StrictJson(pub Value);

impl<'de> Deserialize<'de> for StrictJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

/// 2⁵³: up to here a float holds every whole number.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    /// `3600.0` and `3.6e3` are the whole number 3600, as far as a float tells whole numbers apart.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let is_whole = value.fract() == 0.0 && value.abs() <= MAX_WHOLE;
        Ok(if is_whole { (value as i64).into() } else { value.into() })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        storable(text).map(Value::from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(StrictJson(value)) = elements.next_element()? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            storable(&name)?;
            if map.contains_key(&name) {
                let name: String = name.chars().take(80).collect();
                return Err(A::Error::custom(format_args!("the member '{name}' occurs twice in one object")));
            }
            let StrictJson(value) = members.next_value()?;
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

fn storable<E: Error>(text: &str) -> Result<&str, E> {
    if text.contains('\0') { Err(E::custom("a text contains the character U+0000")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        serde_json::from_str::<StrictJson>(text).map(|json| json.0).map_err(|problem| problem.to_string())
    }

    #[rstest]
    #[case(r#"{"b":[null,true,-1,18446744073709551615,1.5,"é\\u0000"],"a":{"b":{}}}"#)]
    #[case("[]")]
    #[case("\"x\"")]
    fn what_can_be_kept_is_read_as_it_is(#[case] text: &str) {
        assert_eq!(read(text).unwrap().to_string(), text);
    }

    #[rstest]
    #[case("3600.0", "3600")]
    #[case("3.6e3", "3600")]
    #[case("-2.0", "-2")]
    #[case("2.5", "2.5")]
    #[case("1e300", "1e+300")]
    fn a_whole_number_is_one_however_it_is_written(#[case] text: &str, #[case] value: &str) {
        assert_eq!(read(text).unwrap().to_string(), value);
    }

    #[rstest]
    #[case(r#"{"a":[{"b":1,"c":2,"b":1}]}"#, "the member 'b' occurs twice in one object")]
    #[case(r#"{"a":1,"\u0061":2}"#, "the member 'a' occurs twice in one object")]
    #[case(r#"{"a":["\u0000"]}"#, "U+0000")]
    #[case(r#"{"a\u0000":1}"#, "U+0000")]
    fn what_cannot_be_kept_whole_is_refused(#[case] text: &str, #[case] why: &str) {
        let problem = read(text).unwrap_err();
        assert!(problem.contains(why), "{problem}");
    }
}

//! A list whose elements are dealt in turn, or as often as their weights say.

use serde_json::{Map, Value};

use crate::domain::refusal::{Code, Faults};

/// The sum of weights that a list may have: one round of it is laid out.
pub const MAX_WEIGHT: u64 = 10_000;

/// Cards with the order of one round.
#[derive(Clone, Debug)]
pub struct Deck<T> {
    cards: Vec<T>,
    round: Vec<usize>,
}

impl<T> Deck<T> {
    /// Each card once a round.
    pub fn even(cards: impl IntoIterator<Item = T>) -> Self {
        let cards: Vec<T> = cards.into_iter().collect();
        let round = (0..cards.len()).collect();
        Self { cards, round }
    }

    /// Reads the member `name`: one card, or a list of cards and `{"value":…,"weight":n}`; absent: no cards.
    pub(super) fn read(
        body: &Map<String, Value>,
        name: &str,
        card: impl Fn(&Value) -> Option<T>,
        faults: &mut Faults,
    ) -> Self {
        let given = match body.get(name) {
            None | Some(Value::Null) => &[][..],
            Some(Value::Array(list)) => list,
            Some(one) => std::slice::from_ref(one),
        };
        let (mut cards, mut weights) = (Vec::new(), Vec::new());
        for (i, element) in given.iter().enumerate() {
            let weighted = element.as_object().filter(|object| object.contains_key("value"));
            let (value, weight) = match weighted {
                Some(object) => (&object["value"], object.get("weight").map_or(Some(1), Value::as_u64)),
                None => (element, Some(1)),
            };
            match (card(value), weight.filter(|weight| (1..=MAX_WEIGHT).contains(weight))) {
                (Some(card), Some(weight)) => {
                    cards.push(card);
                    weights.push(weight);
                }
                (None, _) => {
                    let message = format!("'{name}[{i}]' is not of the right type.");
                    faults.add(Code::InvalidParameter, format!("{name}[{i}]"), message);
                }
                (_, None) => {
                    let message = format!("A weight is a whole number from 1 to {MAX_WEIGHT}.");
                    faults.add(Code::InvalidParameter, format!("{name}[{i}].weight"), message);
                }
            }
        }
        if weights.iter().sum::<u64>() > MAX_WEIGHT {
            faults.add(
                Code::InvalidParameter,
                name,
                format!("The weights add up to more than {MAX_WEIGHT}."),
            );
            return Self::even([]);
        }
        Self { cards, round: interleaved(&weights) }
    }

    /// Which card number `i` gets.
    pub(super) fn dealt(&self, i: usize) -> Option<usize> {
        self.round.get(i.checked_rem(self.round.len())?).copied()
    }

    /// What number `i` gets.
    pub fn deal(&self, i: usize) -> Option<&T> {
        self.cards.get(self.dealt(i)?)
    }

    pub(super) fn cards(&self) -> impl Iterator<Item = &T> {
        self.cards.iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }
}

/// One round in which each index comes as often as its weight, spread evenly: always the one that is furthest behind
/// its share, the first of equals.
fn interleaved(weights: &[u64]) -> Vec<usize> {
    let total: i64 = weights.iter().map(|weight| weight.cast_signed()).sum();
    let mut credit = vec![0_i64; weights.len()];
    let mut round = Vec::new();
    for _ in 0..total {
        for (credit, weight) in credit.iter_mut().zip(weights) {
            *credit += weight.cast_signed();
        }
        let best = (0..weights.len()).rev().max_by_key(|index| credit[*index]);
        if let Some(best) = best {
            credit[best] -= total;
            round.push(best);
        }
    }
    round
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_are_dealt_in_turn() {
        assert_eq!(interleaved(&[1, 1, 1]), [0, 1, 2]);
    }

    #[test]
    fn weights_are_kept_in_every_round_and_spread_evenly() {
        let round = interleaved(&[5, 1, 1]);
        assert_eq!(round.len(), 7);
        assert_eq!([0, 1, 2].map(|card| round.iter().filter(|dealt| **dealt == card).count()), [5, 1, 1]);
        assert!(round.windows(5).any(|five| five.iter().any(|card| *card != 0)));
        assert_ne!(round[..5], [0; 5]);
    }
}

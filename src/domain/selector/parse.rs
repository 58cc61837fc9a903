//! The parser of selectors: tokens with their positions, then one function a rule of the grammar.

use std::collections::BTreeSet;

use super::{Operator, Requirement, SelectorError};
use crate::domain::labels::{check_label_key, check_label_value};

/// A piece of a selector's text. Words are keys, values and the operators spelt with letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    /// The piece itself; empty at the end of the text.
    text: &'a str,
    /// Where it begins, in characters from 1.
    position: usize,
}

impl Token<'_> {
    fn is(self, text: &str) -> bool {
        self.text == text
    }

    fn is_word(self) -> bool {
        self.text.starts_with(|c| !is_symbol(c))
    }

    fn is_end(self) -> bool {
        self.text.is_empty()
    }

    fn but_expected(self, expected: &'static str) -> SelectorError {
        let found = if self.is_end() { "the end".to_owned() } else { format!("'{}'", self.text) };
        SelectorError::Unexpected { position: self.position, found, expected }
    }
}

fn is_symbol(c: char) -> bool {
    matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<')
}

fn is_white_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// What is left of a selector's text.
struct Parser<'a> {
    rest: &'a str,
    /// The position of `rest`, in characters from 1.
    position: usize,
}

impl<'a> Parser<'a> {
    /// The next token, left where it is.
    fn peek(&self) -> Token<'a> {
        let text = self.rest.trim_start_matches(is_white_space);
        let skipped = self.rest.len() - text.len();
        let is_two_characters = text.starts_with("==") || text.starts_with("!=");
        let length = match text.chars().next() {
            None => 0,
            Some(_) if is_two_characters => 2,
            Some(c) if is_symbol(c) => 1,
            Some(_) => text.find(|c| is_symbol(c) || is_white_space(c)).unwrap_or(text.len()),
        };
        // White space is ASCII, so its bytes are its characters.
        Token { text: &text[..length], position: self.position + skipped }
    }

    /// The next token, taken.
    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        let text = self.rest.trim_start_matches(is_white_space);
        self.rest = &text[token.text.len()..];
        self.position = token.position + token.text.chars().count();
        token
    }

    /// The next token if it is `text`, else nothing is taken.
    fn take(&mut self, text: &str) -> bool {
        let found = self.peek().is(text);
        if found {
            self.next();
        }
        found
    }

    fn requirement(&mut self) -> Result<Requirement, SelectorError> {
        let negated = self.take("!");
        let key = self.key(if negated { "a label key" } else { "a label key or '!'" })?;
        if negated {
            return Ok(Requirement { key, operator: Operator::DoesNotExist, values: BTreeSet::new() });
        }
        let after = self.peek();
        if after.is_end() || after.is(",") {
            return Ok(Requirement { key, operator: Operator::Exists, values: BTreeSet::new() });
        }
        let operator = self.operator()?;
        let values = match operator {
            Operator::In | Operator::NotIn => self.values()?,
            _ => BTreeSet::from([self.value("a value, ',' or the end")?]),
        };
        Ok(Requirement { key, operator, values })
    }

    fn key(&mut self, expected: &'static str) -> Result<String, SelectorError> {
        let token = self.next();
        if !token.is_word() {
            return Err(token.but_expected(expected));
        }
        check_label_key(token.text)
            .map(|()| token.text.to_owned())
            .map_err(|problem| SelectorError::InvalidLabel { position: token.position, problem })
    }

    fn operator(&mut self) -> Result<Operator, SelectorError> {
        let token = self.next();
        match token.text {
            "=" | "==" => Ok(Operator::Equals),
            "!=" => Ok(Operator::NotEquals),
            "in" => Ok(Operator::In),
            "notin" => Ok(Operator::NotIn),
            ">" => Err(SelectorError::Ordering { position: token.position, operator: '>' }),
            "<" => Err(SelectorError::Ordering { position: token.position, operator: '<' }),
            _ => Err(token.but_expected("=, ==, !=, in, notin, ',' or the end")),
        }
    }

    /// A value, which is empty where something else follows that may follow a value.
    fn value(&mut self, expected: &'static str) -> Result<String, SelectorError> {
        let token = self.peek();
        if token.is_end() || token.is(",") || token.is(")") {
            return Ok(String::new());
        }
        self.next();
        if !token.is_word() {
            return Err(token.but_expected(expected));
        }
        check_label_value(token.text)
            .map(|()| token.text.to_owned())
            .map_err(|problem| SelectorError::InvalidLabel { position: token.position, problem })
    }

    fn values(&mut self) -> Result<BTreeSet<String>, SelectorError> {
        if !self.take("(") {
            return Err(self.peek().but_expected("'('"));
        }
        let mut values = BTreeSet::new();
        loop {
            values.insert(self.value("a value, ',' or ')'")?);
            if self.take(")") {
                return Ok(values);
            }
            if !self.take(",") {
                return Err(self.peek().but_expected("',' or ')'"));
            }
        }
    }
}

/// The requirements of a selector, in order.
pub(super) fn requirements(text: &str) -> Result<Vec<Requirement>, SelectorError> {
    let mut parser = Parser { rest: text, position: 1 };
    let mut requirements = Vec::new();
    if parser.peek().is_end() {
        return Ok(requirements);
    }
    loop {
        requirements.push(parser.requirement()?);
        if parser.peek().is_end() {
            return Ok(requirements);
        }
        if !parser.take(",") {
            return Err(parser.peek().but_expected("',' or the end"));
        }
    }
}

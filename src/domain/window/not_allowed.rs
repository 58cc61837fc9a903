//! Dates on which a maintenance window is not open, and what they leave of it.
//!
//! Spans are lists of whole local days; anything about hours belongs to the windows they are taken from.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use serde::{Deserialize, Serialize};

use super::Stretch;

/// A span that ends before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date span starts on {start} but ends on {end}; expected an end on or after its start")]
pub struct DateSpanError {
    start: NaiveDate,
    end: NaiveDate,
}

/// A span of local dates, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "RawDateSpan")]
pub struct DateSpan {
    start: NaiveDate,
    end: NaiveDate,
}

impl DateSpan {
    /// The dates from `start` to `end`.
    ///
    /// # Errors
    /// [`DateSpanError`] when `end` is before `start`.
    pub fn new(start: NaiveDate, end: NaiveDate) -> Result<Self, DateSpanError> {
        if end < start { Err(DateSpanError { start, end }) } else { Ok(Self { start, end }) }
    }

    /// The first date of the span.
    pub const fn start(self) -> NaiveDate {
        self.start
    }

    /// The last date of the span.
    pub const fn end(self) -> NaiveDate {
        self.end
    }
}

/// What a span looks like before it is known to be one.
#[derive(Deserialize)]
struct RawDateSpan {
    start: NaiveDate,
    end: NaiveDate,
}

impl TryFrom<RawDateSpan> for DateSpan {
    type Error = DateSpanError;

    fn try_from(raw: RawDateSpan) -> Result<Self, DateSpanError> {
        Self::new(raw.start, raw.end)
    }
}

/// Not-allowed spans in order, those that overlap made one, so that their ends are in order too.
pub(super) struct NotAllowed(Vec<DateSpan>);

impl NotAllowed {
    pub(super) fn new(spans: &[DateSpan]) -> Self {
        let mut sorted = spans.to_vec();
        sorted.sort_unstable();
        let mut merged: Vec<DateSpan> = Vec::with_capacity(sorted.len());
        for span in sorted {
            match merged.last_mut() {
                Some(last) if span.start <= last.end => {
                    last.end = last.end.max(span.end);
                }
                _ => merged.push(span),
            }
        }
        Self(merged)
    }

    /// The spans that end on `date` or later.
    fn ending_from(&self, date: NaiveDate) -> &[DateSpan] {
        &self.0[self.0.partition_point(|span| span.end < date)..]
    }

    /// The last date of the span that `date` is in, if it is in one.
    pub(super) fn last_date_of_span_with(&self, date: NaiveDate) -> Option<NaiveDate> {
        self.ending_from(date).first().filter(|span| span.start <= date).map(|span| span.end)
    }

    /// The first of the pieces that the spans leave of `window` which ends after `at`.
    pub(super) fn first_stretch(&self, window: Stretch, at: NaiveDateTime) -> Option<Stretch> {
        let mut from = window.from;
        for span in self.ending_from(window.from.date()) {
            let cut = span.start.and_time(NaiveTime::MIN);
            if window.to.is_some_and(|to| to <= cut) {
                break;
            }
            if from < cut && at < cut {
                return Some(Stretch { from, to: Some(cut) });
            }
            from = span.end.succ_opt()?.and_time(NaiveTime::MIN);
        }
        let last = Stretch { from, to: window.to };
        (last.ends_after(from) && last.ends_after(at)).then_some(last)
    }
}

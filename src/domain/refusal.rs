//! Why a request is refused, without a word about HTTP.
//!
//! A [`Refusal`] is what a user reads, so its message says what was wrong, where, and what would be right; causes
//! from inside (storage, bugs) are never refusals. The edge maps each [`Code`] to a status in one table. To add a
//! code, add a variant here and let the compiler point at that table.

use serde::{Deserialize, Serialize};

/// The error codes of the ARM envelope (the ARM protocol: errors), spelled as ARM spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the code itself, spelled as clients see it")]
pub enum Code {
    BadRequest,
    InvalidRequestContent,
    InvalidSubscriptionId,
    InvalidResourceName,
    InvalidParameter,
    InvalidFilter,
    InvalidSkipToken,
    InvalidTop,
    RequiredPropertyMissing,
    LocationRequired,
    LocationNotAvailable,
    PropertyChangeNotAllowed,
    ClusterNotFound,
    HubProfileRequired,
    MissingApiVersionParameter,
    InvalidApiVersionParameter,
    NoRegisteredProviderFound,
    UnsupportedMediaType,
    InvalidResourceType,
    InvalidResourceNamespace,
    ResourceNotFound,
    ParentResourceNotFound,
    ResourceGroupNotFound,
    SubscriptionNotFound,
    NotFound,
    MethodNotAllowed,
    PreconditionFailed,
    InvalidResourceLocation,
    OperationNotAllowed,
    QuotaExceeded,
    ClusterAlreadyJoinedAnotherFleet,
    MemberBelongsToClusterMesh,
    UpdateStrategyNotFound,
    NoMembersToUpgrade,
    RequestContentTooLarge,
    RequestTimeout,
    TooManyRequests,
    InternalServerError,
    ServiceUnavailable,
}

/// A refused request: one fault, or several together in `details`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The ARM code.
    pub code: Code,
    /// For the user: what was wrong, and what would be right.
    pub message: String,
    /// The JSON path (`properties.strategy.stages[0].name`), header or query parameter at fault.
    pub target: Option<String>,
    /// The single faults, where one request has several.
    pub details: Vec<Refusal>,
}

impl Refusal {
    /// A refusal without a target.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), target: None, details: Vec::new() }
    }

    /// A refusal that points at `target`.
    pub fn at(code: Code, target: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), target: Some(target.into()), details: Vec::new() }
    }

    /// Whether this is about the same member as the cause, or about one within it; the empty path is the whole body's.
    fn follows(&self, cause: &Self) -> bool {
        let (Some(target), Some(cause)) = (&self.target, &cause.target) else { return false };
        let rest = target.strip_prefix(cause.as_str());
        cause.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

/// Faults of one body, collected so that a user can mend them all at once.
#[derive(Debug, Default)]
pub struct Faults {
    noted: Vec<Refusal>,
    /// How many of them are causes: see [`Faults::settle`].
    causes: usize,
}

impl Faults {
    /// Nothing wrong so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says that what has been noted so far are causes: a value that was refused is not there for later checks, so
    /// what those find wrong with it or within it follows from that, and is not noted.
    pub fn settle(&mut self) {
        self.causes = self.noted.len();
    }

    /// Notes one fault.
    pub fn add(&mut self, code: Code, target: impl Into<String>, message: impl Into<String>) {
        self.push(Refusal::at(code, target, message));
    }

    /// Notes a fault found elsewhere; one that has details adds those.
    pub fn push(&mut self, refusal: Refusal) {
        let faults = if refusal.details.is_empty() { vec![refusal] } else { refusal.details };
        for fault in faults {
            if !self.noted[..self.causes].iter().any(|cause| fault.follows(cause)) {
                self.noted.push(fault);
            }
        }
    }

    /// Whether something at `target` is wrong already, so that the same lack is not told twice.
    pub fn are_at(&self, target: &str) -> bool {
        self.noted.iter().any(|fault| fault.target.as_deref() == Some(target))
    }

    /// Whether nothing was wrong.
    pub fn is_empty(&self) -> bool {
        self.noted.is_empty()
    }

    /// One fault as it is; several under the first one's code, each in `details`.
    ///
    /// # Errors
    /// The faults, where there are any.
    pub fn finish(mut self) -> Result<(), Refusal> {
        match self.noted.len() {
            0 => Ok(()),
            1 => Err(self.noted.remove(0)),
            n => Err(Refusal {
                code: self.noted[0].code,
                message: format!("The request has {n} faults; the first: {}", self.noted[0].message),
                target: self.noted[0].target.clone(),
                details: self.noted,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_fault_is_answered_as_it_is() {
        let mut faults = Faults::new();
        faults.add(Code::InvalidParameter, "name", "bad");
        assert_eq!(faults.finish(), Err(Refusal::at(Code::InvalidParameter, "name", "bad")));
    }

    #[test]
    fn several_faults_are_all_reported() {
        let mut faults = Faults::new();
        faults.add(Code::RequiredPropertyMissing, "a", "a is missing");
        faults.add(Code::InvalidParameter, "b", "b is bad");
        let refusal = faults.finish().unwrap_err();
        assert_eq!((refusal.code, refusal.details.len()), (Code::RequiredPropertyMissing, 2));
    }

    #[test]
    fn what_follows_from_a_cause_is_not_told_beside_it() {
        let mut faults = Faults::new();
        faults.add(Code::InvalidParameter, "a.b[0]", "wrong");
        faults.settle();
        for follower in ["a.b[0]", "a.b[0].c", "a.b[0][1]"] {
            faults.add(Code::RequiredPropertyMissing, follower, "missing");
        }
        for other in ["a.b[1]", "a.bc", "a.b", "a.b[0]c"] {
            faults.add(Code::InvalidParameter, other, "wrong as well");
        }
        let refusal = faults.finish().unwrap_err();
        let targets: Vec<_> = refusal.details.iter().filter_map(|fault| fault.target.as_deref()).collect();
        assert_eq!(targets, ["a.b[0]", "a.b[1]", "a.bc", "a.b", "a.b[0]c"]);
    }
}

//! Api-versions: which ones there are, which a type is served at, which know a member.
//!
//! Versions form a *set* for each type and member, not a range (the fleet resources: what each api-version has). To
//! serve a new version, add it to [`FleetVersion`], and to the sets of what it has.

use chrono::NaiveDate;

use crate::domain::refusal::{Code, Refusal};

/// The versions of the fleet types, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the versions by their dates")]
pub enum FleetVersion {
    V20231015,
    V20240202Preview,
    V20240401,
    V20240502Preview,
    V20250301,
    V20250401Preview,
    V20250801Preview,
    V20260201Preview,
    V20260302Preview,
    V20260601,
    V20260602Preview,
}

impl FleetVersion {
    /// All, oldest first.
    pub const ALL: [Self; 11] = [
        Self::V20231015,
        Self::V20240202Preview,
        Self::V20240401,
        Self::V20240502Preview,
        Self::V20250301,
        Self::V20250401Preview,
        Self::V20250801Preview,
        Self::V20260201Preview,
        Self::V20260302Preview,
        Self::V20260601,
        Self::V20260602Preview,
    ];

    /// The one that has everything.
    pub const LATEST: Self = Self::V20260602Preview;

    /// As clients write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V20231015 => "2023-10-15",
            Self::V20240202Preview => "2024-02-02-preview",
            Self::V20240401 => "2024-04-01",
            Self::V20240502Preview => "2024-05-02-preview",
            Self::V20250301 => "2025-03-01",
            Self::V20250401Preview => "2025-04-01-preview",
            Self::V20250801Preview => "2025-08-01-preview",
            Self::V20260201Preview => "2026-02-01-preview",
            Self::V20260302Preview => "2026-03-02-preview",
            Self::V20260601 => "2026-06-01",
            Self::V20260602Preview => "2026-06-02-preview",
        }
    }

    /// Whether it promises to stay as it is.
    pub fn is_stable(self) -> bool {
        !self.as_str().ends_with("-preview")
    }
}

/// A set of fleet versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions(u16);

impl Versions {
    /// Every version.
    pub const ALL: Self = Self::since(FleetVersion::V20231015);

    /// `first` and every later one.
    pub const fn since(first: FleetVersion) -> Self {
        Self((u16::MAX << first as u16) & ((1 << FleetVersion::ALL.len()) - 1))
    }

    /// This version alone.
    pub const fn only(version: FleetVersion) -> Self {
        Self(1 << version as u16)
    }

    /// These and `version`.
    #[must_use]
    pub const fn and(self, version: FleetVersion) -> Self {
        Self(self.0 | (1 << version as u16))
    }

    /// These but `version`.
    #[must_use]
    pub const fn without(self, version: FleetVersion) -> Self {
        Self(self.0 & !(1 << version as u16))
    }

    /// Whether `version` is among them.
    pub const fn contains(self, version: FleetVersion) -> bool {
        self.0 & (1 << version as u16) != 0
    }

    /// The versions, oldest first.
    pub fn iter(self) -> impl Iterator<Item = FleetVersion> {
        FleetVersion::ALL.into_iter().filter(move |version| self.contains(*version))
    }

    /// The newest one.
    pub fn newest(self) -> Option<FleetVersion> {
        self.iter().last()
    }

    /// The one that a client of `version` is told to use instead: the newest, but a stable one for a stable client
    /// where there is one.
    pub fn instead_of(self, version: FleetVersion) -> Option<FleetVersion> {
        let stable = self.iter().filter(|other| other.is_stable()).last();
        stable.filter(|_| version.is_stable()).or_else(|| self.newest())
    }
}

/// The `api-version` of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersion {
    text: String,
    /// Which fleet version it is, where it is one.
    fleet: Option<FleetVersion>,
}

impl ApiVersion {
    /// Reads the query parameter.
    ///
    /// # Errors
    /// `MissingApiVersionParameter`, or `InvalidApiVersionParameter` where it is not `YYYY-MM-DD[-preview]`.
    pub fn read(text: Option<&str>) -> Result<Self, Refusal> {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Err(Refusal::at(
                Code::MissingApiVersionParameter,
                "api-version",
                "The query parameter api-version is required on every path, for example \
                 api-version=2026-06-02-preview.",
            ));
        };
        let text: String = text.to_ascii_lowercase();
        let date = text.strip_suffix("-preview").unwrap_or(&text);
        if date.len() != 10 || NaiveDate::parse_from_str(date, "%Y-%m-%d").is_err() {
            return Err(Refusal::at(
                Code::InvalidApiVersionParameter,
                "api-version",
                format!(
                    "'{}' is not an api-version; it must be a date, YYYY-MM-DD or YYYY-MM-DD-preview.",
                    text.chars().take(64).collect::<String>()
                ),
            ));
        }
        let fleet = FleetVersion::ALL.into_iter().find(|version| version.as_str() == text);
        Ok(Self { text, fleet })
    }

    /// As the client wrote it, in lower case.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The version by which fleet types are read and shown; for a version that is none (a polling URL's), the one
    /// that hides nothing.
    pub fn fleet(&self) -> FleetVersion {
        self.fleet.unwrap_or(FleetVersion::LATEST)
    }
}

/// At which versions a route is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// A type, or an action, of the fleet provider: these.
    Fleet(Versions),
    /// The AKS types: any date from 2023-01-01 on.
    Aks,
    /// Polling URLs, groups, subscriptions, providers: any well-formed one.
    Any,
}

/// The first version at which the AKS types are served.
const FIRST_AKS: &str = "2023-01-01";

impl Served {
    /// Whether a request with `version` for `resource_type` is served.
    ///
    /// # Errors
    /// `NoRegisteredProviderFound` for a version that nobody has, `InvalidResourceType` for one at which this type
    /// did not exist.
    pub fn check(self, version: &ApiVersion, resource_type: &str) -> Result<(), Refusal> {
        let list =
            |versions: Versions| versions.iter().map(FleetVersion::as_str).collect::<Vec<_>>().join(", ");
        match (self, version.fleet) {
            (Self::Any, _) => Ok(()),
            (Self::Aks, _) if version.as_str() >= FIRST_AKS => Ok(()),
            (Self::Aks, _) => {
                Err(not_registered(version, resource_type, &format!("any date from {FIRST_AKS} on")))
            }
            (Self::Fleet(served), Some(fleet)) if served.contains(fleet) => Ok(()),
            (Self::Fleet(served), Some(_)) => Err(Refusal::at(
                Code::InvalidResourceType,
                "api-version",
                format!(
                    "The resource type '{resource_type}' does not exist at api-version '{}'. It exists at: {}.",
                    version.as_str(),
                    list(served)
                ),
            )),
            (Self::Fleet(served), None) => Err(not_registered(version, resource_type, &list(served))),
        }
    }
}

fn not_registered(version: &ApiVersion, resource_type: &str, supported: &str) -> Refusal {
    Refusal::at(
        Code::NoRegisteredProviderFound,
        "api-version",
        format!(
            "The resource type '{resource_type}' is not served at api-version '{}'. The supported api-versions are: \
             {supported}.",
            version.as_str()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(None, Code::MissingApiVersionParameter)]
    #[case(Some(""), Code::MissingApiVersionParameter)]
    #[case(Some("latest"), Code::InvalidApiVersionParameter)]
    #[case(Some("2026-6-2"), Code::InvalidApiVersionParameter)]
    #[case(Some("2026-13-01"), Code::InvalidApiVersionParameter)]
    #[case(Some("2026-06-02-beta"), Code::InvalidApiVersionParameter)]
    fn what_is_no_api_version_is_refused(#[case] text: Option<&str>, #[case] code: Code) {
        assert_eq!(ApiVersion::read(text).unwrap_err().code, code);
    }

    fn outcome(served: Served, version: &str) -> Result<(), Code> {
        served.check(&ApiVersion::read(Some(version)).unwrap(), "t").map_err(|refusal| refusal.code)
    }

    #[rstest]
    #[case(Served::Fleet(Versions::ALL), "2026-06-02-Preview", Ok(()))]
    #[case(Served::Fleet(Versions::ALL), "2026-06-02", Err(Code::NoRegisteredProviderFound))]
    #[case(
        Served::Fleet(Versions::only(FleetVersion::V20260601)),
        "2024-04-01",
        Err(Code::InvalidResourceType)
    )]
    #[case(Served::Aks, "2023-01-01", Ok(()))]
    #[case(Served::Aks, "2099-12-31-preview", Ok(()))]
    #[case(Served::Aks, "2022-12-31", Err(Code::NoRegisteredProviderFound))]
    #[case(Served::Any, "1999-01-01", Ok(()))]
    fn a_type_is_served_at_its_versions(
        #[case] served: Served,
        #[case] version: &str,
        #[case] expected: Result<(), Code>,
    ) {
        assert_eq!(outcome(served, version), expected);
    }

    #[test]
    fn sets_have_holes() {
        let set = Versions::since(FleetVersion::V20240202Preview).without(FleetVersion::V20240401);
        let names: Vec<&str> = set.iter().map(FleetVersion::as_str).take(2).collect();
        assert_eq!(names, ["2024-02-02-preview", "2024-05-02-preview"]);
        assert_eq!(set.newest(), Some(FleetVersion::LATEST));
        assert_eq!(Versions::ALL.iter().count(), 11);
    }

    #[test]
    fn a_stable_client_is_sent_to_a_stable_version_where_there_is_one() {
        let (stable, preview) = (FleetVersion::V20231015, FleetVersion::V20240202Preview);
        let everywhere = Versions::since(FleetVersion::V20260201Preview);
        assert_eq!(everywhere.instead_of(stable), Some(FleetVersion::V20260601));
        assert_eq!(everywhere.instead_of(preview), Some(FleetVersion::LATEST));
        assert_eq!(Versions::only(FleetVersion::LATEST).instead_of(stable), Some(FleetVersion::LATEST));
    }
}

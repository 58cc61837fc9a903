//! Paths compare without case: fixed segments are brought to the casing of the route table before routing, names stay.
//!
//! In an ARM path fixed segments and names alternate, and the namespace follows `providers`; so a fleet may be named
//! `members`.

use std::collections::HashMap;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::http::Uri;
use tower::Service;

/// The fixed segments of the route table, by their lower-case form.
#[derive(Clone, Debug)]
pub struct Canonical(Arc<HashMap<String, &'static str>>);

impl Canonical {
    /// The segments of these routes.
    pub fn of(paths: impl IntoIterator<Item = &'static str>) -> Self {
        let segments = paths.into_iter().flat_map(|path| path.split('/'));
        let fixed = segments.filter(|segment| !segment.is_empty() && !segment.starts_with('{'));
        Self(Arc::new(fixed.map(|segment| (segment.to_ascii_lowercase(), segment)).collect()))
    }

    fn segment<'a>(&self, segment: &'a str) -> &'a str {
        self.0.get(&segment.to_ascii_lowercase()).copied().unwrap_or(segment)
    }

    /// `path` in canonical casing, without empty segments; one that is no ARM path stays as it is.
    fn path(&self, path: &str) -> String {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let is_arm = |first: &&str| {
            ["subscriptions", "providers", "tenants"].iter().any(|known| known.eq_ignore_ascii_case(first))
        };
        let mut canonical = String::with_capacity(path.len());
        // `/simulator/behaviors` and `/simulator/updateRuns` are followed by a resource's id.
        let arm = if segments.first() == Some(&"simulator") { 2 } else { 0 };
        if !segments.get(arm).is_some_and(is_arm) {
            return path.to_owned();
        }
        segments[..arm].iter().for_each(|segment| canonical.extend(["/", segment]));
        let mut after_providers = false;
        for (index, segment) in segments[arm..].iter().copied().enumerate() {
            let segment = if index % 2 == 0 || after_providers { self.segment(segment) } else { segment };
            after_providers = index % 2 == 0 && segment == "providers";
            canonical.push('/');
            canonical.push_str(segment);
        }
        canonical
    }

    fn uri(&self, uri: &Uri) -> Option<Uri> {
        let path = self.path(uri.path());
        if path == uri.path() {
            return None;
        }
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(format!("{path}{query}").parse().ok()?);
        Uri::from_parts(parts).ok()
    }
}

/// A router that sees canonical paths only.
#[derive(Clone, Debug)]
pub struct CanonicalPaths<S> {
    canonical: Canonical,
    inner: S,
}

/// Puts `canonical` in front of `inner`.
pub fn canonical<S>(canonical: Canonical, inner: S) -> CanonicalPaths<S> {
    CanonicalPaths { canonical, inner }
}

impl<S: Service<Request>> Service<Request> for CanonicalPaths<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> S::Future {
        if let Some(uri) = self.canonical.uri(request.uri()) {
            *request.uri_mut() = uri;
        }
        self.inner.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "/SUBSCRIPTIONS/S/resourcegroups/MEMBERS/Providers/MICROSOFT.containerservice/FLEETS/Members/MEMBERS/Fleets",
        "/subscriptions/S/resourceGroups/MEMBERS/providers/Microsoft.ContainerService/fleets/Members/members/Fleets"
    )]
    #[case("//subscriptions//S/", "/subscriptions/S")]
    #[case(
        "/simulator/behaviors/SUBSCRIPTIONS/S/resourcegroups/G",
        "/simulator/behaviors/subscriptions/S/resourceGroups/G"
    )]
    #[case("/simulator/fleets/x", "/simulator/fleets/x")]
    #[case("/Fleets/x", "/Fleets/x")]
    #[case("/", "/")]
    fn fixed_segments_are_made_canonical_and_names_kept(#[case] path: &str, #[case] expected: &str) {
        let canonical = Canonical::of([
            "/subscriptions/{s}/resourceGroups/{g}/providers/Microsoft.ContainerService/fleets/{f}/members/{m}",
        ]);
        assert_eq!(canonical.path(path), expected);
    }
}

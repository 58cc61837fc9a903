//! The body of a request, not looked at until existence and preconditions are checked.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde_json::Value;

use super::Call;
use super::encoding::check_encoding;
use super::json::StrictJson;
use crate::api::contract::shape::Object;
use crate::api::contract::{FleetVersion, Method, read};
use crate::domain::refusal::{Code, Faults, Refusal};

/// The most bytes of a body: 4 MiB.
pub const MAX_BODY: usize = 4 * 1024 * 1024;

/// The most bytes of a body that are read although it is too large. A client that is still writing when the connection
/// closes reads no answer, so a body is read to its end first, within reason.
const MAX_DISCARDED: usize = 16 * MAX_BODY;

/// How long a body may take to arrive, in real time.
pub const BODY_LIMIT: Duration = Duration::from_secs(60);

/// A body as it came.
#[derive(Clone)]
pub struct RawBody(Bytes);

impl RawBody {
    /// Takes a body to its end.
    ///
    /// # Errors
    /// `RequestContentTooLarge`; `InvalidRequestContent` where the client leaves off; `RequestTimeout` where it has not
    /// come within `limit`; `UnsupportedMediaType` where it is encoded.
    pub async fn take(headers: &HeaderMap, body: Body, limit: Duration) -> Result<Self, Refusal> {
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        let announced = announced.and_then(|length| length.parse::<u64>().ok());
        // Who asks before sending is told at once, and sends nothing.
        if headers.contains_key(header::EXPECT) && announced.is_some_and(|length| length > MAX_BODY as u64) {
            return Err(too_large());
        }
        let taken = tokio::time::timeout(limit, read_to_end(body)).await;
        let bytes = taken.unwrap_or_else(|_| Err(too_slow(limit)))?;
        if !bytes.is_empty() {
            check_encoding(headers)?;
        }
        Ok(Self(bytes))
    }
}

impl<S: Sync> FromRequestParts<S> for RawBody {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.remove().expect("every request's body is taken before its handler runs"))
    }
}

async fn read_to_end(mut body: Body) -> Result<Bytes, Refusal> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| {
            Refusal::new(Code::InvalidRequestContent, "The body ended before all of it was sent.")
        })?;
        let Ok(chunk) = frame.into_data() else { continue };
        length += chunk.len();
        if length <= MAX_BODY {
            bytes.extend_from_slice(&chunk);
        } else if length > MAX_DISCARDED {
            break;
        }
    }
    if length > MAX_BODY { Err(too_large()) } else { Ok(bytes.into()) }
}

fn too_slow(limit: Duration) -> Refusal {
    let message = format!("The body was not sent within {} seconds.", limit.as_secs());
    Refusal::new(Code::RequestTimeout, message)
}

fn too_large() -> Refusal {
    Refusal::new(
        Code::RequestContentTooLarge,
        format!("The body is larger than {} MiB, the most that is taken.", MAX_BODY / 1024 / 1024),
    )
}

impl RawBody {
    /// The body as JSON.
    ///
    /// # Errors
    /// `InvalidRequestContent` where it is empty, no JSON, nested too deeply, has a member twice, or a text with U+0000.
    pub fn json(&self) -> Result<Value, Refusal> {
        let bytes = self.0.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&self.0);
        if bytes.is_empty() {
            return Err(Refusal::new(
                Code::InvalidRequestContent,
                "The request needs a JSON body; it has none.",
            ));
        }
        // The parser gives up at 128 levels, so that no body can exhaust the stack.
        serde_json::from_slice(bytes).map(|StrictJson(value)| value).map_err(|problem| {
            let fault = if problem.is_data() { "cannot be taken" } else { "is not valid JSON" };
            Refusal::new(Code::InvalidRequestContent, format!("The body {fault}: {problem}."))
        })
    }

    /// Reads the body of a PUT or PATCH by the contract, then by `rules`, and reports all faults of both together.
    /// `stored` is the resource as it is, in its newest form.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read<T>(
        &self,
        call: &Call,
        object: &'static Object,
        method: Method,
        stored: Option<&Value>,
        rules: impl FnOnce(&Value, &mut Faults) -> T,
    ) -> Result<T, Refusal> {
        let body = self.json()?;
        let mut faults = Faults::new();
        if method == Method::Put {
            agrees_with_url(&body, call, &mut faults);
        }
        let value = read(object, call.fleet_version(), method, &body, stored, &mut faults);
        faults.settle();
        let result = rules(&value, &mut faults);
        faults.finish().map(|()| result)
    }
}

impl RawBody {
    /// Reads a body that is no resource's and has one version, by its shape, then by `rules`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read_plain<T>(
        &self,
        object: &'static Object,
        rules: impl FnOnce(&Value, &mut Faults) -> T,
    ) -> Result<T, Refusal> {
        let mut faults = Faults::new();
        let value = read(object, FleetVersion::LATEST, Method::Put, &self.json()?, None, &mut faults);
        faults.settle();
        let result = rules(&value, &mut faults);
        faults.finish().map(|()| result)
    }
}

/// `id`, `name` and `type`, where a body has them, must be the URL's.
pub fn agrees_with_url(body: &Value, call: &Call, faults: &mut Faults) {
    let of_url =
        [("id", call.id.to_string()), ("name", call.id.name().to_owned()), ("type", call.id.type_name())];
    for (member, expected) in of_url {
        let Some(given) = body.get(member).and_then(Value::as_str) else { continue };
        if !given.eq_ignore_ascii_case(&expected) {
            let given: String = given.chars().take(256).collect();
            faults.add(
                Code::InvalidParameter,
                member,
                format!("The body's {member} is '{given}', the URL's is '{expected}'. They must agree."),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll};

    use http_body::Frame;

    use super::*;

    fn code_of(bytes: &[u8]) -> Code {
        RawBody(Bytes::copy_from_slice(bytes)).json().unwrap_err().code
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for bytes in [&b""[..], b"{", b"\xff\xfe", b"{\"a\":1}x", b"nul"] {
            assert_eq!(code_of(bytes), Code::InvalidRequestContent);
        }
    }

    #[test]
    fn a_megabyte_of_nested_arrays_is_refused() {
        let refusal = RawBody(Bytes::from(vec![b'['; 1 << 20])).json().unwrap_err();
        assert_eq!(refusal.code, Code::InvalidRequestContent);
        assert!(refusal.message.contains("recursion limit"), "{}", refusal.message);
    }

    #[test]
    fn what_could_be_kept_only_in_part_is_refused() {
        for bytes in [&br#"{"location":"eastus","location":"westus"}"#[..], br#"{"tags":{"a":"\u0000"}}"#] {
            assert_eq!(code_of(bytes), Code::InvalidRequestContent);
        }
    }

    #[tokio::test]
    async fn a_body_beyond_the_limit_of_size_is_refused() {
        let body = Body::from(vec![b' '; MAX_BODY + 1]);
        let refused = RawBody::take(&HeaderMap::new(), body, BODY_LIMIT).await.err().unwrap();
        assert_eq!(refused.code, Code::RequestContentTooLarge);
    }

    #[tokio::test]
    async fn a_body_that_does_not_come_in_time_is_refused() {
        let body = Body::new(Silent);
        let refused = RawBody::take(&HeaderMap::new(), body, Duration::ZERO).await.err().unwrap();
        assert_eq!(refused.code, Code::RequestTimeout);
    }

    /// A body of which nothing ever comes.
    struct Silent;

    impl HttpBody for Silent {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Pending
        }
    }
}

//! A client of the service in the same process: real requests and answers, no socket.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower::ServiceExt as _;

/// The most of an answer that is read: a run of 400 members has some 300 KiB.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// Why the demonstration failed.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The service refused a request.
    #[error("{method} {path} was answered with {status}: {message}")]
    Refused {
        /// What was asked.
        method: Method,
        /// Of which resource.
        path: String,
        /// The answer's status.
        status: StatusCode,
        /// The answer's message.
        message: String,
    },
    /// An answer is not what it should be.
    #[error("the answer to {path} cannot be read: {problem}")]
    Answer {
        /// To what request.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The run ended in another state than the scenario means it to.
    #[error("the run ended {0}")]
    EndedOtherwise(&'static str),
    /// A signal came first.
    #[error("interrupted before the run ended")]
    Interrupted,
    /// The service itself failed.
    #[error("the service failed: {0}")]
    Service(String),
    /// Nobody reads what is shown.
    #[error("standard output: {0}")]
    Output(std::io::Error),
}

/// The client.
pub(super) struct Client {
    router: Router,
}

impl Client {
    /// A client of what this router serves.
    pub(super) fn new(router: Router) -> Self {
        Self { router }
    }

    /// GETs a path as a type.
    ///
    /// # Errors
    /// A refusal, or an answer of another shape.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, DemoError> {
        let answer = self.send(Method::GET, path, None).await?;
        serde_json::from_value(answer).map_err(|problem| unreadable(path, &problem))
    }

    /// Sends a request; the answer's JSON, `null` where it has none.
    ///
    /// # Errors
    /// A refusal.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, DemoError> {
        let request = Request::builder()
            .method(&method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))
            .map_err(|problem| unreadable(path, &problem))?;
        let Ok(response) = self.router.clone().oneshot(request).await;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), MAX_ANSWER)
            .await
            .map_err(|problem| unreadable(path, &problem))?;
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if status.is_success() {
            return Ok(answer);
        }
        let message = answer["error"]["message"].as_str().unwrap_or("no message").to_owned();
        Err(DemoError::Refused { method, path: path.to_owned(), status, message })
    }
}

fn unreadable(path: &str, problem: &dyn std::error::Error) -> DemoError {
    DemoError::Answer { path: path.to_owned(), problem: problem.to_string() }
}

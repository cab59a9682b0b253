//! One request goes on to the server.

use std::error::Error;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode, Uri, Version};

use super::answer::{Answer, Link};
use super::exchange::{Exchange, RequestHead, is_form};
use super::heads::{self, lines};
use super::ledger::Ledger;
use super::question::Question;
use super::tap::{Heads, Tap};
use super::upstream::Upstream;

/// What an exchange fails of: there is nobody any more who could be told why, so the connection is broken off.
pub(super) type Broken = Box<dyn Error + Send + Sync>;

/// Passes a request on and gives the response, whose body is still to come.
pub(super) async fn forward(
    request: Request<Incoming>,
    upstream: &Upstream,
    ledger: &Arc<Ledger>,
    written: &Heads,
) -> Result<Response<Answer>, Broken> {
    let (parts, body) = request.into_parts();
    let written_lines = lines(&written.take(), &parts.headers);
    let Some(target) = parts
        .uri
        .path_and_query()
        .map(|target| target.as_str().to_owned())
    else {
        written.wait();
        return Ok(said(
            StatusCode::NOT_IMPLEMENTED,
            "this is no proxy that tunnels can be opened through".to_owned(),
        ));
    };
    let mut exchange = Exchange::begin(
        ledger,
        RequestHead {
            method: parts.method.to_string(),
            target: target.clone(),
            lines: written_lines,
            is_form: is_form(&parts.headers),
        },
    );
    let body = Question::gather(body, &mut exchange, written).await?;
    exchange.asks();
    let stream = match upstream.connect().await {
        Ok(stream) => stream,
        Err(error) => {
            exchange.breaks();
            return Ok(said(
                StatusCode::BAD_GATEWAY,
                format!("wirelint, which records here, cannot reach {upstream}: {error}"),
            ));
        }
    };
    let (tap, answered) = Tap::new(stream);
    let mut client = http1::Builder::new();
    let (mut sender, connection) = client.preserve_header_case(true).handshake(tap).await?;
    let link = Link::new(tokio::spawn(async {
        // What goes wrong is seen by whoever waits for the response.
        let _ = connection.await;
    }));
    let response = match sender
        .send_request(to_server(parts, target, upstream, body)?)
        .await
    {
        Ok(response) => response,
        Err(error) => {
            exchange.breaks();
            if error.is_parse() {
                let message =
                    format!("wirelint, which records here, got no HTTP response from {upstream}: {error}");
                return Ok(said(StatusCode::BAD_GATEWAY, message));
            }
            return Err(error.into());
        }
    };
    let (mut parts, body) = response.into_parts();
    exchange.is_answered(
        parts.status.as_u16(),
        &parts.headers,
        &lines(&answered.take(), &parts.headers),
    );
    parts.headers = heads::to_client(&parts.headers);
    parts.version = Version::HTTP_11;
    Ok(Response::from_parts(parts, Answer::passing(body, exchange, link)))
}

/// The request as the server gets it. What hyper remembers of the spelling of its headers stays with it.
fn to_server(
    mut parts: Parts,
    target: String,
    upstream: &Upstream,
    body: Question,
) -> Result<Request<Question>, Broken> {
    parts.uri = Uri::try_from(target)?;
    parts.version = Version::HTTP_11;
    parts.headers = heads::to_server(&parts.headers, upstream.authority());
    Ok(Request::from_parts(parts, body))
}

/// A sentence of the proxy's own, which is no answer of the server and is not recorded as one.
fn said(status: StatusCode, sentence: String) -> Response<Answer> {
    let mut response = Response::new(Answer::said(sentence + "\n"));
    *response.status_mut() = status;
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}

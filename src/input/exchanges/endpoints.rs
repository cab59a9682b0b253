//! Which exchanges are MCP traffic.
//!
//! A browser records pages, images and other services as well. An *endpoint*, that is a URL without its query, speaks MCP
//! if one exchange on it shows so:
//!
//! - the recorder says so;
//! - a header whose name begins with `Mcp-`, on either side, except where OAuth metadata is asked for (`/.well-known/`),
//!   since clients name their revision there too;
//! - a request, a response or the data of an event that is JSON-RPC with a method of MCP or with members of
//!   `io.modelcontextprotocol/`;
//! - an event stream of the transport of 2024: an event `endpoint`, and JSON-RPC in another one.
//!
//! Of what is sent to such an endpoint, these are MCP traffic: each `POST` but those of forms; a `GET` that asks for an
//! event stream or got one, or has a header of MCP; each `DELETE`. All else is passed over. So is JSON-RPC elsewhere, which
//! may be of any protocol: of each such endpoint that is said once.

use std::collections::HashSet;

use super::super::stream::stream_events;
use super::message::{is_mcp, is_rpc};
use super::{Exchange, Lines};

/// What an exchange is to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// MCP traffic.
    Mcp,
    /// A stream that is not recorded, on a host that speaks MCP, or what is lost: it may have carried messages.
    Hidden,
    /// JSON-RPC of some protocol.
    OtherRpc,
    /// Something else.
    Other,
}

/// What each exchange is.
pub(super) fn kinds(all: &[Exchange]) -> Vec<Kind> {
    let known: HashSet<&str> = all
        .iter()
        .filter(|e| !e.lost && shows_mcp(e))
        .map(|e| endpoint(&e.url))
        .collect();
    let hosts: HashSet<&str> = known.iter().map(|url| host(url)).collect();
    let kind = |exchange: &Exchange| {
        if exchange.lost {
            return Kind::Hidden;
        }
        let url = endpoint(&exchange.url);
        let lost = exchange
            .response_body
            .text()
            .is_none_or(|body| body.text.is_empty());
        if known.contains(url) {
            if is_of_transport(exchange) {
                Kind::Mcp
            } else {
                Kind::Other
            }
        } else if lost && hosts.contains(host(url)) && may_stream(exchange) {
            Kind::Hidden
        } else if bodies(exchange).any(is_rpc) {
            Kind::OtherRpc
        } else {
            Kind::Other
        }
    };
    all.iter().map(kind).collect()
}

/// A URL without query and fragment.
pub(super) fn endpoint(url: &str) -> &str {
    &url[..url.find(['?', '#']).unwrap_or(url.len())]
}

/// Scheme, host and port.
fn host(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find('/').map_or(url.len(), |at| start + at);
    &url[..end]
}

fn bodies<'e>(exchange: &'e Exchange) -> impl Iterator<Item = &'e str> {
    [&exchange.request_body, &exchange.response_body]
        .into_iter()
        .filter_map(|body| body.text())
        .map(|body| &*body.text)
}

fn names_mcp(lines: &Lines) -> bool {
    lines.has_prefix("mcp-")
}

/// Whether headers of MCP or JSON-RPC are in it.
pub(super) fn names_or_carries(exchange: &Exchange) -> bool {
    names_mcp(&exchange.request_headers)
        || names_mcp(&exchange.response_headers)
        || bodies(exchange).any(is_rpc)
}

fn shows_mcp(exchange: &Exchange) -> bool {
    if exchange.declared {
        return true;
    }
    if exchange.url.contains("/.well-known/") {
        return false;
    }
    names_mcp(&exchange.request_headers)
        || names_mcp(&exchange.response_headers)
        || bodies(exchange).any(is_mcp)
        || exchange.is_stream() && streams_mcp(exchange)
}

fn streams_mcp(exchange: &Exchange) -> bool {
    let Some(body) = exchange.response_body.text() else {
        return false;
    };
    let (mut announced, mut rpc) = (false, false);
    stream_events(body.text.as_bytes()).any(|event| {
        let data = event.data(&body.text);
        let named = event.event.clone().and_then(|name| body.text.get(name));
        announced |= named == Some("endpoint");
        rpc |= is_rpc(&data);
        announced && rpc || is_mcp(&data)
    })
}

/// Whether the response is an event stream, or was to be one and is not recorded.
fn may_stream(exchange: &Exchange) -> bool {
    exchange.is_stream() || exchange.status.is_none() && exchange.method == "GET" && asks_for_stream(exchange)
}

fn asks_for_stream(exchange: &Exchange) -> bool {
    let accept = exchange.request_headers.get("accept");
    accept.is_some_and(|accept| accept.to_ascii_lowercase().contains("text/event-stream"))
}

fn is_of_transport(exchange: &Exchange) -> bool {
    let sent = &exchange.request_headers;
    match &*exchange.method {
        "POST" => {
            let mime = sent.get("content-type").unwrap_or_default().to_ascii_lowercase();
            !mime.contains("form-urlencoded") && !mime.starts_with("multipart/form-data")
        }
        "GET" => {
            exchange.is_stream()
                || names_mcp(sent)
                || sent.get("last-event-id").is_some()
                || asks_for_stream(exchange)
        }
        "DELETE" => true,
        _ => false,
    }
}

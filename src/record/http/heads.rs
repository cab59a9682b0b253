//! Headers: as they were written, and as they go on.

use hyper::HeaderMap;
use hyper::header::{
    ACCEPT_ENCODING, CONNECTION, HOST, HeaderName, HeaderValue, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};

/// Header lines: name and value, as they came.
pub(super) type Lines = Vec<(String, String)>;

/// The header lines of the head that begins a text, which has been understood as `known`. Responses that announce another
/// are passed over.
///
/// What was read along may not hold the whole head, if a client sends requests without waiting for answers: then they are
/// in lower case, and repeated ones stand together.
pub(super) fn lines(mut written: &[u8], known: &HeaderMap) -> Lines {
    loop {
        let (lines, rest, interim) = head(written);
        if interim && !rest.is_empty() {
            written = rest;
        } else if is_same(&lines, known) {
            return texts(lines);
        } else {
            return texts(
                known
                    .iter()
                    .map(|(name, value)| (name.as_str().as_bytes(), value.as_bytes())),
            );
        }
    }
}

type Written<'b> = Vec<(&'b [u8], &'b [u8])>;

/// The header lines of a head, what follows, and whether it is that of a response that announces another.
fn head(mut bytes: &[u8]) -> (Written<'_>, &[u8], bool) {
    while let [b'\r' | b'\n', rest @ ..] = bytes {
        bytes = rest;
    }
    let mut lines = vec![];
    let mut interim = false;
    let mut is_first = true;
    while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
        let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
        bytes = &bytes[end + 1..];
        if line.is_empty() {
            break;
        }
        if is_first {
            interim = line.starts_with(b"HTTP/1.1 1");
            is_first = false;
        } else if let Some(colon) = line.iter().position(|b| *b == b':') {
            lines.push((&line[..colon], line[colon + 1..].trim_ascii()));
        }
    }
    (lines, bytes, interim)
}

/// Whether all that is known was written. Some of what was written may have been dropped as it means nothing.
fn is_same(lines: &Written, known: &HeaderMap) -> bool {
    let mut left: Vec<_> = lines.iter().collect();
    known.iter().all(|(name, value)| {
        let at = left.iter().position(|(written, text)| {
            written.eq_ignore_ascii_case(name.as_str().as_bytes()) && *text == value.as_bytes()
        });
        at.map(|at| left.swap_remove(at)).is_some()
    })
}

fn texts<'b>(lines: impl IntoIterator<Item = (&'b [u8], &'b [u8])>) -> Lines {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let lines = lines.into_iter();
    lines.map(|(name, value)| (text(name), text(value))).collect()
}

/// Headers of a request as they go on to the server of that authority.
pub(super) fn to_server(headers: &HeaderMap, authority: &HeaderValue) -> HeaderMap {
    let mut to = HeaderMap::with_capacity(headers.len() + 1);
    if !headers.contains_key(HOST) {
        to.insert(HOST, authority.clone());
    }
    for (name, value) in headers {
        if name == HOST {
            to.insert(HOST, authority.clone());
        } else if name == TRANSFER_ENCODING || name != ACCEPT_ENCODING && !is_of_connection(name, headers) {
            // A body in chunks stays one: where there is none, some methods must not have a body.
            to.append(name, value.clone());
        }
    }
    to
}

/// Headers of a response as they go on to the client.
pub(super) fn to_client(headers: &HeaderMap) -> HeaderMap {
    let mut to = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        if !is_of_connection(name, headers) {
            to.append(name, value.clone());
        }
    }
    to
}

/// Whether a header is about one connection, not about the message.
fn is_of_connection(name: &HeaderName, headers: &HeaderMap) -> bool {
    let named = || {
        let lists = headers.get_all(CONNECTION).iter();
        lists
            .flat_map(|list| list.as_bytes().split(|b| *b == b','))
            .any(|named| named.trim_ascii().eq_ignore_ascii_case(name.as_str().as_bytes()))
    };
    [CONNECTION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE].contains(name)
        || ["keep-alive", "proxy-connection"].contains(&name.as_str())
        || named()
}

/// The value of a header, if it is text.
pub(super) fn value<'h>(headers: &'h HeaderMap, name: &HeaderName) -> &'h str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        lines.iter().map(pair).collect()
    }

    fn said(lines: &Lines) -> Vec<String> {
        lines
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    #[test]
    fn lines_are_as_they_were_written() {
        let known = map(&[("a-b", "1"), ("x", "2"), ("a-b", "3")]);
        let head = b"\r\nPOST / HTTP/1.1\r\nA-B: 1\r\nX:2 \r\na-B:  3\r\nTransfer-Encoding: dropped\r\n\r\nbody: no\r\n\r\n";
        let expected = ["A-B=1", "X=2", "a-B=3", "Transfer-Encoding=dropped"];
        assert_eq!(said(&lines(head, &known)), expected);
        // What is not there in full is told as it was understood.
        assert_eq!(said(&lines(b"B: 1\r\n\r\n", &known)), ["a-b=1", "a-b=3", "x=2"]);
        assert_eq!(said(&lines(b"", &known)).len(), 3);
    }

    #[test]
    fn responses_that_announce_another_are_passed_over() {
        let head = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n";
        assert_eq!(said(&lines(head, &map(&[("a", "1")]))), ["A=1"]);
    }

    #[test]
    fn what_is_of_the_connection_stays() {
        let sent = map(&[
            ("accept", "x"),
            ("host", "proxy"),
            ("connection", "close, X-Own"),
            ("x-own", "1"),
            ("accept-encoding", "gzip"),
            ("keep-alive", "5"),
            ("accept", "y"),
        ]);
        let names = |map: &HeaderMap| -> Vec<String> {
            map.iter()
                .map(|(name, value)| format!("{name}={}", value.to_str().unwrap_or("?")))
                .collect()
        };
        let to = to_server(&sent, &HeaderValue::from_static("server:1"));
        assert_eq!(names(&to), ["accept=x", "accept=y", "host=server:1"]);
        let to = to_client(&map(&[("transfer-encoding", "chunked"), ("date", "now")]));
        assert_eq!(names(&to), ["date=now"]);
    }
}

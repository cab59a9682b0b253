//! The server that requests go on to.

use std::fmt;
use std::io;

use hyper::Uri;
use hyper::header::HeaderValue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::tls::Tls;

/// Where a server listens.
#[derive(Debug, Clone)]
pub(crate) struct Upstream {
    host: String,
    port: u16,
    /// As it is told to the server: host and port, unless that is the usual one.
    authority: HeaderValue,
    /// Of a server behind `https`.
    tls: Option<Tls>,
}

/// A connection to a server.
pub(super) trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Wire for S {}

impl Upstream {
    /// Of an address such as `http://127.0.0.1:8000`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what to do.
    pub(crate) fn parse(text: &str) -> Result<Upstream, String> {
        let wrong =
            || "a server is named by its scheme, host and port, such as http://127.0.0.1:8000".to_owned();
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (Some(scheme @ ("http" | "https")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(wrong());
        };
        if authority.as_str().contains('@') {
            return Err("it holds a password: the client has to send it, in a header".to_owned());
        }
        if !matches!(uri.path_and_query().map(|path| path.as_str()), None | Some("/")) {
            return Err(format!(
                "paths pass as the client sends them: name the server alone, {scheme}://{authority}"
            ));
        }
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let tls = if scheme == "https" {
            Some(Tls::to(&host)?)
        } else {
            None
        };
        Ok(Upstream {
            host,
            port: authority
                .port_u16()
                .unwrap_or(if tls.is_some() { 443 } else { 80 }),
            tls,
            authority: HeaderValue::from_str(authority.as_str()).map_err(|_| wrong())?,
        })
    }

    pub(super) fn authority(&self) -> &HeaderValue {
        &self.authority
    }

    pub(super) async fn connect(&self) -> io::Result<Box<dyn Wire>> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        // Events are short, and each is to come at once. A connection that cannot do so is only slower.
        let _ = stream.set_nodelay(true);
        Ok(match &self.tls {
            Some(tls) => Box::new(tls.over(stream).await?),
            None => Box::new(stream),
        })
    }
}

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority.to_str().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_named_by_their_authority() {
        for (text, host, port, shown) in [
            (
                "http://localhost:8000",
                "localhost",
                8000,
                "http://localhost:8000",
            ),
            ("http://localhost/", "localhost", 80, "http://localhost"),
            ("HTTP://[::1]:9", "::1", 9, "http://[::1]:9"),
        ] {
            let upstream = Upstream::parse(text).unwrap();
            assert_eq!((upstream.host.as_str(), upstream.port), (host, port), "{text}");
            assert_eq!(upstream.to_string(), shown);
        }
        for (text, part) in [
            ("localhost:8000", "such as http://"),
            ("8000", "such as http://"),
            ("/mcp", "such as http://"),
            ("", "such as http://"),
            ("ftp://a", "such as http://"),
            ("http://a:1/mcp", "name the server alone, http://a:1"),
            ("http://a:1?x", "name the server alone"),
            ("http://me:secret@a", "password"),
        ] {
            let error = Upstream::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}

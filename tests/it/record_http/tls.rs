//! A server behind `https`. Its certificate was made for these tests, and is good for a hundred years.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::wire::{Proxy, command};
use super::{PING, STREAM, chunk, post};
use crate::cli::root;
use crate::record::Place;

fn file(name: &str) -> PathBuf {
    root().join("tests/it/record_http").join(name)
}

/// The proxy before a server behind `https`, trusting what stands in a file.
fn proxy(trusted: &str) -> Proxy {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let upstream = format!("https://localhost:{}", server.local_addr().unwrap().port());
    let place = Place::new();
    let recording = place.file();
    Proxy::before(server, &upstream, place, |listen, upstream| {
        let mut command = command(&recording, listen, upstream);
        command.env_remove("SSL_CERT_DIR");
        command.env("SSL_CERT_FILE", file(trusted));
        command
    })
}

fn take(stream: TcpStream) -> StreamOwned<ServerConnection, TcpStream> {
    stream.set_nonblocking(false).unwrap();
    let certificate = CertificateDer::from_pem_file(file("localhost.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("localhost.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), stream)
}

#[test]
fn a_server_behind_tls_is_recorded_in_the_clear() {
    let proxy = proxy("localhost.pem");
    let mut client = proxy.client();
    client.send(post("Authorization: Bearer x\r\n", PING));
    let mut server = take(proxy.accept_stream());
    let mut asked = String::new();
    while !asked.ends_with(PING) {
        let mut some = [0; 1000];
        let length = server.read(&mut some).unwrap();
        assert!(length > 0, "{asked}");
        asked.push_str(std::str::from_utf8(&some[..length]).unwrap());
    }
    assert!(asked.contains("Authorization: Bearer x\r\n"), "{asked}");
    // Each event comes at once.
    server.write_all(STREAM.as_bytes()).unwrap();
    client.head();
    for event in ["data: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n", "data: 2\n\n"] {
        server.write_all(chunk(event).as_bytes()).unwrap();
        assert_eq!(client.chunk(), event.as_bytes());
    }
    server.write_all(b"0\r\n\r\n").unwrap();
    assert_eq!(client.chunk(), b"");
    let records = proxy.recorded(5);
    let kinds: Vec<_> = records
        .iter()
        .map(|record| record["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["request", "response", "sse", "sse", "end"]);
    assert_eq!(records[0]["body"], PING);
    assert!(!records[0].to_string().contains("Bearer x"));
}

#[test]
fn a_server_that_nobody_vouches_for_gets_nothing() {
    let proxy = proxy("stranger.pem");
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = take(proxy.accept_stream());
    assert!(server.read(&mut [0; 100]).is_err());
    let (head, said) = client.message();
    assert!(head.starts_with("HTTP/1.1 502 "), "{head}");
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("cannot reach https://localhost:"), "{said}");
    assert!(
        said.contains("nobody whom this system trusts vouches for its certificate"),
        "{said}"
    );
}

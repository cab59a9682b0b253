//! A client, a server and the proxy between them. A test is both ends, so that it decides what comes when.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::wirelint;
use crate::record::{Place, signal, wait};

/// Whatever takes longer will never come.
const PATIENCE: Duration = Duration::from_secs(30);

/// One end of a connection.
pub struct End(BufReader<TcpStream>);

impl End {
    fn new(stream: TcpStream) -> End {
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        End(BufReader::new(stream))
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.get_mut().write_all(bytes.as_ref()).unwrap();
    }

    /// A head, with the empty line that ends it.
    pub fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(self.0.read_line(&mut head).unwrap() > 0, "broken off: {head}");
        }
        head
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// A chunk of a body; empty: its end.
    pub fn chunk(&mut self) -> Vec<u8> {
        let length = usize::from_str_radix(&self.line(), 16).unwrap();
        let bytes = self.bytes(length);
        assert_eq!(self.line(), "");
        bytes
    }

    /// The head and the body of a message.
    pub fn message(&mut self) -> (String, Vec<u8>) {
        let head = self.head();
        let lower = head.to_ascii_lowercase();
        let mut body = vec![];
        if lower.contains("transfer-encoding: chunked") {
            loop {
                match self.chunk() {
                    chunk if chunk.is_empty() => break,
                    chunk => body.extend(chunk),
                }
            }
        } else if let Some((_, rest)) = lower.split_once("content-length: ") {
            body = self.bytes(rest.split("\r\n").next().unwrap().parse().unwrap());
        }
        (head, body)
    }

    /// Whether the other side ends the connection, with nothing before that.
    pub fn is_broken_off(&mut self) -> bool {
        match self.0.read(&mut [0]) {
            Ok(length) => length == 0,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

/// The proxy, with the server that it passes on to and its recording.
pub struct Proxy {
    pub place: Place,
    pub address: SocketAddr,
    pub server: TcpListener,
    /// What it said before it listened.
    said: String,
    child: Child,
    errors: BufReader<ChildStderr>,
}

impl Proxy {
    pub fn start(options: &[&str]) -> Proxy {
        let place = Place::new();
        let file = place.file();
        Proxy::start_on(place, &file, options)
    }

    pub fn start_on(place: Place, file: &std::path::Path, options: &[&str]) -> Proxy {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let upstream = format!("http://{}", server.local_addr().unwrap());
        Proxy::before(server, &upstream, place, |listen, upstream| {
            let mut command = command(file, listen, upstream);
            command.args(options);
            command
        })
    }

    /// The proxy before a server that is known to it under a name; `command` gets an address and that name.
    pub fn before(
        server: TcpListener,
        upstream: &str,
        place: Place,
        command: impl Fn(&str, &str) -> Command,
    ) -> Proxy {
        server.set_nonblocking(true).unwrap();
        let mut child = command("127.0.0.1:0", upstream)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while errors.read_line(&mut said).unwrap() > 0 && !said.contains("listening") {}
        let (before, listening) = said.trim_end().rsplit_once("listening at http://").unwrap();
        let (address, rest) = listening.split_once(", passing on to ").unwrap();
        assert_eq!(rest, upstream);
        Proxy {
            place,
            address: address.parse().unwrap(),
            said: before.to_owned(),
            server,
            child,
            errors,
        }
    }

    /// A client connects.
    pub fn client(&self) -> End {
        End::new(TcpStream::connect(self.address).unwrap())
    }

    /// The server takes the next connection.
    pub fn accept(&self) -> End {
        End::new(self.accept_stream())
    }

    /// The same without a reader.
    pub fn accept_stream(&self) -> TcpStream {
        let begin = Instant::now();
        loop {
            match self.server.accept() {
                Ok((stream, _)) => return stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    assert!(begin.elapsed() < PATIENCE, "nobody connects");
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Client and server exchange one request and one response; gives what each got.
    pub fn exchange(&self, request: &str, response: &str) -> [(String, Vec<u8>); 2] {
        let mut client = self.client();
        client.send(request);
        let mut server = self.accept();
        let asked = server.message();
        server.send(response);
        [asked, client.message()]
    }

    /// The records after the first line, without what counts and dates them.
    pub fn records(&self) -> Vec<Value> {
        let mut records = self.place.records();
        assert_eq!(records.remove(0)["transport"], "http");
        for record in &mut records {
            let members = record.as_object_mut().unwrap();
            assert!(members.remove("seq").is_some() && members.remove("ts").is_some());
        }
        records
    }

    /// Waits for a number of records.
    pub fn recorded(&self, number: usize) -> Vec<Value> {
        wait("it is not recorded", || {
            std::fs::read_to_string(self.place.file())
                .unwrap()
                .lines()
                .count()
                > number
        });
        let records = self.records();
        assert_eq!(records.len(), number, "{records:#?}");
        records
    }

    /// Ends it; gives what it said besides where it listens.
    pub fn stop(mut self, name: &str) -> (ExitStatus, String, Place) {
        signal(&self.child, name);
        let mut said = std::mem::take(&mut self.said);
        self.errors.read_to_string(&mut said).unwrap();
        let status = self.child.wait().unwrap();
        let place = std::mem::replace(&mut self.place, Place::new());
        (status, said, place)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `wirelint record` between HTTP.
pub fn command(file: &std::path::Path, listen: &str, upstream: &str) -> Command {
    let mut command = wirelint();
    command.args(["record", "--listen", listen, "--upstream", upstream, "-o"]);
    command.arg(file);
    command
}

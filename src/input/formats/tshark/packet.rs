//! One packet of an export of tshark.

use std::borrow::Cow;

use super::super::super::exchanges::{Body, Exchange, Lines};
use super::super::super::fields;
use super::super::super::scan;
use super::super::super::time::{self, Unit};
use super::layer::{Layer, Source, plain};
use crate::place::RecordId;

/// What a packet tells of HTTP.
#[derive(Debug, Default)]
pub(super) struct Packet<'a> {
    pub(super) record: RecordId,
    pub(super) frame: Option<u64>,
    /// Its TCP stream.
    pub(super) stream: Option<String>,
    pub(super) time: Option<i64>,
    /// The time is not rounded.
    pub(super) exact_time: bool,
    /// Requests and responses that end in it, in order.
    pub(super) said: Vec<Said<'a>>,
    /// It carries HTTP that is not read; why, as the end of a sentence.
    pub(super) unread: Option<&'static str>,
}

/// A message of HTTP.
#[derive(Debug)]
pub(super) enum Said<'a> {
    /// An exchange without its response.
    Request(Exchange<'a>),
    /// An exchange without its request.
    Response {
        /// The frame with the request.
        request_in: Option<u64>,
        response: Exchange<'a>,
    },
}

impl<'a> Packet<'a> {
    /// Of the text of a packet with its layers, which stand at `way`; `stamp` is its time in milliseconds.
    pub(super) fn new(
        text: &'a str,
        layers: &'a str,
        stamp: Option<&str>,
        way: &str,
        record: RecordId,
    ) -> Packet<'a> {
        let of = |layer: &str, names: &[&str]| -> Option<Cow<'a, str>> {
            let bytes = layers.as_bytes();
            let layer = &layers[scan::member(bytes, 0, layer)?.value];
            let found = names
                .iter()
                .find_map(|name| scan::member(layer.as_bytes(), 0, name))?;
            fields::word(&layer[found.value])
        };
        let epoch = of(
            "frame",
            &["frame_frame_time_epoch", "frame_time_epoch", "frame.time_epoch"],
        );
        let epoch = epoch.and_then(|time| time::rfc3339(&time).or_else(|| time::number(&time, Unit::Guess)));
        let stamp = stamp.and_then(fields::word);
        let number = of("frame", &["frame_frame_number", "frame_number", "frame.number"]);
        let mut packet = Packet {
            record,
            frame: number.and_then(|number| number.parse().ok()),
            stream: of("tcp", &["tcp_tcp_stream", "tcp_stream", "tcp.stream"]).map(Cow::into_owned),
            exact_time: epoch.is_some(),
            time: epoch.or_else(|| time::number(&stamp?, Unit::Milli)),
            ..Packet::default()
        };
        let mut whole = Source::new(text, record);
        let bytes = layers.as_bytes();
        let all: Vec<scan::Member> = scan::members(bytes, 0).collect();
        let last = all
            .iter()
            .rposition(|member| scan::is_named(bytes, &member.name, "http"));
        for (index, member) in all.iter().enumerate() {
            let name = scan::unescape(&layers[member.name.clone()]);
            let value = &layers[member.value.clone()];
            match (&*name, value.as_bytes().first()) {
                ("http", Some(b'{')) if last == Some(index) => {
                    packet.http(&mut whole, value, format!("{way}/http"));
                }
                ("http", Some(b'{')) => {
                    // A pointer leads to the last of a name.
                    let mut own = Source::new(value, whole.part(value));
                    packet.http(&mut own, value, String::new());
                }
                ("http", Some(b'[')) => {
                    for (index, element) in scan::elements(value.as_bytes(), 0).enumerate() {
                        packet.http(&mut whole, &value[element], format!("{way}/http/{index}"));
                    }
                }
                ("http2", Some(b'{' | b'[')) => packet.unread = Some("of HTTP/2, which is not read"),
                (name, _)
                    if plain(name).is_some_and(|name| name == "file_data" || name == "request_line") =>
                {
                    packet.unread = Some("exported field by field (`-e`): export whole packets");
                }
                _ => {}
            }
        }
        packet
    }

    /// Adds what a layer of HTTP says, whose pointer is `way`.
    fn http(&mut self, source: &mut Source<'a>, layer: &'a str, way: String) {
        let mut found = Layer::default();
        found.collect(source, layer, &way, 4);
        let record = Some(source.record());
        if let Some(method) = found.method.take() {
            let headers = Lines::of(std::mem::take(&mut found.request_lines));
            let mut exchange = Exchange {
                request_record: record,
                url: found.url(&headers),
                method,
                request_headers: headers,
                ..Exchange::default()
            };
            exchange.request_body = match found.body(&exchange.request_headers) {
                Body::None if exchange.method == "POST" && found.length != Some(0) => {
                    Body::Lost("is not recorded")
                }
                body => body,
            };
            self.said.push(Said::Request(exchange));
        } else if let Some(code) = found.code.take() {
            let headers = Lines::of(std::mem::take(&mut found.response_lines));
            let response = Exchange {
                response_record: record,
                status: code.parse().ok(),
                response_body: found.body(&headers),
                response_headers: headers,
                ..Exchange::default()
            };
            let request_in = found.request_in.as_deref().and_then(|frame| frame.parse().ok());
            self.said.push(Said::Response { request_in, response });
        }
    }
}

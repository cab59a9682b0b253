//! The little that is looked at in a body before it is decoded: is it JSON-RPC, is it MCP, what does it ask and answer.

use super::super::head::value;
use super::super::scan;

/// Beginnings of the methods of MCP. `ping` and the like are those of other protocols as well.
const METHODS: [&[u8]; 13] = [
    b"\"initialize\"",
    b"\"notifications/",
    b"\"tools/",
    b"\"prompts/",
    b"\"resources/",
    b"\"server/",
    b"\"completion/",
    b"\"logging/",
    b"\"sampling/",
    b"\"elicitation/",
    b"\"roots/",
    b"\"subscriptions/",
    b"\"tasks/",
];

/// The messages of a body: itself, or the elements of a batch.
fn messages(text: &str) -> impl Iterator<Item = &[u8]> {
    let bytes = text.as_bytes();
    let start = scan::skip_space(bytes, 0);
    let alone = (bytes.get(start) == Some(&b'{')).then(|| &bytes[start..]);
    alone
        .into_iter()
        .chain(scan::elements(bytes, start).map(|element| &bytes[element]))
}

/// Whether it is meant as JSON-RPC.
pub(super) fn is_rpc(text: &str) -> bool {
    messages(text).any(|message| value(message, "jsonrpc").is_some())
}

/// Whether it is JSON-RPC as MCP speaks it.
pub(super) fn is_mcp(text: &str) -> bool {
    let named = text.contains("io.modelcontextprotocol/");
    messages(text).any(|message| {
        value(message, "jsonrpc").is_some()
            && (named
                || value(message, "method")
                    .is_some_and(|method| METHODS.iter().any(|known| method.starts_with(known))))
    })
}

/// The ids of the requests in it, as they are written.
pub(super) fn asks(text: &str) -> Vec<String> {
    ids(text, |message| value(message, "method").is_some())
}

/// The ids of the requests that it answers.
pub(super) fn answers(text: &str) -> Vec<String> {
    ids(text, |message| {
        value(message, "result").or(value(message, "error")).is_some() && value(message, "method").is_none()
    })
}

fn ids(text: &str, such: impl Fn(&[u8]) -> bool) -> Vec<String> {
    messages(text)
        .filter(|message| such(message))
        .filter_map(|message| value(message, "id"))
        .map(|id| String::from_utf8_lossy(id).into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_mcp_from_other_json_rpc() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#" [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}]"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{}}}}"#,
        ] {
            assert!(is_rpc(text) && is_mcp(text), "{text}");
        }
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":"0x1"}"#,
        ] {
            assert!(is_rpc(text) && !is_mcp(text), "{text}");
        }
        for text in ["", "hello", r#"{"method":"tools/list"}"#, "[1]", "{"] {
            assert!(!is_rpc(text) && !is_mcp(text), "{text}");
        }
    }

    #[test]
    fn finds_ids() {
        let batch = r#"[{"id":1,"method":"a"},{"id":"x","result":{}},{"method":"n"},{"id":2,"error":{}}]"#;
        assert_eq!(asks(batch), ["1"]);
        assert_eq!(answers(batch), ["\"x\"", "2"]);
    }
}

//! The words in which recorders say who sent a message.

use super::event::{Side, Transport};

/// Who sent it, of a word such as `c2s`, `client->server`, `to_server` or `client`. A word that names the kind of a
/// message (`request`) says nothing about its sender, since servers send requests too.
pub(super) fn sender(word: &str) -> Option<Side> {
    let plain: String = word
        .chars()
        .filter(|c| c.is_alphanumeric() || "<>→←".contains(*c))
        .flat_map(char::to_lowercase)
        .collect();
    Some(match plain.as_str() {
        "c2s" | "client" | "client>server" | "client→server" | "clienttoserver" | "clientserver"
        | "toserver" | "→server" | ">server" | "in" | "inbound" | "incoming" | "stdin" | ">" | ">>"
        | ">>>" | "→" => Side::Client,
        "s2c" | "server" | "server>client" | "server→client" | "servertoclient" | "serverclient"
        | "toclient" | "→client" | ">client" | "out" | "outbound" | "outgoing" | "stdout" | "<" | "<<"
        | "<<<" | "←" => Side::Server,
        _ => return None,
    })
}

/// How a message travelled, of a word such as `stdio` or `streamable-http`.
pub(super) fn transport(word: &str) -> Option<Transport> {
    let word = word.to_ascii_lowercase();
    if matches!(word.as_str(), "stdio" | "pipe") {
        Some(Transport::Stdio)
    } else if word.contains("http") || word == "sse" {
        Some(Transport::Http)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_words_of_recorders() {
        for word in [
            "c2s",
            "client->server",
            "client_to_server",
            "client-to-server",
            "clientToServer",
            "to_server",
            "toserver",
            "in",
            "client",
            ">",
            ">>>",
            "→",
            "→SERVER",
            "STDIN",
            "->server",
        ] {
            assert_eq!(sender(word), Some(Side::Client), "{word}");
        }
        for word in [
            "s2c",
            "server->client",
            "server_to_client",
            "server-to-client",
            "to_client",
            "toclient",
            "out",
            "server",
            "<",
            "<<<",
            "←",
            "→CLIENT",
            "STDOUT",
        ] {
            assert_eq!(sender(word), Some(Side::Server), "{word}");
        }
        for word in ["request", "response", "notification", "stderr", "meta", ""] {
            assert_eq!(sender(word), None, "{word}");
        }
    }

    #[test]
    fn knows_transports() {
        assert_eq!(transport("stdio"), Some(Transport::Stdio));
        for word in ["http", "streamable-http", "streamableHttp", "http+sse", "SSE"] {
            assert_eq!(transport(word), Some(Transport::Http), "{word}");
        }
        assert_eq!(transport("websocket"), None);
    }
}

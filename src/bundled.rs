//! The rule packs that come with the program. A test keeps this list equal to the folder `rules/`.

/// The files of `rules/`, by their names without the ending.
macro_rules! files {
    ($($name:literal)*) => {
        &[$((
            concat!("rules/", $name, ".wire"),
            include_str!(concat!("../rules/", $name, ".wire")),
        )),*]
    };
}

/// Names, as they stand below the root of the repository, and texts.
pub const FILES: &[(&str, &str)] = files! {
    "envelope/content"
    "envelope/envelope"
    "headers/encoding"
    "headers/lines"
    "headers/method"
    "headers/name"
    "headers/pack"
    "headers/reactions"
    "headers/version"
    "identity/capabilities"
    "identity/changed"
    "identity/extensions"
    "identity/info"
    "identity/keys"
    "identity/meta"
    "identity/pack"
    "identity/values"
    "negotiation/agreed"
    "negotiation/discover"
    "negotiation/downgrade"
    "negotiation/era"
    "negotiation/features"
    "negotiation/initialize"
    "negotiation/methods"
    "negotiation/pack"
    "negotiation/versions"
    "shapes/2024-11-05-client"
    "shapes/2024-11-05"
    "shapes/2025-03-26"
    "shapes/2025-06-18"
    "shapes/2025-11-25-elicitation"
    "shapes/2025-11-25-tasks"
    "shapes/2025-11-25"
    "shapes/2026-07-28-client"
    "shapes/2026-07-28"
    "shapes/methods"
    "shapes/payload"
    "shapes/tasks"
    "std/encoding"
    "std/protocol"
    "std/vocabulary"
    "xmcp/advice"
    "xmcp/definition"
    "xmcp/excluded"
    "xmcp/mirror"
    "xmcp/omit"
    "xmcp/pack"
    "xmcp/reactions"
    "xmcp/retry"
    "xmcp/values"
};

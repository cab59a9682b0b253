//! wirelint lints recorded Model Context Protocol (MCP) traffic with rules written in a small typed language.

pub mod bundled;
pub mod cli;
pub mod diagnostic;
pub mod engine;
pub mod input;
pub mod json;
pub mod lang;
pub mod model;
pub mod place;
mod record;
pub mod reference;
pub mod report;
pub mod source;

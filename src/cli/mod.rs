//! The command.

use std::process::ExitCode;

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(2)
}

//! The `wirelint` command; everything is in the library.

fn main() -> std::process::ExitCode {
    wirelint::cli::main()
}

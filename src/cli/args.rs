//! The arguments of the command: the only file that knows clap.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::input::InputFormat;
use crate::lang::ast::{Level, Party};
use crate::model::protocol::is_revision;
use crate::model::subject::Subject;
use crate::record::Upstream;
use crate::report::{FORMATS, Format};

const EXIT: &str = "\
Exit status:
  0  no finding at or above the level that fails (`--fail-on`)
  1  findings; with `test`: an example does not come out as it says
  2  the command could not do its job: wrong usage, unreadable input, nothing in it to check,
     a faulty rule file";

const QUERY: &str = "\
Each line of the output is a JSON object: `subject`, the word for the record; `value`, or `missing: true`,
or `unknown` with the reason; and `locations`, where the value stands, or its elements, or else the record.
Where a list may have other elements than those of `value`, `doubt` says why.
The expression is evaluated once for each record of the kind that it names first: each request,
response, notification, message, exchange, session, listing, tool …

Exit status:
  0  it was evaluated, also if there was nothing to evaluate it on
  2  wrong usage, a faulty expression, unreadable input";

const RECORD: &str = "\
Put it in front of the command that a client starts:

    wirelint record -o session.jsonl -- python server.py

The client and the server notice nothing: bytes, signals, the end of each stream and the exit status
pass as they are. Each line is in the file before it goes on.

Or put it before a server that speaks HTTP, and give the client its address instead of the server's:

    wirelint record -o session.jsonl --listen 127.0.0.1:8080 --upstream http://127.0.0.1:8000

The file never holds the values of `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`.
An interrupt ends it.

Exit status: that of the command; 0 if an interrupt ended the proxy; 2 if neither can begin or the
file cannot be written";

/// Lints recorded Model Context Protocol (MCP) traffic.
///
/// Recordings are JSONL transcripts, HAR-like logs or dumps of `tools/list`; what is checked are rules, which are text.
#[derive(Debug, Parser)]
#[command(version, about, long_about, after_help = EXIT, max_term_width = 100)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
    /// How it looks.
    #[command(flatten)]
    pub(super) display: Display,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lint recordings and dumps
    Check(Check),
    /// Say what an expression of the rule language gives for each record
    Query(Query),
    /// Show what passes in recordings, a line for each message, with findings beside
    Show(Show),
    /// Stand between a client and a server and write down what passes
    Record(RecordArguments),
    /// Run the examples of rules
    Test(Test),
    /// List packs and rules, with what each needs
    Rules(List),
    /// Say what a rule demands, and why
    Explain(Explain),
}

/// Options of all commands.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Display {
    /// When to use colours [also: NO_COLOR]
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", global = true)]
    pub(super) color: Color,
    /// Say only what is wrong
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

/// Options of all commands: which rules there are and which are in use.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct Selection {
    /// Also use the rules of a file or of all `.wire` files in a folder
    #[arg(long, value_name = "PATH")]
    pub(super) rules: Vec<PathBuf>,
    /// Use only these rules: names, `pack/name`, packs, or patterns with `*`; turns on what is off
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) select: Vec<String>,
    /// Do not use these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,
}

/// Options of commands that run rules: parameters and levels.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct Tuning {
    /// Give a parameter another value, an expression of the rule language: `marker="§"`
    #[arg(long, value_name = "NAME=EXPR")]
    pub(super) param: Vec<String>,
    /// Use a set of parameters and levels that a pack declares
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) profile: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Files, folders, patterns such as `runs/**/*.jsonl`, or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) selection: Selection,
    #[command(flatten)]
    pub(super) tuning: Tuning,
    /// How recordings are to be understood.
    #[command(flatten)]
    pub(super) understanding: Understanding,
    /// What is reported.
    #[command(flatten)]
    pub(super) reporting: Reporting,
    /// How much is done.
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Recordings")]
pub(super) struct Understanding {
    /// Read all files as this format, whatever they look like; `wirelint rules --inputs` says what it is
    #[arg(long, value_name = "NAME", value_parser = input_formats(), hide_possible_values = true)]
    pub(super) input_format: Option<InputFormat>,
    /// The protocol revision of what names none, such as 2025-11-25
    #[arg(long, value_name = "DATE", value_parser = revision)]
    pub(super) revision: Option<String>,
    /// A text that stands where a recorder left a value out, beside `REDACTED`, `[redacted]`, `***`
    #[arg(long, value_name = "TEXT")]
    pub(super) redacted: Vec<String>,
    /// What makes messages one session: an expression on `message`, such as `message.headers["x-session"]`
    #[arg(long, value_name = "EXPR")]
    pub(super) session_by: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Reporting {
    /// How findings are written
    #[arg(long, value_name = "FORMAT", default_value = FORMATS[0].name, value_parser = formats())]
    pub(super) format: &'static Format,
    /// Report only what these did wrong: client, server, intermediary, recorder
    #[arg(
        long,
        value_name = "PARTY",
        value_delimiter = ',',
        hide_possible_values = true
    )]
    pub(super) fault: Vec<AtFault>,
    /// The lowest level of a finding that makes the exit status 1
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "error")]
    pub(super) fail_on: FailOn,
    /// So many findings of each rule are shown in full, the others are counted; 0 shows all
    #[arg(long, value_name = "N", default_value = "5")]
    pub(super) per_rule: usize,
    /// Also say as what each file was read, and which were passed over
    #[arg(short, long, conflicts_with = "quiet")]
    pub(super) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AtFault {
    Client,
    Server,
    Intermediary,
    Recorder,
}

impl AtFault {
    pub(super) fn party(self) -> Party {
        match self {
            AtFault::Client => Party::Client,
            AtFault::Server => Party::Server,
            AtFault::Intermediary => Party::Intermediary,
            AtFault::Recorder => Party::Recorder,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            AtFault::Client => "client",
            AtFault::Server => "server",
            AtFault::Intermediary => "intermediary",
            AtFault::Recorder => "recorder",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

impl FailOn {
    /// The lowest level that fails.
    pub(super) fn level(self) -> Option<Level> {
        match self {
            FailOn::Error => Some(Level::Error),
            FailOn::Warning => Some(Level::Warning),
            FailOn::Note => Some(Level::Note),
            FailOn::Never => None,
        }
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limits {
    /// How many threads work; the default is one for each processor
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(super) threads: Option<usize>,
    /// About how much is read at once
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = size, hide = true)]
    pub(super) block: usize,
    /// The longest line that is read
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size)]
    pub(super) max_line: usize,
    /// The longest file that is read as one document, such as a dump
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    pub(super) max_document: usize,
    /// The longest text that a compressed file may hold
    #[arg(long, value_name = "SIZE", default_value = "16G", value_parser = long_size)]
    pub(super) max_unpacked: u64,
    /// How much of each recording is kept for rules that look back
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size)]
    pub(super) history_limit: usize,
    /// So many findings of one rule in a recording are kept, the others are counted
    #[arg(long, value_name = "N", default_value = "10000")]
    pub(super) max_findings: usize,
    /// So many elements of lists one rule looks at on one record; what it asks beyond stays undecided
    #[arg(long, value_name = "N", default_value = "10000000")]
    pub(super) max_steps: u64,
}

#[derive(Debug, Args)]
#[command(after_help = QUERY)]
pub(super) struct Query {
    /// An expression: `request.method`, `those r in session.requests: r.response missing`
    #[arg(value_name = "EXPR")]
    pub(super) expr: String,
    /// Files, folders, patterns such as `runs/**/*.jsonl`, or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The kind of record that it is about, where it names none: `--on request 'earlier.responses'`
    #[arg(long, value_name = "SUBJECT", value_parser = subject)]
    pub(super) on: Option<Subject>,
    /// Also know the names of a file or of all `.wire` files in a folder
    #[arg(long, value_name = "PATH", help_heading = "Rules")]
    pub(super) rules: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) tuning: Tuning,
    /// How recordings are to be understood.
    #[command(flatten)]
    pub(super) understanding: Understanding,
    /// How much is done.
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// Files, folders, patterns such as `runs/**/*.jsonl`, or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) selection: Selection,
    #[command(flatten)]
    pub(super) tuning: Tuning,
    /// How recordings are to be understood.
    #[command(flatten)]
    pub(super) understanding: Understanding,
    /// How much is done.
    #[command(flatten)]
    pub(super) limits: Limits,
}

#[derive(Debug, Args)]
#[command(after_help = RECORD)]
pub(super) struct RecordArguments {
    /// The file to write; what it holds stays, and what passes now comes behind
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Leave out the values of members and headers of these names; JSON within texts is not searched
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) redact: Vec<String>,
    /// Where HTTP clients connect, such as 127.0.0.1:8080; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", value_parser = address, requires = "upstream")]
    pub(super) listen: Option<SocketAddr>,
    /// The HTTP server that requests go on to, such as http://127.0.0.1:8000 or https://mcp.example
    #[arg(long, value_name = "URL", value_parser = Upstream::parse, requires = "listen")]
    pub(super) upstream: Option<Upstream>,
    /// The command that starts the server, behind `--`
    #[arg(
        required_unless_present_any = ["listen", "upstream"],
        conflicts_with_all = ["listen", "upstream"],
        last = true,
        value_name = "COMMAND"
    )]
    pub(super) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct Test {
    /// Rule files, or folders with `.wire` files; the bundled rules if there are none
    #[arg(value_name = "RULES")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) selection: Selection,
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// List the formats of recordings instead, with what each can show
    #[arg(long, conflicts_with_all = ["rules", "select", "ignore", "param", "profile"])]
    pub(super) inputs: bool,
    #[command(flatten)]
    pub(super) selection: Selection,
    #[command(flatten)]
    pub(super) tuning: Tuning,
    /// How the list is written
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "human",
        help_heading = "Output"
    )]
    pub(super) format: ListFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    Human,
    Json,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// A rule, by `name` or `pack/name`
    #[arg(value_name = "RULE")]
    pub(super) rule: String,
    /// Also know the rules of a file or of all `.wire` files in a folder
    #[arg(long, value_name = "PATH", help_heading = "Rules")]
    pub(super) rules: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) tuning: Tuning,
}

/// Reads the arguments; if they are none, or ask for help, says so and gives the exit status.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, u8> {
    Arguments::try_parse_from(arguments).map_err(|said| {
        // Whoever asked may have gone away.
        let _ = said.print();
        u8::try_from(said.exit_code()).unwrap_or(2)
    })
}

fn formats() -> impl TypedValueParser<Value = &'static Format> {
    let names = FORMATS
        .iter()
        .map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(names).map(|name| crate::report::format(&name).unwrap_or(&FORMATS[0]))
}

fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    let names = InputFormat::all().map(|format| PossibleValue::new(format.name()).help(format.title()));
    PossibleValuesParser::new(names).try_map(|name| InputFormat::of_name(&name).ok_or("it is no format"))
}

fn revision(text: &str) -> Result<String, String> {
    if is_revision(text) {
        Ok(text.to_owned())
    } else {
        Err("a revision is a date such as 2025-11-25".to_owned())
    }
}

fn subject(text: &str) -> Result<Subject, String> {
    Subject::from_word(text).ok_or_else(|| {
        let words: Vec<&str> = Subject::ALL.iter().map(|subject| subject.word()).collect();
        format!("a kind of record is one of {}", words.join(", "))
    })
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| "an address is that of this machine in numbers, with a port: 127.0.0.1:8080".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=1024) => Ok(n),
        _ => Err("from 1 to 1024 threads can work".to_owned()),
    }
}

fn size(text: &str) -> Result<usize, String> {
    let size = long_size(text)?;
    usize::try_from(size).map_err(|_| "that is more than there can be memory".to_owned())
}

/// `4096`, `64K`, `64M`, `1G`; `KiB` and `KB` are taken for `K`.
fn long_size(text: &str) -> Result<u64, String> {
    let wrong = || "a size is a number of bytes, or one with K, M or G: `64M`".to_owned();
    let upper = text.trim().to_ascii_uppercase();
    let digits = upper.find(|c: char| !c.is_ascii_digit()).unwrap_or(upper.len());
    let (number, unit) = upper.split_at(digits);
    let shift = match unit.trim() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number
        .checked_mul(1 << shift)
        .filter(|bytes| *bytes > 0)
        .ok_or_else(wrong)
}

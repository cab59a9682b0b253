//! Traffic → recordings: stands between two sides, passes every byte on as it is, and writes down what passed.
//!
//! A record is in the file before the bytes that complete it go on, so that nothing is lost when the process is killed.
//! Whatever happens to the file, the traffic goes on. `docs/recording-format.md` says what is written.

mod http;
mod lines;
mod log;
mod redact;
mod stdio;

pub(crate) use self::http::{Proxy, Upstream};
pub(crate) use self::log::{Log, Warn, Wire};
pub(crate) use self::redact::Redact;
#[cfg(unix)]
pub(crate) use self::stdio::leave_streams;
pub(crate) use self::stdio::{Client, run};

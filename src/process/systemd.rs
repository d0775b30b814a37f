//! Sends the server's state to systemd (sd_notify(3)), one datagram per message; does nothing without systemd. Knows no
//! store and no server.
//!
//! Written by hand, because the crates for this don't support abstract sockets, which containers use, or need `unsafe`.

use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Interval at which a long start asks systemd for more time, well before the time granted is over.
const EXTEND_EVERY: Duration = Duration::from_secs(15);
const EXTEND: &str = "EXTEND_TIMEOUT_USEC=30000000";

/// Reports that connections are accepted; `systemctl status` shows `status` from now on.
pub fn ready(status: &str) {
    notify(&format!("READY=1\nSTATUS={status}"));
}

/// Reports that the shutdown has begun.
pub fn stopping() {
    notify("STOPPING=1\nSTATUS=Fluglog wird beendet");
}

/// Reports a sign of life to the watchdog.
pub fn watchdog_ping() {
    notify("WATCHDOG=1");
}

/// Reports the progress of a repair of the database, which was not closed cleanly, and asks for more time.
pub fn repairing(percent: u8) {
    notify(&format!("STATUS=Datenbank wird repariert, {percent} %\n{EXTEND}"));
}

/// Keeps systemd waiting for the start while it lives: a repair or migration that was killed would begin anew each
/// time.
pub struct StartExtension {
    _ends: Sender<()>,
}

/// Asks systemd for more time until the returned value is dropped.
#[must_use]
pub fn patience() -> StartExtension {
    let (ends, ended) = channel();
    if fluglog_config::notify_socket().is_some() {
        std::thread::spawn(move || {
            while ended.recv_timeout(EXTEND_EVERY) == Err(RecvTimeoutError::Timeout) {
                notify(EXTEND);
            }
        });
    }
    StartExtension { _ends: ends }
}

fn notify(message: &str) {
    let Some(socket) = fluglog_config::notify_socket() else {
        return;
    };
    if let Err(error) = send(&socket, message) {
        tracing::warn!("systemd could not be told: {error}");
    }
}

fn send(socket: &OsStr, message: &str) -> io::Result<()> {
    let address = match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?
        .send_to_addr(message.as_bytes(), &address)
        .map(drop)
}

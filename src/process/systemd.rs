//! Tells systemd how the server is (sd_notify(3)): one datagram a message, none without systemd. Knows no store and no
//! server.
//!
//! By hand, because the crates for it know no abstract sockets, which containers use, or want `unsafe`.

use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A start that takes long asks for this much more time each time, well before it is over.
const EXTEND_EVERY: Duration = Duration::from_secs(15);
const EXTEND: &str = "EXTEND_TIMEOUT_USEC=30000000";

/// Connections are accepted; `status` is what `systemctl status` shows from now on.
pub fn ready(status: &str) {
    tell(&format!("READY=1\nSTATUS={status}"));
}

/// The end begins.
pub fn stopping() {
    tell("STOPPING=1\nSTATUS=Fluglog wird beendet");
}

/// The server is alive.
pub fn alive() {
    tell("WATCHDOG=1");
}

/// The database was not closed cleanly; so much of its repair is done. The repair has the time that it needs.
pub fn repairing(percent: u8) {
    tell(&format!("STATUS=Datenbank wird repariert, {percent} %\n{EXTEND}"));
}

/// While it lives, systemd waits for the start: a repair or a migration that was killed would begin anew for ever.
pub struct Patience {
    _ends: Sender<()>,
}

/// Asks systemd for patience until the value is dropped.
#[must_use]
pub fn patience() -> Patience {
    let (ends, ended) = channel();
    if fluglog_config::notify_socket().is_some() {
        std::thread::spawn(move || {
            while ended.recv_timeout(EXTEND_EVERY) == Err(RecvTimeoutError::Timeout) {
                tell(EXTEND);
            }
        });
    }
    Patience { _ends: ends }
}

fn tell(message: &str) {
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

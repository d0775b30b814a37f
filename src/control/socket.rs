//! The control socket: a running server answers what a command asks. Knows no question.
//!
//! redb locks its file for one process, so a command can't open the database beside a server. The socket lies in the
//! data directory (mode 0600) and answers only root and the server's own user.
//!
//! The question is one line of JSON. The answer is one, too; before it may come pieces of what is more than a value,
//! each behind a line `+LENGTH`, and empty lines as signs of life. Whatever ends without an answer is broken off.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream as BlockingStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;

use super::SOCKET_NAME;
use super::question::{Answer, AnyTask};
use super::task::Task;
use fluglog_app::App;

/// A question is one line, and a password in it has at most 1000 characters.
const QUESTION_MOST_BYTES: u64 = 64 * 1024;
/// A server that says nothing for this time doesn't answer: at work it says so twice as often.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// How often a server that is still at work says so.
const ALIVE_EVERY: Duration = Duration::from_secs(5);
/// A command that takes nothing for this time takes nothing more. Disks and networks that an archive goes to may pause.
const TAKEN_WITHIN: Duration = Duration::from_secs(10 * 60);
/// ChunkWriter on their way to a command.
const PIECES_MOST: usize = 4;
/// More than any piece has.
const PIECE_MOST_BYTES: u64 = 16 * 1024 * 1024;

/// A way to the socket that is short however long the path of the data directory is: unix(7) allows 107 bytes. It holds
/// while the folder is open.
fn short_path(data_dir: &Path) -> io::Result<(File, PathBuf)> {
    let folder = File::open(data_dir)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET_NAME}", folder.as_raw_fd()));
    Ok((folder, path))
}

/// Opens the socket. The caller holds the database, so a socket that is there belongs to nobody.
///
/// # Errors
/// The place can't be written.
pub fn listen(data_dir: &Path) -> io::Result<UnixListener> {
    remove(data_dir)?;
    let (_folder, path) = short_path(data_dir)?;
    let listener = UnixListener::bind(&path)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Removes the socket, if it is there. Something else of its name stays.
///
/// # Errors
/// The place can't be written.
#[expect(
    clippy::disallowed_methods,
    reason = "a socket with the one name that a server gives"
)]
pub fn remove(data_dir: &Path) -> io::Result<()> {
    let path = data_dir.join(SOCKET_NAME);
    match path.symlink_metadata() {
        Ok(found) if found.file_type().is_socket() => fs::remove_file(path),
        Ok(_) => Err(io::ErrorKind::AddrInUse.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Answers questions for as long as the server runs.
pub async fn serve(app: Arc<App>, listener: UnixListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let app = Arc::clone(&app);
                tokio::spawn(async move {
                    if let Err(error) = handle_connection(app, stream).await {
                        tracing::warn!("a command was not answered: {error}");
                    }
                });
            }
            Err(error) => {
                tracing::warn!("the control socket failed: {error}");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

async fn handle_connection(app: Arc<App>, stream: UnixStream) -> io::Result<()> {
    let caller = stream.peer_cred()?.uid();
    let own = fs::metadata("/proc/self")?.uid();
    if caller != 0 && caller != own {
        return Err(io::Error::other(format!("user {caller} may not ask")));
    }
    let (reading, mut writing) = stream.into_split();
    let mut line = String::new();
    let mut limited = tokio::io::BufReader::new(reading.take(QUESTION_MOST_BYTES));
    tokio::time::timeout(ANSWER_WITHIN, limited.read_line(&mut line)).await??;
    if line.is_empty() {
        // Somebody only wanted to know whether a server is there.
        return Ok(());
    }
    let question: AnyTask = serde_json::from_str(&line).map_err(|_| io::Error::other("not a question"))?;
    let (sender, mut pieces) = mpsc::channel(PIECES_MOST);
    let answering = tokio::task::spawn_blocking(move || question.answer(&app, &mut ChunkWriter { sender }));
    let mut alive = tokio::time::interval(ALIVE_EVERY);
    loop {
        let next = tokio::select! {
            piece = pieces.recv() => match piece {
                Some(piece) => piece,
                None => break,
            },
            _ = alive.tick() => b"\n".to_vec(),
        };
        tokio::time::timeout(TAKEN_WITHIN, writing.write_all(&next)).await??;
    }
    let mut line = answering.await??;
    line.push(b'\n');
    tokio::time::timeout(TAKEN_WITHIN, writing.write_all(&line)).await?
}

/// Sends what is written to it as pieces. Fails once nobody takes them any more.
struct ChunkWriter {
    sender: mpsc::Sender<Vec<u8>>,
}

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut piece = format!("+{}\n", bytes.len()).into_bytes();
        piece.extend_from_slice(bytes);
        let sent = self.sender.blocking_send(piece);
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Asks the server of a data directory; `None` when there is none, or when it ends just now and hangs up without a
/// word. Output that isn't part of the returned value goes to `out`.
///
/// # Errors
/// There is one, but it doesn't answer to the end; or `out` takes no more.
pub fn ask<T: Task + Into<AnyTask>>(
    data_dir: &Path,
    task: &T,
    out: &mut dyn Write,
) -> io::Result<Option<Answer<T::Outcome>>> {
    let connected = short_path(data_dir).and_then(|(_folder, path)| BlockingStream::connect(path));
    let mut stream = match connected {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    stream.set_read_timeout(Some(ANSWER_WITHIN))?;
    let question: AnyTask = task.clone().into();
    let mut line = serde_json::to_vec(&question)?;
    line.push(b'\n');
    let mut heard = 0;
    // If the server has hung up already, the read below reports it.
    let _ = stream.write_all(&line);
    let hung_up = || io::Error::other("the server hung up");
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    loop {
        line.clear();
        // A server that works on a question says so first.
        match reader.read_line(&mut line) {
            Ok(0) if heard == 0 => return Ok(None),
            Err(error) if heard == 0 && error.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
            read => heard += read?,
        }
        let said = line.strip_suffix('\n').ok_or_else(hung_up)?;
        if let Some(length) = said.strip_prefix('+') {
            let length: u64 = length.parse().map_err(|_| hung_up())?;
            if length > PIECE_MOST_BYTES || io::copy(&mut (&mut reader).take(length), out)? < length {
                return Err(hung_up());
            }
        } else if !said.is_empty() {
            return serde_json::from_str(said).map(Some).map_err(|_| hung_up());
        }
    }
}

/// Whether a server of this data directory answers. One that hangs still takes connections: only its hanging up tells.
#[must_use]
pub fn is_server_running(data_dir: &Path) -> bool {
    let hangs_up = || -> io::Result<bool> {
        let (_folder, path) = short_path(data_dir)?;
        let mut stream = BlockingStream::connect(path)?;
        stream.set_read_timeout(Some(ANSWER_WITHIN))?;
        stream.shutdown(Shutdown::Write)?;
        Ok(stream.read(&mut [0])? == 0)
    };
    hangs_up().unwrap_or(false)
}

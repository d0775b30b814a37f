//! The control socket: commands send tasks to a running server. Knows no particular task.
//!
//! redb locks its file for one process, so a command can't open the database while a server runs. The socket is in the
//! data directory (mode 0600) and answers only root and the server's own user.
//!
//! The question is one line of JSON. The answer ends with one line of JSON; before it come chunks of streamed output,
//! each after a line `+LENGTH`, and empty lines as keep-alives. An answer without that last line is incomplete.

use std::fs;
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
use tokio::sync::{Semaphore, mpsc};

use super::SOCKET_NAME;
use super::question::{Answer, AnyTask};
use super::task::Task;
use fluglog_app::{App, tasks};
use fluglog_base::dir::Dir;
use fluglog_base::limits;

/// A question is one line; a password in it has at most 1000 characters.
const MAX_QUESTION_BYTES: u64 = 64 * 1024;
/// A server that is silent for this long is considered hung: at work it sends keep-alives twice as often.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Interval of keep-alives while the server works.
const ALIVE_EVERY: Duration = Duration::from_secs(5);
/// Time limit for a command to accept a chunk. Generous, as disks and networks that an archive is written to may
/// pause.
const TAKEN_WITHIN: Duration = Duration::from_secs(10 * 60);
/// Capacity of the channel of chunks to a command.
const MAX_PIECES: usize = 4;
/// Larger than any chunk.
const MAX_PIECE_BYTES: u64 = 16 * 1024 * 1024;

/// A short path to the socket, valid while the returned folder is open. unix(7) allows 107 bytes, and the data
/// directory's path may be longer.
fn short_path(data_dir: &Path) -> io::Result<(Dir, PathBuf)> {
    let folder = Dir::open(data_dir)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET_NAME}", folder.as_file().as_raw_fd()));
    Ok((folder, path))
}

/// Opens the socket. The caller holds the database, so an existing socket is left over.
///
/// # Errors
/// The directory can't be written.
pub fn listen(data_dir: &Path) -> io::Result<UnixListener> {
    remove(data_dir)?;
    let (_folder, path) = short_path(data_dir)?;
    let listener = UnixListener::bind(&path)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Removes the socket, if it exists. Anything else with its name stays.
///
/// # Errors
/// The directory can't be written.
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

/// Answers questions as long as the server runs.
pub async fn serve(app: Arc<App>, listener: UnixListener) {
    let answered = Arc::new(Semaphore::new(limits::tasks::Task::Commands.budget().at_once));
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&answered).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let app = Arc::clone(&app);
                tokio::spawn(async move {
                    let _place = place;
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
    let mut limited = tokio::io::BufReader::new(reading.take(MAX_QUESTION_BYTES));
    tokio::time::timeout(ANSWER_WITHIN, limited.read_line(&mut line)).await??;
    if line.is_empty() {
        // The client only wanted to know whether a server answers.
        return Ok(());
    }
    let question: AnyTask = serde_json::from_str(&line).map_err(|_| io::Error::other("not a question"))?;
    let (sender, mut pieces) = mpsc::channel(MAX_PIECES);
    let answer = move || question.answer(&app, &mut ChunkWriter { sender });
    let answering = tasks::blocking(limits::tasks::Task::Commands, answer);
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
    let mut line = answering
        .await
        .map_err(|error| io::Error::other(format!("{error:?}")))??;
    line.push(b'\n');
    tokio::time::timeout(TAKEN_WITHIN, writing.write_all(&line)).await?
}

/// Writes the bytes as chunks to the socket. Fails once the command no longer accepts them.
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

/// Sends a task to the server of a data directory. Returns `None` if there is none, or if it is just stopping and
/// hangs up without a word. Streamed output goes to `out`.
///
/// # Errors
/// The server's answer is incomplete, or `out` can't be written.
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
        // A server sends a keep-alive before it begins to work.
        match reader.read_line(&mut line) {
            Ok(0) if heard == 0 => return Ok(None),
            Err(error) if heard == 0 && error.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
            read => heard += read?,
        }
        let said = line.strip_suffix('\n').ok_or_else(hung_up)?;
        if let Some(length) = said.strip_prefix('+') {
            let length: u64 = length.parse().map_err(|_| hung_up())?;
            if length > MAX_PIECE_BYTES || io::copy(&mut (&mut reader).take(length), out)? < length {
                return Err(hung_up());
            }
        } else if !said.is_empty() {
            return serde_json::from_str(said).map(Some).map_err(|_| hung_up());
        }
    }
}

/// Whether a server answers for this data directory. A hung server still accepts connections; only one that works
/// hangs up.
#[must_use]
pub(crate) fn is_server_running(data_dir: &Path) -> bool {
    let hangs_up = || -> io::Result<bool> {
        let (_folder, path) = short_path(data_dir)?;
        let mut stream = BlockingStream::connect(path)?;
        stream.set_read_timeout(Some(ANSWER_WITHIN))?;
        stream.shutdown(Shutdown::Write)?;
        Ok(stream.read(&mut [0])? == 0)
    };
    hangs_up().unwrap_or(false)
}

//! Hand-written HTTP over a TCP connection, for requests that no correct client sends.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

use super::answer::Answer;
use super::wait;

pub struct Connection {
    stream: TcpStream,
    /// Received bytes that haven't been parsed.
    received: Vec<u8>,
}

impl Connection {
    pub fn open(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).expect("the server accepts connections"))
    }

    /// Connects with a small receive buffer: see [`connect_with_small_buffer`].
    pub fn open_with_small_buffer(address: SocketAddr) -> Self {
        Self::over(connect_with_small_buffer(address))
    }

    /// Connects from another address of this machine, like another device.
    pub fn open_from(from: &str, address: SocketAddr) -> Self {
        Self::over(Self::connect_from(from, address).expect("the server accepts connections"))
    }

    /// Opens the TCP connection for [`Connection::open_from`].
    pub fn connect_from(from: &str, address: SocketAddr) -> std::io::Result<TcpStream> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let stream = runtime.expect("a runtime").block_on(async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind(format!("{from}:0").parse().expect("an address"))?;
            socket.connect(address).await?.into_std()
        });
        let stream = stream?;
        stream.set_nonblocking(false)?;
        Ok(stream)
    }

    fn over(stream: TcpStream) -> Self {
        stream.set_nodelay(true).expect("a socket option");
        stream.set_write_timeout(Some(wait::PATIENCE)).expect("a socket option");
        Self {
            stream,
            received: Vec::new(),
        }
    }

    /// Sends all bytes, or fails.
    #[track_caller]
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("the connection is open");
    }

    /// Sends bytes; false if the server has closed the connection.
    pub fn try_to_send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Reads the next answer; `None` if the server closed without one.
    #[track_caller]
    pub fn answer(&mut self) -> Option<Answer> {
        loop {
            if let Some((answer, length)) = parse(&self.received) {
                self.received.drain(..length);
                return Some(answer);
            }
            match self.receive(wait::PATIENCE) {
                Received::Some => {}
                Received::Nothing => panic!("no answer, and the connection stays open"),
                Received::End => {
                    let rest = std::mem::take(&mut self.received);
                    return parse_to_end(&rest);
                }
            }
        }
    }

    /// Whether the server keeps the connection open and sends nothing for this time.
    pub fn is_silent_for(&mut self, time: Duration) -> bool {
        self.received.is_empty() && self.receive(time) == Received::Nothing
    }

    /// Waits until the server closes, discarding everything before.
    #[track_caller]
    pub fn expect_close(&mut self) {
        loop {
            match self.receive(wait::PATIENCE) {
                Received::Some => self.received.clear(),
                Received::End => return,
                Received::Nothing => panic!("the server kept the connection open"),
            }
        }
    }

    fn receive(&mut self, patience: Duration) -> Received {
        self.stream.set_read_timeout(Some(patience)).expect("a socket option");
        let mut chunk = [0; 16 * 1024];
        match wait::uninterrupted(|| self.stream.read(&mut chunk)) {
            Ok(0) => Received::End,
            Ok(length) => {
                self.received.extend_from_slice(&chunk[..length]);
                Received::Some
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Received::Nothing,
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => Received::End,
            Err(error) => panic!("the connection can't be read: {error}"),
        }
    }
}

#[derive(PartialEq)]
enum Received {
    Some,
    Nothing,
    End,
}

/// Connects with a small receive buffer. On machines with much memory, the kernel would accept tens of megabytes before
/// the client reads, and ask for more only after a good part has been read, so the server would see no progress for
/// seconds, or would have sent a whole download that nobody reads.
pub fn connect_with_small_buffer(address: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.set_recv_buffer_size(64 * 1024).expect("a socket option");
    socket.connect(&address.into()).expect("the server accepts connections");
    socket.into()
}

/// Sends bytes on a new connection and reads one answer.
#[track_caller]
pub fn exchange(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Option<Answer> {
    let mut connection = Connection::open(address);
    connection.try_to_send(bytes.as_ref());
    connection.answer()
}

/// Parses a complete answer at the start of `bytes`; also returns its length.
fn parse(bytes: &[u8]) -> Option<(Answer, usize)> {
    let (mut answer, start) = parse_head(bytes)?;
    let length = match answer.header("content-length") {
        Some(length) => length.parse().ok()?,
        None if answer.status < 200 || answer.status == 204 || answer.status == 304 => 0,
        None => return None,
    };
    answer.body = bytes.get(start..start + length)?.to_vec();
    Some((answer, start + length))
}

/// Parses an answer whose body ends with the connection.
fn parse_to_end(bytes: &[u8]) -> Option<Answer> {
    let (mut answer, start) = parse_head(bytes)?;
    answer.body = bytes[start..].to_vec();
    Some(answer)
}

fn parse_head(bytes: &[u8]) -> Option<(Answer, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    Some((
        Answer {
            asked: "raw request".to_owned(),
            status,
            headers,
            body: Vec::new(),
        },
        end + 4,
    ))
}

//! Mails as their recipients get them: from the outbox of a data directory, or from a mail server in the test.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::certificates::Pair;
use super::wait;

/// A mail, decoded.
#[derive(Debug, Clone)]
pub struct Mail {
    pub to: String,
    pub subject: String,
    /// The plain text part.
    pub text: String,
    /// The HTML part.
    pub html: String,
    /// The undecoded source.
    pub raw: String,
}

impl Mail {
    pub fn parse(raw: &str) -> Self {
        let header = |name: &str| {
            let line = raw.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_default().trim().to_owned()
        };
        let part = |kind: &str| {
            let (_, part) = raw.split_once(&format!("Content-Type: {kind}")).unwrap_or_default();
            let (_, body) = part.split_once("\r\n\r\n").unwrap_or_default();
            decode(body.split("\r\n--").next().unwrap_or_default())
        };
        Self {
            to: header("To:"),
            subject: header("Subject:"),
            text: part("text/plain"),
            html: part("text/html"),
            raw: raw.to_owned(),
        }
    }

    /// The six digits that stand on a line of their own.
    #[track_caller]
    pub fn code(&self) -> String {
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
        let code = self.text.lines().find(is_code);
        code.unwrap_or_else(|| panic!("no code in {}", self.text)).to_owned()
    }

    /// The link in the mail.
    #[track_caller]
    pub fn link(&self) -> String {
        let link = self
            .text
            .lines()
            .find(|line| line.contains("/app/") && line.contains('#'));
        link.unwrap_or_else(|| panic!("no link in {}", self.text)).to_owned()
    }

    /// The fragment of the link.
    #[track_caller]
    pub fn token(&self) -> String {
        self.link().split_once('#').expect("a fragment").1.to_owned()
    }
}

/// Decodes quoted-printable.
fn decode(text: &str) -> String {
    let text = text.replace("=\r\n", "").replace("\r\n", "\n");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first == b'=' {
            let digits = std::str::from_utf8(&after[..2]).expect("two digits after =");
            bytes.push(u8::from_str_radix(digits, 16).expect("hexadecimal digits"));
            rest = &after[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).expect("a mail is UTF-8")
}

/// The mails in the outbox, oldest first.
pub fn outbox(directory: &Path) -> Vec<Mail> {
    let mut paths: Vec<_> = std::fs::read_dir(directory.join("outbox"))
        .expect("an outbox")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| Mail::parse(&std::fs::read_to_string(path).expect("a mail")))
        .collect()
}

/// Waits for `count` mails to an address, and returns the last of them.
pub fn nth_mail(directory: &Path, to: &str, count: usize) -> Mail {
    wait::until(&format!("mail {count} to {to}"), || {
        let mut mails = outbox(directory).into_iter().filter(|mail| mail.to == to);
        mails.nth(count - 1)
    })
}

/// The behaviour of a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Accepts every mail.
    Takes,
    /// Doesn't even send its greeting.
    Silent,
    /// Takes every mail, and closes the connection instead of confirming it.
    TakesUnconfirmed,
    /// Refuses every mail permanently.
    Refuses,
    /// Refuses every mail temporarily.
    Busy,
    /// Closes the connection.
    HangsUp,
    /// Sends one byte a second.
    Slow,
    /// Sends lines without end.
    Endless,
    /// Sends a line without end.
    EndlessLine,
}

/// The encryption of a mail server's connections.
#[derive(Clone)]
enum Protection {
    None,
    Tls(Arc<ServerConfig>),
    StartTls(Arc<ServerConfig>),
}

/// A mail server inside the test.
pub struct MailServer {
    address: SocketAddr,
    encryption: &'static str,
    behaviour: Arc<Mutex<Behaviour>>,
    mails: Arc<Mutex<Vec<Mail>>>,
    connections: Arc<Mutex<usize>>,
    closed: Arc<AtomicBool>,
}

impl MailServer {
    /// Starts without encryption.
    pub fn start(behaviour: Behaviour) -> Self {
        Self::begin(behaviour, Protection::None, "none")
    }

    /// Starts with TLS from the first byte.
    pub fn start_with_tls(pair: &Pair) -> Self {
        Self::begin(Behaviour::Takes, Protection::Tls(pair.server()), "tls")
    }

    /// Starts with STARTTLS offered but not required.
    pub fn start_with_starttls(pair: &Pair) -> Self {
        Self::begin(Behaviour::Takes, Protection::StartTls(pair.server()), "starttls")
    }

    /// Starts without STARTTLS, as if an attacker on the network had removed the offer.
    pub fn start_with_starttls_stripped() -> Self {
        Self::begin(Behaviour::Takes, Protection::None, "starttls")
    }

    fn begin(behaviour: Behaviour, protection: Protection, encryption: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let server = Self {
            address: listener.local_addr().expect("an address"),
            encryption,
            behaviour: Arc::new(Mutex::new(behaviour)),
            mails: Arc::default(),
            connections: Arc::default(),
            closed: Arc::default(),
        };
        let (behaviour, mails, connections, closed) = (
            Arc::clone(&server.behaviour),
            Arc::clone(&server.mails),
            Arc::clone(&server.connections),
            Arc::clone(&server.closed),
        );
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if closed.load(Ordering::Relaxed) {
                    return;
                }
                *connections.lock().expect("no panic") += 1;
                let behaviour = *behaviour.lock().expect("no panic");
                let (mails, protection) = (Arc::clone(&mails), protection.clone());
                // A failed conversation is the client's problem.
                std::thread::spawn(move || drop(serve_client(stream, protection, behaviour, &mails)));
            }
        });
        server
    }

    pub fn set_behaviour(&self, behaviour: Behaviour) {
        *self.behaviour.lock().expect("no panic") = behaviour;
    }

    /// Settings that make Fluglog use this server.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("FLUGLOG_SMTP__HOST", "127.0.0.1".to_owned()),
            ("FLUGLOG_SMTP__PORT", self.address.port().to_string()),
            ("FLUGLOG_SMTP__ENCRYPTION", self.encryption.to_owned()),
            ("FLUGLOG_SMTP__FROM", "Fluglog <fluglog@example.org>".to_owned()),
            ("FLUGLOG_SMTP__TIMEOUT_SECONDS", "25".to_owned()),
            ("FLUGLOG_SMTP__RETRY_SECONDS", "1".to_owned()),
            ("FLUGLOG_PUBLIC_URL", "http://fluglog.example.org".to_owned()),
        ]
    }

    pub fn mails(&self) -> Vec<Mail> {
        self.mails.lock().expect("no panic").clone()
    }

    pub fn connections(&self) -> usize {
        *self.connections.lock().expect("no panic")
    }

    /// Waits for `count` mails.
    pub fn wait_for(&self, count: usize) -> Vec<Mail> {
        wait::until(&format!("{count} mails at the server"), || {
            Some(self.mails()).filter(|mails| mails.len() >= count)
        })
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        // Wakes the accepting thread.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve_client(
    mut stream: TcpStream,
    protection: Protection,
    behaviour: Behaviour,
    mails: &Mutex<Vec<Mail>>,
) -> io::Result<()> {
    let over_tls = |config, stream| {
        let connection = ServerConnection::new(config).map_err(io::Error::other)?;
        Ok::<_, io::Error>(StreamOwned::new(connection, stream))
    };
    match protection {
        Protection::None => receive(stream, behaviour, true, false, mails).map(drop),
        Protection::Tls(config) => receive(over_tls(config, stream)?, behaviour, true, false, mails).map(drop),
        Protection::StartTls(config) => {
            let wants_tls = receive(stream.try_clone()?, behaviour, true, true, mails)?;
            if !wants_tls {
                return Ok(());
            }
            stream.write_all(b"220 2.0.0 los\r\n")?;
            receive(over_tls(config, stream)?, behaviour, false, false, mails).map(drop)
        }
    }
}

/// Serves one conversation; returns whether the client asked for TLS.
fn receive<S: Read + Write>(
    stream: S,
    behaviour: Behaviour,
    greets: bool,
    offers_tls: bool,
    mails: &Mutex<Vec<Mail>>,
) -> io::Result<bool> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    match behaviour {
        Behaviour::Silent => {
            while stream.read_line(&mut line)? > 0 {
                line.clear();
            }
        }
        Behaviour::HangsUp => return Ok(false),
        Behaviour::Slow => {
            for byte in b"220 kommt gleich\r\n".iter().cycle() {
                stream.get_mut().write_all(&[*byte])?;
                std::thread::sleep(Duration::from_secs(1));
            }
        }
        Behaviour::Endless => loop {
            stream.get_mut().write_all(b"220-und noch etwas\r\n")?;
        },
        Behaviour::EndlessLine => loop {
            stream.get_mut().write_all(&[b'2'; 4096])?;
        },
        Behaviour::Takes | Behaviour::TakesUnconfirmed | Behaviour::Refuses | Behaviour::Busy => {}
    }
    if behaviour == Behaviour::Busy {
        stream.get_mut().write_all(b"421 4.3.2 gerade keine Zeit\r\n")?;
        return Ok(false);
    }
    if greets {
        stream.get_mut().write_all(b"220 mail.test ESMTP\r\n")?;
    }
    while next_line(&mut stream, &mut line)? {
        let command = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let reply = match command.as_str() {
            "EHLO" if offers_tls => "250-mail.test\r\n250-STARTTLS\r\n250 8BITMIME\r\n",
            "EHLO" => "250-mail.test\r\n250 8BITMIME\r\n",
            "STARTTLS" if offers_tls => return Ok(true),
            "RCPT" if behaviour == Behaviour::Refuses => "550 5.7.1 hier nicht\r\n",
            "DATA" => "354 her damit\r\n",
            "QUIT" => "221 2.0.0 bis bald\r\n",
            _ => "250 2.0.0 gut\r\n",
        };
        stream.get_mut().write_all(reply.as_bytes())?;
        if command == "DATA" {
            let mut content = String::new();
            while next_line(&mut stream, &mut line)? && line != "." {
                content.push_str(line.strip_prefix('.').unwrap_or(&line));
                content.push_str("\r\n");
            }
            mails.lock().expect("no panic").push(Mail::parse(&content));
            if behaviour == Behaviour::TakesUnconfirmed {
                break;
            }
            stream.get_mut().write_all(b"250 2.0.0 angenommen als 4711\r\n")?;
        }
        if command == "QUIT" {
            break;
        }
    }
    Ok(false)
}

/// Reads a line without its end; returns false at the end of the stream.
fn next_line(stream: &mut impl BufRead, line: &mut String) -> io::Result<bool> {
    line.clear();
    let there = stream.read_line(line)? > 0;
    line.truncate(line.trim_end_matches(['\r', '\n']).len());
    Ok(there)
}

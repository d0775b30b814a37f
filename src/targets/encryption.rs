//! Encrypts archives before they are sent, in the format of age (age-encryption.org/v1), and decrypts them when they
//! are fetched. Both stream: memory use doesn't grow with the archive.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use age::secrecy::SecretString;
use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor, Identity, IdentityFile, Recipient, scrypt, x25519};

use super::model::{Result, TargetError};
use fluglog_base::limits::answers::Answer;
use fluglog_config::smtp::Password;
use fluglog_config::targets::Encryption;

/// The beginning of every age file.
const MAGIC: &[u8] = b"age-encryption.org/";
/// Size of a chunk that age encrypts as a unit, and the authentication tag that each chunk adds.
const CHUNK_BYTES: u64 = 64 * 1024;
const TAG_BYTES: u64 = 16;
/// scrypt's work factor (log2 N) for encryption: needs 32 MB of memory, which a small board has.
const SCRYPT_WORK_FACTOR: u8 = 15;
/// Memory of scrypt, in bytes, for each unit of N.
const SCRYPT_BYTES: u64 = 1024;
/// Begins the last line of a header.
const LAST_LINE: &[u8] = b"---";
const PIECE_BYTES: usize = 256 * 1024;

/// An archive ready to be sent.
pub(crate) struct Outgoing {
    pub bytes: u64,
    content: Box<dyn Read>,
}

impl Read for Outgoing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.content.read(buffer)
    }
}

/// Opens an archive for sending, encrypted if `encryption` says so.
///
/// # Errors
/// [`TargetError::ArchiveUnreadable`].
pub(crate) fn open_for_sending(file: File, encryption: Option<&Encryption>) -> Result<Outgoing> {
    let plain_bytes = file.metadata().map_err(|_| TargetError::ArchiveUnreadable)?.len();
    let Some(encryption) = encryption else {
        return Ok(Outgoing {
            bytes: plain_bytes,
            content: Box::new(file),
        });
    };
    let ready = EncryptedBytes::default();
    let encryptor = match encryption {
        Encryption::Passphrase(passphrase) => {
            let mut recipient = scrypt::Recipient::new(secret(passphrase));
            recipient.set_work_factor(SCRYPT_WORK_FACTOR);
            Encryptor::with_recipients(std::iter::once(&recipient as &dyn Recipient))
        }
        Encryption::Recipients(keys) => {
            // Parsed before, when the settings were read.
            let recipients: Vec<x25519::Recipient> = keys.iter().filter_map(|key| key.parse().ok()).collect();
            Encryptor::with_recipients(recipients.iter().map(|recipient| recipient as &dyn Recipient))
        }
    };
    let writer = encryptor
        .map_err(|_| TargetError::ArchiveUnreadable)?
        .wrap_output(ready.clone());
    let writer = writer.map_err(|_| TargetError::ArchiveUnreadable)?;
    let head_bytes = ready.0.borrow().len() as u64;
    Ok(Outgoing {
        bytes: head_bytes + encrypted_bytes(plain_bytes),
        content: Box::new(EncryptingReader {
            plain: file,
            writer: Some(writer),
            ready,
            taken: 0,
        }),
    })
}

/// Size of `plain` bytes after encryption, without the header. An empty file has one empty chunk.
fn encrypted_bytes(plain: u64) -> u64 {
    plain + plain.div_ceil(CHUNK_BYTES).max(1) * TAG_BYTES
}

fn secret(password: &Password) -> SecretString {
    SecretString::from(password.secret().to_owned())
}

/// Encrypted bytes that haven't been read yet.
#[derive(Clone, Default)]
struct EncryptedBytes(Rc<RefCell<Vec<u8>>>);

impl Write for EncryptedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader that encrypts the file as it is read.
struct EncryptingReader {
    plain: File,
    /// `None` once the file has been read to its end.
    writer: Option<StreamWriter<EncryptedBytes>>,
    ready: EncryptedBytes,
    /// Number of bytes of `ready` that have been read.
    taken: usize,
}

impl EncryptingReader {
    fn encrypt_a_piece(&mut self) -> io::Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let mut piece = vec![0; PIECE_BYTES];
        match self.plain.read(&mut piece)? {
            0 => match self.writer.take() {
                Some(writer) => writer.finish().map(drop),
                None => Ok(()),
            },
            length => writer.write_all(&piece[..length]),
        }
    }
}

impl Read for EncryptingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.0.borrow().len() && self.writer.is_some() {
            self.ready.0.borrow_mut().clear();
            self.taken = 0;
            self.encrypt_a_piece()?;
        }
        let ready = self.ready.0.borrow();
        let length = buffer.len().min(ready.len() - self.taken);
        buffer[..length].copy_from_slice(&ready[self.taken..self.taken + length]);
        self.taken += length;
        Ok(length)
    }
}

/// Keys and passphrases that decrypt archives.
#[derive(Default)]
pub struct Keys(Vec<Box<dyn Identity>>);

impl Keys {
    /// Collects the passphrases of these settings and the secret keys in `file`.
    ///
    /// # Errors
    /// [`TargetError::NoKeys`].
    pub fn of<'e>(settings: impl Iterator<Item = &'e Encryption>, file: Option<&Path>) -> Result<Keys> {
        let mut keys: Vec<Box<dyn Identity>> = Vec::new();
        for encryption in settings {
            if let Encryption::Passphrase(passphrase) = encryption {
                let mut identity = scrypt::Identity::new(secret(passphrase));
                identity.set_max_work_factor(max_work_factor());
                keys.push(Box::new(identity));
            }
        }
        if let Some(file) = file {
            let read = |path: PathBuf| {
                let opened = BufReader::new(File::open(path).ok()?);
                IdentityFile::from_buffer(opened).ok()?.into_identities().ok()
            };
            let found = read(file.to_owned()).filter(|found| !found.is_empty());
            for identity in found.ok_or_else(|| TargetError::NoKeys(file.to_owned()))? {
                keys.push(identity);
            }
        }
        Ok(Keys(keys))
    }

    /// Returns the content of an archive, decrypted if it is encrypted.
    ///
    /// # Errors
    /// [`TargetError::CannotDecrypt`].
    pub fn open(&self, content: impl Read + 'static) -> Result<Box<dyn Read>> {
        self.open_either(content, true)
    }

    /// Returns the decrypted content of an archive.
    ///
    /// # Errors
    /// [`TargetError::CannotDecrypt`] or [`TargetError::NotEncrypted`].
    pub fn open_encrypted(&self, content: impl Read + 'static) -> Result<Box<dyn Read>> {
        self.open_either(content, false)
    }

    fn open_either(&self, mut content: impl Read + 'static, may_be_plain: bool) -> Result<Box<dyn Read>> {
        let mut start = Vec::new();
        let mut head = content.by_ref().take(MAGIC.len() as u64);
        head.read_to_end(&mut start).map_err(|_| TargetError::ConnectionLost)?;
        let is_encrypted = start == MAGIC;
        let mut whole = BufReader::with_capacity(PIECE_BYTES, io::Cursor::new(start).chain(content));
        if !is_encrypted {
            return may_be_plain
                .then(|| Box::new(whole) as Box<dyn Read>)
                .ok_or(TargetError::NotEncrypted);
        }
        let failed = |error: DecryptError| match error {
            DecryptError::Io(_) => TargetError::ConnectionLost,
            _ => TargetError::CannotDecrypt,
        };
        // The library reads a header without end, and all of it again after each line.
        let header = header(&mut whole)?;
        let whole = io::Cursor::new(header).chain(whole);
        let decryptor = Decryptor::new_buffered(whole).map_err(failed)?;
        let keys = self.0.iter().map(AsRef::as_ref);
        Ok(Box::new(decryptor.decrypt(keys).map_err(failed)?))
    }
}

/// The largest work factor (log2 N) whose memory is within the budget: archives encrypted elsewhere may need more than
/// ours.
fn max_work_factor() -> u8 {
    let most = Answer::Encryption.budget().memory_bytes / SCRYPT_BYTES;
    u8::try_from(most.ilog2()).unwrap_or(SCRYPT_WORK_FACTOR)
}

/// Reads the header of an encrypted archive, up to the end of its last line.
fn header(content: &mut impl BufRead) -> Result<Vec<u8>> {
    let most = Answer::Encryption.budget().bytes;
    let mut header = Vec::new();
    let mut content = content.take(most);
    loop {
        let begin = header.len();
        let read = content.read_until(b'\n', &mut header);
        match read.map_err(|_| TargetError::ConnectionLost)? {
            0 if header.len() as u64 == most => return Err(TargetError::CannotDecrypt),
            0 => return Err(TargetError::ConnectionLost),
            _ if header[begin..].starts_with(LAST_LINE) && header.ends_with(b"\n") => return Ok(header),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_config::smtp::Password;

    fn encrypted(plain: &[u8], encryption: &Encryption) -> Vec<u8> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(plain).unwrap();
        io::Seek::rewind(&mut file).unwrap();
        let mut outgoing = open_for_sending(file, Some(encryption)).unwrap();
        let mut content = Vec::new();
        outgoing.read_to_end(&mut content).unwrap();
        assert_eq!(content.len() as u64, outgoing.bytes);
        content
    }

    fn opened(content: &[u8], keys: &Keys) -> Result<Vec<u8>> {
        let mut plain = Vec::new();
        let mut reader = keys.open(io::Cursor::new(content.to_owned()))?;
        reader
            .read_to_end(&mut plain)
            .map_err(|_| TargetError::ConnectionLost)?;
        Ok(plain)
    }

    #[test]
    fn an_archive_of_any_length_comes_back_by_its_key_alone_and_its_size_is_known_before() {
        let identity = x25519::Identity::generate();
        let encryption = Encryption::Recipients(vec![identity.to_public().to_string()]);
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = age::secrecy::ExposeSecret::expose_secret(&identity.to_string()).to_owned();
        write_file(file.path(), &format!("# mine\n{line}\n"));
        let keys = Keys::of(std::iter::empty(), Some(file.path())).unwrap();
        for length in [0, 1, 65_535, 65_536, 65_537, 3 * 65_536, 1_000_001] {
            let plain: Vec<u8> = (0..length).map(|at: u32| at.to_le_bytes()[0]).collect();
            let content = encrypted(&plain, &encryption);
            assert_eq!(opened(&content, &keys).unwrap(), plain, "{length}");
            assert!(matches!(
                opened(&content, &Keys::default()),
                Err(TargetError::CannotDecrypt)
            ));
            let cut = &content[..content.len() - 1];
            assert!(opened(cut, &keys).is_err(), "{length}");
        }
    }

    fn write_file(path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn a_passphrase_opens_what_it_closed_and_nothing_else() {
        let of = |text: &str| Encryption::Passphrase(Password::from(text.to_owned()));
        let content = encrypted(b"secret", &of("correct horse"));
        assert!(!content.windows(6).any(|bytes| bytes == b"secret"));
        let keys = |text: &str| Keys::of([of(text)].iter(), None).unwrap();
        assert_eq!(opened(&content, &keys("correct horse")).unwrap(), b"secret");
        assert!(matches!(
            opened(&content, &keys("correct house")),
            Err(TargetError::CannotDecrypt)
        ));
    }

    #[test]
    fn a_file_without_secret_keys_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(
            Keys::of(std::iter::empty(), Some(file.path())),
            Err(TargetError::NoKeys(_))
        ));
    }

    #[test]
    fn a_header_without_end_and_a_key_that_takes_a_gigabyte_are_refused() {
        let mut endless = b"age-encryption.org/v1\n".to_vec();
        while endless.len() < 10 * 1024 * 1024 {
            endless.extend_from_slice(b"-> X25519 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n");
            endless.extend_from_slice(b"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n");
        }
        let line = [b"age-encryption.org/v1\n".to_vec(), vec![b'x'; 10 * 1024 * 1024]].concat();
        let passphrase = [Encryption::Passphrase(Password::from("correct horse".to_owned()))];
        let keys = Keys::of(passphrase.iter(), None).unwrap();
        let begun = std::time::Instant::now();
        for content in [endless, line] {
            assert!(matches!(opened(&content, &keys), Err(TargetError::CannotDecrypt)));
        }
        // N = 2^19 and more.
        for factor in 19..=22 {
            let header = format!(
                "age-encryption.org/v1\n-> scrypt AAAAAAAAAAAAAAAAAAAAAA {factor}\n\
                 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n\
                 --- AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            );
            assert!(matches!(
                opened(header.as_bytes(), &keys),
                Err(TargetError::CannotDecrypt)
            ));
        }
        assert!(begun.elapsed().as_secs() < 5);
    }
}

//! The server's certificate: read at the start and again on the admin's command. Knows no connection.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use chrono::NaiveDateTime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig, crypto};

use fluglog_config::tls::Tls as Settings;

/// Permission bit that lets everybody on the machine read a file.
const FOR_OTHERS: u32 = 0o004;

/// Certificate and key for new connections.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    /// Whether the port also serves plain HTTP.
    pub(super) serves_http: bool,
    pair: RwLock<Pair>,
}

struct Pair {
    acceptor: TlsAcceptor,
    /// Unix seconds; `None` if the certificate's validity can't be parsed.
    valid_until: Option<i64>,
}

/// A file that can't be used, and the reason as a German clause.
#[derive(Debug)]
pub struct Unusable {
    pub path: PathBuf,
    pub why: String,
}

impl Tls {
    /// Reads the files; `None` if the server speaks http.
    ///
    /// # Errors
    /// A file is missing, unreadable or of another format, or the key belongs to another certificate.
    pub fn load(settings: &Settings) -> Result<Option<Tls>, Unusable> {
        let (Some(certificate), Some(key)) = (&settings.certificate, &settings.key) else {
            return Ok(None);
        };
        Tls::read(certificate, key, false).map(Some)
    }

    /// Reads the file of the built-in authority, which holds certificate and key. Devices that don't trust the
    /// authority yet use plain HTTP on the port.
    ///
    /// # Errors
    /// As for [`Tls::load`].
    pub fn with_http(pair: &Path) -> Result<Tls, Unusable> {
        Tls::read(pair, pair, true)
    }

    fn read(certificate: &Path, key: &Path, serves_http: bool) -> Result<Tls, Unusable> {
        Ok(Tls {
            pair: RwLock::new(read_pair(certificate, key)?),
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            serves_http,
        })
    }

    /// Reads the files again; new connections use them.
    ///
    /// # Errors
    /// As for [`Tls::load`]; the previous certificate stays in use then.
    pub fn reload(&self) -> Result<(), Unusable> {
        let pair = read_pair(&self.certificate, &self.key)?;
        *self.pair.write().unwrap_or_else(PoisonError::into_inner) = pair;
        Ok(())
    }

    /// Returns when the certificate in use expires, in Unix seconds.
    #[must_use]
    pub fn valid_until(&self) -> Option<i64> {
        self.pair.read().unwrap_or_else(PoisonError::into_inner).valid_until
    }

    /// Returns the acceptor for the next connection.
    #[must_use]
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let pair = self.pair.read().unwrap_or_else(PoisonError::into_inner);
        pair.acceptor.clone()
    }
}

fn read_pair(certificate: &Path, key: &Path) -> Result<Pair, Unusable> {
    let unusable = |path: &Path, why: &str| Unusable {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&read(certificate)?)
        .collect::<Result<_, _>>()
        .ok()
        .filter(|chain: &Vec<_>| !chain.is_empty())
        .ok_or_else(|| unusable(certificate, "darin steht kein Zertifikat im PEM-Format"))?;
    let valid_until = chain.first().and_then(|certificate| not_after(certificate));
    let private = PrivateKeyDer::from_pem_slice(&read(key)?).map_err(|_| {
        unusable(
            key,
            "darin steht kein unverschlüsselter privater Schlüssel im PEM-Format",
        )
    })?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
        .map(|config| config.with_no_client_auth())
        .and_then(|config| config.with_single_cert(chain, private))
        .map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => unusable(
                key,
                &format!("der Schlüssel gehört nicht zum Zertifikat in {}", certificate.display()),
            ),
            rustls::Error::InvalidCertificate(_) => unusable(certificate, "das Zertifikat ist beschädigt"),
            _ => unusable(key, "mit dieser Art von Schlüssel kann Fluglog nicht umgehen"),
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let everybody_reads = fs::metadata(key).is_ok_and(|file| file.permissions().mode() & FOR_OTHERS != 0);
    if everybody_reads {
        tracing::warn!(
            "everybody on this machine can read the key {}: chmod o-r {}",
            key.display(),
            key.display()
        );
    }
    Ok(Pair {
        acceptor: TlsAcceptor::from(Arc::new(config)),
        valid_until,
    })
}

/// Reads the end of a certificate's validity (RFC 5280, section 4.1): the fifth field, after an optional version.
pub(super) fn not_after(certificate: &[u8]) -> Option<i64> {
    const VERSION: u8 = 0xa0;
    const UTC_TIME: u8 = 0x17;
    let (_, signed, _) = der_element(certificate)?;
    let (_, mut fields, _) = der_element(signed)?;
    if let (VERSION, _, rest) = der_element(fields)? {
        fields = rest;
    }
    for _serial_algorithm_issuer in 0..3 {
        (_, _, fields) = der_element(fields)?;
    }
    let (_, validity, _) = der_element(fields)?;
    let (_, _, after_begin) = der_element(validity)?;
    let (kind, end, _) = der_element(after_begin)?;
    let end = std::str::from_utf8(end).ok()?;
    let end = match (kind, end.get(..2)) {
        (UTC_TIME, Some(year)) if year < "50" => format!("20{end}"),
        (UTC_TIME, _) => format!("19{end}"),
        _ => end.to_owned(),
    };
    let end = NaiveDateTime::parse_from_str(&end, "%Y%m%d%H%M%SZ").ok()?;
    Some(end.and_utc().timestamp())
}

/// Splits off the first element of DER (ITU-T X.690): its tag, its content, and the bytes after it.
fn der_element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    const LONG_FORM: u8 = 0x80;
    let (tag, rest) = der.split_first()?;
    let (first, mut rest) = rest.split_first()?;
    let mut length = usize::from(*first);
    if first & LONG_FORM != 0 {
        let (digits, after) = rest.split_at_checked(usize::from(first & !LONG_FORM))?;
        let next = |length: usize, digit: &u8| length.checked_mul(256)?.checked_add(usize::from(*digit));
        length = digits.iter().try_fold(0, next)?;
        rest = after;
    }
    let (content, after) = rest.split_at_checked(length)?;
    Some((*tag, content, after))
}

fn read(path: &Path) -> Result<Vec<u8>, Unusable> {
    fs::read(path).map_err(|error| Unusable {
        path: path.to_owned(),
        why: match error.kind() {
            io::ErrorKind::NotFound => "es gibt diese Datei nicht".to_owned(),
            io::ErrorKind::PermissionDenied => "dafür fehlen die Leserechte".to_owned(),
            io::ErrorKind::IsADirectory => "es ist ein Verzeichnis".to_owned(),
            io::ErrorKind::NotADirectory => "ein Teil des Pfads ist kein Verzeichnis".to_owned(),
            _ => "sie lässt sich nicht lesen".to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_read_in_both_forms_of_time() {
        let mut params = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        for (year, seconds) in [(2026, 1_768_003_200), (2049, 2_493_849_600), (2050, 2_525_385_600)] {
            params.not_after = rcgen::date_time_ymd(year, 1, 10);
            let certificate = params.self_signed(&key).unwrap();
            assert_eq!(not_after(certificate.der()), Some(seconds), "{year}");
        }
    }

    #[test]
    fn bytes_that_are_no_certificate_have_no_end_date() {
        for nonsense in [
            &b""[..],
            b"\x30",
            b"\x30\x05\x30",
            b"\x30\x84\xff\xff\xff\xff",
            b"\x30\x89\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert_eq!(not_after(nonsense), None);
        }
    }
}

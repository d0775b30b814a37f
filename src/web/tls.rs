//! The certificate of the server: read at the start and again when the admin says so. Knows no connection.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig, crypto};

use crate::config::tls::Tls as Settings;
use crate::log;

/// Lets everybody on the machine read a file.
const FOR_OTHERS: u32 = 0o004;

/// What connections are greeted with.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    acceptor: RwLock<TlsAcceptor>,
}

/// A file that can't be used, and why; a German clause.
#[derive(Debug)]
pub struct Unusable {
    pub path: PathBuf,
    pub why: String,
}

impl Tls {
    /// Reads the files; `None` when the server speaks http.
    ///
    /// # Errors
    /// A file that is missing, unreadable or holds something else, or a key that belongs to another certificate.
    pub fn load(settings: &Settings) -> Result<Option<Tls>, Unusable> {
        let (Some(certificate), Some(key)) = (&settings.certificate, &settings.key) else {
            return Ok(None);
        };
        Ok(Some(Tls {
            acceptor: RwLock::new(read_pair(certificate, key)?),
            certificate: certificate.clone(),
            key: key.clone(),
        }))
    }

    /// Reads the files again, for connections to come.
    ///
    /// # Errors
    /// As [`Tls::load`]; then what was read before stays in force.
    pub fn reload(&self) -> Result<(), Unusable> {
        let acceptor = read_pair(&self.certificate, &self.key)?;
        *self.acceptor.write().unwrap_or_else(PoisonError::into_inner) = acceptor;
        Ok(())
    }

    /// What the next connection is greeted with.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn read_pair(certificate: &Path, key: &Path) -> Result<TlsAcceptor, Unusable> {
    let unusable = |path: &Path, why: &str| Unusable {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&read(certificate)?)
        .collect::<Result<_, _>>()
        .ok()
        .filter(|chain: &Vec<_>| !chain.is_empty())
        .ok_or_else(|| unusable(certificate, "darin steht kein Zertifikat im PEM-Format"))?;
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
        log::warning(format_args!(
            "everybody on this machine can read the key {}: chmod o-r {}",
            key.display(),
            key.display()
        ));
    }
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn read(path: &Path) -> Result<Vec<u8>, Unusable> {
    fs::read(path).map_err(|error| Unusable {
        path: path.to_owned(),
        why: match error.kind() {
            io::ErrorKind::NotFound => "es gibt diese Datei nicht".to_owned(),
            io::ErrorKind::PermissionDenied => "dafür fehlen die Leserechte".to_owned(),
            io::ErrorKind::IsADirectory => "es ist ein Verzeichnis".to_owned(),
            _ => format!("sie lässt sich nicht lesen ({error})"),
        },
    })
}

//! Certificates of a test authority, and clients and servers that use them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig, SupportedProtocolVersion};

/// A certificate authority that only clients with its certificate trust.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// A certificate and its key, both as PEM.
pub struct Pair {
    pub certificate: String,
    pub key: String,
}

/// The paths of a pair on the disk.
pub struct Files {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let issuer = CertifiedIssuer::self_signed(params, key).expect("an authority");
        Self { issuer }
    }

    pub fn pem(&self) -> String {
        self.issuer.as_ref().pem()
    }

    /// A certificate for this machine, by name and by address, that doesn't expire.
    pub fn pair(&self) -> Pair {
        self.pair_until(4096)
    }

    /// A certificate that expires on the first day of a year.
    pub fn pair_until(&self, year: i32) -> Pair {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut params = CertificateParams::new(names).expect("names");
        params.not_after = date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        Pair {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        }
    }

    /// The configuration of a client that trusts only this authority.
    pub fn client(&self, versions: &[&'static SupportedProtocolVersion]) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        let root = CertificateDer::from_pem_slice(self.pem().as_bytes()).expect("a certificate");
        roots.add(root).expect("a root");
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(versions)
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Arc::new(config)
    }
}

impl Pair {
    pub fn write(&self, folder: &Path) -> Files {
        let files = Files {
            certificate: folder.join("cert.pem"),
            key: folder.join("key.pem"),
        };
        std::fs::write(&files.certificate, &self.certificate).expect("the certificate is written");
        std::fs::write(&files.key, &self.key).expect("the key is written");
        files
    }

    pub fn der(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(self.certificate.as_bytes()).expect("a certificate")
    }

    /// The configuration of a server with this certificate.
    pub fn server(&self) -> Arc<ServerConfig> {
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![self.der()], key)
            .expect("a pair");
        Arc::new(config)
    }
}

//! A certificate authority of this machine, for https in a local network without a public authority. Its name
//! constraints (RFC 5280, section 4.2.1.10) limit what a thief of its key can forge to this machine's names and private
//! addresses. Knows no connection and no call.

use std::fs;
use std::io::{self, Read as _, Write};
use std::net::{IpAddr, Ipv6Addr};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Datelike, NaiveDate, TimeDelta};
use ipnet::IpNet;
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, NameConstraints,
};
use sha2::{Digest, Sha256};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

use super::tls::{self, Unusable};
use super::{link_base, local_network};
use fluglog_base::dir::{Dir, create_or_truncate, open_regular_file};

/// Folder of the authority in the data directory.
pub const FOLDER_NAME: &str = "tls";
/// File with certificate and key, after a comment line with the names that its constraints permit; the first one is the
/// machine's.
pub const AUTHORITY: &str = "authority.pem";
/// The reason when that file isn't what Fluglog wrote.
pub const DAMAGED: &str = "die Datei ist beschädigt";
/// File with certificate and key of the server, after a comment line with its names and addresses.
const SERVER: &str = "server.pem";

const MAX_FILE_BYTES: u64 = 1024 * 1024;

const AUTHORITY_DAYS: i64 = 3650;
/// Apple's systems accept at most 825 days, browsers at most 398 from public authorities.
const SERVER_DAYS: i64 = 397;
/// Days before its end at which the server's certificate is renewed.
const RENEWAL_DAYS: i64 = 30;
/// Backdating of certificates, for devices whose clocks are slow.
const BACKDATE_DAYS: i64 = 1;

/// Private and link-local ranges: RFC 1918, 6598 (also Tailscale's), 3927, 4193, 4291.
const PRIVATE_NETWORKS: [&str; 9] = [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
];

/// An authority created by `fluglog https on`.
pub struct Authority {
    folder: PathBuf,
    names: Vec<String>,
    certificate: CertificateDer<'static>,
    key: KeyPair,
}

/// Returns whether a name may be added to those of this machine: one with several labels that is no public suffix,
/// because an authority for such an ending could impersonate any host in it; or an address of a private network.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    match name.parse::<IpAddr>() {
        Ok(address) => is_private(address),
        Err(_) => name.len() <= 253 && name.contains('.') && name.split('.').all(is_label) && !is_public_suffix(name),
    }
}

/// Returns whether names below this one belong to anybody who registers them, as those below `de`, `co.uk` or
/// `github.io` (<https://publicsuffix.org>).
fn is_public_suffix(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known() && suffix.as_bytes() == name.as_bytes())
}

impl Authority {
    /// Opens the authority of a data directory; `None` if it has none.
    ///
    /// # Errors
    /// Its file is unreadable or damaged.
    pub fn open(data_dir: &Path) -> Result<Option<Authority>, Unusable> {
        let folder = data_dir.join(FOLDER_NAME);
        let path = folder.join(AUTHORITY);
        let text = match read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| unusable(&path, &error))?,
        };
        let certificate = CertificateDer::from_pem_slice(text.as_bytes());
        let key = text
            .find("-----BEGIN PRIVATE KEY")
            .map(|at| KeyPair::from_pem(&text[at..]));
        match (certificate, key) {
            (Ok(certificate), Some(Ok(key))) => Ok(Some(Authority {
                names: names_of(&text),
                folder,
                certificate,
                key,
            })),
            _ => Err(Unusable {
                path,
                why: DAMAGED.to_owned(),
            }),
        }
    }

    /// Creates an authority, and a certificate for the server. `names` are further names of this machine.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn create(data_dir: &Path, names: &[String], now: i64) -> Result<Authority, Unusable> {
        let folder = data_dir.join(FOLDER_NAME);
        let path = folder.join(AUTHORITY);
        check_written_by_fluglog(&folder.join(SERVER))?;
        let mut own = own_names();
        own.extend(names.iter().map(|name| name.to_ascii_lowercase()));
        let made = KeyPair::generate().and_then(|key| {
            let mut params = authority_params(&own)?;
            set_validity(&mut params, now, AUTHORITY_DAYS);
            Ok((params.self_signed(&key)?, key))
        });
        let (certificate, key) = made.map_err(|error| unusable(&path, &error))?;
        let mut builder = fs::DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .map_err(|error| unusable(&folder, &error))?;
        write(&path, &own, &certificate.pem(), &key)?;
        let authority = Authority {
            folder,
            names: own,
            certificate: certificate.der().clone(),
            key,
        };
        authority.renew(now)?;
        Ok(authority)
    }

    /// Removes the authority of a data directory. Returns `false` if there was none.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn remove(data_dir: &Path) -> Result<bool, Unusable> {
        let folder = data_dir.join(FOLDER_NAME);
        if !folder.join(AUTHORITY).exists() {
            return Ok(false);
        }
        for name in [AUTHORITY, SERVER] {
            check_written_by_fluglog(&folder.join(name))?;
        }
        let dir = Dir::open(&folder).map_err(|error| unusable(&folder, &error))?;
        for name in [AUTHORITY, SERVER] {
            match dir.remove_file(name.as_ref()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(&folder, &error)),
                _ => {}
            }
        }
        // Anything else in the folder belongs to the admin.
        #[expect(
            clippy::disallowed_methods,
            reason = "the system refuses a directory with anything in it"
        )]
        let _ = fs::remove_dir(&folder);
        Ok(true)
    }

    /// Renews the server's certificate if it ends soon or the machine's names or addresses have changed. Returns
    /// whether it was renewed.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn renew(&self, now: i64) -> Result<bool, Unusable> {
        let path = self.server();
        let names = self.server_names();
        let kept = read(&path).unwrap_or_default();
        let end = CertificateDer::from_pem_slice(kept.as_bytes()).ok();
        let end = end.and_then(|certificate| tls::not_after(&certificate));
        let lasts = end.is_some_and(|end| end > now + TimeDelta::days(RENEWAL_DAYS).num_seconds());
        if lasts && names_of(&kept) == names {
            return Ok(false);
        }
        let made = KeyPair::generate().and_then(|key| {
            let mut params = CertificateParams::new(names.clone())?;
            set_validity(&mut params, now, SERVER_DAYS);
            params.distinguished_name.push(DnType::CommonName, "Fluglog");
            params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
            params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
            params.use_authority_key_identifier_extension = true;
            let issuer = authority_params(&self.names)?;
            Ok((params.signed_by(&key, &Issuer::new(issuer, &self.key))?, key))
        });
        let (certificate, key) = made.map_err(|error| unusable(&path, &error))?;
        write(&path, &names, &certificate.pem(), &key)?;
        Ok(true)
    }

    /// Returns the path of the server's certificate and key.
    #[must_use]
    pub fn server(&self) -> PathBuf {
        self.folder.join(SERVER)
    }

    /// Returns the names that the constraints permit besides private addresses; the first one is the machine's.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the certificate that devices have to trust, as DER.
    #[must_use]
    pub fn certificate(&self) -> &[u8] {
        &self.certificate
    }

    /// Returns the SHA-256 of the certificate as operating systems show it: `AB:CD:…`.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(&self.certificate);
        let bytes: Vec<String> = digest.iter().map(|byte| format!("{byte:02X}")).collect();
        bytes.join(":")
    }

    /// Returns whether the constraints permit a name.
    #[must_use]
    pub fn permits(&self, name: &str) -> bool {
        match name.parse::<IpAddr>() {
            Ok(address) => is_private(address),
            Err(_) => self.names.iter().any(|own| own.eq_ignore_ascii_case(name)),
        }
    }

    /// Returns the names of the authority and the machine's current names and addresses.
    #[must_use]
    pub fn server_names(&self) -> Vec<String> {
        let mut names = self.names.clone();
        names.extend(own_names().into_iter().filter(|name| name.ends_with(".local")));
        names.extend([
            "localhost".to_owned(),
            "127.0.0.1".to_owned(),
            Ipv6Addr::LOCALHOST.to_string(),
        ]);
        let addresses = local_network::local_addresses().into_iter();
        names.extend(
            addresses
                .filter(|address| is_private(*address))
                .map(|address| address.to_string()),
        );
        let mut once = Vec::new();
        for name in names {
            if !once.contains(&name) {
                once.push(name);
            }
        }
        once
    }
}

/// Returns this machine's host name, bare and as `.local` (RFC 6762).
fn own_names() -> Vec<String> {
    names_of_host(&link_base::host_name().unwrap_or_else(|| "fluglog".to_owned()))
}

/// Returns the names of the machine with a host name. The bare one is left out if it is a public suffix, as `club` is.
fn names_of_host(host: &str) -> Vec<String> {
    let first = host.split('.').next().unwrap_or_default();
    let mut names = vec![first.to_owned(), format!("{first}.local")];
    names.retain(|name| !is_public_suffix(name));
    names
}

fn is_private(address: IpAddr) -> bool {
    PRIVATE_NETWORKS
        .iter()
        .any(|net| net.parse().is_ok_and(|net: IpNet| net.contains(&address)))
}

/// Returns the authority's parameters; both the self-signed certificate and its use as issuer need them.
fn authority_params(names: &[String]) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    let machine = names.first().map_or("", String::as_str);
    params
        .distinguished_name
        .push(DnType::CommonName, format!("Fluglog auf {machine}"));
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let mut permitted: Vec<_> = PRIVATE_NETWORKS
        .iter()
        .filter_map(|net| net.parse::<IpNet>().ok())
        .map(|net| GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(net.addr(), net.prefix_len())))
        .collect();
    let dns = names.iter().filter(|name| name.parse::<IpAddr>().is_err());
    permitted.extend(
        dns.cloned()
            .chain(["local".to_owned(), "localhost".to_owned()])
            .map(GeneralSubtree::DnsName),
    );
    params.name_constraints = Some(NameConstraints {
        permitted_subtrees: permitted,
        excluded_subtrees: Vec::new(),
    });
    Ok(params)
}

/// Sets the validity: from [`BACKDATE_DAYS`] before today until `days` after it.
fn set_validity(params: &mut CertificateParams, now: i64, days: i64) {
    let today = DateTime::from_timestamp(now, 0).map_or(NaiveDate::MIN, |now| now.date_naive());
    let day = |days: i64| {
        let day = today.checked_add_signed(TimeDelta::days(days)).unwrap_or(today);
        rcgen::date_time_ymd(day.year(), day.month() as u8, day.day() as u8)
    };
    (params.not_before, params.not_after) = (day(-BACKDATE_DAYS), day(days));
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular_file(path)?
        .take(MAX_FILE_BYTES)
        .read_to_string(&mut text)?;
    Ok(text)
}

/// Reads the names in the first line of a file written by Fluglog.
fn names_of(text: &str) -> Vec<String> {
    let line = text.lines().next().and_then(|line| line.strip_prefix("# "));
    line.map(|line| line.split(' ').map(str::to_owned).collect())
        .unwrap_or_default()
}

/// Refuses to overwrite an admin's certificate or key: files written by Fluglog begin with a line of names. A file
/// without either is damaged and may be replaced.
fn check_written_by_fluglog(path: &Path) -> Result<(), Unusable> {
    let text = read(path).unwrap_or_default();
    if names_of(&text).is_empty() && text.contains("-----BEGIN") {
        return Err(Unusable {
            path: path.to_owned(),
            why: "die Datei ist nicht von Fluglog und bleibt, wie sie ist; geben Sie ihr einen anderen Namen"
                .to_owned(),
        });
    }
    Ok(())
}

/// Replaces a file atomically: certificate without key would keep the server from starting.
#[expect(
    clippy::disallowed_methods,
    reason = "what has the name is ours, as `check_written_by_fluglog` saw"
)]
fn write(path: &Path, names: &[String], certificate: &str, key: &KeyPair) -> Result<(), Unusable> {
    check_written_by_fluglog(path)?;
    let unfinished = path.with_extension("new");
    let text = format!("# {}\n{certificate}{}", names.join(" "), key.serialize_pem());
    let written = || -> io::Result<()> {
        let mut file = create_or_truncate(&unfinished)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, path)?;
        fs::File::open(path.parent().unwrap_or(path))?.sync_all()
    };
    written().map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, error: &(dyn std::error::Error + 'static)) -> Unusable {
    tracing::debug!("{}: {error}", path.display());
    let why = match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists) => "ein Teil des Pfads ist kein Verzeichnis",
        Some(io::ErrorKind::PermissionDenied) => "dafür fehlen die Rechte",
        Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => "der Speicher ist voll",
        Some(io::ErrorKind::ReadOnlyFilesystem) => "das Dateisystem ist schreibgeschützt",
        _ => "der Zugriff misslang",
    };
    Unusable {
        path: path.to_owned(),
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;
    use std::time::Duration;

    use tokio_rustls::rustls::RootCertStore;
    use tokio_rustls::rustls::client::WebPkiServerVerifier;
    use tokio_rustls::rustls::client::danger::ServerCertVerifier;
    use tokio_rustls::rustls::crypto::ring;
    use tokio_rustls::rustls::pki_types::{ServerName, UnixTime};

    use super::*;

    /// 25 November 2026.
    const NOW: i64 = 1_795_600_000;
    const DAY: i64 = 86_400;

    fn made(names: &[&str]) -> (tempfile::TempDir, Authority) {
        let place = tempfile::tempdir().unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Authority::create(place.path(), &names, NOW).unwrap();
        let authority = Authority::open(place.path()).unwrap().unwrap();
        (place, authority)
    }

    /// Returns whether a device that trusts the authority accepts a certificate for a name.
    fn accepts(authority: &Authority, certificate: &CertificateDer<'_>, name: &str, now: i64) -> bool {
        let mut roots = RootCertStore::empty();
        roots.add(authority.certificate.clone()).unwrap();
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::new(ring::default_provider()));
        let now = UnixTime::since_unix_epoch(Duration::from_secs(now.unsigned_abs()));
        let name = ServerName::try_from(name.to_owned()).unwrap();
        let verifier = verifier.build().unwrap();
        verifier.verify_server_cert(certificate, &[], &name, &[], now).is_ok()
    }

    fn server(authority: &Authority) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(&fs::read(authority.server()).unwrap()).unwrap()
    }

    /// Signs a certificate as a thief of the key would.
    fn forged(authority: &Authority, name: &str) -> CertificateDer<'static> {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        set_validity(&mut params, NOW, SERVER_DAYS);
        let issuer = Issuer::new(authority_params(&authority.names).unwrap(), &authority.key);
        let key = KeyPair::generate().unwrap();
        params.signed_by(&key, &issuer).unwrap().der().clone()
    }

    #[test]
    fn a_device_that_trusts_it_accepts_this_machine_and_no_foreign_name() {
        let (_place, authority) = made(&["Log.example.org"]);
        let own = server(&authority);
        let machine = authority.names[0].clone();
        for name in [
            "localhost",
            "127.0.0.1",
            "::1",
            "log.example.org",
            &machine,
            &format!("{machine}.local"),
        ] {
            assert!(accepts(&authority, &own, name, NOW), "{name}");
        }
        assert!(!accepts(&authority, &own, "printer.local", NOW));
        for (name, permitted) in [
            ("printer.local", true),
            ("192.168.7.7", true),
            ("bank.example", false),
            ("example.org", false),
            ("9.9.9.9", false),
            ("2001:db8::1", false),
        ] {
            assert_eq!(
                accepts(&authority, &forged(&authority, name), name, NOW),
                permitted,
                "{name}"
            );
        }
    }

    #[test]
    fn the_certificate_is_made_anew_near_its_end_and_the_authority_stays() {
        let (place, authority) = made(&[]);
        let first = server(&authority);
        let ends = NOW + SERVER_DAYS * DAY;
        assert!(accepts(&authority, &first, "localhost", ends - 2 * DAY));
        assert!(!accepts(&authority, &first, "localhost", ends + DAY));
        assert!(!authority.renew(ends - (RENEWAL_DAYS + 2) * DAY).unwrap());
        let later = ends - (RENEWAL_DAYS - 1) * DAY;
        assert!(authority.renew(later).unwrap());
        assert!(!authority.renew(later).unwrap());
        assert_ne!(server(&authority), first);
        assert!(accepts(&authority, &server(&authority), "localhost", ends + DAY));
        let again = Authority::open(place.path()).unwrap().unwrap();
        assert_eq!(again.fingerprint(), authority.fingerprint());
    }

    #[test]
    fn keys_of_an_authority_are_for_their_owner_alone_and_are_removed_with_it() {
        let (place, authority) = made(&[]);
        for path in [authority.server(), place.path().join(FOLDER_NAME).join(AUTHORITY)] {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert!(Authority::remove(place.path()).unwrap());
        assert!(!place.path().join(FOLDER_NAME).exists());
        assert!(!Authority::remove(place.path()).unwrap());
        assert!(Authority::open(place.path()).unwrap().is_none());
    }

    #[test]
    fn a_damaged_file_is_named() {
        let (place, _authority) = made(&[]);
        fs::write(place.path().join(FOLDER_NAME).join(AUTHORITY), "# pi\nnothing").unwrap();
        assert!(
            Authority::open(place.path())
                .err()
                .unwrap()
                .path
                .ends_with("tls/authority.pem")
        );
    }

    #[test]
    fn further_names_are_no_whole_endings_and_addresses_are_private() {
        for name in [
            "fluglog.example.org",
            "pi.fritz.box",
            "192.168.1.5",
            "fd00::1",
            "100.64.0.7",
            "pi.local",
            "pi.home.arpa",
        ] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            "de",
            "pi",
            ".de",
            "a..de",
            "-a.de",
            "a_b.de",
            "9.9.9.9",
            "2001:db8::1",
            "*.example.org",
            "a b.de",
            "co.uk",
            "Github.io",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn a_machine_that_is_called_like_a_public_ending_gets_no_authority_for_it() {
        assert_eq!(names_of_host("club"), ["club.local"]);
        assert_eq!(names_of_host("Club.example.org"), ["Club.local"]);
        assert_eq!(names_of_host("fluglog"), ["fluglog", "fluglog.local"]);
    }
}

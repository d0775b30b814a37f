//! A value of a setting from the file or the environment, parsed as its key demands. Knows no key.

use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use ipnet::IpNet;
use url::Url;

use super::public_url::PublicUrl;
use super::text::{nearest, shown, whole_number};
use fluglog_base::number;
use fluglog_base::time::Zone;

/// A value as its source gave it: typed by TOML, or the text of an environment variable.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    File(&'a toml::Value),
    Variable(&'a OsStr),
}

impl<'a> Value<'a> {
    fn text(self) -> Option<&'a str> {
        match self {
            Value::File(value) => value.as_str(),
            Value::Variable(value) => value.to_str(),
        }
    }

    pub(super) fn path(self) -> Result<PathBuf, String> {
        let path = match self {
            Value::File(value) => value.as_str().map(PathBuf::from),
            Value::Variable(value) => Some(PathBuf::from(value)),
        };
        path.filter(|path| is_usable(path)).ok_or_else(|| EXPECTED_PATH.into())
    }

    /// Reads a path; an empty text means the default, no file.
    pub(super) fn optional_path(self) -> Result<Option<PathBuf>, String> {
        if self.text() == Some("") {
            return Ok(None);
        }
        self.path().map(Some)
    }

    /// Reads a text of one line, unchanged.
    pub(super) fn line(self) -> Result<String, String> {
        self.text()
            .filter(|text| !text.contains(char::is_control))
            .map(str::to_owned)
            .ok_or_else(|| "ein Text in einer Zeile".into())
    }

    /// Reads the host name or address of a machine, or an empty text.
    pub(super) fn host(self) -> Result<String, String> {
        let odd = |character: char| !(character.is_ascii_alphanumeric() || ".-_:".contains(character));
        self.text()
            .filter(|text| !text.contains(odd) && (!text.contains(':') || text.parse::<IpAddr>().is_ok()))
            .map(str::to_owned)
            .ok_or_else(|| "ein Rechnername ohne http:// und ohne Port, zum Beispiel smtp.example.org".into())
    }

    /// Reads a mail address, optionally with a name before it, or an empty text.
    pub(super) fn sender(self) -> Result<String, String> {
        let is_sender = |text: &str| match text.strip_suffix('>').and_then(|text| text.split_once('<')) {
            Some((name, address)) => !name.contains(['"', '<', '>', '@', ',', ';']) && is_address(address),
            None => text.is_empty() || is_address(text),
        };
        self.line()
            .ok()
            .filter(|text| is_sender(text))
            .ok_or_else(|| "eine Adresse wie fluglog@example.org oder Fluglog <fluglog@example.org>".into())
    }

    /// Reads a bare mail address, or an empty text.
    pub(super) fn optional_mail_address(self) -> Result<String, String> {
        self.line()
            .ok()
            .filter(|text| text.is_empty() || is_address(text))
            .ok_or_else(|| "eine Adresse wie betreiber@example.org".into())
    }

    /// Reads one of a few words and returns its meaning.
    pub(super) fn choice<T: Copy>(self, choices: &[(&str, T)]) -> Result<T, String> {
        let chosen = choices.iter().find(|(word, _)| Some(*word) == self.text());
        chosen.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let words: Vec<_> = choices.iter().map(|(word, _)| format!("„{word}“")).collect();
            words.join(" oder ")
        })
    }

    pub(super) fn boolean(self) -> Result<bool, String> {
        let boolean = match self {
            Value::File(value) => value.as_bool(),
            Value::Variable(_) => self.text().and_then(|text| text.parse().ok()),
        };
        boolean.ok_or_else(|| "true oder false".to_owned())
    }

    /// Returns the items of a TOML list, or of a comma-separated text; an empty text has none.
    fn list<T>(self, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
        let texts: Option<Vec<&str>> = match self {
            Value::File(toml::Value::Array(items)) => items.iter().map(toml::Value::as_str).collect(),
            _ => match self.text() {
                Some("") => Some(Vec::new()),
                text => text.map(|text| text.split(',').collect()),
            },
        };
        texts?.iter().map(|text| read(text.trim())).collect()
    }

    pub(super) fn networks(self) -> Result<Vec<IpNet>, String> {
        let network = |text: &str| {
            text.parse()
                .ok()
                .or_else(|| text.parse::<IpAddr>().map(IpNet::from).ok())
        };
        self.list(network)
            .ok_or_else(|| "eine Liste von Netzen, zum Beispiel 127.0.0.1/32 oder 192.168.0.0/16".into())
    }

    pub(super) fn addresses(self) -> Result<Vec<SocketAddr>, String> {
        self.list(|text| text.parse().ok())
            .filter(|addresses| !addresses.is_empty())
            .ok_or_else(|| {
                let port = self.text().and_then(|text| text.strip_prefix(':')?.parse::<u16>().ok());
                let port = port.unwrap_or(8080);
                format!("IP-Adresse und Port, zum Beispiel 0.0.0.0:{port} für alle Netze oder [::1]:{port}")
            })
    }

    /// Reads an address and port; an empty text means the default, no address.
    pub(super) fn optional_address(self) -> Result<Option<SocketAddr>, String> {
        match self.text() {
            Some("") => Ok(None),
            text => text
                .and_then(|text| text.parse().ok())
                .map(Some)
                .ok_or_else(|| "IP-Adresse und Port, zum Beispiel 127.0.0.1:9090".into()),
        }
    }

    pub(super) fn time_zone(self) -> Result<Zone, String> {
        let name = self.text().unwrap_or_default();
        Zone::named(name).ok_or_else(|| {
            // A city's own zone beats the smallest edit distance: „Berlin“ means Europe/Berlin.
            let city = Zone::names().find(|zone| {
                zone.rsplit('/')
                    .next()
                    .is_some_and(|city| city.eq_ignore_ascii_case(name))
            });
            let nearest = city.unwrap_or_else(|| nearest(name, Zone::names().map(|zone| (zone, zone))));
            format!("ein Name wie Europe/Berlin (am ähnlichsten ist {nearest})")
        })
    }

    /// Reads the public address; an empty text means the default, no address.
    pub(super) fn public_url(self) -> Result<Option<PublicUrl>, String> {
        match self.text() {
            Some("") => Ok(None),
            text => text.and_then(PublicUrl::parse).map(Some).ok_or_else(|| {
                "http:// oder https:// mit Rechnername und ohne Pfad, zum Beispiel https://fluglog.example.org".into()
            }),
        }
    }

    /// Reads the name of a header, in lower case; empty for none.
    pub(super) fn header_name(self) -> Result<String, String> {
        let is_token = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let name = self.text().filter(is_token).map(str::to_ascii_lowercase);
        name.ok_or_else(|| "der Name eines Headers wie Remote-Email".into())
    }

    /// Reads an address with a path; empty for none.
    pub(super) fn optional_url(self) -> Result<String, String> {
        let is_web = |text: &str| Url::parse(text).is_ok_and(|url| ["http", "https"].contains(&url.scheme()));
        let url = self.text().filter(|text| text.is_empty() || is_web(text));
        url.map(str::to_owned).ok_or_else(|| {
            "eine Adresse mit http:// oder https://, zum Beispiel https://auth.example.org/logout".into()
        })
    }

    pub(super) fn seconds(self, range: RangeInclusive<f64>) -> Result<f64, String> {
        let seconds = match self {
            Value::File(toml::Value::Float(seconds)) => Some(*seconds),
            Value::File(toml::Value::Integer(seconds)) => u32::try_from(*seconds).ok().map(f64::from),
            Value::File(_) => None,
            Value::Variable(_) => self.text().and_then(number::parse),
        };
        seconds.filter(|seconds| range.contains(seconds)).ok_or_else(|| {
            let (least, most) = (
                number::format_german(*range.start(), 1),
                number::format_german(*range.end(), 1),
            );
            format!("eine Zahl von {least} bis {most} (Sekunden)")
        })
    }

    pub(super) fn integer(self, range: RangeInclusive<usize>) -> Result<usize, String> {
        let whole = match self {
            Value::File(value) => value.as_integer().and_then(|value| usize::try_from(value).ok()),
            Value::Variable(_) => self.text().and_then(whole_number),
        };
        whole
            .filter(|whole| range.contains(whole))
            .ok_or_else(|| format!("eine ganze Zahl von {} bis {}", range.start(), range.end()))
    }

    /// Reads a table; in the environment it is TOML on one line.
    pub(super) fn table(self) -> Result<toml::Table, String> {
        let of_text = |text: &str| match toml::from_str::<toml::Table>(&format!("table = {text}"))
            .ok()?
            .remove("table")
        {
            Some(toml::Value::Table(table)) => Some(table),
            _ => None,
        };
        let table = match self {
            Value::File(value) => value.as_table().cloned(),
            Value::Variable(_) => self.text().and_then(of_text),
        };
        table.ok_or_else(|| "ein Abschnitt mit einem Namen, zum Beispiel [backup.targets.nas]".into())
    }

    /// Returns the names in a table, whose values may be secret.
    pub(super) fn names(self) -> String {
        match self.table() {
            Ok(table) => table.keys().map(|name| shown(name)).collect::<Vec<_>>().join(", "),
            Err(_) => "…".to_owned(),
        }
    }

    /// Reads a number of bytes: `500 MB`, or a whole number alone.
    pub(super) fn bytes(self) -> Result<u64, String> {
        let bytes = match self {
            Value::File(toml::Value::Integer(bytes)) => u64::try_from(*bytes).ok(),
            _ => self.text().and_then(number::bytes),
        };
        bytes.ok_or_else(|| "eine Größe wie „500 MB“ oder „10 GB“".into())
    }

    /// Returns the value for an error's sentence.
    pub(super) fn shown(self) -> String {
        match self {
            Value::File(toml::Value::String(text)) => shown(text),
            Value::File(value) => shown(&value.to_string()),
            Value::Variable(value) => shown(&value.to_string_lossy()),
        }
    }
}

pub(super) const EXPECTED_PATH: &str = "ein Pfad, der nicht leer ist";

pub(super) fn is_usable(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    !bytes.is_empty() && !bytes.contains(&0)
}

fn is_address(address: &str) -> bool {
    let odd = |character: char| character.is_whitespace() || "@<>,;:\"()[]\\".contains(character);
    address.split_once('@').is_some_and(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !local.contains(odd) && !domain.contains(odd)
    })
}

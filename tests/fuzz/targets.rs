//! The parsers that read what strangers send, each as a function of any bytes. None may panic, hang, or leave something behind.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use fluglog::app::App;
use fluglog::archive::{check, reader};
use fluglog::base::config::Config;
use fluglog::base::id::UserId;
use fluglog::base::input::Fields;
use fluglog::base::picture::{self, Asker};
use fluglog::base::time::{Date, WallTime};
use fluglog::base::waiting::Waiting;
use fluglog::base::{number, text};
use fluglog::control::question::AnyTask;
use fluglog::mail::address::Email;
use fluglog::mail::parse;
use fluglog::store::loading::Loading;
use fluglog::store::{Store, blobs, schema};
use fluglog::web::client::{Client, Peer};
use fluglog::web::cookies::Cookies;
use fluglog::web::multipart::{self, Files};
use fluglog::web::{assets, form, tls};
use warp::http::header::{HeaderMap, HeaderName, HeaderValue};

/// A parser by its name.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const ALL: &[Target] = &[
    ("multipart", multipart),
    ("form", form),
    ("json", json),
    ("cookies", cookies),
    ("forwarded", forwarded),
    ("conditional", conditional),
    ("email", email),
    ("socket", socket),
    ("outbox", outbox),
    ("certificate", certificate),
    ("record", record),
    ("archive", archive),
    ("dates", dates),
    ("numbers", numbers),
    ("picture", picture),
];

/// An application with an empty data directory, which goes with the process.
static APP: LazyLock<(tempfile::TempDir, Arc<App>)> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(blobs::FOLDER_NAME)).unwrap();
    let config = Config {
        data_dir: directory.path().to_owned(),
        ..Config::default()
    };
    let store = Store::open(directory.path(), true).unwrap();
    (directory, Arc::new(App::new(config, store)))
});

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
});

const FILES: Files = Files {
    field: "files",
    missing: Some(text::FILE_MISSING),
    most: 3,
    too_many: text::BAD_REQUEST,
    most_bytes: 1024 * 1024,
    too_large: text::BAD_REQUEST,
};

/// The first byte says in pieces of how many bytes the body comes.
fn multipart(data: &[u8]) {
    let Some((piece, body)) = data.split_first() else {
        return;
    };
    let (directory, app) = &*APP;
    let pieces = body.chunks(usize::from(*piece) + 1);
    let stream = futures_util::stream::iter(pieces.map(Ok::<_, std::io::Error>));
    let kind = Some("multipart/form-data; boundary=x");
    let parts = RUNTIME.block_on(multipart::read(app, kind, stream, &FILES));
    if let Ok((_, uploads)) = &parts {
        assert!(uploads.iter().all(|upload| !upload.name.is_empty()));
    }
    drop(parts);
    let left = fs::read_dir(directory.path().join(blobs::FOLDER_NAME)).unwrap();
    assert_eq!(left.count(), 0, "a part of a body stays on the disk");
}

fn form(data: &[u8]) {
    if let Ok(query) = std::str::from_utf8(data) {
        let _ = form::query(query);
    }
}

fn json(data: &[u8]) {
    if let Ok(json) = std::str::from_utf8(data) {
        let _ = Fields::from_json(json);
    }
}

/// A header of each line: its name, a colon, its value.
fn headers(data: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in data.split(|byte| *byte == b'\n').take(64) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            continue;
        };
        let name = HeaderName::from_bytes(&line[..colon]);
        let value = HeaderValue::from_bytes(&line[colon + 1..]);
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    headers
}

fn cookies(data: &[u8]) {
    let headers = headers(data);
    for https in [false, true] {
        let _ = Cookies::from_headers(&headers, https);
    }
}

fn forwarded(data: &[u8]) {
    let peer = Peer {
        address: [127, 0, 0, 1].into(),
        https: false,
    };
    let trusted = ["127.0.0.0/8".parse().unwrap(), "10.0.0.0/8".parse().unwrap()];
    let client = Client::of(peer, &headers(data), &trusted);
    let _ = client.origin();
}

fn conditional(data: &[u8]) {
    let headers = headers(data);
    for path in ["", "index.html", "assets/none.js"] {
        let _ = assets::ui(path, &headers);
    }
}

fn email(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(email) = Email::parse(text) {
        assert_eq!(Email::parse(&email.typed), Some(email));
    }
}

fn socket(data: &[u8]) {
    let _ = serde_json::from_slice::<AnyTask>(data);
}

fn outbox(data: &[u8]) {
    if let Ok(mail) = std::str::from_utf8(data) {
        let _ = parse::parse(mail);
    }
}

fn certificate(data: &[u8]) {
    let directory = tempfile::tempdir().unwrap();
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| directory.path().join(name));
    // The key follows the certificate after an empty line.
    let end = data.windows(2).position(|pair| pair == b"\n\n").unwrap_or(data.len());
    fs::write(&certificate, &data[..end]).unwrap();
    fs::write(&key, &data[end..]).unwrap();
    let settings = fluglog::base::config::tls::Tls {
        certificate: Some(certificate),
        key: Some(key),
    };
    let _ = tls::Tls::load(&settings);
}

/// A row of the table that the first byte chooses: the length of its key, the key, and a record without a checksum, which is added.
fn record(data: &[u8]) {
    let [table, key_bytes, rest @ ..] = data else { return };
    let table = schema::ALL[usize::from(*table) % schema::ALL.len()];
    let Some((key, record)) = rest.split_at_checked(usize::from(*key_bytes) % 64) else {
        return;
    };
    // The bit of records whose checksum covers their key.
    let mut value = record.to_vec();
    if let Some(version) = value.first_mut() {
        *version &= 0x7f;
    }
    value.extend_from_slice(&crc32fast::hash(&value).to_le_bytes());
    let database = Loading::in_memory().unwrap();
    if database.insert(table.name(), &[(key, &value)]).is_ok() && database.complete().is_ok() {
        let _ = database.read(|data| Ok(check::survey(data)));
    }
}

fn archive(data: &[u8]) {
    let _ = reader::read(data, &Loading::in_memory().unwrap(), None::<&Path>);
}

fn dates(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(time) = WallTime::parse(text) {
        assert_eq!(WallTime::parse(&time.to_string()), Ok(time));
        assert_eq!(WallTime::from_minutes(time.minutes()), Some(time));
    }
    if let Ok(date) = Date::parse(text) {
        assert_eq!(Date::parse(&date.to_string()), Ok(date));
    }
}

fn numbers(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(number) = number::parse(text) {
        assert!(number.is_finite() && number >= 0.0);
        let _ = number::german(number, 3);
        let _ = number::duration(number);
    }
}

fn picture(data: &[u8]) {
    let mut file = std::io::Cursor::new(data);
    let asker = Asker {
        pilot: UserId::from_key(1),
        waiting: &Waiting::in_any_case(),
    };
    let (_, app) = &*APP;
    let _ = picture::prepare(&app.picture_memory, &asker, "files", &mut file, data.len() as u64);
}

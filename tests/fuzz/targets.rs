//! The parsers that read what strangers send, each as a function of any bytes. None may panic, hang, or leave something
//! behind.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs;
use std::future::poll_fn;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use fluglog::archive::{check, reader, recover};
use fluglog::calls;
use fluglog::control::question::AnyTask;
use fluglog::targets::{Keys, answers};
use fluglog_accounts::administration;
use fluglog_accounts::call::Handler;
use fluglog_app::App;
use fluglog_base::dir::Dir;
use fluglog_base::file_name;
use fluglog_base::id::UserId;
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::Requester;
use fluglog_base::time::{Clock, Date, WallTime};
use fluglog_base::{number, text};
use fluglog_config::public_url::PublicUrl;
use fluglog_config::smtp::{self, Password, Smtp};
use fluglog_config::targets as settings;
use fluglog_config::{Config, Limits};
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_mail::{Mailer, parse};
use fluglog_readers::formats::table::{self, Origin};
use fluglog_readers::formats::workbook::Workbook;
use fluglog_readers::formats::{self, Format, Recognised, Utf8Reader, pilot_export, zip};
use fluglog_readers::segmenter::Segmenter;
use fluglog_store::builder::DatabaseBuilder;
use fluglog_store::{Store, blobs, schema};
use fluglog_web::client::{Client, Peer};
use fluglog_web::cookies::Cookies;
use fluglog_web::credentials::{Credentials, TOKEN_PREFIX};
use fluglog_web::multipart::{self, Files};
use fluglog_web::{assets, form, link_base, tls};
use hyper::body::Body as _;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use nix::time::{ClockId, clock_gettime};
use tokio::io::AsyncWriteExt as _;
use tokio_util::sync::CancellationToken;
use warp::filters::BoxedFilter;
use warp::http::header::{CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, SET_COOKIE};
use warp::http::{Method, Request};
use warp::reply::Response;

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
    ("recover", recover_damaged),
    ("damaged", damaged),
    ("dates", dates),
    ("numbers", numbers),
    ("jpeg", |data| {
        picture(data, |data| data.starts_with(&[0xff, 0xd8, 0xff]))
    }),
    ("png", |data| picture(data, |data| data.starts_with(b"\x89PNG"))),
    ("webp", |data| picture(data, |data| data.get(8..12) == Some(b"WEBP"))),
    ("gif", |data| picture(data, |data| data.starts_with(b"GIF8"))),
    ("picture", |data| picture(data, |_| true)),
    ("call", call),
    ("edgetx", |data| flight_file(Format::EdgeTx, data)),
    ("dji_txt", |data| flight_file(Format::DjiTxt, data)),
    ("airdata", |data| flight_file(Format::Airdata, data)),
    ("litchi", |data| flight_file(Format::Litchi, data)),
    ("drone_log_table", |data| flight_file(Format::OpenDroneLogTable, data)),
    ("drone_log_json", |data| flight_file(Format::OpenDroneLogJson, data)),
    ("dji_csv", |data| flight_file(Format::DjiCsv, data)),
    ("gpx", |data| flight_file(Format::Gpx, data)),
    ("kml", |data| flight_file(Format::Kml, data)),
    ("geojson", |data| flight_file(Format::GeoJson, data)),
    ("srt", |data| flight_file(Format::Srt, data)),
    ("table", |data| flight_file(Format::Table, data)),
    ("blackbox", |data| flight_file(Format::Blackbox, data)),
    ("dataflash", |data| flight_file(Format::DataFlash, data)),
    ("tlog", |data| flight_file(Format::Tlog, data)),
    ("ulog", |data| flight_file(Format::ULog, data)),
    ("spektrum", |data| flight_file(Format::Spektrum, data)),
    ("jeti", |data| flight_file(Format::Jeti, data)),
    ("osd", |data| flight_file(Format::Osd, data)),
    ("hott", |data| flight_file(Format::Hott, data)),
    ("yuneec", |data| flight_file(Format::Yuneec, data)),
    ("igc", |data| flight_file(Format::Igc, data)),
    ("workbook", workbook),
    ("vbar", |data| flight_file(Format::VBar, data)),
    ("pilot_export", pilot_export),
    ("flight_archive", flight_archive),
    ("mail_server", mail_server),
    ("s3", s3),
    ("webdav", webdav),
    ("age", age),
    ("credentials", credentials),
    ("names", names),
];

/// Time of the processor for one picture: what the program allows, and what comes between two looks at the clock.
const MAX_PICTURE: Duration = Duration::from_secs(15);
/// Calls until the next ones find empty data again.
const MAX_CALLS: usize = 2000;
/// Calls that end the login, or hash a password each time.
const NOT_CALLED: [&str; 4] = ["Logout", "LogOutFromEveryDevice", "EndSession", "SavePassword"];

/// An application with an empty data directory, which goes with the process.
static APP: LazyLock<(tempfile::TempDir, Arc<App>)> = LazyLock::new(new_app);

fn new_app() -> (tempfile::TempDir, Arc<App>) {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(blobs::folder::FOLDER_NAME)).unwrap();
    let config = Config {
        data_dir: directory.path().to_owned(),
        limits: Limits {
            login_wait_seconds: 0.0,
            ..Limits::default()
        },
        ..Config::default()
    };
    let store = Store::open(directory.path(), true).unwrap();
    (directory, Arc::new(App::new(config, store)))
}

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
});

const PEER: Peer = Peer {
    address: IpAddr::V4(Ipv4Addr::LOCALHOST),
    https: false,
};

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
    let unlimited = Arc::new(|_: &App, _: &_, _| Ok(None));
    let parts = RUNTIME.block_on(multipart::read(
        app,
        UserId::from_key(1),
        unlimited,
        kind,
        stream,
        &FILES,
    ));
    if let Ok(received) = &parts {
        assert!(received.uploads.iter().all(|upload| !upload.name.is_empty()));
    }
    drop(parts);
    let left = fs::read_dir(directory.path().join(blobs::folder::FOLDER_NAME)).unwrap();
    assert_eq!(left.count(), 0, "a part of a body stays on the disk");
}

/// Reads a file as one of a format, recognised or not.
fn flight_file(format: Format, content: &[u8]) {
    let head = &content[..content.len().min(formats::HEAD_BYTES)];
    let mapping = match formats::recognise(head, content.len() as u64) {
        Recognised::Table(layout) => {
            let mut source = content;
            let analysis = table::analyse(&mut source, head, &layout.guess, Origin::Guessed, 2026);
            Some(analysis.map_or(layout.guess, |analysis| analysis.mapping))
        }
        _ => None,
    };
    let mut segmenter = Segmenter::default();
    let mut source = content;
    let _ = formats::read(
        format,
        &mut source,
        head,
        "Name-2026-05-09-101112.csv",
        mapping.as_ref(),
        &mut segmenter,
    );
    for found in segmenter.finish().found {
        let figures = found.figures;
        let numbers = [
            figures.height,
            figures.distance,
            figures.farthest,
            figures.speed,
            figures.start_volts,
            figures.end_volts,
            figures.consumed,
            found.duration,
        ];
        assert!(
            numbers
                .iter()
                .flatten()
                .all(|number| number.is_finite() && *number >= 0.0)
        );
    }
}

/// A file of another Fluglog's export, read as each of those that there are.
fn pilot_export(data: &[u8]) {
    let (mut items, mut flights, mut track) = (data, data, data);
    let _ = Utf8Reader::new(&mut items, &[]).map(pilot_export::read_items);
    let _ = Utf8Reader::new(&mut flights, &[]).map(|text| pilot_export::read_list(text, &mut |_| Ok(())));
    let points = Utf8Reader::new(&mut track, &[]).map(pilot_export::read_track);
    for point in points.into_iter().flatten().flatten() {
        assert!(point.latitude.abs() <= 90.0 && point.longitude.abs() <= 180.0);
    }
}

fn workbook(data: &[u8]) {
    let mut archive = std::io::Cursor::new(data);
    let members = zip::members(&mut archive).unwrap_or_default();
    if let Some(workbook) = Workbook::of(&members) {
        for sheet in workbook.sheets(&mut archive, &members).unwrap_or_default() {
            flight_file(Format::Table, &sheet.text);
        }
    }
}

fn flight_archive(data: &[u8]) {
    let mut archive = std::io::Cursor::new(data);
    for member in zip::members(&mut archive).unwrap_or_default() {
        if let Ok(mut content) = zip::open(&mut archive, &member, 1024 * 1024) {
            let _ = std::io::copy(&mut content, &mut std::io::sink());
        }
    }
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
    let trusted = ["127.0.0.0/8".parse().unwrap(), "10.0.0.0/8".parse().unwrap()];
    let client = Client::from_request(PEER, &headers(data), &trusted);
    let (_, app) = &*APP;
    let base = link_base::base_for(app, &client);
    assert!(PublicUrl::parse(&base).is_some(), "no base of a link: {base}");
}

fn conditional(data: &[u8]) {
    let headers = headers(data);
    for path in ["", "index.html", "assets/none.js"] {
        let _ = assets::ui(path, true, &headers);
    }
    let _ = assets::openapi(&headers);
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
    let settings = fluglog_config::tls::Tls {
        certificate: Some(certificate),
        key: Some(key),
    };
    let _ = tls::Tls::load(&settings);
}

/// A row of the table that the first byte chooses: the length of its key, the key, and a record without a checksum,
/// which is added.
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
    let database = DatabaseBuilder::in_memory().unwrap();
    if database.insert(table.name(), &[(key, &value)]).is_ok() && database.complete().is_ok() {
        let _ = database.read(|data| Ok(check::survey(data)));
    }
}

fn archive(data: &[u8]) {
    let _ = reader::read(data, &DatabaseBuilder::in_memory().unwrap(), None::<&Path>);
}

/// A data directory with the database of the first release, in which each five bytes change another one: where it is,
/// four bytes, and how.
fn damaged_directory(data: &[u8], is_killed: bool) -> tempfile::TempDir {
    let mut database = include_bytes!("../fixtures/1.3.0/fluglog.redb").to_vec();
    if is_killed {
        // redb's mark of a file that wasn't closed.
        database[9] |= 2;
    }
    for change in data.chunks_exact(5) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % database.len();
        database[at] ^= change[4];
    }
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(fluglog_store::FILE_NAME), database).unwrap();
    directory
}

/// Whatever is found in a damaged database makes an archive that is whole.
fn recover_damaged(data: &[u8]) {
    let directory = damaged_directory(data, false);
    let mut recovered = Vec::new();
    if recover::recover(
        directory.path(),
        &Clock::fixed(0, Config::default().time_zone),
        &mut recovered,
    )
    .is_ok()
    {
        let again = reader::read(&recovered[..], &DatabaseBuilder::in_memory().unwrap(), None::<&Path>);
        assert!(again.is_ok(), "{:?}", again.err());
    }
}

/// A damaged database that wasn't closed is opened, read from beginning to end, and written to or not.
fn damaged(data: &[u8]) {
    let directory = damaged_directory(data, true);
    if let Ok(store) = Store::open(directory.path(), false) {
        let _ = store.examine(|data| Ok(check::survey(data)));
        let written = store.write(|_| Ok(()));
        assert!(!store.is_read_only() || written.is_err());
    }
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
        let _ = number::format_german(number, 3);
        let _ = number::duration(number);
    }
}

/// What a mail server says while it takes a mail.
fn mail_server(data: &[u8]) {
    static MAILER: LazyLock<(Mailer, Mail)> = LazyLock::new(|| {
        let smtp = Smtp {
            host: "localhost".to_owned(),
            from: "fluglog@example.org".to_owned(),
            encryption: smtp::Encryption::None,
            user: "fluglog".to_owned(),
            ..Smtp::default()
        };
        let config = Config {
            smtp,
            ..Config::default()
        };
        (Mailer::new(&config), letter::TEST.to("anna@example.org", &[]))
    });
    let (mailer, mail) = &*MAILER;
    RUNTIME.block_on(async {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (mut reading, mut writing) = tokio::io::split(theirs);
        let said = data.to_owned();
        let server = async move {
            let _ = writing.write_all(&said).await;
            let _ = writing.shutdown().await;
            let _ = tokio::io::copy(&mut reading, &mut tokio::io::sink()).await;
        };
        let (_, sent) = tokio::join!(server, mailer.send_over(ours, mail));
        if let Ok(answer) = sent {
            assert!(answer.chars().count() <= 300);
        }
    });
}

/// What an S3-compatible store answers.
fn s3(data: &[u8]) {
    let answer = String::from_utf8_lossy(data);
    if let Ok((files, _)) = answers::page(&answer, "fluglog/") {
        assert!(files.iter().all(|file| file.name.len() < 100));
    }
    let _ = answers::upload(&answer);
    let _ = answers::code(&answer);
}

/// What a WebDAV server answers.
fn webdav(data: &[u8]) {
    let _ = answers::multistatus(&String::from_utf8_lossy(data));
}

/// An archive of a target that encrypts.
fn age(data: &[u8]) {
    static KEYS: LazyLock<[settings::Encryption; 1]> = LazyLock::new(|| {
        let passphrase = Password::from("correct horse".to_owned());
        [settings::Encryption::Passphrase(passphrase)]
    });
    let keys = Keys::of(KEYS.iter(), None).unwrap();
    let content = std::io::Cursor::new(data.to_owned());
    if let Ok(mut plain) = keys.open(content) {
        let _ = std::io::copy(&mut plain, &mut std::io::sink());
    }
}

/// Headers that say who sends a request: cookies, the token of a script, the login of a proxy.
fn credentials(data: &[u8]) {
    let headers = headers(data);
    let trusted = ["127.0.0.0/8".parse().unwrap()];
    let client = Client::from_request(PEER, &headers, &trusted).with_login(PEER, &headers, &trusted, "remote-user");
    let logins = headers.get_all("remote-user").iter().count();
    assert!(client.login.is_none() || logins == 1);
    let token = Credentials::from_headers(&headers, false).access_token;
    assert!(token.is_none_or(|token| token.starts_with(TOKEN_PREFIX)));
}

/// Names of files, as pilots, archives and folders bring them.
fn names(data: &[u8]) {
    let name = String::from_utf8_lossy(data);
    let safe = file_name::safe(&name);
    assert!(!safe.is_empty() && !safe.contains(['/', '\\', '\0']), "{safe:?}");
    assert!(![".", ".."].contains(&safe.as_str()));
    let path = Path::new(OsStr::from_bytes(data));
    let (directory, _) = &*APP;
    if Dir::open(directory.path()).unwrap().open_file_below(path).is_ok() {
        let only_names = path.components().all(|step| matches!(step, Component::Normal(_)));
        assert!(only_names, "{path:?} leads out of its folder");
    }
}

fn picture(data: &[u8], is_one: fn(&[u8]) -> bool) {
    if !is_one(data) {
        return;
    }
    let mut file = std::io::Cursor::new(data);
    let asker = Requester {
        pilot: UserId::from_key(1),
        cancellation: &CancellationToken::new(),
    };
    let (_, app) = &*APP;
    let time = || {
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
            .map(Duration::from)
            .unwrap()
    };
    let begun = time();
    let _ = fluglog_picture::prepare(&app.picture_memory, &asker, "files", &mut file, data.len() as u64);
    let took = time() - begun;
    assert!(took < MAX_PICTURE, "a picture of {} bytes took {took:?}", data.len());
}

/// A server with a pilot who is logged in and has one of most things.
struct World {
    routes: BoxedFilter<(Response,)>,
    cookie: String,
    /// The ids of what the pilot has, by what stands for them in a seed.
    ids: Vec<(&'static str, String)>,
    calls_left: usize,
    _directory: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let (directory, app) = new_app();
        administration::add_user(&app, "anna@example.org", "Anna", Some("Propeller-17"), false).unwrap();
        let mut world = World {
            routes: fluglog::server::routes(app),
            cookie: String::new(),
            ids: Vec::new(),
            calls_left: MAX_CALLS,
            _directory: directory,
        };
        let login = world.ask("Login", b"email=anna@example.org&password=Propeller-17");
        let cookies = login.headers().get_all(SET_COOKIE).iter();
        let pairs: Vec<_> = cookies
            .filter_map(|cookie| cookie.to_str().unwrap().split(';').next())
            .collect();
        world.cookie = pairs.join("; ");
        for (name, call, fields) in [
            ("@copter", "SaveNewEquipment", r#"equipment={"type":0,"name":"Falke"}"#),
            ("@battery", "SaveNewEquipment", r#"equipment={"type":1,"name":"Akku"}"#),
            (
                "@flight",
                "AddFlight",
                r#"config={"copter":"@copter","equipments":["@battery"]}&flight={"startTime":"01.05.2026 10:00"}"#,
            ),
            (
                "@document",
                "UploadUserDocument",
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\na\r\n--x--\r\n",
            ),
        ] {
            let answer = world.ask(call, fields.as_bytes());
            assert!(answer.status().is_success(), "{call}: {}", answer.status());
            let object: serde_json::Value = serde_json::from_slice(&RUNTIME.block_on(whole(answer))).unwrap();
            world.ids.push((name, object["dpfId"].as_str().unwrap().to_owned()));
        }
        world
    }

    /// A call with its fields as its body, or as its query.
    fn ask(&self, name: &str, fields: &[u8]) -> Response {
        let call = calls::named(name).unwrap();
        let mut fields = Cow::Borrowed(fields);
        for (name, id) in &self.ids {
            while let Some(at) = fields.windows(name.len()).position(|part| part == name.as_bytes()) {
                fields.to_mut().splice(at..at + name.len(), id.bytes());
            }
        }
        let kind = match call.handler {
            Handler::Upload(..) => "multipart/form-data; boundary=x",
            _ => "application/x-www-form-urlencoded",
        };
        let (query, body) = match call.method {
            Method::GET => (String::from_utf8_lossy(&fields).into_owned(), Vec::new()),
            _ => (String::new(), fields.into_owned()),
        };
        let request = Request::builder()
            .method(&call.method)
            .uri(format!("/app/api/{name}?{query}"))
            .header(HOST, "localhost")
            .header(COOKIE, &self.cookie)
            .header(CONTENT_TYPE, kind)
            .extension(PEER)
            .body(Response::new(body.into()).into_body());
        // Not every text can be a query.
        let Ok(request) = request else {
            return Response::default();
        };
        let service = TowerToHyperService::new(warp::service(self.routes.clone()));
        RUNTIME.block_on(service.call(request)).unwrap()
    }
}

async fn whole(answer: Response) -> Vec<u8> {
    let mut body = pin!(answer.into_body());
    let mut whole = Vec::new();
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        whole.extend_from_slice(&frame.unwrap().into_data().unwrap());
    }
    whole
}

/// The first line names the call, the rest are its fields.
fn call(data: &[u8]) {
    thread_local! {
        static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
    }
    let Some(end) = data.iter().position(|byte| *byte == b'\n') else {
        return;
    };
    let called = calls::all().find(|call| call.name.as_bytes() == &data[..end]);
    let Some(call) = called.filter(|call| !NOT_CALLED.contains(&call.name)) else {
        return;
    };
    WORLD.with_borrow_mut(|world| {
        let world = match world {
            Some(world) if world.calls_left > 0 => world,
            over => over.insert(World::new()),
        };
        world.calls_left -= 1;
        let answer = world.ask(call.name, &data[end + 1..]);
        assert!(answer.status().as_u16() < 500, "{}: {}", call.name, answer.status());
    });
}

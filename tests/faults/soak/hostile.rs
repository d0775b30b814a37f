//! A hostile pilot who uses up what others share: the largest lists, pictures, imports, books and downloads, from many
//! connections at once, read slowly. The pilot has a long life, which goes on all the time: packs with as many chargings
//! as are taken, the oldest of which are edited again and again. Strangers send forms that don't end, and guess.

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::client::{FORM, encode};
use crate::harness::export::noise;
use crate::harness::pictures::progressive_jpeg;
use crate::harness::raw::Connection;
use crate::harness::{PASSWORD, Pilot, Server, wait};

const EMAIL: &str = "hostile@example.org";
/// Number of logs, 40 kB each.
const LOGS: usize = 300;
/// Number of chargings that the pilot's first pack has at the beginning.
const CHARGINGS: usize = 2_000;
/// Number of connections that repeat the same request, from a network of their own.
const OF_A_KIND: usize = 6;
/// Number of connections on which the pilot's life goes on.
const GROWING: usize = 2;
/// Bytes that a slow reader takes at a time, and the pause in between.
const SLOW_BYTES: usize = 4 * 1024;
const SLOW_PAUSE: Duration = Duration::from_millis(50);

/// The hostile pilot's requests, and whether their answers are read slowly.
pub struct Hostile {
    requests: Vec<(Vec<u8>, bool)>,
    session: String,
    /// Chargings that the pilot has tried to add so far.
    pub tried: AtomicUsize,
}

impl Hostile {
    pub fn begin(server: &Server) -> Hostile {
        server.add_user(EMAIL, "Hostile", PASSWORD);
        let pilot = server.stranger();
        pilot.log_in(EMAIL, PASSWORD).expect_status(202);
        let copter = pilot.item(COPTER, "Falke");
        let info = "🛩".repeat(9_990);
        for _ in 0..LOGS {
            let fields = [("dpfId", &*copter), ("info", &info), ("time", "01.05.2026 10:00")];
            pilot.upload("SaveEquipmentLog", &fields, &[]).expect_status(201);
        }
        pilot.document("film.mp4", &noise(20_000_000));
        let (pack, oldest) = pack_with_chargings(&pilot);
        let head = |method: &str, call: &str, kind: &str, length: usize| {
            let cookie = pilot.cookie_header();
            format!(
                "{method} /app/api/{call} HTTP/1.0\r\nHost: localhost\r\nCookie: {cookie}\r\n\
                 Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
            )
        };
        let form = |call: &str, fields: &[(&str, &str)]| {
            let body = encode(fields);
            (head("POST", call, FORM, body.len()) + &body).into_bytes()
        };
        let file = |call: &str, field: &str, name: &str, content: &[u8]| {
            let begin = format!("--x\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n");
            let body = [begin.as_bytes(), content, b"\r\n--x--\r\n"].concat();
            let head = head("POST", call, "multipart/form-data; boundary=x", body.len());
            [head.as_bytes(), &body].concat()
        };
        // What comes of a form whose end never comes.
        let endless = |call: &str| {
            let begun = encode(&[("email", EMAIL), ("password", &"x".repeat(60_000))]);
            let length = begun.len() + 1;
            let head = format!(
                "POST /app/api/{call} HTTP/1.0\r\nHost: localhost\r\nContent-Type: {FORM}\r\n\
                 Content-Length: {length}\r\n\r\n"
            );
            (head + &begun).into_bytes()
        };
        let edit = [("battery", &*pack), ("dpfId", &*oldest), ("charged", "1100")];
        let table = "Datum,Dauer,Ort\n".to_owned() + &"01.05.2026 10:00,5,Wiese\n".repeat(200_000);
        Hostile {
            requests: vec![
                (form("GetEquipmentLogs", &[("dpfId", &copter)]), true),
                (form("GetAllEquipments", &[]), false),
                (head("GET", "GetExport", FORM, 0).into_bytes(), true),
                (
                    file("SaveProfile", "photo", "a.jpg", &progressive_jpeg(3_800, 3_800, 1)),
                    false,
                ),
                (
                    file("SaveProfile", "photo", "a.jpg", &progressive_jpeg(8_192, 6_144, 1)),
                    false,
                ),
                (file("UploadImport", "files", "flug.csv", table.as_bytes()), false),
                (form("GetStatistics", &[]), false),
                (form("SaveCharging", &edit), false),
                (form("GetChargings", &[("battery", &pack), ("limit", "1")]), false),
                (form("GetBatteryPassport", &[("dpfId", &pack)]), false),
                (form("GetReminders", &[]), false),
                (form("GetStorageUsage", &[]), false),
                (head("GET", "GetLogbook", FORM, 0).into_bytes(), true),
                (endless("Login"), true),
                (form("GetSticker", &[("code", "AAAAAAAA")]), false),
                (form("GetSpaceInvitation", &[("token", &"0".repeat(32))]), false),
                (form("SendFeedback", &[("rate", "1"), ("message", &info)]), false),
            ],
            session: pilot.cookie("session").unwrap(),
            tried: AtomicUsize::new(CHARGINGS),
        }
    }

    /// Adds chargings until the round is over, to the next pack when one takes no more.
    fn grow(&self, server: &Server, worker: usize, is_over: &AtomicBool) {
        let pilot = server.stranger();
        pilot.plant_cookie("session", &self.session);
        let ask = |call: &str, fields: &[(&str, &str)]| {
            let path = format!("/app/api/{call}");
            let answer = pilot.ask("POST", &path).form(fields).try_to_send()?;
            (answer.status == 200).then_some(answer)
        };
        let mut pack = None;
        while !is_over.load(Ordering::SeqCst) {
            let number = self.tried.fetch_add(1, Ordering::SeqCst);
            let taken = pack.as_ref().and_then(|pack: &String| {
                let fields = fields_of_charging(number);
                let fields = fields.iter().map(|(name, value)| (*name, value.as_str()));
                ask(
                    "SaveCharging",
                    &[vec![("battery", pack.as_str())], fields.collect()].concat(),
                )
            });
            if taken.is_none() {
                let new = json!({"type": BATTERY, "name": format!("Akku {worker}-{number}")}).to_string();
                pack = ask("SaveNewEquipment", &[("equipment", &new)]).map(|made| id_in(&made.json()));
            }
        }
    }

    /// Works until the round is over. Answers don't matter, and connections may be refused or cut.
    pub fn work(&self, server: &Server, is_over: &AtomicBool) {
        std::thread::scope(|scope| {
            for (number, (request, is_slow)) in self.requests.iter().enumerate() {
                let from = format!("127.0.9.{}", number + 1);
                for _ in 0..OF_A_KIND {
                    let from = from.clone();
                    scope.spawn(move || {
                        while !is_over.load(Ordering::SeqCst) {
                            let _ = exchange(&from, server.address(), request, *is_slow, is_over);
                        }
                    });
                }
            }
            for worker in 0..GROWING {
                scope.spawn(move || self.grow(server, worker, is_over));
            }
        });
    }
}

/// A finished charging; each number has another minute.
fn fields_of_charging(number: usize) -> [(&'static str, String); 5] {
    let (day, hour, minute) = (1 + number / 1440 % 28, number / 60 % 24, number % 60);
    let (month, year) = (1 + number / 40_320 % 12, 2010 + number / 483_840);
    let at = format!("{day:02}.{month:02}.{year} {hour:02}:{minute:02}");
    [
        ("chargeStartTime", at.clone()),
        ("fromVoltage", "14,4".to_owned()),
        ("chargeEndTime", at),
        ("toVoltage", "16,8".to_owned()),
        ("charged", "1000".to_owned()),
    ]
}

/// A pack with chargings, and the oldest of them.
fn pack_with_chargings(pilot: &Pilot) -> (String, String) {
    let pack = pilot.item(BATTERY, "Akku");
    let oldest = id_in(&add_charging(pilot, &pack, 0).expect_status(200).json());
    std::thread::scope(|scope| {
        for worker in 0..OF_A_KIND {
            let (tab, pack) = (pilot.another_tab(), &pack);
            scope.spawn(move || {
                for number in (1..CHARGINGS).skip(worker).step_by(OF_A_KIND) {
                    add_charging(&tab, pack, number).expect_status(200);
                }
            });
        }
    });
    (pack, oldest)
}

fn add_charging(pilot: &Pilot, pack: &str, number: usize) -> Answer {
    let fields = fields_of_charging(number);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    pilot.save_charging(pack, &fields)
}

fn exchange(
    from: &str,
    address: SocketAddr,
    request: &[u8],
    is_slow: bool,
    is_over: &AtomicBool,
) -> std::io::Result<()> {
    let mut stream = Connection::connect_from(from, address)?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    stream.write_all(request)?;
    let mut piece = vec![0; if is_slow { SLOW_BYTES } else { 1 << 20 }];
    while !is_over.load(Ordering::SeqCst) {
        match wait::uninterrupted(|| stream.read(&mut piece)) {
            Ok(0) => break,
            Ok(_) if is_slow => std::thread::sleep(SLOW_PAUSE),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

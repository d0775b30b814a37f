//! A hostile pilot who uses up what others share: the largest lists, pictures, imports and downloads, from many
//! connections at once, read slowly.

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::harness::calls::COPTER;
use crate::harness::client::{FORM, encode};
use crate::harness::export::noise;
use crate::harness::pictures::progressive_jpeg;
use crate::harness::raw::Connection;
use crate::harness::{PASSWORD, Server};

const EMAIL: &str = "hostile@example.org";
/// Number of logs, 40 kB each.
const LOGS: usize = 300;
/// Number of connections that repeat the same request, from a network of their own.
const OF_A_KIND: usize = 6;
/// Bytes that a slow reader takes at a time, and the pause in between.
const SLOW_BYTES: usize = 4 * 1024;
const SLOW_PAUSE: Duration = Duration::from_millis(50);

/// The hostile pilot's requests, and whether their answers are read slowly.
pub struct Hostile {
    requests: Vec<(Vec<u8>, bool)>,
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
        let table = "Datum,Dauer,Ort\n".to_owned() + &"01.05.2026 10:00,5,Wiese\n".repeat(200_000);
        Hostile {
            requests: vec![
                (form("GetEquipmentLogs", &[("dpfId", &copter)]), true),
                (form("GetAllEquipments", &[]), false),
                (head("GET", "GetExport", FORM, 0).into_bytes(), true),
                (
                    file("SaveProfile", "photo", "a.jpg", &progressive_jpeg(5_600, 4_000, 1)),
                    false,
                ),
                (file("UploadImport", "files", "flug.csv", table.as_bytes()), false),
                (form("GetStatistics", &[]), false),
            ],
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
        });
    }
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
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(_) if is_slow => std::thread::sleep(SLOW_PAUSE),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

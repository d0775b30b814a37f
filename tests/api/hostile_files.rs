//! Malicious pictures: each is refused or stored with a preview, within seconds and with bounded memory; the server
//! survives.

use std::io::Write;
use std::time::Duration;

use crate::harness::calls::COPTER;
use crate::harness::files::texts;
use crate::harness::pictures::{self, large_jpeg, photo_of, png_header, png_of, progressive_jpeg};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, wait};

/// All decodes share 256 MiB; a little more is for the file and the rest of the server.
const MAX_MEMORY_BYTES: u64 = 300 * 1024 * 1024;
const MAX_PROCESSOR_TIME: Duration = Duration::from_secs(15);
/// The program of a release, all of it.
const RELEASED_PROGRAM_BYTES: u64 = 28 * 1024 * 1024;

/// `length` zero bytes, compressed to less than a hundredth.
fn compressed_zeros(length: usize) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![0; 1 << 20];
    for _ in 0..length >> 20 {
        encoder.write_all(&zeros).unwrap();
    }
    encoder.write_all(&zeros[..length & ((1 << 20) - 1)]).unwrap();
    encoder.finish().unwrap()
}

fn bomb(width: u32, height: u32, depth: u8, colour: u8, row_bytes: usize) -> Vec<u8> {
    let pixels = compressed_zeros(height as usize * (row_bytes + 1));
    png_of(&[
        (b"IHDR", &png_header(width, height, depth, colour)),
        (b"IDAT", &pixels),
        (b"IEND", b""),
    ])
}

/// A small PNG with an extra chunk before its pixels.
fn png_with(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let pixels = compressed_zeros(8 * 25);
    png_of(&[
        (b"IHDR", &png_header(8, 8, 8, 2)),
        (kind, data),
        (b"IDAT", &pixels),
        (b"IEND", b""),
    ])
}

/// A JPEG whose frame header claims this size.
fn jpeg_that_claims(width: u16, height: u16, marker: u8) -> Vec<u8> {
    let mut jpeg = pictures::jpeg(16, 16);
    let at = jpeg.windows(2).position(|pair| pair == [0xFF, 0xC0]).unwrap();
    jpeg[at + 1] = marker;
    jpeg[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
    jpeg[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
    jpeg
}

#[track_caller]
fn ask(server: &Server, anna: &Pilot, flight: &str, what: &str, content: &[u8], statuses: &[u16]) {
    let before = server.processor_time();
    let answer = anna.upload(
        "UploadImageForFlight",
        &[("flight", flight)],
        &[("files", "a.jpg", content)],
    );
    assert!(
        statuses.contains(&answer.status),
        "{what}: {} {}",
        answer.status,
        answer.text()
    );
    let taken = server.processor_time() - before;
    assert!(taken < MAX_PROCESSOR_TIME, "{what} took {taken:?}");
    if answer.status == 201 {
        for uuid in texts(&answer.json()) {
            let preview = anna.preview(&uuid).expect_status(200);
            let preview = image::load_from_memory(&preview.body).unwrap();
            assert!(preview.width() <= 480 && preview.height() <= 480, "{what}");
            anna.image(&uuid).expect_status(200);
            anna.post("DeleteImage", &[("uuid", &uuid), ("flight", flight)])
                .expect_status(200);
        }
    }
}

/// A picture with EXIF data that refer to themselves.
fn jpeg_with_looping_exif() -> Vec<u8> {
    const TO_ITSELF: &[u8] = b"\x69\x87\x04\0\x01\0\0\0\x08\0\0\0";
    let exif = [
        b"Exif\0\0II*\0\x08\0\0\0\x02\0",
        TO_ITSELF,
        TO_ITSELF,
        &[8, 0, 0, 0],
        &[0xFF; 20],
    ]
    .concat();
    let plain = pictures::jpeg(16, 16);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], &[0xFF, 0xE1], &length, &exif, &plain[2..]].concat()
}

#[test]
fn no_picture_brings_the_server_down_or_takes_its_memory() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let photo = pictures::photo(1600, 1200, 6);
    let exif_loop = jpeg_with_looping_exif();
    let polyglot = [pictures::jpeg(16, 16), b"<html><script>alert(1)</script>".to_vec()].concat();
    let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\xfe\xff\xff\x0f0000000000".to_vec();
    let profile = [b"icc\0\0".to_vec(), compressed_zeros(100 << 20)].concat();
    let text = [b"Comment\0\0".to_vec(), compressed_zeros(100 << 20)].concat();
    for (what, content, statuses) in [
        ("60000² pixels in 177 bytes", bomb(60_000, 60_000, 8, 2, 0), &[400][..]),
        ("11500² RGBA", bomb(11_500, 11_500, 8, 6, 0), &[400]),
        ("25 million pixels RGBA", bomb(5_000, 5_000, 8, 6, 20_000), &[201]),
        ("49 million pixels of 16 bits", bomb(7_000, 7_000, 16, 6, 0), &[400]),
        ("16 bits", bomb(500, 500, 16, 2, 3_000), &[201]),
        ("a bomb as colour profile", png_with(b"iCCP", &profile), &[201]),
        ("a bomb as text", png_with(b"zTXt", &text), &[201]),
        ("a JPEG of 12000²", jpeg_that_claims(12_000, 12_000, 0xC0), &[400]),
        ("a JPEG of 65535²", jpeg_that_claims(65_535, 65_535, 0xC0), &[400]),
        (
            "a JPEG that claims to be a progressive one of 8000×6000",
            jpeg_that_claims(8_000, 6_000, 0xC2),
            &[400, 413],
        ),
        ("a JPEG of 100 scans", progressive_jpeg(800, 600, 100), &[201]),
        ("a progressive JPEG", progressive_jpeg(800, 600, 1), &[201]),
        (
            "a progressive JPEG of 8000×6000",
            progressive_jpeg(8_000, 6_000, 1),
            &[201],
        ),
        (
            "a progressive JPEG of 40 pixels by 65535",
            progressive_jpeg(40, 65_535, 1),
            &[201],
        ),
        ("a photo of 50 megapixels", large_jpeg(8_160, 6_144), &[201]),
        (
            "a photo of 50 megapixels that has to be turned",
            photo_of(&large_jpeg(8_192, 6_144), 6),
            &[201],
        ),
        ("a JPEG without height", jpeg_that_claims(8_000, 0, 0xC0), &[400]),
        (
            "a JPEG that is less than it claims",
            jpeg_that_claims(7_000, 7_000, 0xC0),
            &[201, 400],
        ),
        ("a WebP of 16383²", webp, &[400]),
        ("EXIF that leads back to itself", exif_loop, &[201]),
        ("a JPEG that is also a page", polyglot, &[201]),
        ("half a photo", photo[..photo.len() / 2].to_vec(), &[400]),
        ("the start of a photo", photo[..100].to_vec(), &[400]),
        ("a photo", photo, &[201]),
        (
            "a PNG without pixels",
            png_of(&[(b"IHDR", &png_header(8, 8, 8, 2)), (b"IEND", b"")]),
            &[400],
        ),
        ("a PNG with nothing", png_of(&[]), &[400]),
        ("a GIF with nothing", b"GIF89a".to_vec(), &[400]),
        ("a GIF of 65535²", [b"GIF89a".to_vec(), vec![255; 100]].concat(), &[400]),
        ("a WebP with nothing", b"RIFF\xff\xff\xff\xffWEBPVP8X".to_vec(), &[400]),
    ] {
        ask(&server, &anna, &flight, what, &content, statuses);
    }
    let most = server.most_memory_bytes();
    assert!(most < MAX_MEMORY_BYTES, "{most} bytes of memory");
    assert_eq!(server.blobs(), Vec::<String>::new());
    assert!(!server.log().contains("panicked"), "{}", server.log());
}

/// A progressive JPEG that takes seconds, because the code of each block is as long as a code can be.
fn costly_jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut jpeg = progressive_jpeg(width, height, 100);
    let counts = jpeg.windows(2).position(|pair| pair == [0xFF, 0xC4]).unwrap() + 5;
    // No code of 1 to 15 bits, one of 16, which says that 11 bits follow.
    jpeg[counts..counts + 17].copy_from_slice(&[&[0; 15][..], &[1, 11]].concat());
    jpeg
}

/// Uploads an image to a flight, without reading the answer.
fn uploading(server: &Server, anna: &Pilot, flight: &str, content: &[u8]) -> Connection {
    let part = |disposition: &str, content: &[u8]| {
        let head = format!("--x\r\nContent-Disposition: form-data; {disposition}\r\n\r\n");
        [head.as_bytes(), content, b"\r\n"].concat()
    };
    let body = [
        part("name=\"flight\"", flight.as_bytes()),
        part("name=\"files\"; filename=\"a.jpg\"", content),
        b"--x--\r\n".to_vec(),
    ]
    .concat();
    let mut connection = Connection::open(server.address());
    connection.send(format!(
        "POST /app/api/UploadImageForFlight HTTP/1.1\r\nHost: {}\r\nCookie: session={}\r\n\
         Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {}\r\n\r\n",
        server.address(),
        anna.cookie("session").unwrap(),
        body.len()
    ));
    connection.send(body);
    connection
}

#[test]
fn one_pilot_s_costly_pictures_keep_nobody_else_waiting_and_end_when_he_is_gone() {
    // The second is decoded coarsely.
    for costly in [costly_jpeg(3_800, 3_800), costly_jpeg(8_000, 6_000)] {
        let server = Server::start();
        let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
        let flight_of = |pilot: &Pilot| pilot.take_off(&pilot.item(COPTER, "Falke"));
        let theirs = flight_of(&anna);
        let uploads: Vec<_> = (0..4).map(|_| uploading(&server, &anna, &theirs, &costly)).collect();
        let idle = server.processor_time();
        wait::until("they are worked on", || {
            (server.processor_time() > idle + Duration::from_millis(200)).then_some(())
        });
        let before = server.processor_time();
        ben.add_images(&flight_of(&ben), &[&pictures::photo(800, 600, 6)]);
        let meanwhile = server.processor_time() - before;
        assert!(meanwhile < Duration::from_secs(10), "{meanwhile:?}");
        drop(uploads);
        let gone = server.processor_time();
        wait::until("the work ends", || {
            let before = server.processor_time();
            std::thread::sleep(Duration::from_millis(300));
            (server.processor_time() < before + Duration::from_millis(30)).then_some(())
        });
        let after = server.processor_time() - gone;
        assert!(after < Duration::from_secs(1), "{after:?} for nobody");
        assert_eq!(anna.flight(&theirs)["images"], serde_json::json!([]));
    }
}

/// Uploads two pictures at once for each of twelve pilots; returns the statuses.
fn all_upload_at_once(server: &Server, content: &[u8]) -> Vec<u16> {
    let pilots: Vec<_> = (0..12).map(|number| server.pilot(&format!("pilot{number}"))).collect();
    std::thread::scope(|scope| {
        let uploads: Vec<_> = pilots
            .iter()
            .flat_map(|pilot| [pilot.another_tab(), pilot.another_tab()])
            .map(|tab| scope.spawn(move || tab.upload("SaveProfile", &[("nickname", "P")], &[("photo", "a", content)])))
            .collect();
        uploads
            .into_iter()
            .map(|upload| upload.join().unwrap().status)
            .collect()
    })
}

#[test]
fn pictures_of_twelve_pilots_at_once_stay_within_the_memory_of_a_small_machine() {
    for (megabytes, content) in [
        (212, progressive_jpeg(3_800, 3_000, 1)),
        (212, progressive_jpeg(8_192, 6_144, 1)),
        (256, progressive_jpeg(3_800, 3_800, 1)),
    ] {
        let server = Server::start_with(&[("FLUGLOG_LIMITS__MEMORY_MEGABYTES", &megabytes.to_string())]);
        let statuses = all_upload_at_once(&server, &content);
        assert!(
            statuses.iter().all(|status| [201, 503].contains(status)),
            "{statuses:?}"
        );
        // How much of a debug build's program is in memory is up to the kernel.
        let most = server.most_memory_bytes() - server.memory_of_files_bytes() + RELEASED_PROGRAM_BYTES;
        assert!(most < megabytes << 20, "{most} bytes of memory");
    }
}

#[test]
fn a_small_machine_refuses_in_german_what_it_has_no_memory_for() {
    let server = Server::start_with(&[("FLUGLOG_LIMITS__MEMORY_MEGABYTES", "128")]);
    let anna = server.pilot("anna");
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let upload = |content: &[u8]| {
        anna.upload(
            "UploadImageForFlight",
            &[("flight", &flight)],
            &[("files", "a", content)],
        )
    };
    upload(&photo_of(&large_jpeg(3000, 2000), 1)).expect_status(201);
    upload(&bomb(7_000, 7_000, 8, 2, 21_000)).expect_status(201);
    // A picture too large to be rotated keeps its pixels and its orientation tag.
    upload(&photo_of(&large_jpeg(4000, 3000), 6)).expect_status(201);
    upload(&progressive_jpeg(8_192, 6_144, 1)).expect_status(201);
    let refused = upload(&progressive_jpeg(3_800, 3_800, 1)).expect_status(413);
    assert!(refused.text().contains("verkleinern"), "{}", refused.text());
    let most = server.most_memory_bytes();
    assert!(most < 128 << 20, "{most} bytes of memory");
}

#[test]
fn an_animated_gif_stays_animated() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let mut content = Vec::new();
    {
        let mut encoder = image::codecs::gif::GifEncoder::new(&mut content);
        encoder.set_repeat(image::codecs::gif::Repeat::Infinite).unwrap();
        for side in [30, 20] {
            let frame = image::imageops::resize(
                &pictures::drawn(side, side).into_rgba8(),
                30,
                30,
                image::imageops::FilterType::Nearest,
            );
            encoder.encode_frame(image::Frame::new(frame)).unwrap();
        }
    }
    let uuid = anna.add_images(&flight, &[&content]).remove(0);
    let shown = anna.image(&uuid).expect_status(200).body;
    let frames = |content: &[u8]| {
        use image::AnimationDecoder as _;
        let decoder = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(content.to_vec())).unwrap();
        decoder.into_frames().count()
    };
    assert_eq!((frames(&shown), frames(&content)), (2, 2));
    anna.preview(&uuid).expect_status(200);
}

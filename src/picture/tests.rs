//! Which files are accepted as pictures, which parts of them are kept, and which are refused before costly work.

use image::codecs::webp::WebPEncoder;
use image::{ImageEncoder, Rgba, RgbaImage};
use proptest::prelude::*;

use super::*;
use fluglog_base::id::UserId;
use fluglog_base::text;
use tokio_util::sync::CancellationToken;

/// A picture without symmetry: red in the top left quarter, green in the top right, blue in the bottom half.
fn sample(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => Rgb([220, 10, 10]),
        (false, true) => Rgb([10, 220, 10]),
        _ => Rgb([10, 10, 220]),
    })
}

fn jpeg_of(image: &RgbImage) -> Vec<u8> {
    jpeg(image, 90).unwrap()
}

fn png_of(image: &DynamicImage) -> Vec<u8> {
    let mut content = Vec::new();
    image.write_with_encoder(PngEncoder::new(&mut content)).unwrap();
    content
}

fn webp_of(image: &RgbaImage) -> Vec<u8> {
    let mut content = Vec::new();
    WebPEncoder::new_lossless(&mut content)
        .write_image(
            image.as_raw(),
            image.width(),
            image.height(),
            image::ExtendedColorType::Rgba8,
        )
        .unwrap();
    content
}

fn gif_of(image: &RgbImage) -> Vec<u8> {
    let mut content = Vec::new();
    let frame = image::Frame::new(DynamicImage::from(image.clone()).into_rgba8());
    image::codecs::gif::GifEncoder::new(&mut content)
        .encode_frame(frame)
        .unwrap();
    content
}

/// EXIF data with only an orientation, and a text that must be removed.
fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend_from_slice(&[orientation, 0, 0, 0, 0, 0, 0, 0]);
    exif.extend_from_slice(b"GEHEIM 53.4289 10.3944");
    exif
}

/// Inserts segments after the start of a JPEG, and a trailer after its end.
fn with_segments(jpeg: &[u8], segments: &[(u8, Vec<u8>)], trailer: &[u8]) -> Vec<u8> {
    let mut content = jpeg[..2].to_vec();
    for (marker, data) in segments {
        content.extend_from_slice(&[0xFF, *marker]);
        content.extend_from_slice(&u16::try_from(data.len() + 2).unwrap().to_be_bytes());
        content.extend_from_slice(data);
    }
    content.extend_from_slice(&jpeg[2..]);
    content.extend_from_slice(trailer);
    content
}

fn exif_segment(orientation: u8) -> (u8, Vec<u8>) {
    (0xE1, [b"Exif\0\0".to_vec(), exif(orientation)].concat())
}

/// Inserts chunks after the header of a PNG.
fn with_chunks(png: &[u8], chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut content = png[..33].to_vec();
    for (kind, data) in chunks {
        content.extend_from_slice(&u32::try_from(data.len()).unwrap().to_be_bytes());
        let checked = [kind.as_slice(), data].concat();
        content.extend_from_slice(&checked);
        content.extend_from_slice(&crc32fast::hash(&checked).to_be_bytes());
    }
    content.extend_from_slice(&png[33..]);
    content
}

fn take(content: &[u8]) -> Result<Picture> {
    prepare(
        &MemoryBudget::of_process(u64::MAX),
        &requester(1, &CancellationToken::new()),
        "files",
        &mut Cursor::new(content),
        content.len() as u64,
    )
}

fn requester(pilot: u64, cancellation: &CancellationToken) -> Requester<'_> {
    Requester {
        pilot: UserId::from_key(pilot.into()),
        cancellation,
    }
}

fn gone() -> CancellationToken {
    let gone = CancellationToken::new();
    gone.cancel();
    gone
}

fn refused(content: &[u8]) -> Error {
    take(content).err().expect("a refusal")
}

fn pixels(content: &[u8]) -> RgbImage {
    image::load_from_memory(content).unwrap().into_rgb8()
}

fn holds(content: &[u8], text: &[u8]) -> bool {
    content.windows(text.len()).any(|window| window == text)
}

/// Returns whether two pictures look alike, except for JPEG artefacts.
fn alike(one: &RgbImage, other: &RgbImage) -> bool {
    one.dimensions() == other.dimensions()
        && one
            .pixels()
            .zip(other.pixels())
            .filter(|(one, other)| one.0.iter().zip(other.0).any(|(one, other)| one.abs_diff(other) > 40))
            .count()
            * 20
            < one.pixels().len()
}

#[test]
fn an_upright_jpeg_keeps_its_pixels_and_loses_all_else() {
    let plain = jpeg_of(&sample(64, 48));
    let xmp = [b"http://ns.adobe.com/xap/1.0/\0".as_slice(), b"GEHEIM"].concat();
    let segments = [
        exif_segment(1),
        (0xE1, xmp),
        (0xED, b"Photoshop 3.0\0GEHEIM".to_vec()),
        (0xE2, b"MPF\0GEHEIM".to_vec()),
        (0xE2, b"ICC_PROFILE\0\x01\x01farben".to_vec()),
        (0xFE, b"<script>GEHEIM</script>".to_vec()),
        (0xEB, b"JP GEHEIM".to_vec()),
    ];
    let picture = take(&with_segments(&plain, &segments, b"GEHEIM <html><script>")).unwrap();
    assert_eq!(picture.format, Format::Jpeg);
    assert!(!holds(&picture.content, b"GEHEIM") && !holds(&picture.content, b"<"));
    assert!(holds(&picture.content, b"farben"), "the colour profile is gone");
    assert_eq!(pixels(&picture.content), pixels(&plain));
    assert!(!holds(&picture.preview, b"GEHEIM"));
    assert_eq!(pixels(&picture.preview).dimensions(), (64, 48));
}

#[test]
fn a_picture_that_the_camera_held_otherwise_is_turned_upright() {
    let image = sample(640, 320);
    for orientation in 2..=8 {
        let mut upright = DynamicImage::from(image.clone());
        upright.apply_orientation(Orientation::from_exif(orientation).unwrap());
        let upright = upright.into_rgb8();
        let jpeg = with_segments(&jpeg_of(&image), &[exif_segment(orientation)], b"");
        let png = with_chunks(&png_of(&image.clone().into()), &[(b"eXIf", exif(orientation))]);
        for (source, format) in [(&jpeg, Format::Jpeg), (&png, Format::Jpeg)] {
            let picture = take(source).unwrap();
            assert_eq!(picture.format, format);
            assert!(alike(&pixels(&picture.content), &upright), "orientation {orientation}");
            assert!(!holds(&picture.content, b"GEHEIM") && !holds(&picture.content, b"Exif"));
            let preview = pixels(&picture.preview);
            assert_eq!(preview.width().max(preview.height()), 480);
            assert_eq!(preview.width() > preview.height(), upright.width() > upright.height());
        }
    }
}

#[test]
fn a_jpeg_too_large_to_be_turned_keeps_its_pixels_and_says_how_it_lies() {
    let image = sample(2400, 2000);
    for orientation in 2..=8 {
        let source = with_segments(&jpeg_of(&image), &[exif_segment(orientation)], b"");
        let memory = MemoryBudget::of_process(88 << 20);
        let (waiting, bytes) = (CancellationToken::new(), source.len() as u64);
        let file = &mut Cursor::new(&source);
        let picture = prepare(&memory, &requester(1, &waiting), "files", file, bytes).unwrap();
        assert!(pixels(&picture.content) == pixels(&source), "orientation {orientation}");
        let mut decoder = JpegDecoder::new(Cursor::new(&picture.content)).unwrap();
        assert_eq!(decoder.orientation().unwrap().to_exif(), orientation);
        assert!(!holds(&picture.content, b"GEHEIM"));
        let (width, height) = pixels(&picture.preview).dimensions();
        assert_eq!((width > height, width.max(height)), (orientation <= 4, 480));
        // Imported again, as from an export, it has the same orientation.
        let again = prepare(
            &memory,
            &requester(1, &waiting),
            "files",
            &mut Cursor::new(&picture.content),
            picture.content.len() as u64,
        );
        assert!(again.unwrap().content == picture.content);
    }
}

#[test]
fn transparency_stays_when_a_picture_is_turned() {
    let image = RgbaImage::from_fn(20, 10, |x, _| Rgba([9, 9, 9, if x < 10 { 0 } else { 255 }]));
    let png = with_chunks(&png_of(&image.into()), &[(b"eXIf", exif(6))]);
    let picture = take(&png).unwrap();
    assert_eq!(picture.format, Format::Png);
    let turned = image::load_from_memory(&picture.content).unwrap().into_rgba8();
    assert_eq!(
        (
            turned.dimensions(),
            turned.get_pixel(0, 0).0[3],
            turned.get_pixel(0, 19).0[3]
        ),
        ((10, 20), 0, 255)
    );
    assert_eq!(pixels(&picture.preview).get_pixel(0, 0).0, [255, 255, 255]);
}

#[test]
fn a_png_keeps_its_pixels_and_loses_all_else() {
    let plain = png_of(&sample(30, 20).into());
    let chunks: [(&[u8; 4], Vec<u8>); 5] = [
        (b"tEXt", b"Comment\0GEHEIM".to_vec()),
        (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0GEHEIM".to_vec()),
        (b"tIME", b"GEHEIM!".to_vec()),
        (b"iCCP", [b"GEHEIM\0\0".to_vec(), vec![7; 90_000]].concat()),
        (b"gAMA", vec![0, 0, 0xB1, 0x8F]),
    ];
    let source = [with_chunks(&plain, &chunks), b"GEHEIM".to_vec()].concat();
    let picture = take(&source).unwrap();
    assert_eq!(picture.format, Format::Png);
    assert!(!holds(&picture.content, b"GEHEIM") && holds(&picture.content, b"gAMA"));
    assert_eq!(pixels(&picture.content), sample(30, 20));
}

#[test]
fn a_webp_keeps_its_pixels_and_loses_all_else() {
    let image = DynamicImage::from(sample(30, 20)).into_rgba8();
    let simple = webp_of(&image);
    let chunk = |kind: &[u8], data: &[u8]| {
        let mut chunk = [kind, &u32::try_from(data.len()).unwrap().to_le_bytes(), data].concat();
        chunk.extend(std::iter::repeat_n(0, data.len() % 2));
        chunk
    };
    let source = |orientation| {
        let body = [
            b"WEBP".to_vec(),
            chunk(b"VP8X", &[0x1C, 0, 0, 0, 29, 0, 0, 19, 0, 0]),
            simple[12..].to_vec(),
            chunk(b"EXIF", &exif(orientation)),
            chunk(b"XMP ", b"GEHEIM"),
        ]
        .concat();
        [
            b"RIFF".to_vec(),
            u32::try_from(body.len()).unwrap().to_le_bytes().to_vec(),
            body,
            b"GEHEIM".to_vec(),
        ]
        .concat()
    };
    let picture = take(&source(1)).unwrap();
    assert_eq!(picture.format, Format::WebP);
    assert!(!holds(&picture.content, b"GEHEIM"));
    assert_eq!(pixels(&picture.content), sample(30, 20));
    let turned = take(&source(6)).unwrap();
    assert_eq!(image::load_from_memory(&turned.content).unwrap().width(), 20);
    assert_eq!(take(&simple).unwrap().content, simple);
}

#[test]
fn a_gif_keeps_its_frames_and_loses_all_else() {
    let plain = gif_of(&sample(30, 20));
    let head = 13
        + if plain[10] & 0x80 == 0 {
            0
        } else {
            3 << ((plain[10] & 7) + 1)
        };
    let extras = b"!\xfe\x06GEHEIM\0!\xff\x0bXMP DataXMP\x06GEHEIM\0!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0";
    let source = [&plain[..head], extras, &plain[head..], b"GEHEIM"].concat();
    let picture = take(&source).unwrap();
    assert_eq!(picture.format, Format::Gif);
    assert!(!holds(&picture.content, b"GEHEIM") && holds(&picture.content, b"NETSCAPE2.0"));
    assert_eq!(pixels(&picture.content), pixels(&plain));
}

#[test]
fn a_file_of_another_kind_is_refused_with_what_to_do() {
    for (content, sentence) in [
        (&b""[..], text::NO_PICTURE),
        (b"hallo", text::NO_PICTURE),
        (b"<html><script>alert(1)</script>", text::NO_PICTURE),
        (b"BM\0\0\0\0", text::NO_PICTURE),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", text::PICTURE_IS_HEIC),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", text::PICTURE_IS_AVIF),
        (b"\0\0\0\x18ftypavis\0\0\0\0avismsf1", text::PICTURE_IS_AVIF),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", text::PICTURE_IS_AVIF),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", text::PICTURE_IS_HEIC),
        (b"\0\0\0\x18ftypmp42\0\0\0\0", text::NO_PICTURE),
        (
            b"\xef\xbb\xbf <?xml version=\"1.0\"?>\n<SVG onload=\"x\">",
            text::PICTURE_IS_SVG,
        ),
    ] {
        assert_eq!(refused(content), Error::UnsupportedFile(sentence.to_owned()));
    }
}

#[test]
fn too_many_pixels_are_refused_by_the_header_alone() {
    let mut png = png_of(&sample(8, 8).into());
    png[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]);
    assert_eq!(refused(&png), Error::invalid("files", text::TOO_MANY_PIXELS));
    let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\xfe\xff\xff\x0f0000000000";
    assert_eq!(refused(webp), Error::invalid("files", text::TOO_MANY_PIXELS));
}

#[test]
fn the_pictures_of_cameras_with_50_megapixels_are_not_too_large() {
    let claims = |width: u16, height: u16| {
        let mut content = jpeg_of(&sample(16, 16));
        let frame = content.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
        content[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
        content[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
        take(&content).map(|_| ())
    };
    let too_many = Err(Error::invalid("files", text::TOO_MANY_PIXELS));
    for (width, height) in [(8192, 6144), (8160, 6144), (6144, 8192)] {
        assert_ne!(claims(width, height), too_many);
    }
    assert_eq!(claims(8192, 6300), too_many);
}

#[test]
fn a_picture_larger_than_the_memory_is_refused() {
    let gif = gif_of(&sample(2000, 1500));
    let take_with = |megabytes: u64| {
        let memory = MemoryBudget::of_process(megabytes << 20);
        let (waiting, bytes) = (CancellationToken::new(), gif.len() as u64);
        prepare(&memory, &requester(1, &waiting), "files", &mut Cursor::new(&gif), bytes).map(|_| ())
    };
    assert_eq!(take_with(128), Ok(()));
    assert_eq!(take_with(80), Err(Error::FilesTooLarge(text::PICTURE_TOO_LARGE)));
}

#[test]
fn a_picture_that_has_to_be_turned_needs_all_its_pixels_and_some_need_them_twice() {
    let header = |pixel_bytes: u64| Header {
        decoding_bytes: 20_000_000 * pixel_bytes,
        pixels_bytes: 20_000_000 * pixel_bytes,
        ..format::sized(Format::Png, 5_000, 4_000, pixel_bytes, 0)
    };
    let fits = |pixel_bytes| needed_to_turn(&header(pixel_bytes), 1000, 160 << 20).map(|(_, fits)| fits);
    assert_eq!(fits(4), Some(TurnStrategy::Twice));
    assert_eq!(fits(8), Some(TurnStrategy::Whole));
    assert_eq!(fits(9), None);
}

#[test]
fn decodes_wait_until_there_is_memory_for_them_and_each_pilot_has_one() {
    let memory = MemoryBudget::of_process(u64::MAX);
    let waiting = CancellationToken::new();
    let large = memory.take(&requester(1, &waiting), memory.per_picture()).unwrap();
    std::thread::scope(|scope| {
        // There is always memory for an ordinary picture of somebody else.
        let ordinary = scope.spawn(|| memory.take(&requester(2, &waiting), 30 << 20).map(drop));
        assert_eq!(ordinary.join().unwrap(), Ok(()));
        let next = scope.spawn(|| memory.take(&requester(1, &waiting), 1).map(drop));
        let other = scope.spawn(|| memory.take(&requester(3, &waiting), memory.per_picture()).map(drop));
        assert!(!next.is_finished() && !other.is_finished());
        drop(large);
        assert_eq!(next.join().unwrap(), Ok(()));
        assert_eq!(other.join().unwrap(), Ok(()));
    });
}

#[test]
fn a_progressive_jpeg_counts_what_its_decoder_takes() {
    let needed = |width, height| {
        let content = [
            &[0xFF, 0xD8, 0xFF, 0xC2, 0, 17, 8][..],
            &u16::to_be_bytes(height),
            &u16::to_be_bytes(width),
        ];
        let content = [&content.concat()[..], &[3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]].concat();
        clean::header(&mut Cursor::new(&content)).unwrap().scaled_bytes.unwrap() - scaled::PIXELS_BYTES
    };
    // Three bytes per pixel for the coefficients, and two for those on their way to another thread.
    assert_eq!(needed(3_000, 2_000), 5 * 3_000 * 2_000);
    assert_eq!(needed(8_192, 6_144), 0);
}

#[test]
fn nobody_waits_for_memory_whose_client_is_gone() {
    let memory = MemoryBudget::of_process(u64::MAX);
    let waiting = CancellationToken::new();
    let large = memory.take(&requester(1, &waiting), memory.per_picture());
    let gone = gone();
    let asked = || memory.take(&requester(2, &gone), memory.per_picture()).map(drop);
    let asked = std::thread::scope(|scope| scope.spawn(asked).join().unwrap());
    assert_eq!(asked, Err(Error::TooManyRequests));
    drop(large);
}

/// A grey progressive picture in which each scan repeats that nothing changes.
fn progressive(width: u16, height: u16, scans: usize) -> Vec<u8> {
    let segment = |marker: u8, content: &[u8]| {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker], &length[..], content].concat()
    };
    let table = [&[0, 1][..], &[0; 15], &[0]].concat();
    let start = [
        vec![0xFF, 0xD8],
        segment(0xDB, &[&[0][..], &[1; 64]].concat()),
        segment(
            0xC2,
            &[&[8], &height.to_be_bytes()[..], &width.to_be_bytes(), &[1, 1, 0x11, 0]].concat(),
        ),
        segment(0xC4, &table),
    ];
    let scan = segment(0xDA, &[1, 1, 0, 0, 0, 0]);
    let blocks = usize::from(width / 8) * usize::from(height / 8);
    let scan = [scan, vec![0; blocks / 8 + 1]].concat();
    [start.concat(), scan.repeat(scans), vec![0xFF, 0xD9]].concat()
}

#[test]
fn a_picture_of_more_than_a_hundred_scans_is_refused() {
    let broken = Err(Error::invalid("files", text::PICTURE_TOO_MUCH_WORK));
    assert!(take(&progressive(2048, 2048, 10)).is_ok());
    assert_eq!(take(&progressive(2048, 2048, 101)).map(|_| ()), broken);
    assert_eq!(take(&progressive(2048, 2048, 3000)).map(|_| ()), broken);
}

#[test]
fn work_that_takes_too_long_or_that_nobody_waits_for_ends() {
    // The second is decoded coarsely, and has one row of blocks.
    for (width, height) in [(2048, 2048), (3840, 8)] {
        let content = progressive(width, height, 90);
        let header = clean::header(&mut Cursor::new(&content)).unwrap();
        let decode = |cancellation: &CancellationToken, most: std::time::Duration| {
            let budget = CpuBudget::new(cancellation, most);
            let cleaned = clean::clean(header, &content).unwrap();
            keep_upright(cleaned, &budget, 1 << 30).map(|_| ())
        };
        assert_eq!(decode(&CancellationToken::new(), MAX_CPU_TIME), Ok(()));
        let (too_much, at_once) = (Err(Refusal::TooMuchWork), std::time::Duration::ZERO);
        assert_eq!(decode(&CancellationToken::new(), at_once), too_much);
        let gone = gone();
        assert_eq!(decode(&gone, MAX_CPU_TIME), too_much);
    }
}

#[test]
fn a_large_progressive_jpeg_without_its_means_is_broken() {
    assert!(take(&progressive(3840, 8, 1)).is_ok());
    for scans in [0, 1] {
        let mut content = progressive(3840, 8, scans);
        // Its only scan refines means that no scan has begun.
        if let Some(scan) = content.windows(2).position(|marker| marker == [0xFF, 0xDA]) {
            content[scan + 9] = 0x10;
        }
        assert_eq!(refused(&content), Error::invalid("files", text::PICTURE_BROKEN));
    }
}

#[test]
fn a_gif_frame_larger_than_its_screen_is_refused() {
    let mut gif = gif_of(&sample(30, 20));
    gif[6..10].copy_from_slice(&[4, 0, 4, 0]);
    assert_eq!(refused(&gif), Error::invalid("files", text::PICTURE_BROKEN));
}

#[test]
fn a_qr_code_reads_as_its_text() {
    let text = "https://fluglog.example.org/app/api/SharedDocument?token=0123456789abcdef";
    let picture = image::load_from_memory(&qr_code(text).unwrap()).unwrap().into_luma8();
    let mut read =
        rqrr::PreparedImage::prepare_from_greyscale(picture.width() as usize, picture.height() as usize, |x, y| {
            picture
                .get_pixel(u32::try_from(x).unwrap(), u32::try_from(y).unwrap())
                .0[0]
        });
    let codes = read.detect_grids();
    assert_eq!(codes.len(), 1);
    assert_eq!(codes[0].decode().unwrap().1, text);
}

fn samples() -> Vec<Vec<u8>> {
    let image = sample(24, 16);
    vec![
        with_segments(&jpeg_of(&image), &[exif_segment(6)], b""),
        png_of(&image.clone().into()),
        webp_of(&DynamicImage::from(image.clone()).into_rgba8()),
        gif_of(&image),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_file_that_was_cut_off_is_refused(which in 0usize..4, at: proptest::sample::Index) {
        let whole = &samples()[which];
        prop_assert!(take(&whole[..at.index(whole.len())]).is_err());
    }

    #[test]
    fn no_damage_makes_more_of_a_picture(
        which in 0usize..4,
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut damaged = samples().swap_remove(which);
        for (at, value) in flips {
            let at = at.index(damaged.len());
            damaged[at] = value;
        }
        if let Ok(picture) = take(&damaged) {
            prop_assert!(image::load_from_memory(&picture.preview).is_ok());
        }
    }

    #[test]
    fn no_bytes_behind_a_beginning_panic(
        which in 0usize..4, kept in 4usize..40, rest in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let whole = &samples()[which];
        let _ = take(&[&whole[..kept], &rest].concat());
    }
}

/// A disk that fails after `after` bytes.
struct Failing {
    content: Cursor<Vec<u8>>,
    after: u64,
}

impl std::io::Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.content.position() >= self.after {
            return Err(std::io::Error::from_raw_os_error(5));
        }
        let most = buffer.len().min(100);
        self.content.read(&mut buffer[..most])
    }
}

impl std::io::Seek for Failing {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.content.seek(to)
    }
}

#[test]
fn a_disk_that_does_not_read_an_upload_is_no_fault_of_the_picture() {
    let content = jpeg_of(&RgbImage::new(60, 40));
    let bytes = content.len() as u64;
    for after in [0, 50, bytes / 2] {
        let content = Cursor::new(content.clone());
        let memory = MemoryBudget::of_process(u64::MAX);
        let waiting = CancellationToken::new();
        let made = prepare(
            &memory,
            &requester(1, &waiting),
            "files",
            &mut Failing { content, after },
            bytes,
        );
        assert!(matches!(made, Err(Error::Busy(_))), "after {after}");
    }
}

#[test]
fn an_eighth_of_a_progressive_jpeg_looks_like_the_whole() {
    let cancellation = CancellationToken::new();
    for content in [
        &include_bytes!("../../tests/fixtures/pictures/halved-colours.jpg")[..],
        include_bytes!("../../tests/fixtures/pictures/halved-across.jpg"),
        include_bytes!("../../tests/fixtures/pictures/rgb.jpg"),
        include_bytes!("../../tests/fixtures/pictures/grey.jpg"),
    ] {
        let header = clean::header(&mut Cursor::new(content)).unwrap();
        let cleaned = clean::clean(header, content).unwrap().content;
        let eighth = |content: &[u8]| {
            let requester = requester(1, &cancellation);
            coarse::decode(&header, content, &budget(&requester))
        };
        let found = eighth(&cleaned).unwrap().into_rgb8();
        let mut decoder = jpeg_decoder::Decoder::new(Cursor::new(content));
        decoder.read_info().unwrap();
        decoder.scale(1, 1).unwrap();
        let pixels = decoder.decode().unwrap();
        let expected = match header.pixels_bytes == 317 * 239 {
            true => DynamicImage::from(GrayImage::from_raw(40, 30, pixels).unwrap()).into_rgb8(),
            false => RgbImage::from_raw(40, 30, pixels).unwrap(),
        };
        assert!(alike(&found, &expected));
        // Nothing that is cut off or changed panics.
        for at in (0..cleaned.len()).step_by(31) {
            let mut damaged = cleaned.clone();
            damaged[at] ^= 0x55;
            for damaged in [&cleaned[..at], &damaged] {
                let _ = eighth(damaged);
            }
        }
    }
}

#[test]
fn the_colours_of_a_jfif_picture_are_never_rgb() {
    let content = &include_bytes!("../../tests/fixtures/pictures/halved-colours.jpg")[..];
    let says_rgb = (0xEE, b"Adobe\0\x64\0\0\0\0\0".to_vec());
    let cancellation = CancellationToken::new();
    let eighth = |content: &[u8]| {
        let header = clean::header(&mut Cursor::new(content)).unwrap();
        let cleaned = clean::clean(header, content).unwrap().content;
        coarse::decode(&header, &cleaned, &budget(&requester(1, &cancellation))).unwrap()
    };
    assert!(holds(content, b"JFIF\0"));
    assert_eq!(eighth(&with_segments(content, &[says_rgb], b"")), eighth(content));
}

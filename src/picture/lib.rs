//! Pictures: recognised by their content, checked before they are decoded, turned upright, stripped of metadata, scaled
//! to previews. Also QR codes. Knows no file, no flight and no user.
//!
//! An upright picture keeps its encoded pixels byte by byte: only the parts of the file that are needed to display it
//! are kept (`clean`). A picture that the camera held otherwise is decoded, turned and encoded again. If a JPEG is too
//! large for that, it keeps its encoded pixels and an orientation tag. All concurrent decodes share one memory budget,
//! and a panic in a decoder counts as a broken picture.

pub mod format;
pub mod memory;
mod coarse;
mod rows;
mod scaled;
mod clean;

use std::borrow::Cow;
use std::io::{self, Cursor, Read, Seek};
use std::time::Duration;

use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{PngDecoder, PngEncoder};
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, GenericImageView, GrayImage, ImageDecoder, Limits, Luma, PixelWithColorType, Rgb, RgbImage};

use clean::StrippedFile;
use fluglog_base::error::{Error, Result};
use fluglog_base::limits::cpu_budget::CpuBudget;
use fluglog_base::limits::permits::Requester;

use format::{Format, Header, LimitedSource, PREVIEW_SIDE_PIXELS, Refusal};
use memory::MemoryBudget;

/// Most pixels; larger pictures are refused before decoding. Cameras of 50 megapixels have up to 8192 × 6144.
const MAX_PIXELS: u64 = 51_000_000;
const PREVIEW_QUALITY: u8 = 82;
/// JPEG quality of a turned picture, at which no difference is visible.
const TURNED_QUALITY: u8 = 93;
/// Side of a QR code's module in pixels, and width of the quiet zone in modules (ISO/IEC 18004, section 6.3.8).
const QR_MODULE_PIXELS: u32 = 8;
const QR_QUIET_MODULES: u32 = 4;

/// A cleaned picture, safe to show to others.
pub struct Picture {
    pub format: Format,
    pub content: Vec<u8>,
    /// A JPEG, at most 480 pixels on its longer side.
    pub preview: Vec<u8>,
}

/// Limit of processor time per picture.
const MAX_CPU_TIME: Duration = Duration::from_secs(10);

/// How often the pixels of a picture to be turned fit into memory.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TurnStrategy {
    /// All pixels twice, as needed for formats that can't be turned while they are encoded.
    Twice,
    /// All pixels once.
    Whole,
}

/// Prepares the picture in a file from the field `field`. Waits for its share of the memory budget.
///
/// # Errors
/// [`Error::UnsupportedFile`]: no picture, or an unsupported format. [`Error::Invalid`]: too many pixels, too much
/// work, or broken. [`Error::FilesTooLarge`]: exceeds the machine's memory. [`Error::TooManyRequests`]: too many wait.
/// [`Error::Busy`]: the disk fails.
pub fn prepare(
    memory: &MemoryBudget,
    requester: &Requester<'_>,
    field: &'static str,
    file: &mut (impl Read + Seek + Send),
    bytes: u64,
) -> Result<Picture> {
    let mut watched = ErrorTracking {
        inner: file,
        failure: None,
    };
    let picture = prepare_watched(memory, requester, field, &mut watched, bytes);
    match watched.failure {
        // The disk failed, so the picture isn't refused as broken.
        Some(error) => Err(Error::Busy(format!("an upload can't be read: {error}"))),
        None => picture,
    }
}

/// A file that remembers an I/O error, which decoders may hide.
struct ErrorTracking<'f, F> {
    inner: &'f mut F,
    failure: Option<io::Error>,
}

impl<F: Read> Read for ErrorTracking<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer);
        match read {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let kind = error.kind();
                self.failure = Some(error);
                Err(kind.into())
            }
            read => read,
        }
    }
}

impl<F: Seek> Seek for ErrorTracking<'_, F> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

fn prepare_watched(
    memory: &MemoryBudget,
    requester: &Requester<'_>,
    field: &'static str,
    file: &mut (impl Read + Seek + Send),
    bytes: u64,
) -> Result<Picture> {
    let refused = |refusal: Refusal| refusal.error(field);
    let header = on_guarded_thread(|| clean::header(file)).map_err(refused)?;
    if u64::from(header.width) * u64::from(header.height) > MAX_PIXELS {
        return Err(refused(Refusal::TooManyPixels));
    }
    let to_turn = needed_to_turn(&header, bytes, memory.per_picture());
    {
        // Nearly all pictures are upright; whether one is becomes known when the whole file has been read.
        let upright = header.scaled_bytes.unwrap_or(header.decoding_bytes);
        let needed = (2 * bytes).max(bytes + upright);
        if needed > memory.per_picture() {
            return Err(refused(Refusal::TooLarge));
        }
        let _permit = memory.take(requester, needed)?;
        let made = on_guarded_thread(|| {
            let cleaned = read(header, file, bytes)?;
            let stays = header.format == Format::Jpeg && to_turn.is_none();
            (stays || cleaned.orientation == Orientation::NoTransforms)
                .then(|| keep_upright(cleaned, &budget(requester), memory.per_picture()))
                .transpose()
        });
        if let Some(picture) = made.map_err(refused)? {
            return Ok(picture);
        }
    }
    let (needed, fits) = to_turn.ok_or(refused(Refusal::TooLarge))?;
    let _permit = memory.take(requester, needed)?;
    on_guarded_thread(|| {
        let cleaned = read(header, file, bytes)?;
        reencode(cleaned, &budget(requester), fits, memory.per_picture())
    })
    .map_err(refused)
}

/// Starts the CPU budget of one decode on this thread.
fn budget<'r>(requester: &Requester<'r>) -> CpuBudget<'r> {
    CpuBudget::new(requester.cancellation, MAX_CPU_TIME)
}

/// Returns the memory for turning a picture, and how often its pixels fit into that. The file is in memory twice while
/// it is cleaned, and when the JPEG decoder copies it.
fn needed_to_turn(header: &Header, bytes: u64, most: u64) -> Option<(u64, TurnStrategy)> {
    let whole = (2 * bytes).max(bytes + header.decoding_bytes);
    // Only a JPEG is turned while it is encoded.
    let twice = whole.max(bytes + 2 * header.pixels_bytes);
    [(twice, TurnStrategy::Twice), (whole, TurnStrategy::Whole)]
        .into_iter()
        .find(|(needed, _)| *needed <= most)
}

fn read(
    header: Header,
    file: &mut (impl Read + Seek + Send),
    bytes: u64,
) -> std::result::Result<StrippedFile, Refusal> {
    file.rewind().map_err(|_| Refusal::Broken)?;
    let mut source = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
    file.take(bytes).read_to_end(&mut source).map_err(|_| Refusal::Broken)?;
    clean::clean(header, &source)
}

/// Runs a decoder on another thread; a panic counts as a broken picture.
fn on_guarded_thread<T: Send>(
    work: impl FnOnce() -> std::result::Result<T, Refusal> + Send,
) -> std::result::Result<T, Refusal> {
    std::thread::scope(|scope| scope.spawn(work).join()).unwrap_or_else(|_| {
        tracing::warn!("a decoder panicked on a picture");
        Err(Refusal::Broken)
    })
}

/// Keeps the cleaned file, and generates only the preview.
fn keep_upright(
    cleaned: StrippedFile,
    budget: &CpuBudget<'_>,
    most_bytes: u64,
) -> std::result::Result<Picture, Refusal> {
    let header = cleaned.header;
    let source = budget.limit(Cursor::new(Cow::Borrowed(cleaned.content.as_slice())));
    let image = match (header.format, header.scaled_bytes) {
        _ if header.coarse => coarse::decode(&header, &cleaned.content, budget),
        (Format::Jpeg, Some(_)) => scaled::decode(&header, source),
        (Format::Png, Some(_)) => rows::decode(&header, source, most_bytes),
        _ => decode(&header, source, most_bytes),
    };
    let image = image.map_err(|refusal| stopped(budget).unwrap_or(refusal))?;
    Ok(Picture {
        format: header.format,
        preview: preview(&image, cleaned.orientation)?,
        content: clean::with_orientation(cleaned.content, cleaned.orientation),
    })
}

/// Decodes a picture and encodes it upright.
fn reencode(
    cleaned: StrippedFile,
    budget: &CpuBudget<'_>,
    fits: TurnStrategy,
    most_bytes: u64,
) -> std::result::Result<Picture, Refusal> {
    let (header, orientation) = (cleaned.header, cleaned.orientation);
    // Owned, because the JPEG decoder then drops the file as soon as it has its own copy.
    let source = budget.limit(Cursor::new(Cow::Owned(cleaned.content)));
    let image = match header.progressive {
        true => scaled::decode_whole(&header, source),
        false => decode(&header, source, most_bytes),
    };
    let image = image.map_err(|refusal| stopped(budget).unwrap_or(refusal))?;
    let preview = preview(&image, orientation)?;
    let (format, content) = turned(image, orientation, fits)?;
    Ok(Picture {
        format,
        content,
        preview,
    })
}

fn stopped(budget: &CpuBudget<'_>) -> Option<Refusal> {
    budget.is_exhausted().then_some(Refusal::TooMuchWork)
}

fn preview(image: &DynamicImage, orientation: Orientation) -> std::result::Result<Vec<u8>, Refusal> {
    let mut small = image.thumbnail(
        image.width().min(PREVIEW_SIDE_PIXELS),
        image.height().min(PREVIEW_SIDE_PIXELS),
    );
    small.apply_orientation(orientation);
    jpeg(&on_white(small), PREVIEW_QUALITY)
}

fn decode(header: &Header, source: LimitedSource<'_>, most_bytes: u64) -> std::result::Result<DynamicImage, Refusal> {
    let limits = limits(header, most_bytes);
    match header.format {
        Format::Jpeg => decode_with(JpegDecoder::new(source), header, limits),
        Format::Png => decode_with(PngDecoder::with_limits(source, limits.clone()), header, limits),
        Format::WebP => decode_with(WebPDecoder::new(source), header, limits),
        Format::Gif => decode_with(GifDecoder::new(source), header, limits),
    }
}

fn decode_with<D: ImageDecoder>(
    decoder: image::ImageResult<D>,
    header: &Header,
    limits: Limits,
) -> std::result::Result<DynamicImage, Refusal> {
    let mut decoder = decoder.map_err(|_| Refusal::Broken)?;
    if decoder.dimensions() != (header.width, header.height) {
        return Err(Refusal::Broken);
    }
    decoder.set_limits(limits).map_err(|_| Refusal::Broken)?;
    DynamicImage::from_decoder(decoder).map_err(|_| Refusal::Broken)
}

fn limits(header: &Header, most_bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(header.width);
    limits.max_image_height = Some(header.height);
    limits.max_alloc = Some(most_bytes);
    limits
}

/// Encodes a picture upright: without transparency as JPEG, otherwise as PNG.
fn turned(
    image: DynamicImage,
    orientation: Orientation,
    fits: TurnStrategy,
) -> std::result::Result<(Format, Vec<u8>), Refusal> {
    let as_it_is = matches!(image, DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_));
    if !as_it_is && fits != TurnStrategy::Twice {
        return Err(Refusal::TooLarge);
    }
    if image.color().has_alpha() {
        let mut image = image;
        image.apply_orientation(orientation);
        let mut content = Vec::new();
        image
            .write_with_encoder(PngEncoder::new(&mut content))
            .map_err(|_| Refusal::Broken)?;
        return Ok((Format::Png, content));
    }
    let content = match image {
        DynamicImage::ImageLuma8(image) => jpeg(&Turned { image, orientation }, TURNED_QUALITY),
        other => {
            let image = other.into_rgb8();
            jpeg(&Turned { image, orientation }, TURNED_QUALITY)
        }
    };
    Ok((Format::Jpeg, content?))
}

/// A turned view of a picture, without a second copy of its pixels.
struct Turned<I> {
    image: I,
    orientation: Orientation,
}

impl<I: GenericImageView> GenericImageView for Turned<I> {
    type Pixel = I::Pixel;

    fn dimensions(&self) -> (u32, u32) {
        let (width, height) = self.image.dimensions();
        match self.orientation {
            Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH => (height, width),
            _ => (width, height),
        }
    }

    fn get_pixel(&self, x: u32, y: u32) -> Self::Pixel {
        let (width, height) = self.image.dimensions();
        let (right, bottom) = (width - 1, height - 1);
        let (x, y) = match self.orientation {
            Orientation::NoTransforms => (x, y),
            Orientation::FlipHorizontal => (right - x, y),
            Orientation::Rotate180 => (right - x, bottom - y),
            Orientation::FlipVertical => (x, bottom - y),
            Orientation::Rotate90FlipH => (y, x),
            Orientation::Rotate90 => (y, bottom - x),
            Orientation::Rotate270FlipH => (right - y, bottom - x),
            Orientation::Rotate270 => (right - y, x),
        };
        self.image.get_pixel(x, y)
    }
}

fn jpeg<I>(image: &I, quality: u8) -> std::result::Result<Vec<u8>, Refusal>
where
    I: GenericImageView,
    I::Pixel: PixelWithColorType,
{
    let mut content = Vec::new();
    JpegEncoder::new_with_quality(&mut content, quality)
        .encode_image(image)
        .map_err(|_| Refusal::Broken)?;
    Ok(content)
}

/// Blends transparent pixels with white, the background of the page.
fn on_white(image: DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.into_rgb8();
    }
    let image = image.into_rgba8();
    RgbImage::from_fn(image.width(), image.height(), |x, y| {
        let [red, green, blue, opacity] = image.get_pixel(x, y).0;
        let over_white = |part: u8| {
            let mixed = (u32::from(part) * u32::from(opacity) + 255 * (255 - u32::from(opacity))) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        Rgb([over_white(red), over_white(green), over_white(blue)])
    })
}

/// Generates a PNG with the QR code of a text.
///
/// # Errors
/// [`Error::Internal`] if the text is too long.
pub fn qr_code(text: &str) -> Result<Vec<u8>> {
    let code = qrcode::QrCode::new(text).map_err(|error| Error::Internal(format!("no QR code: {error}")))?;
    let width = u32::try_from(code.width()).unwrap_or(0);
    let dark: Vec<bool> = code
        .to_colors()
        .into_iter()
        .map(|color| color == qrcode::Color::Dark)
        .collect();
    let side = (width + 2 * QR_QUIET_MODULES) * QR_MODULE_PIXELS;
    let picture = GrayImage::from_fn(side, side, |x, y| {
        let module = |at: u32| {
            (at / QR_MODULE_PIXELS)
                .checked_sub(QR_QUIET_MODULES)
                .filter(|at| *at < width)
        };
        let is_dark = match (module(x), module(y)) {
            (Some(column), Some(row)) => dark.get((row * width + column) as usize).copied().unwrap_or(false),
            _ => false,
        };
        Luma([if is_dark { 0 } else { u8::MAX }])
    });
    let mut content = Vec::new();
    picture
        .write_with_encoder(PngEncoder::new(&mut content))
        .map_err(|error| Error::Internal(format!("no QR code: {error}")))?;
    Ok(content)
}

/// Generates the QR code of a text as rows of `0` and `1` (dark), without the quiet zone. Uses error correction level
/// Q: about a quarter may be damaged.
///
/// # Errors
/// [`Error::Internal`] if the text is too long.
pub fn qr_rows(text: &str) -> Result<Vec<String>> {
    let code = qrcode::QrCode::with_error_correction_level(text, qrcode::EcLevel::Q)
        .map_err(|error| Error::Internal(format!("no QR code: {error}")))?;
    let dark = |color: &qrcode::Color| if *color == qrcode::Color::Dark { '1' } else { '0' };
    let colors = code.to_colors();
    let rows = colors.chunks(code.width());
    Ok(rows.map(|row| row.iter().map(dark).collect()).collect())
}

#[cfg(test)]
mod tests;

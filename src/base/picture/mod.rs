//! Pictures: recognised by their content, checked before they are decoded, turned upright, freed of metadata, made small. And QR codes.
//! Knows no file, no flight and no user.
//!
//! A picture that lies upright keeps its pixels byte by byte: of its file only the parts stay that are needed to show it (`clean.rs`).
//! One that the camera held otherwise is decoded, turned and encoded anew. All decoding at one time shares one memory budget, and
//! a panic of a decoder is an error like any other broken picture.

mod clean;
pub mod format;
mod scaled;

use std::io::{self, Cursor, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{PngDecoder, PngEncoder};
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, GenericImageView, GrayImage, ImageDecoder, Limits, Luma, PixelWithColorType, Rgb, RgbImage};

use crate::base::error::{Error, Result};
use clean::Cleaned;
use format::{Format, Header, PREVIEW_SIDE_PIXELS, Refusal};

/// More pixels are refused before anything is decoded.
const PIXELS_MOST: u64 = 50_000_000;
/// Memory of all running decodes together. A Pi has 1 GiB for everything.
const MEMORY_BYTES: u64 = 256 * 1024 * 1024;
/// More pictures than this don't wait for memory: each holds a thread that others need.
const WAITING_MOST: usize = 32;
const PREVIEW_QUALITY: u8 = 82;
/// Of a picture that had to be turned: no difference is seen at this one.
const TURNED_QUALITY: u8 = 93;
/// The side of one module of a QR code, in pixels, and the quiet zone around it, in modules (ISO/IEC 18004, section 6.3.8).
const QR_MODULE_PIXELS: u32 = 8;
const QR_QUIET_MODULES: u32 = 4;

/// A picture that may be shown to anyone who may see it.
pub struct Picture {
    pub format: Format,
    pub content: Vec<u8>,
    /// A JPEG, at most 480 pixels on its longer side.
    pub preview: Vec<u8>,
}

/// The memory that running decodes share.
#[derive(Default)]
pub struct Memory {
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Default)]
struct Taken {
    bytes: u64,
    waiting: usize,
}

/// A part of the memory, until it is dropped.
struct Share<'m> {
    memory: &'m Memory,
    bytes: u64,
}

impl Memory {
    /// Waits until so much is free. More than there is at all is never asked for.
    fn take(&self, bytes: u64) -> Result<Share<'_>> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.waiting >= WAITING_MOST {
            return Err(Error::Busy("too many pictures wait for memory".to_owned()));
        }
        taken.waiting += 1;
        while taken.bytes + bytes > MEMORY_BYTES {
            taken = self.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        taken.waiting -= 1;
        taken.bytes += bytes;
        Ok(Share { memory: self, bytes })
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let mut taken = self.memory.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.bytes -= self.bytes;
        drop(taken);
        self.memory.freed.notify_all();
    }
}

/// How much of a picture fits into the memory at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fits {
    /// All pixels twice, as turning some pictures needs them.
    Twice,
    /// All pixels.
    Whole,
    /// The pixels of a preview.
    Scaled,
}

/// Makes a picture out of the file that came in the field `field`. Waits for its share of the memory.
///
/// # Errors
/// [`Error::WrongKindOfFile`]: no picture, or of no kind that is taken. [`Error::Invalid`]: too many pixels, or broken. [`Error::Busy`].
pub fn prepare(memory: &Memory, field: &'static str, file: &mut (impl Read + Seek), bytes: u64) -> Result<Picture> {
    let mut watched = Watched {
        inner: file,
        failure: None,
    };
    let picture = prepare_watched(memory, field, &mut watched, bytes);
    match watched.failure {
        // The picture isn't to blame.
        Some(error) => Err(Error::Busy(format!("an upload can't be read: {error}"))),
        None => picture,
    }
}

/// A file that remembers an error of the disk, whatever its reader makes of it.
struct Watched<'f, F> {
    inner: &'f mut F,
    failure: Option<io::Error>,
}

impl<F: Read> Read for Watched<'_, F> {
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

impl<F: Seek> Seek for Watched<'_, F> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

fn prepare_watched(memory: &Memory, field: &'static str, file: &mut (impl Read + Seek), bytes: u64) -> Result<Picture> {
    let header = guarded(|| clean::header(file)).map_err(|refusal| refusal.error(field))?;
    let (needed, fits) = needed(&header, bytes).map_err(|refusal| refusal.error(field))?;
    let _share = memory.take(needed)?;
    let made = guarded(|| {
        file.rewind().map_err(|_| Refusal::Broken)?;
        let mut source = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
        file.take(bytes).read_to_end(&mut source).map_err(|_| Refusal::Broken)?;
        let cleaned = clean::clean(header, &source).ok_or(Refusal::Broken)?;
        drop(source);
        finish(cleaned, fits)
    });
    made.map_err(|refusal| refusal.error(field))
}

/// The memory for a picture, and what fits into it. Its file is there twice while it is cleaned, and while a JPEG is decoded.
fn needed(header: &Header, bytes: u64) -> std::result::Result<(u64, Fits), Refusal> {
    if u64::from(header.width) * u64::from(header.height) > PIXELS_MOST {
        return Err(Refusal::TooManyPixels);
    }
    let copies = if header.format == Format::Jpeg {
        2 * bytes
    } else {
        bytes
    };
    let whole = (2 * bytes).max(copies + header.decoding_bytes);
    // Only a JPEG is turned while it is encoded.
    let twice = whole.max(bytes + 2 * header.pixels_bytes);
    let scaled = header.scaled_bytes.map(|scaled| (2 * bytes + scaled, Fits::Scaled));
    [Some((twice, Fits::Twice)), Some((whole, Fits::Whole)), scaled]
        .into_iter()
        .flatten()
        .find(|(needed, _)| *needed <= MEMORY_BYTES)
        .ok_or(Refusal::TooLarge)
}

/// A decoder that panics has found a broken picture.
fn guarded<T>(work: impl FnOnce() -> std::result::Result<T, Refusal>) -> std::result::Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        tracing::warn!("a decoder panicked on a picture");
        Err(Refusal::Broken)
    })
}

fn finish(cleaned: Cleaned, fits: Fits) -> std::result::Result<Picture, Refusal> {
    let image = match (fits, cleaned.orientation) {
        (Fits::Scaled, Orientation::NoTransforms) => scaled::decode(&cleaned.header, &cleaned.content)?,
        (Fits::Scaled, _) => return Err(Refusal::TooLarge),
        _ => decode(&cleaned)?,
    };
    let mut small = image.thumbnail(
        image.width().min(PREVIEW_SIDE_PIXELS),
        image.height().min(PREVIEW_SIDE_PIXELS),
    );
    small.apply_orientation(cleaned.orientation);
    let preview = jpeg(&on_white(small), PREVIEW_QUALITY)?;
    if cleaned.orientation == Orientation::NoTransforms {
        return Ok(Picture {
            format: cleaned.header.format,
            content: cleaned.content,
            preview,
        });
    }
    drop(cleaned.content);
    let (format, content) = turned(image, cleaned.orientation, fits)?;
    Ok(Picture {
        format,
        content,
        preview,
    })
}

fn decode(cleaned: &Cleaned) -> std::result::Result<DynamicImage, Refusal> {
    let source = Cursor::new(cleaned.content.as_slice());
    let header = &cleaned.header;
    match header.format {
        Format::Jpeg => decode_with(JpegDecoder::new(source), header),
        Format::Png => decode_with(PngDecoder::with_limits(source, limits(header)), header),
        Format::WebP => decode_with(WebPDecoder::new(source), header),
        Format::Gif => decode_with(GifDecoder::new(source), header),
    }
}

fn decode_with<D: ImageDecoder>(
    decoder: image::ImageResult<D>,
    header: &Header,
) -> std::result::Result<DynamicImage, Refusal> {
    let mut decoder = decoder.map_err(|_| Refusal::Broken)?;
    if decoder.dimensions() != (header.width, header.height) {
        return Err(Refusal::Broken);
    }
    decoder.set_limits(limits(header)).map_err(|_| Refusal::Broken)?;
    DynamicImage::from_decoder(decoder).map_err(|_| Refusal::Broken)
}

fn limits(header: &Header) -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(header.width);
    limits.max_image_height = Some(header.height);
    limits.max_alloc = Some(MEMORY_BYTES);
    limits
}

/// Encodes a picture as it has to be seen: without transparency as a JPEG, else as a PNG.
fn turned(
    image: DynamicImage,
    orientation: Orientation,
    fits: Fits,
) -> std::result::Result<(Format, Vec<u8>), Refusal> {
    let as_it_is = matches!(image, DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_));
    if !as_it_is && fits != Fits::Twice {
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

/// A picture seen from another side, without a second copy of its pixels.
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

/// Paints transparent pixels white, as the page under them is.
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

/// A PNG with the QR code of a text.
///
/// # Errors
/// [`Error::Internal`]: the text is too long for one.
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

#[cfg(test)]
mod tests;

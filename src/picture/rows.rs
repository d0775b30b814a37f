//! Decodes a PNG row by row into its preview: the pixels are never in memory all at once.

use image::imageops::replace;
use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};
use png::{ColorType, Decoder, Limits, Transformations};

use super::format::{Header, LimitedSource, PREVIEW_SIDE_PIXELS, Refusal};

/// Bytes for the decode in addition to its rows.
const MORE_BYTES: u64 = 2 * 1024 * 1024;

/// Returns the memory for the decode, given the bytes of a row: the rows that make up one row of the preview, and the
/// decoder's own.
pub(super) fn needed(width: u32, height: u32, row_bytes: u64) -> u64 {
    let (_, rows) = preview_size(width, height);
    let strip = u64::from(height.div_ceil(rows.max(1)) + 1);
    (2 * strip + 4) * row_bytes + MORE_BYTES
}

pub(super) fn decode(header: &Header, source: LimitedSource<'_>, most_bytes: u64) -> Result<DynamicImage, Refusal> {
    let limits = Limits {
        bytes: usize::try_from(most_bytes).unwrap_or(usize::MAX),
    };
    let mut decoder = Decoder::new_with_limits(source, limits);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|_| Refusal::Broken)?;
    if (reader.info().width, reader.info().height) != (header.width, header.height) {
        return Err(Refusal::Broken);
    }
    let (channels, _) = reader.output_color_type();
    let (width, height) = preview_size(header.width, header.height);
    let mut preview = RgbaImage::new(width, height);
    let mut from = 0;
    for y in 0..height {
        let to = u32::try_from(u64::from(y + 1) * u64::from(header.height) / u64::from(height)).unwrap_or(from + 1);
        let mut pixels = Vec::new();
        for _ in from..to {
            let row = reader.next_row().map_err(|_| Refusal::Broken)?.ok_or(Refusal::Broken)?;
            pixels.extend_from_slice(row.data());
        }
        let strip = image(channels, header.width, to - from, pixels).ok_or(Refusal::Broken)?;
        replace(
            &mut preview,
            &strip.thumbnail_exact(width, 1).into_rgba8(),
            0,
            i64::from(y),
        );
        from = to;
    }
    Ok(preview.into())
}

fn image(channels: ColorType, width: u32, height: u32, pixels: Vec<u8>) -> Option<DynamicImage> {
    match channels {
        ColorType::Grayscale => GrayImage::from_raw(width, height, pixels).map(Into::into),
        ColorType::GrayscaleAlpha => GrayAlphaImage::from_raw(width, height, pixels).map(Into::into),
        ColorType::Rgb => RgbImage::from_raw(width, height, pixels).map(Into::into),
        ColorType::Rgba => RgbaImage::from_raw(width, height, pixels).map(Into::into),
        // Can't occur: the decoder expands palettes.
        ColorType::Indexed => None,
    }
}

fn preview_size(width: u32, height: u32) -> (u32, u32) {
    let longer = width.max(height);
    let side = |pixels: u32| match longer <= PREVIEW_SIDE_PIXELS {
        true => pixels,
        false => {
            let scaled = u64::from(pixels) * u64::from(PREVIEW_SIDE_PIXELS) / u64::from(longer);
            u32::try_from(scaled).unwrap_or(PREVIEW_SIDE_PIXELS).max(1)
        }
    };
    (side(width), side(height))
}

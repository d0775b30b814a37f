//! Decodes a JPEG at about the size of its preview: only a few pixels are computed of each 8 × 8 block. For a
//! progressive one the decoder keeps two bytes per coefficient (ITU-T T.81, annex G). It reads its source while it
//! works, so that it can be stopped.

use image::{DynamicImage, GrayImage, RgbImage};
use jpeg_decoder::{Decoder, PixelFormat};

use super::format::{Header, LimitedSource, PREVIEW_SIDE_PIXELS, Refusal};

/// Bytes for the decode in addition to the coefficients: the pixels are at most twice the preview's in each direction,
/// or an eighth of the picture's.
pub(super) const PIXELS_BYTES: u64 = 8 * 1024 * 1024;
/// Bytes by which a decoder that keeps no coefficients is ahead of the thread that makes pixels of them.
pub(super) const QUEUED_BYTES: u64 = 4 * 1024 * 1024;

pub(super) fn decode(header: &Header, source: LimitedSource<'_>) -> Result<DynamicImage, Refusal> {
    let (width, height) = (header.width, header.height);
    let (mut decoder, format) = opened(header, source)?;
    let longer = width.max(height);
    let side = |pixels: u32| u16::try_from((pixels * PREVIEW_SIDE_PIXELS / longer).max(1)).map_err(|_| Refusal::Broken);
    let (width, height) = decoder
        .scale(side(width)?, side(height)?)
        .map_err(|_| Refusal::Broken)?;
    let pixels = decoder.decode().map_err(|_| Refusal::Broken)?;
    image(u32::from(width), u32::from(height), format, pixels)
}

/// Decodes all pixels.
pub(super) fn decode_whole(header: &Header, source: LimitedSource<'_>) -> Result<DynamicImage, Refusal> {
    let (mut decoder, format) = opened(header, source)?;
    let pixels = decoder.decode().map_err(|_| Refusal::Broken)?;
    image(header.width, header.height, format, pixels)
}

fn opened<'s>(
    header: &Header,
    source: LimitedSource<'s>,
) -> Result<(Decoder<LimitedSource<'s>>, PixelFormat), Refusal> {
    let mut decoder = Decoder::new(source);
    decoder.read_info().map_err(|_| Refusal::Broken)?;
    let info = decoder.info().ok_or(Refusal::Broken)?;
    if (u32::from(info.width), u32::from(info.height)) != (header.width, header.height) {
        return Err(Refusal::Broken);
    }
    Ok((decoder, info.pixel_format))
}

fn image(width: u32, height: u32, format: PixelFormat, pixels: Vec<u8>) -> Result<DynamicImage, Refusal> {
    let image = match format {
        PixelFormat::L8 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::ImageLuma8),
        PixelFormat::RGB24 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8),
        PixelFormat::L16 | PixelFormat::CMYK32 => None,
    };
    image.ok_or(Refusal::Broken)
}

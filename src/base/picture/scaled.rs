//! A JPEG decoded at about the size of its preview: a large progressive one fits into the memory only like that. Its decoder keeps
//! two bytes for each coefficient, and makes a few pixels out of each 8 × 8 of them instead of all (ITU-T T.81, annex G).

use image::{DynamicImage, GrayImage, RgbImage};
use jpeg_decoder::{Decoder, PixelFormat};

use super::format::{Header, PREVIEW_SIDE_PIXELS, Refusal};

/// Bytes that such a decode needs besides the coefficients: the pixels are at most twice the preview's across and down, or an
/// eighth of the picture's.
pub(super) const PIXELS_BYTES: u64 = 8 * 1024 * 1024;

pub(super) fn decode(header: &Header, content: &[u8]) -> Result<DynamicImage, Refusal> {
    let (width, height) = (header.width, header.height);
    let mut decoder = Decoder::new(content);
    decoder.read_info().map_err(|_| Refusal::Broken)?;
    let info = decoder.info().ok_or(Refusal::Broken)?;
    if (u32::from(info.width), u32::from(info.height)) != (width, height) {
        return Err(Refusal::Broken);
    }
    let longer = width.max(height);
    let side = |pixels: u32| u16::try_from((pixels * PREVIEW_SIDE_PIXELS / longer).max(1)).map_err(|_| Refusal::Broken);
    let (width, height) = decoder
        .scale(side(width)?, side(height)?)
        .map_err(|_| Refusal::Broken)?;
    let pixels = decoder.decode().map_err(|_| Refusal::Broken)?;
    let (width, height) = (u32::from(width), u32::from(height));
    let image = match info.pixel_format {
        PixelFormat::L8 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::ImageLuma8),
        PixelFormat::RGB24 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8),
        PixelFormat::L16 | PixelFormat::CMYK32 => None,
    };
    image.ok_or(Refusal::Broken)
}

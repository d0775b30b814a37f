//! Pictures as a copter takes them, drawn by calculation: fields, water and trees seen from above, under a sky. Knows no flight and
//! no file.

use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, Rgb, RgbImage};

use crate::base::error::{Error, Result};

/// The ground under the copter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ground {
    Fields,
    /// Meadows with a river of this half width.
    River(f32),
    /// The sea begins here, seen from the beach.
    Coast,
    /// Water among trees.
    Lake,
    /// Sandy paths through heather.
    Heath,
}

/// One picture.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    pub ground: Ground,
    /// 0 to 1: from the first of January to the end of the year.
    pub season: f32,
    /// 0 in the middle of the day to 1 shortly before sunset.
    pub evening: f32,
    /// Whether the camera looks straight down.
    pub downwards: bool,
    /// Another place of the same kind.
    pub seed: u32,
}

type Colour = [f32; 3];

/// Calculated pixels; the picture has three times as many on each side.
const WIDTH: u16 = 384;
const HEIGHT: u16 = 288;
const SCALE: u32 = 3;
const QUALITY: u8 = 84;
/// From the upper edge, in heights of the picture.
const HORIZON: f32 = 0.36;
/// How much fits into a view: more from higher up.
const HEIGHT_SEEN: f32 = 1.7;

/// The colours of a season and an hour.
struct Palette {
    fields: [Colour; 7],
    leaves: Colour,
    hedge: Colour,
    water: Colour,
    zenith: Colour,
    horizon: Colour,
    sun: Colour,
    /// How far light is coloured by the sun.
    evening: f32,
}

/// A colour as it is written in style sheets.
fn rgb(hex: u32) -> Colour {
    [
        ((hex >> 16) & 255) as f32,
        ((hex >> 8) & 255) as f32,
        (hex & 255) as f32,
    ]
}

fn mix(one: Colour, other: Colour, share: f32) -> Colour {
    let share = share.clamp(0.0, 1.0);
    [0, 1, 2].map(|part| one[part] + (other[part] - one[part]) * share)
}

fn lit(colour: Colour, light: f32) -> Colour {
    colour.map(|part| part * light)
}

/// A number from 0 to 1 that belongs to a place.
fn hash(x: i32, y: i32, seed: u32) -> f32 {
    let mut bits =
        (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2C1B_3C6D);
    bits ^= bits >> 12;
    bits = bits.wrapping_mul(0x297A_2D39);
    bits ^= bits >> 15;
    (bits >> 8) as f32 / 16_777_216.0
}

fn smooth(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Hills between the numbers of a grid.
fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = (smooth(0.0, 1.0, x - left), smooth(0.0, 1.0, y - top));
    let (i, j) = (left as i32, top as i32);
    let upper = hash(i, j, seed) * (1.0 - across) + hash(i + 1, j, seed) * across;
    let lower = hash(i, j + 1, seed) * (1.0 - across) + hash(i + 1, j + 1, seed) * across;
    upper * (1.0 - down) + lower * down
}

fn palette(scene: &Scene) -> Palette {
    let warmth = (1.0 - ((scene.season - 0.54) * 2.2).abs()).clamp(0.0, 1.0);
    let autumn = (1.0 - ((scene.season - 0.80) * 8.0).abs()).clamp(0.0, 1.0);
    let winter = [0x8f9a62, 0x768a52, 0xa3906a, 0x7d6a50, 0x8c9a60, 0x6c8550, 0xb0a27c].map(rgb);
    let summer = [0x7fa650, 0xd9bf6a, 0x5f9145, 0xb59a62, 0x94b45a, 0x4d8040, 0xe3cf86].map(rgb);
    let mut fields = winter;
    for (field, ripe) in fields.iter_mut().zip(summer) {
        *field = mix(*field, ripe, warmth * 1.15);
    }
    if scene.ground == Ground::Heath {
        let bloom = (1.0 - ((scene.season - 0.65) * 9.0).abs()).clamp(0.0, 1.0);
        for field in &mut fields {
            *field = mix(mix(*field, rgb(0x8a7d58), 0.6), rgb(0x9b6f92), bloom * 0.75);
        }
    }
    let leaves = mix(
        mix(rgb(0x565239), rgb(0x3c6631), warmth * 1.3),
        rgb(0xa9762f),
        autumn * 0.8,
    );
    Palette {
        fields,
        leaves,
        hedge: mix(leaves, rgb(0x20301c), 0.35),
        water: mix(rgb(0x4d6f86), rgb(0x3f7f99), warmth),
        zenith: mix(
            mix(rgb(0x7c9cbc), rgb(0x3f86cc), warmth),
            rgb(0x5a7bb0),
            scene.evening * 0.8,
        ),
        horizon: mix(rgb(0xdce6ec), rgb(0xf8c795), scene.evening * 0.9),
        sun: mix(rgb(0xfffbe8), rgb(0xffc27a), scene.evening),
        evening: scene.evening,
    }
}

/// The visible ground at a place, `fine` of it: little details vanish where a pixel covers much.
fn ground(scene: &Scene, palette: &Palette, x: f32, y: f32, fine: f32) -> Colour {
    let water = water_at(scene, x, y);
    if water > 0.06 {
        let ripples = noise(x * 3.0, y * 9.0, scene.seed + 7) * 0.10 * fine;
        let shallow = smooth(0.5, 0.06, water) * 0.45;
        let shore = if scene.ground == Ground::Coast {
            rgb(0xa8d0c4)
        } else {
            rgb(0x7d8f72)
        };
        let surf = if scene.ground == Ground::Coast {
            let wave = (water * 9.0 + noise(x * 0.9, y * 0.9, scene.seed + 3) * 4.0).sin();
            smooth(0.86, 1.0, wave) * smooth(2.2, 0.1, water) * (0.3 + 0.7 * fine)
        } else {
            0.0
        };
        let colour = mix(mix(palette.water, palette.horizon, 0.22 + ripples), shore, shallow);
        return mix(colour, rgb(0xf4f7f5), surf);
    }
    let dry = dry_ground(scene, palette, x, y, fine);
    let bank = match scene.ground {
        Ground::Coast => rgb(0xe2d3a8),
        Ground::Lake => rgb(0x8f9468),
        _ => rgb(0xa3a06f),
    };
    let width = if scene.ground == Ground::Coast { -2.4 } else { -0.16 };
    let sand = smooth(width, width * 0.45, water);
    let wet = smooth(-0.5, 0.0, water) * if scene.ground == Ground::Coast { 0.22 } else { 0.1 };
    lit(
        mix(dry, mix(bank, lit(bank, 0.93), noise(x * 6.0, y * 6.0, 5) * fine), sand),
        1.0 - wet,
    )
}

/// How deep in the water a place is; negative on land.
fn water_at(scene: &Scene, x: f32, y: f32) -> f32 {
    let turn = scene.seed as f32 * 1.7;
    match scene.ground {
        Ground::River(half_width) => {
            let middle = (y * 0.21 + turn).sin() * 2.6 + (y * 0.083 + turn).sin() * 3.4 - y * 0.084 + 1.2;
            half_width * (1.0 + 0.2 * (y * 0.5 + turn).sin()) - (x - middle).abs() * 0.8
        }
        Ground::Coast => {
            (y - 7.4) * 0.30 + x * 0.26 + (x * 0.33 + turn).sin() * 0.5 + noise(x * 0.8, y * 0.8, scene.seed) * 0.5
        }
        Ground::Lake => {
            let (dx, dy) = (x - 0.8 - turn.sin(), (y - 11.0) * 0.62);
            4.4 + (dx * 0.9 + turn).sin() * 0.6 + noise(x * 0.55, y * 0.55, scene.seed) * 1.5 - dx.hypot(dy)
        }
        Ground::Fields | Ground::Heath => -9.0,
    }
}

fn dry_ground(scene: &Scene, palette: &Palette, x: f32, y: f32, fine: f32) -> Colour {
    // Fields lie askew, in strips of their own width.
    let angle = 0.35 + hash(1, 2, scene.seed) * 0.5;
    let (along, across) = (x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin());
    let bend = (along * 0.35).sin() * 0.25;
    let strip_at = (across + bend) / 2.6;
    let strip = strip_at.floor();
    let length = 2.4 + hash(strip as i32, 3, scene.seed) * 3.2;
    let piece_at = along / length + hash(strip as i32, 4, scene.seed);
    let piece = piece_at.floor();
    let cell = (strip as i32, piece as i32);
    let choice = hash(cell.0, cell.1, scene.seed);
    let mut colour = palette.fields[((choice * 7.0) as usize).min(6)];
    let patches = noise(x * 0.7, y * 0.7, scene.seed + 1) - 0.5;
    let blades = if fine > 0.0 {
        noise(x * 14.0, y * 14.0, scene.seed + 2) - 0.5
    } else {
        0.0
    };
    colour = lit(colour, 1.0 + patches * 0.16 + blades * 0.16 * fine);
    if scene.ground != Ground::Heath && hash(cell.0, cell.1, 9) > 0.35 {
        let furrows = ((across + bend) * (18.0 + choice * 10.0)).sin();
        colour = lit(colour, 1.0 + furrows * 0.055 * fine);
    }
    let edge = ((strip_at - strip).min(strip + 1.0 - strip_at) * 2.6)
        .min((piece_at - piece).min(piece + 1.0 - piece_at) * length);
    let is_track = hash(cell.0, 5, scene.seed) > 0.55;
    let from_strip = (strip_at - strip) * 2.6;
    if is_track && scene.ground != Ground::Lake {
        let ruts = 0.94 + 0.06 * smooth(0.02, 0.0, (from_strip - 0.08).abs());
        colour = mix(colour, lit(rgb(0xcdbb93), ruts), smooth(0.16, 0.11, from_strip));
    } else {
        colour = mix(colour, lit(palette.hedge, 1.1 + blades), smooth(0.07, 0.03, edge) * 0.8);
    }
    let colour = trees(scene, palette, colour, (x, y), fine);
    if is_track && from_strip < 0.11 && scene.ground == Ground::Heath {
        return mix(colour, rgb(0xd8c8a0), 0.75);
    }
    colour
}

/// Puts round trees with their shadows on the ground: along edges, in groups, as woods.
fn trees(scene: &Scene, palette: &Palette, under: Colour, (x, y): (f32, f32), fine: f32) -> Colour {
    let wood = |x: f32, y: f32| noise(x * 0.23 + 9.0, y * 0.23, scene.seed + 11);
    let edge = match scene.ground {
        Ground::Lake => 0.40,
        Ground::Heath => 0.60,
        Ground::Coast => 0.78,
        Ground::Fields | Ground::River(_) => 0.66,
    };
    let mut colour = under;
    let dense = |wood: f32| smooth(edge, edge + 0.07, wood) * 0.95 + 0.02;
    let here = wood(x, y);
    if fine <= 0.0 {
        return mix(under, palette.hedge, dense(here) * 0.9);
    }
    let size = 0.36;
    // Near the edge of a wood it is the place of the whole tree that counts; elsewhere all around is like here.
    let is_near_edge = (here - edge - 0.035).abs() < 0.2;
    let (column, row) = ((x / size).floor() as i32, (y / size).floor() as i32);
    let mut crown = None;
    for j in row - 1..=row + 1 {
        for i in column - 1..=column + 1 {
            let wood = if is_near_edge {
                wood(i as f32 * size, j as f32 * size)
            } else {
                here
            };
            if hash(i, j, scene.seed + 21) > dense(wood) {
                continue;
            }
            let middle = (
                (i as f32 + 0.2 + 0.6 * hash(i, j, 22)) * size,
                (j as f32 + 0.2 + 0.6 * hash(i, j, 23)) * size,
            );
            let radius = size * (0.34 + 0.30 * hash(i, j, 24));
            let shadow = (x - middle.0 - radius * 0.55).hypot(y - middle.1 + radius * 0.45);
            colour = lit(colour, 1.0 - 0.42 * smooth(radius, radius * 0.8, shadow));
            let away = (x - middle.0).hypot(y - middle.1);
            if away < radius {
                let side = ((middle.0 - x) + (y - middle.1)) / radius;
                crown = Some((hash(i, j, 25), side, away / radius));
            }
        }
    }
    if let Some((kind, side, away)) = crown {
        let leaf = lit(palette.leaves, 0.78 + kind * 0.42 + side * 0.20);
        let rough = 1.0 + (noise(x * 22.0, y * 22.0, 6) - 0.5) * 0.35 * fine;
        colour = mix(lit(leaf, rough), colour, smooth(0.9, 1.0, away) * 0.6);
    }
    colour
}

fn sky(scene: &Scene, palette: &Palette, across: f32, up: f32) -> Colour {
    let mut colour = mix(palette.horizon, palette.zenith, up.max(0.0).powf(0.62) * 1.05);
    let sun = (
        across - (hash(3, 3, scene.seed) - 0.5) * 1.2,
        up - 0.42 + palette.evening * 0.34,
    );
    let far = sun.0.hypot(sun.1 * 1.3);
    colour = mix(
        colour,
        palette.sun,
        smooth(0.75, 0.0, far) * (0.34 + 0.4 * palette.evening),
    );
    colour = mix(colour, rgb(0xfffdf2), smooth(0.05, 0.035, far) * palette.evening);
    // Clouds lie on a ceiling, so that they get smaller towards the horizon.
    let height = 0.9 / (up + 0.14);
    let at = (across * height * 1.3 + scene.seed as f32, height * 1.6);
    let cloud = noise(at.0, at.1, scene.seed) * 0.6
        + noise(at.0 * 2.3, at.1 * 2.3, scene.seed + 1) * 0.28
        + noise(at.0 * 5.1, at.1 * 5.1, scene.seed + 2) * 0.12;
    let cover = smooth(0.52, 0.74, cloud) * smooth(0.0, 0.12, up) * 0.85;
    let white = mix(rgb(0xffffff), palette.horizon, 0.25 + palette.evening * 0.45);
    mix(colour, white, cover)
}

/// Far hills and woods against the sky.
fn ridge(across: f32, seed: u32, layer: f32) -> f32 {
    let turn = seed as f32 + layer * 3.0;
    0.018 * layer
        + 0.012 * (across * 3.1 + turn).sin()
        + 0.008 * (across * 7.7 + turn * 2.0).sin()
        + 0.004 * noise(across * 40.0, layer, seed)
}

/// The picture as a JPEG.
///
/// # Errors
/// [`Error::Internal`]: it can't be encoded.
pub fn photograph(scene: &Scene) -> Result<Vec<u8>> {
    let palette = palette(scene);
    let (width, height) = (f32::from(WIDTH), f32::from(HEIGHT));
    let small = RgbImage::from_fn(u32::from(WIDTH), u32::from(HEIGHT), |column, row| {
        let across = (column as f32 - width / 2.0) / height;
        let down = row as f32 / height;
        let colour = if scene.downwards {
            ground(scene, &palette, across * 7.0, 8.5 - down * 7.0, 0.9)
        } else {
            view(scene, &palette, across, down)
        };
        let tint = 0.2 + 0.22 * palette.evening;
        let colour = mix(colour, under_light(colour, palette.sun), tint);
        // Lenses are darker in the corners.
        let corner = across.hypot(down - 0.5);
        Rgb(lit(colour, 1.04 - 0.1 * palette.evening - 0.2 * corner * corner).map(byte))
    });
    // Smooth edges, as a lens makes them, for a ninth of the calculation.
    let large = DynamicImage::ImageRgb8(small).resize_exact(
        u32::from(WIDTH) * SCALE,
        u32::from(HEIGHT) * SCALE,
        FilterType::CatmullRom,
    );
    let mut content = Vec::new();
    JpegEncoder::new_with_quality(&mut content, QUALITY)
        .encode_image(&large)
        .map_err(|error| Error::Internal(format!("no picture: {error}")))?;
    Ok(content)
}

/// The look of one colour in a light of another.
fn under_light(one: Colour, other: Colour) -> Colour {
    [0, 1, 2].map(|part| one[part] * other[part] / 255.0)
}

fn view(scene: &Scene, palette: &Palette, across: f32, down: f32) -> Colour {
    let up = HORIZON - down;
    let haze = mix(palette.horizon, palette.zenith, 0.22);
    for layer in [1.0, 2.0] {
        let is_sea = scene.ground == Ground::Coast;
        if up > 0.0 && !is_sea && up < ridge(across, scene.seed, 3.0 - layer) {
            return mix(palette.hedge, haze, 0.42 + 0.18 * (3.0 - layer));
        }
    }
    if up >= 0.0 {
        return sky(scene, palette, across, up / HORIZON);
    }
    let far = 0.9 / (0.012 - up);
    let (x, y) = (across * far * 1.25 * HEIGHT_SEEN, far * HEIGHT_SEEN);
    let fine = smooth(16.0, 3.0, far);
    let seen = ground(scene, palette, x, y, fine);
    mix(seen, haze, 1.0 - (-far * 0.028).exp())
}

fn byte(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}

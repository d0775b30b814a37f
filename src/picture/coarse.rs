//! Decodes a progressive JPEG at an eighth of its size: of each 8 × 8 block only the mean, the DC coefficient, is read
//! (ITU-T T.81, annex G.1.2.1). The scans of all other coefficients, which a whole decode has to keep in memory, are
//! skipped.

use std::io::{BufRead, Empty};

use image::{DynamicImage, GrayImage, RgbImage};

use super::format::{Header, PREVIEW_SIDE_PIXELS, Refusal};
use fluglog_base::limits::cpu_budget::{CpuBudget, Limited};

/// Side of a block in pixels.
const BLOCK_PIXELS: u32 = 8;
const START_OF_SCAN: u8 = 0xDA;
const PROGRESSIVE_FRAME: u8 = 0xC2;
/// Component ids of a picture whose colours are RGB, not YCbCr.
const RGB_IDS: [u8; 3] = *b"RGB";
/// Longest difference of two means, in bits (ITU-T T.81, table F.1; 15 with 12 bits of precision).
const MAX_BITS: u8 = 15;

/// Returns whether an eighth of a picture is enough for its preview.
pub(super) fn is_enough(width: u32, height: u32) -> bool {
    width.max(height) >= BLOCK_PIXELS * PREVIEW_SIDE_PIXELS
}

pub(super) fn decode(header: &Header, content: &[u8], budget: &CpuBudget<'_>) -> Result<DynamicImage, Refusal> {
    let mut picture = Picture {
        width: header.width,
        height: header.height,
        ..Picture::default()
    };
    picture.read(content, budget).ok_or(Refusal::Broken)?;
    picture.image().ok_or(Refusal::Broken)
}

/// Stops the work at the end of its budget: each unit of each scan counts as a read.
type Clock<'b> = Limited<'b, Empty>;

#[derive(Default)]
struct Picture {
    width: u32,
    height: u32,
    components: Vec<Component>,
    tables: [Option<Table>; 4],
    /// The factor of the mean in each quantisation table.
    factors: [u16; 4],
    /// Units from one restart marker to the next; 0: none.
    restart_interval: usize,
    /// Whether there is a JFIF segment: its colours are always YCbCr.
    is_jfif: bool,
    /// Whether Adobe's segment says that the colours are YCbCr.
    adobe: Option<bool>,
}

struct Component {
    id: u8,
    across: usize,
    down: usize,
    factor: usize,
    /// Blocks of a row.
    stride: usize,
    means: Vec<i16>,
    /// Whether a scan with the first bits of the means was read.
    is_read: bool,
}

impl Component {
    /// Computes a sample of the picture, between the means of a component with fewer of them.
    fn sample(&self, x: u32, y: u32, (most_across, most_down): (usize, usize), factor: i32) -> i32 {
        // The mean before, the one behind, and the weight of the one behind in sixteenths.
        let place = |at: u32, own: usize, most: usize, blocks: usize| {
            let place = ((2 * at as usize + 1) * 8 * own / most).saturating_sub(8);
            let last = blocks.saturating_sub(1);
            ((place / 16).min(last), (place / 16 + 1).min(last), (place % 16) as i32)
        };
        let rows = self.means.len() / self.stride.max(1);
        let (left, right, across) = place(x, self.across, most_across, self.stride);
        let (above, below, down) = place(y, self.down, most_down, rows);
        let mean = |x, y| i32::from(self.means.get(y * self.stride + x).copied().unwrap_or_default());
        let between = |y| (16 - across) * mean(left, y) + across * mean(right, y);
        let mean = ((16 - down) * between(above) + down * between(below)).div_euclid(256);
        // A mean is eight times as large; half of that rounds it.
        (mean.wrapping_mul(factor).wrapping_add(4).div_euclid(8) + 128).clamp(0, 255)
    }
}

impl Picture {
    fn read(&mut self, content: &[u8], budget: &CpuBudget<'_>) -> Option<()> {
        let mut rest = content.get(2..)?;
        let mut clock = budget.limit(std::io::empty());
        while let [0xFF, marker, high, low, ..] = *rest {
            let (segment, after) = rest
                .get(2..)?
                .split_at_checked(usize::from(u16::from_be_bytes([high, low])))?;
            let segment = segment.get(2..)?;
            rest = after;
            match marker {
                PROGRESSIVE_FRAME => self.frame(segment)?,
                0xC4 => self.tables(segment)?,
                0xDB => self.factors(segment)?,
                0xDD => self.restart_interval = usize::from(u16::from_be_bytes(*segment.first_chunk()?)),
                0xE0 => self.is_jfif = true,
                0xEE => self.adobe = segment.get(11).map(|transform| *transform != 0),
                START_OF_SCAN => rest = self.scan(segment, after, &mut clock)?,
                _ => {}
            }
        }
        let is_read = !self.components.is_empty() && self.components.iter().all(|component| component.is_read);
        is_read.then_some(())
    }

    fn frame(&mut self, segment: &[u8]) -> Option<()> {
        let [8, _, _, _, _, count, components @ ..] = segment else {
            return None;
        };
        let sizes: Vec<[u8; 3]> = components.as_chunks().0.to_vec();
        if sizes.len() != usize::from(*count) || !matches!(count, 1 | 3) || !self.components.is_empty() {
            return None;
        }
        let sides = |size: &[u8; 3]| (usize::from(size[1] >> 4), usize::from(size[1] & 15));
        let valid = 1..=4;
        if !sizes
            .iter()
            .map(sides)
            .all(|(across, down)| valid.contains(&across) && valid.contains(&down))
        {
            return None;
        }
        let most_across = sizes.iter().map(|size| sides(size).0).max()?;
        let most_down = sizes.iter().map(|size| sides(size).1).max()?;
        let (columns, rows) = self.units(most_across, most_down);
        let component = |size: &[u8; 3]| {
            let (across, down) = sides(size);
            Component {
                id: size[0],
                across,
                down,
                factor: usize::from(size[2]),
                stride: columns * across,
                means: vec![0; columns * across * rows * down],
                is_read: false,
            }
        };
        self.components = sizes.iter().map(component).collect();
        Some(())
    }

    /// Returns the number of units across and down, if a unit has so many blocks.
    fn units(&self, across: usize, down: usize) -> (usize, usize) {
        let units = |pixels: u32, blocks: usize| (pixels as usize).div_ceil(BLOCK_PIXELS as usize * blocks);
        (units(self.width, across), units(self.height, down))
    }

    /// The largest number of blocks of a component in a unit, across and down.
    fn most(&self) -> (usize, usize) {
        let most = |side: fn(&Component) -> usize| self.components.iter().map(side).max().unwrap_or(1);
        (most(|component| component.across), most(|component| component.down))
    }

    fn tables(&mut self, mut segment: &[u8]) -> Option<()> {
        while let [place, after @ ..] = segment {
            let (counts, after) = after.split_first_chunk::<16>()?;
            let count = counts.iter().map(|count| usize::from(*count)).sum();
            let (values, after) = after.split_at_checked(count)?;
            segment = after;
            // Tables of the other coefficients have a one in front.
            if let Some(table) = self.tables.get_mut(usize::from(*place)) {
                *table = Some(Table {
                    counts: *counts,
                    values: values.to_vec(),
                });
            }
        }
        Some(())
    }

    fn factors(&mut self, mut segment: &[u8]) -> Option<()> {
        while let [place, after @ ..] = segment {
            let is_wide = place >> 4 != 0;
            let (values, after) = after.split_at_checked(if is_wide { 128 } else { 64 })?;
            segment = after;
            *self.factors.get_mut(usize::from(place & 15))? = match is_wide {
                true => u16::from_be_bytes(*values.first_chunk()?),
                false => u16::from(*values.first()?),
            };
        }
        Some(())
    }

    /// Reads a scan, if it is one of means, and returns what is behind it.
    fn scan<'c>(&mut self, segment: &[u8], data: &'c [u8], clock: &mut Clock<'_>) -> Option<&'c [u8]> {
        let (count, after) = segment.split_first()?;
        let (named, after) = after.split_at_checked(2 * usize::from(*count))?;
        let [first, last, bits] = *after else { return None };
        let mut bits_of = Bits::of(data);
        if first == 0 {
            let named = named.as_chunks::<2>().0.iter().map(|[id, table]| {
                let place = self.components.iter().position(|component| component.id == *id)?;
                Some((place, usize::from(table >> 4)))
            });
            let scan = Scan {
                components: named.collect::<Option<_>>()?,
                is_first: bits >> 4 == 0,
                shift: bits & 15,
            };
            if last != 0 || scan.shift > 13 || scan.components.is_empty() {
                return None;
            }
            self.means(&scan, &mut bits_of, clock)?;
        }
        Some(bits_of.behind())
    }

    fn means(&mut self, scan: &Scan, bits: &mut Bits<'_>, clock: &mut Clock<'_>) -> Option<()> {
        let (most_across, most_down) = self.most();
        let alone = match scan.components.as_slice() {
            [(place, _)] => self.components.get(*place),
            _ => None,
        };
        // A component alone has no blocks outside of the picture; together they fill whole units.
        let (columns, rows) = match alone {
            Some(component) => {
                let side = |pixels: u32, own: usize, most: usize| {
                    (pixels as usize * own).div_ceil(most).div_ceil(BLOCK_PIXELS as usize)
                };
                (
                    side(self.width, component.across, most_across),
                    side(self.height, component.down, most_down),
                )
            }
            None => self.units(most_across, most_down),
        };
        let is_alone = alone.is_some();
        let mut before = [0_i32; 4];
        let mut until_restart = self.restart_interval;
        for row in 0..rows {
            for column in 0..columns {
                clock.fill_buf().ok()?;
                if self.restart_interval > 0 && until_restart == 0 {
                    bits.restart();
                    (before, until_restart) = ([0; 4], self.restart_interval);
                }
                until_restart = until_restart.saturating_sub(1);
                for ((place, table), before) in scan.components.iter().zip(&mut before) {
                    let component = self.components.get_mut(*place)?;
                    component.is_read |= scan.is_first;
                    let (across, down) = match is_alone {
                        true => (1, 1),
                        false => (component.across, component.down),
                    };
                    let table = self.tables.get(*table)?.as_ref();
                    for y in row * down..(row + 1) * down {
                        for x in column * across..(column + 1) * across {
                            let mean = component.means.get_mut(y * component.stride + x)?;
                            scan.block(mean, before, table, bits)?;
                        }
                    }
                }
            }
        }
        Some(())
    }

    fn image(&self) -> Option<DynamicImage> {
        let (width, height) = (self.width.div_ceil(BLOCK_PIXELS), self.height.div_ceil(BLOCK_PIXELS));
        let most = self.most();
        let sample = |component: &Component, x, y| {
            let factor = self.factors.get(component.factor).copied().unwrap_or_default();
            component.sample(x, y, most, factor.into())
        };
        Some(match self.components.as_slice() {
            [grey] => GrayImage::from_fn(width, height, |x, y| image::Luma([sample(grey, x, y) as u8])).into(),
            [first, second, third] => {
                let is_rgb = match self.adobe {
                    _ if self.is_jfif => false,
                    Some(is_ycbcr) => !is_ycbcr,
                    None => [first.id, second.id, third.id] == RGB_IDS,
                };
                let pixel = |x, y| {
                    let pixel = [first, second, third].map(|component| sample(component, x, y));
                    image::Rgb(if is_rgb { pixel } else { rgb(pixel) }.map(|value| value as u8))
                };
                RgbImage::from_fn(width, height, pixel).into()
            }
            _ => return None,
        })
    }
}

/// Converts from YCbCr (ITU-T T.871, section 7), in thousandths.
fn rgb([y, cb, cr]: [i32; 3]) -> [i32; 3] {
    let (cb, cr) = (cb - 128, cr - 128);
    [1402 * cr, -344 * cb - 714 * cr, 1772 * cb].map(|more| (y + (more + 500).div_euclid(1000)).clamp(0, 255))
}

struct Scan {
    /// The places of the components, and of their tables.
    components: Vec<(usize, usize)>,
    /// Whether it has the first bits of the means, or one more.
    is_first: bool,
    shift: u8,
}

impl Scan {
    fn block(&self, mean: &mut i16, before: &mut i32, table: Option<&Table>, bits: &mut Bits<'_>) -> Option<()> {
        if !self.is_first {
            *mean |= (bits.take(1) as i16) << self.shift;
            return Some(());
        }
        let length = table?.symbol(bits)?;
        if length > MAX_BITS {
            return None;
        }
        let value = bits.take(length);
        let is_negative = length > 0 && value >> (length - 1) == 0;
        *before = before.wrapping_add(if is_negative { value - (1 << length) + 1 } else { value });
        *mean = (*before << self.shift) as i16;
        Some(())
    }
}

/// A Huffman table (ITU-T T.81, annex C): the values in the order of their codes, and for each length how many are of
/// it.
struct Table {
    counts: [u8; 16],
    values: Vec<u8>,
}

impl Table {
    fn symbol(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let (mut code, mut first, mut at) = (0, 0, 0);
        for count in self.counts {
            code = code << 1 | bits.take(1);
            let count = i32::from(count);
            if code - first < count {
                return self.values.get(usize::try_from(at + code - first).ok()?).copied();
            }
            (at, first) = (at + count, (first + count) << 1);
        }
        None
    }
}

/// The bits of a scan; zeros from its end.
struct Bits<'c> {
    rest: &'c [u8],
    byte: u8,
    left: u8,
}

impl<'c> Bits<'c> {
    fn of(rest: &'c [u8]) -> Bits<'c> {
        Bits { rest, byte: 0, left: 0 }
    }

    fn take(&mut self, count: u8) -> i32 {
        let mut value = 0;
        for _ in 0..count {
            if self.left == 0 {
                self.next();
            }
            self.left -= 1;
            value = value << 1 | i32::from(self.byte >> self.left & 1);
        }
        value
    }

    fn next(&mut self) {
        let skipped = match *self.rest {
            [0xFF, 0, ..] => 2,
            [0xFF, ..] | [] => 0,
            _ => 1,
        };
        self.byte = if skipped == 0 { 0 } else { self.rest[0] };
        self.rest = &self.rest[skipped..];
        self.left = 8;
    }

    /// Goes on behind the next restart marker, if that is the next one.
    fn restart(&mut self) {
        self.left = 0;
        self.rest = from_marker(self.rest);
        if let [0xFF, 0xD0..=0xD7, after @ ..] = self.rest {
            self.rest = after;
        }
    }

    /// Returns what begins with the marker behind the scan.
    fn behind(self) -> &'c [u8] {
        let mut rest = from_marker(self.rest);
        while let [0xFF, 0xD0..=0xD7, after @ ..] = rest {
            rest = from_marker(after);
        }
        rest
    }
}

/// Skips what comes before the next marker.
fn from_marker(mut rest: &[u8]) -> &[u8] {
    while let [first, after @ ..] = rest
        && (*first != 0xFF || matches!(after.first(), None | Some(0 | 0xFF)))
    {
        rest = after;
    }
    rest
}

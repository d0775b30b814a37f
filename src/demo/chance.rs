//! Numbers that look random and are the same each time. Knows nothing of flights.

/// Xorshift64 (Marsaglia 2003).
pub struct Chance(u64);

impl Chance {
    /// Every number but 0 begins a row of its own.
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// From 0 to below 1.
    pub fn part(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        f64::from(u32::try_from(self.0 >> 33).unwrap_or_default()) / f64::from(1_u32 << 31)
    }

    /// From 0 to below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        ((self.part() * limit as f64) as usize).min(limit.saturating_sub(1))
    }

    /// From `least` to below `most`.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + self.part() * (most - least)
    }

    /// One of these.
    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

/// Rounded to so many decimals.
pub fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}

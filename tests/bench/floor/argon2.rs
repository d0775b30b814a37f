//! Password hashes computed one after another, in reused memory. The figure is the CPU milliseconds per hash.

use std::hint::black_box;

use argon2::{Algorithm, Argon2, Block, Params, Version};

use super::{Result, cpu_seconds, say};

const ROUNDS: u32 = 60;

pub fn run() -> Result<()> {
    let params = Params::DEFAULT;
    let mut blocks = vec![Block::new(); params.block_count()];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let mut hash =
        || argon2.hash_password_into_with_memory(black_box(b"rotorblatt-17"), &[7; 16], &mut output, &mut blocks);
    hash().map_err(|error| error.to_string())?;
    let begun = cpu_seconds()?;
    for _ in 0..ROUNDS {
        hash().map_err(|error| error.to_string())?;
    }
    let took = cpu_seconds()? - begun;
    say(&format!("milliseconds: {:.3}", took * 1000.0 / f64::from(ROUNDS)));
    Ok(())
}

//! The executable. All code is in the library; its crate documentation is the place to start.

use std::process::ExitCode;

/// Replaces the system's allocator: musl's is several times slower when many threads allocate, and glibc's never
/// returns the memory of a load peak.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fluglog::cli::run()
}

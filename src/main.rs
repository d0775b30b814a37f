//! The program. Everything is in the library; see its first page.

use std::process::ExitCode;

/// musl's own allocator is several times slower when many threads allocate.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fluglog::cli::run()
}

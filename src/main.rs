//! The program. Everything is in the library; see its first page.

use std::process::ExitCode;

/// musl's own allocator is several times slower when many threads allocate, and glibc's keeps what a crowd has used for
/// good.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fluglog::cli::run()
}

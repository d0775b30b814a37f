//! Changes rows in a table of a bare database, each in a commit of its own: the unavoidable cost for disk and
//! processor. The figure is the CPU microseconds per row, or the bytes written.

use std::path::Path;

use redb::{Database, TableDefinition};

use super::{Result, cpu_seconds, say};

const ROWS: TableDefinition<(u128, u128), &[u8]> = TableDefinition::new("rows");
/// Equal to the number and size of the flights that the program is measured with.
const COUNT: u64 = 5_000;
const ROW_BYTES: usize = 300;
const SAVES: u32 = 300;

pub fn run(folder: &Path, what: &str) -> Result<()> {
    let file = folder.join("floor.redb");
    let database = redb::Builder::new().set_cache_size(32 * 1024 * 1024).create(&file)?;
    let keys: Vec<_> = (0..COUNT).map(|_| (1, uuid::Uuid::now_v7().as_u128())).collect();
    save(&database, &keys, 0)?;
    let (cpu, bytes) = (cpu_seconds()?, written()?);
    for (content, key) in (1..=u8::MAX)
        .cycle()
        .zip(keys.iter().cycle().step_by(7))
        .take(SAVES as usize)
    {
        save(&database, &[*key], content)?;
    }
    let bytes = (written()? - bytes) / u64::from(SAVES);
    let cpu = cpu_seconds()? - cpu;
    drop(database);
    std::fs::remove_file(file)?;
    match what {
        "bytes" => say(&format!("bytes: {bytes}")),
        _ => say(&format!("microseconds: {:.1}", cpu * 1e6 / f64::from(SAVES))),
    }
    Ok(())
}

fn save(database: &Database, keys: &[(u128, u128)], content: u8) -> Result<()> {
    let transaction = database.begin_write()?;
    let mut rows = transaction.open_table(ROWS)?;
    for key in keys {
        rows.insert(*key, &[content; ROW_BYTES][..])?;
    }
    drop(rows);
    transaction.commit()?;
    Ok(())
}

/// Bytes that this process has written so far.
fn written() -> Result<u64> {
    let io = std::fs::read_to_string("/proc/self/io")?;
    let line = io
        .lines()
        .find_map(|line| line.strip_prefix("wchar: "))
        .ok_or("no wchar")?;
    Ok(line.parse()?)
}

//! A bare warp server that answers from redb: `/health`, `/flight` (one record by its id) and `/flights` (100
//! records). Each call looks up its session. The first line of output is the port.

use std::path::Path;
use std::sync::Arc;

use redb::{Database, ReadTransaction, ReadableDatabase, TableDefinition};
use uuid::Uuid;
use warp::Filter;
use warp::http::Response;
use warp::hyper::body::Bytes;

use super::flights::{self, Stored};
use super::{Result, say};

const FLIGHTS: TableDefinition<(u128, u128), &[u8]> = TableDefinition::new("flights");
const SESSIONS: TableDefinition<&str, u128> = TableDefinition::new("sessions");
const SESSION: &str = "floor";
const PAGE: usize = 100;

pub fn run(data_dir: &Path) -> Result<()> {
    let flights = flights::like_stored(data_dir)?;
    let folder = tempfile::tempdir()?;
    let database = Arc::new(filled(&folder.path().join("floor.redb"), &flights)?);
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(serve(database))
}

fn filled(file: &Path, flights: &[Stored]) -> Result<Database> {
    let database = Database::create(file)?;
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(FLIGHTS)?;
        for Stored { key, bytes } in flights {
            table.insert(*key, &**bytes)?;
        }
        let owner = flights.first().ok_or("there are no flights")?.key.0;
        transaction.open_table(SESSIONS)?.insert(SESSION, owner)?;
    }
    transaction.commit()?;
    Ok(database)
}

async fn serve(database: Arc<Database>) -> Result<()> {
    let health = warp::path!("health").map(|| "ok");
    let asked = move || {
        let database = Arc::clone(&database);
        warp::any()
            .map(move || Arc::clone(&database))
            .and(warp::header::<String>("cookie"))
    };
    let flight = warp::path!("flight")
        .and(asked())
        .and(warp::body::bytes())
        .map(|database: Arc<Database>, cookie: String, body: Bytes| answer(one(&database, &cookie, &body)));
    let flights = warp::path!("flights")
        .and(asked())
        .map(|database: Arc<Database>, cookie: String| answer(page(&database, &cookie)));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    say(&listener.local_addr()?.port().to_string());
    warp::serve(health.or(flight).or(flights))
        .incoming(listener)
        .run()
        .await;
    Ok(())
}

fn answer(json: Result<Vec<u8>>) -> Response<Vec<u8>> {
    let mut response = Response::new(json.unwrap_or_default());
    if response.body().is_empty() {
        *response.status_mut() = warp::http::StatusCode::INTERNAL_SERVER_ERROR;
    }
    response
}

fn owner(data: &ReadTransaction, cookie: &str) -> Result<u128> {
    let session = cookie.strip_prefix("session=").ok_or("no session")?;
    let owner = data.open_table(SESSIONS)?.get(session)?.ok_or("no such session")?;
    Ok(owner.value())
}

fn one(database: &Database, cookie: &str, body: &[u8]) -> Result<Vec<u8>> {
    let data = database.begin_read()?;
    let id = body.strip_prefix(b"dpfId=").ok_or("no id")?;
    let key = (owner(&data, cookie)?, Uuid::try_parse_ascii(id)?.as_u128());
    let bytes = data.open_table(FLIGHTS)?.get(key)?.ok_or("no such flight")?;
    Ok(serde_json::to_vec(&flights::row(key, bytes.value())?)?)
}

fn page(database: &Database, cookie: &str) -> Result<Vec<u8>> {
    let data = database.begin_read()?;
    let owner = owner(&data, cookie)?;
    let rows = data
        .open_table(FLIGHTS)?
        .range((owner, 0)..=(owner, u128::MAX))?
        .rev()
        .take(PAGE)
        .map(|entry| {
            let (key, bytes) = entry?;
            flights::row(key.value(), bytes.value())
        });
    Ok(serde_json::to_vec(&rows.collect::<Result<Vec<_>>>()?)?)
}

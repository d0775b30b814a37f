//! `fluglog serve`

use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use listenfd::ListenFd;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::failure::Failure;
use super::{blobs_folder, data_dir, output, owner};
use crate::archive::check;
use crate::control::{SOCKET_NAME, import_dir, socket};
use crate::{alarms, server};
use fluglog_accounts::access_log;
use fluglog_app::mail_queue;
use fluglog_app::{App, BLOCKING_THREADS, tasks};
use fluglog_base::error::Error;
use fluglog_base::limits::connections::Connections;
use fluglog_base::limits::tasks::Task;
use fluglog_base::time::Clock;
use fluglog_config::{Config, IgnoredVariable};
use fluglog_process::{log, machine, systemd};
use fluglog_store::{Store, blobs, migrations};
use fluglog_topics::{documents, imports, registry, reminders};
use fluglog_web::authority::{self, Authority};
use fluglog_web::tls::{Tls, Unusable};
use fluglog_web::{accept, link_base};

/// Least number of threads that answer, even with fewer processors: threads may wait for a slow memory card.
const MIN_ANSWERING_THREADS: usize = 4;
/// Time that an idle thread waits for more blocking work. A thread keeps a megabyte of freed memory until it ends, and
/// the threads take turns: at a hundred pieces of work a second, one idle thread remains instead of sixty-four.
const IDLE_THREAD: Duration = Duration::from_millis(10);
/// How long shutdown waits for a mail that is being sent.
const LAST_MAIL: Duration = Duration::from_secs(1);
/// Delay of the first removal of orphaned files.
const ORPHANS_AFTER: Duration = Duration::from_secs(60 * 60);

/// Runs the server until a signal stops it.
pub fn run(config: Config) -> Result<(), Failure> {
    log::init_for_server(config.log_level, access_log::TARGET);
    machine::refuse_huge_pages();
    machine::reexec_with_purge();
    owner::become_owner(&config.data_dir)?;
    data_dir::check_access(&config.data_dir)?;
    let tls = certificate(&config)?;
    let patience = systemd::patience();
    let store = open_or_make(&config)?;
    drop(patience);
    data_dir::clear_finished_restore(&config.data_dir);
    data_dir::check_parts(&config.data_dir)?;
    let _blobs = blobs_folder::take(&config.data_dir, &store)?;
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(processors.max(MIN_ANSWERING_THREADS))
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_keep_alive(IDLE_THREAD)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Failure::REFUSED, format!("Der Server kann nicht starten: {error}.")))?;
    let app = Arc::new(App::new(config, store));
    // A board without a battery-backed clock starts in 1970. If the sessions are unreadable, the system's clock has to
    // do.
    if let Ok(Some(newest)) = fluglog_accounts::latest_session_use(&app) {
        app.clock.observe(newest);
    }
    if let Err(error) = fluglog_accounts::make_only_user_operator(&app) {
        tracing::warn!("whether somebody runs this server can't be told: {error:?}");
    }
    app.blobs
        .remove_unfinished()
        .map_err(|error| Failure::unusable(&app.config.data_dir.join(blobs::folder::FOLDER_NAME), &error))?;
    let result = runtime.block_on(serve(&app, tls));
    // A task that waits for the disk must not delay the shutdown.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// The certificate from the settings, otherwise that of an own authority.
fn certificate(config: &Config) -> Result<Option<Arc<Tls>>, Failure> {
    let of_settings = Tls::load(&config.tls).map_err(|error| unusable_for_https(&error))?;
    if of_settings.is_some() {
        return Ok(of_settings.map(Arc::new));
    }
    let of_authority = || {
        let Some(authority) = Authority::open(&config.data_dir)? else {
            return Ok(None);
        };
        authority.renew(Clock::system(config.time_zone).unix_seconds())?;
        Tls::with_http(&authority.server()).map(|tls| Some(Arc::new(tls)))
    };
    of_authority().map_err(|error| unusable_authority(&error))
}

fn open_or_make(config: &Config) -> Result<Store, Failure> {
    if data_dir::is_fresh(&config.data_dir, fluglog_store::UNFINISHED_NAME)? {
        match data_dir::make(config) {
            // Another server started at the same time and was faster.
            Err(_) if data_dir::has_database(&config.data_dir) => {}
            made => return made,
        }
    }
    let begun = Instant::now();
    loop {
        let opened = Store::open_to_serve(&config.data_dir, |percent| {
            tracing::info!("the database was not closed cleanly and is repaired: {percent} %");
            systemd::repairing(percent);
        });
        match opened.map_err(|error| data_dir::open_failure(&config.data_dir, &error)) {
            Err(failure) if failure.code == Failure::LOCKED => {
                if socket::is_server_running(&config.data_dir) {
                    return Err(data_dir::already_served(&config.data_dir));
                }
                // A command holds the lock only briefly.
                if begun.elapsed() > data_dir::PATIENCE {
                    return Err(failure);
                }
                std::thread::sleep(data_dir::PAUSE);
            }
            opened => return data_dir::complete_derived(&config.data_dir, opened?),
        }
    }
}

async fn serve(app: &Arc<App>, tls: Option<Arc<Tls>>) -> Result<(), Failure> {
    let config = &app.config;
    let control = socket::listen(&config.data_dir)
        .map_err(|error| Failure::unusable(&config.data_dir.join(SOCKET_NAME), &error))?;
    let listeners = open_ports(&config.listen)?;
    if let Some(address) = config.metrics_listen {
        let listener = accept::listen(address).map_err(|error| cannot_listen(address, &error))?;
        tasks::start(Task::Metrics, serve_metrics(Arc::clone(app), listener));
    }
    let cannot_start =
        |error: io::Error| Failure::new(Failure::REFUSED, format!("Der Server kann nicht starten: {error}."));
    let stop = stop_signal(tls.is_none()).map_err(cannot_start)?;
    if let Some(tls) = &tls {
        let hangup = signal(SignalKind::hangup()).map_err(cannot_start)?;
        app.certificate_expiry.send_replace(tls.valid_until());
        tasks::start(
            Task::Certificate,
            renew_certificate(Arc::clone(app), Arc::clone(tls), hangup),
        );
    }
    announce(app, &listeners);
    tasks::start(Task::Commands, socket::serve(Arc::clone(app), control));
    tasks::start(Task::Expired, tidy(Arc::clone(app)));
    tasks::start(Task::Deletions, finish_deletions(Arc::clone(app)));
    tasks::start(Task::HashMemory, free_hash_memory(Arc::clone(app)));
    tasks::start(Task::Orphans, remove_orphans(Arc::clone(app)));
    tasks::start(Task::Voltages, find_suspect_voltages(Arc::clone(app)));
    tasks::start(Task::Problems, alarms::watch(Arc::clone(app)));
    tasks::start(Task::Reminders, reminders::watch(Arc::clone(app)));
    tasks::start(Task::ImportFolder, import_dir::watch(Arc::clone(app)));
    tasks::start(Task::Watchdog, feed_watchdog(Arc::downgrade(app)));
    let delivering = tasks::start(Task::Mails, mail_queue::deliver(Arc::clone(app), alarms::compose));

    let routes = server::routes(Arc::clone(app));
    let mut failed = false;
    accept::serve(listeners, tls, routes, &config.limits, &app.connections, async {
        tokio::select! {
            () = stop => tracing::info!("stopping"),
            () = app.store.failed() => failed = true,
        }
        systemd::stopping();
        app.stopping.send_replace(true);
    })
    .await;
    // A mail that was just sent has to be recorded, or the next start would send it again; one still being sent is
    // retried then.
    let _ = tokio::time::timeout(LAST_MAIL, delivering).await;
    if let Err(error) = socket::remove(&config.data_dir) {
        tracing::warn!("the control socket stays behind: {error}");
    }
    if failed {
        return Err(Failure::new(
            Failure::REFUSED,
            format!(
                "Die Datenbank in {} lässt sich nicht mehr schreiben; prüfen Sie den freien Speicherplatz und den \
                 Datenträger, und starten Sie den Server neu.",
                config.data_dir.display()
            ),
        ));
    }
    Ok(())
}

/// The ports that systemd has opened (sd_listen_fds(3)), otherwise those of the settings.
fn open_ports(addresses: &[SocketAddr]) -> Result<Vec<TcpListener>, Failure> {
    let mut listeners = systemd_s_ports().map_err(|error| {
        Failure::new(
            Failure::CONFIGURATION,
            format!(
                "Was systemd zum Lauschen übergibt, ist kein TCP-Socket ({error}); prüfen Sie ListenStream in der \
                Socket-Unit."
            ),
        )
    })?;
    if listeners.is_empty() {
        for address in addresses {
            let listener = accept::listen(*address);
            listeners.push(listener.map_err(|error| cannot_listen(*address, &error))?);
        }
    }
    Ok(listeners)
}

fn systemd_s_ports() -> io::Result<Vec<TcpListener>> {
    let mut passed = ListenFd::from_env();
    let mut listeners = Vec::with_capacity(passed.len());
    for at in 0..passed.len() {
        if let Some(listener) = passed.take_tcp_listener(at)? {
            listener.set_nonblocking(true)?;
            listeners.push(TcpListener::from_std(listener)?);
        }
    }
    Ok(listeners)
}

/// Resolves on the first SIGTERM or SIGINT. Without https, SIGHUP has no other use and stops a server whose terminal
/// is closed.
fn stop_signal(without_https: bool) -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let hangup_ends = without_https && io::stdin().is_terminal();
    Ok(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = interrupt.recv() => return,
                _ = hangup.recv() => if hangup_ends { return },
            }
        }
    })
}

/// Reloads certificate and key on SIGHUP, and twice a day renews an own authority's certificate when its end is near.
async fn renew_certificate(app: Arc<App>, tls: Arc<Tls>, mut hangup: Signal) {
    let mut rounds = tasks::rounds(Task::Certificate, Duration::ZERO, Duration::MAX);
    loop {
        tokio::select! {
            hung_up = hangup.recv() => if hung_up.is_none() { return },
            _ = rounds.tick() => {
                if !is_renewed(&app).await {
                    continue;
                }
            }
        }
        match tls.reload() {
            Ok(()) => {
                app.certificate_expiry.send_replace(tls.valid_until());
                tracing::info!("the certificate and its key were read again");
            }
            Err(Unusable { path, why }) => tracing::error!(
                "the new certificate is not used, the old one stays: {}: {why}",
                path.display()
            ),
        }
    }
}

async fn is_renewed(app: &Arc<App>) -> bool {
    let app = Arc::clone(app);
    let renewed = tasks::blocking(Task::Certificate, move || match Authority::open(&app.config.data_dir) {
        Ok(Some(authority)) if !app.config.tls.is_set() => authority.renew(app.clock.unix_seconds()),
        _ => Ok(false),
    });
    match renewed.await {
        Ok(Ok(renewed)) => renewed,
        Ok(Err(Unusable { path, why })) => {
            tracing::error!("the certificate can't be made anew: {}: {why}", path.display());
            false
        }
        Err(_) => false,
    }
}

pub(crate) fn unusable_for_https(Unusable { path, why }: &Unusable) -> Failure {
    Failure::new(
        Failure::CONFIGURATION,
        format!(
            "{} ist für https nicht benutzbar: {why}. Prüfen Sie --tls-cert und --tls-key (tls.cert und tls.key).",
            path.display()
        ),
    )
}

pub(crate) fn unusable_authority(Unusable { path, why }: &Unusable) -> Failure {
    // The server's own certificate can be renewed without a new authority, and one that only can't be read is no reason
    // for a new one.
    let way_out = match path.ends_with(authority::AUTHORITY) && why == authority::DAMAGED {
        true => {
            " „fluglog https off“ und „fluglog https on“ machen eine neue Zertifizierungsstelle; jedes Gerät muss ihr \
             neu vertrauen."
        }
        false => "",
    };
    Failure::new(
        Failure::CONFIGURATION,
        format!("{} ist für https nicht benutzbar: {why}.{way_out}", path.display()),
    )
}

/// Prints the server's address to stdout, and logs its configuration.
fn announce(app: &App, listeners: &[TcpListener]) {
    let addresses: Vec<SocketAddr> = listeners
        .iter()
        .filter_map(|listener| listener.local_addr().ok())
        .collect();
    let shown: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    tracing::info!(
        "Fluglog {}, schema {}, data in {}, listening on {}, time zone {}",
        env!("CARGO_PKG_VERSION"),
        migrations::SCHEMA,
        app.config.data_dir.display(),
        shown.join(", "),
        app.config.time_zone
    );
    tracing::info!(
        "{}",
        match app.config.smtp.is_set() {
            true => format!(
                "mails go to {}:{}",
                app.config.smtp.host,
                app.config.smtp.effective_port()
            ),
            false => format!("mails are written to {}", app.mailer.outbox().display()),
        }
    );
    for IgnoredVariable { name, nearest } in &app.config.ignored_variables {
        tracing::warn!("the environment variable {name} is no setting and is ignored; the nearest one is {nearest}");
    }
    for file in app.config.exposed_files() {
        let file = file.display();
        tracing::warn!("everybody on this machine can read the secrets in {file}: chmod o-r {file}");
    }
    if app.config.smtp.is_set() && app.config.public_url.is_none() {
        tracing::warn!(
            "smtp.host is set and public_url is not: links in mails lead to an address of this machine only"
        );
    }
    if !app.config.trusted_proxies.is_empty() && app.config.public_url.is_none() {
        tracing::warn!(
            "trusted_proxies is set and public_url is not: links never lead to the proxy; set public_url to its address"
        );
    }
    // A reader of the printed line may connect immediately.
    let _ = app.listening.set(addresses);
    let url = link_base::admin_base(app) + "/app/";
    systemd::ready(&url);
    // Best effort: a server runs even if its output is closed.
    let _ = output::say(&format!("Fluglog läuft: {url}\n")).and_then(|()| output::say(&greeting(app)));
}

/// The other addresses, and the link for the first account while there is none.
fn greeting(app: &App) -> String {
    let mut text = String::new();
    let others: Vec<_> = link_base::alternative_bases(app)
        .iter()
        .map(|base| format!("{base}/app/"))
        .collect();
    if !others.is_empty() {
        text = format!("Auch unter: {}\n", others.join(" "));
    }
    match fluglog_accounts::setup::begin(app).and_then(|()| fluglog_accounts::setup::url(app)) {
        Ok(None) => {}
        Ok(Some(url)) => {
            text += &format!(
                "\nEs gibt noch kein Konto. Das erste legt diese Adresse an, einmal und innerhalb von 24 \
                 Stunden:\n{url}\n"
            );
            if io::stdout().is_terminal() {
                text += &output::qr_code(&url);
            }
        }
        Err(error) => tracing::error!("whether there is an account can't be read: {error:?}"),
    }
    text
}

/// Lower ports are root's.
pub(crate) const MIN_PORT: u16 = 1024;
/// A way to a port that the service may not open itself.
pub(crate) const SOCKET_UNIT: &str = "lassen Sie systemd den Port öffnen, mit fluglog.socket aus \
    /usr/share/doc/fluglog/packaging/https (im Quelltext packaging/https)";

fn cannot_listen(address: SocketAddr, error: &io::Error) -> Failure {
    let why = match error.kind() {
        io::ErrorKind::AddrInUse => "die Adresse ist schon belegt",
        io::ErrorKind::AddrNotAvailable => "dieser Rechner hat die Adresse nicht",
        io::ErrorKind::PermissionDenied => "dafür fehlen die Rechte",
        _ => "das Netzwerk meldet einen Fehler",
    };
    let or_else = match error.kind() {
        io::ErrorKind::PermissionDenied if address.port() < MIN_PORT => format!(", oder {SOCKET_UNIT}"),
        _ => String::new(),
    };
    Failure::new(
        Failure::REFUSED,
        format!(
            "Auf {address} kann nicht gelauscht werden: {why}. Wählen Sie mit listen (--listen) eine andere \
             Adresse{or_else}."
        ),
    )
}

/// Feeds systemd's watchdog as long as the server works: the runtime ticks, a read answers, the writing thread takes a
/// job.
///
/// Runs on a thread of its own, because those for requests may all be busy for a while.
async fn feed_watchdog(app: Weak<App>) {
    let Some(limit) = fluglog_config::watchdog() else {
        return;
    };
    let (tick, ticks) = sync_channel(1);
    std::thread::spawn(move || {
        for () in ticks {
            // A strong reference would delay the database's shutdown.
            let Some(app) = app.upgrade() else { return };
            let writes = || match app.store.write_task(Task::Watchdog, |_| Ok(())) {
                Err(Error::ReadOnly) => Ok(()),
                written => written,
            };
            if fluglog_accounts::check_database(&app).and_then(|()| writes()).is_ok() {
                systemd::watchdog_ping();
            }
        }
    });
    let mut rounds = tasks::rounds(Task::Watchdog, Duration::ZERO, limit / 2);
    loop {
        rounds.tick().await;
        // Skipped while the previous one is still being processed.
        let _ = tick.try_send(());
    }
}

/// Serves metrics until the server stops.
async fn serve_metrics(app: Arc<App>, listener: TcpListener) {
    if let Ok(address) = listener.local_addr() {
        tracing::info!("metrics at http://{address}/metrics");
    }
    let mut stopping = app.stopping.subscribe();
    let most = Task::Metrics.budget().at_once;
    let connections = Arc::new(Connections::with_limits(most, most));
    let routes = server::metrics(Arc::clone(&app));
    accept::serve(vec![listener], None, routes, &app.config.limits, &connections, async {
        // The app itself holds the sender.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    })
    .await;
}

/// Removes orphaned files that killed processes left. Not immediately at the start, because it reads all data.
async fn remove_orphans(app: Arc<App>) {
    let mut rounds = tasks::rounds(Task::Orphans, ORPHANS_AFTER, Duration::MAX);
    loop {
        rounds.tick().await;
        let app = Arc::clone(&app);
        match tasks::blocking(Task::Orphans, move || check::remove_old_orphans(&app)).await {
            Ok(Ok(0)) => {}
            Ok(Ok(removed)) => tracing::info!("{removed} files that no record names were removed"),
            _ => tracing::warn!("files that no record names could not be looked for"),
        }
    }
}

/// Goes on with deletions that a killed process, or a full disk, has interrupted.
async fn finish_deletions(app: Arc<App>) {
    let mut rounds = tasks::rounds(Task::Deletions, Duration::ZERO, Duration::MAX);
    loop {
        rounds.tick().await;
        let app = Arc::clone(&app);
        let finished = tasks::blocking(Task::Deletions, move || match app.store.is_read_only() {
            true => Ok(()),
            false => registry::finish_deletions(&app),
        });
        if let Err(error) = finished.await.flatten() {
            tracing::warn!("a deletion has to wait: {error:?}");
        }
    }
}

/// Checks, once, the voltages that an earlier version imported from files.
async fn find_suspect_voltages(app: Arc<App>) {
    let settled = tasks::blocking(Task::Voltages, move || imports::suspect_voltages::check_all(&app)).await;
    if !matches!(settled, Ok(Ok(()))) {
        tracing::warn!("voltages of flights from files could not be looked at");
    }
}

async fn free_hash_memory(app: Arc<App>) {
    let mut rounds = tasks::rounds(Task::HashMemory, Duration::ZERO, Duration::MAX);
    loop {
        rounds.tick().await;
        app.hasher.release_memory();
    }
}

async fn tidy(app: Arc<App>) {
    let mut rounds = tasks::rounds(Task::Expired, Duration::ZERO, Duration::MAX);
    loop {
        rounds.tick().await;
        let app = Arc::clone(&app);
        let tidied = tasks::blocking(Task::Expired, move || {
            if app.store.is_read_only() {
                return Ok(());
            }
            fluglog_accounts::remove_expired(&app)?;
            imports::forget_old(&app)?;
            documents::forget_ended_shares(&app.store, app.clock.unix_seconds())
        })
        .await;
        if !matches!(tidied, Ok(Ok(()))) {
            tracing::warn!("what is over could not be removed");
        }
    }
}

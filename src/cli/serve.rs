//! `lectern serve`

use std::io::{IsTerminal as _, Write as _};
use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::{Config, Listen, demo};
use crate::app;
use crate::platform::clock::Clock;
use crate::platform::db::{Db, DbOptions};
use crate::platform::http_server;

/// Serve the calendar and the admin portal
///
/// Applies pending migrations first and backs up a database that contains data. Prints one line on stdout
/// when it listens; logs go to stderr. On SIGTERM or Ctrl-C it completes requests in flight and exits with 0.
#[derive(Args, Debug)]
pub(super) struct Serve {
    /// Address and port to listen on; port 0 picks a free one
    #[arg(long, env = "LECTERN_LISTEN", value_name = "ADDR")]
    pub(super) listen: Option<Listen>,
    /// Fill a database that has no events with sample events; its default file is lectern-demo.db
    #[arg(long)]
    demo: bool,
}

impl Serve {
    pub(super) fn run(&self, mut config: Config, database_named: bool) -> anyhow::Result<()> {
        start_logging();
        http_server::raise_file_limit();
        if self.demo && !database_named {
            config.database.path = demo::DATABASE.into();
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let result = runtime.block_on(serve(config, self.demo));
        // A pending request to a provider must not delay the exit.
        runtime.shutdown_timeout(Duration::from_secs(1));
        result
    }
}

async fn serve(config: Config, fill_with_demo: bool) -> anyhow::Result<()> {
    let address = config.server.listen.0;
    // Registered first, or a signal while the database is opened would be lost.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
    let listening: SocketAddr = listener.local_addr()?;
    let db = Db::serve(&config.database.path, DbOptions::default())?;
    let sign_in = if fill_with_demo { Some(demo::fill(&db).await?) } else { None };
    let clock = Clock::default();
    if let Err(error) = app::purge_expired(&db, &clock).await {
        tracing::warn!(%error, "expired data could not be purged");
    }
    let state = app::state(config, db.clone(), clock, listening);
    let tasks = [tokio::spawn(app::watch(state.clone())), tokio::spawn(app::back_up_on_schedule(state.clone()))];
    let app = app::router(state);

    announce(listening, sign_in)?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => tracing::info!("SIGTERM: stopping"),
            _ = interrupt.recv() => tracing::info!("SIGINT: stopping"),
        }
        // Fails without systemd.
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    };
    http_server::serve(listener, move |request, peer| app.respond(request, peer), stop).await;
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
    db.close();
    tracing::info!("stopped");
    Ok(())
}

fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    use std::io::ErrorKind::{AddrInUse, AddrNotAvailable, PermissionDenied};
    let reason = match error.kind() {
        AddrInUse => "another program uses this port; choose another with --listen".to_owned(),
        AddrNotAvailable => "this machine does not have that address; choose another with --listen".to_owned(),
        PermissionDenied => "ports below 1024 require a special permission; choose another with --listen".to_owned(),
        _ => error.to_string(),
    };
    anyhow::anyhow!("Can't listen on {address}: {reason}")
}

/// Prints the line that scripts wait for, then the credentials of the demo.
fn announce(listening: SocketAddr, sign_in: Option<String>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "Lectern is listening on http://{listening}")?;
    if let Some(sign_in) = sign_in {
        writeln!(out, "{sign_in}")?;
    }
    out.flush()?;
    // Fails without systemd.
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
    Ok(())
}

fn start_logging() {
    let name = std::env::var("LECTERN_LOG").ok().filter(|name| !name.trim().is_empty());
    let parsed = name.as_ref().map_or(Some(LevelFilter::INFO), |name| name.trim().parse().ok());
    let level = parsed.unwrap_or(LevelFilter::INFO);
    // Libraries log warnings and errors only.
    let filter = Targets::new().with_default(level.min(LevelFilter::WARN)).with_target("lectern", level);
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .with_filter(filter);
    // Fails if a subscriber is already set.
    let _ = tracing_subscriber::registry().with(layer).try_init();
    if parsed.is_none() {
        tracing::warn!("LECTERN_LOG can be error, warn, info or debug; info is used");
    }
}

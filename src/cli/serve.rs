//! `lectern serve`

use std::convert::Infallible;
use std::future::Future;
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use futures_util::future::Either;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use ipnet::IpNet;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::{Config, Domain, Listen, check, demo, print_line, restore, version};
use crate::app::{self, CachedRouter, ResponseBody, Retained, metrics};
use crate::features::auth::users;
use crate::features::pages::Renderer;
use crate::platform::client_address;
use crate::platform::clock::Clock;
use crate::platform::config::{ConfigError, Log, LogLevel};
use crate::platform::db::{self, Db, DbOptions};
use crate::platform::error::ErrorChain;
use crate::platform::http_server::{self, AddressLimit, OpenConnections};
use crate::platform::https::{self, Certificate, CertificateFiles, Challenges, Listeners, Store, Tls};
use crate::platform::memory;
use crate::platform::request_log::{LogWriter, RequestLine};
use crate::platform::state::AppState;
use crate::platform::system_user::SystemUser;

/// Connections over TLS from one address: those of all visitors in a venue's Wi-Fi. IPv6 networks (/64) count as one.
const MAX_CONNECTIONS_PER_ADDRESS: usize = 512;
/// When the memory that the start needed is returned: after the first requests of those who waited for it.
const START_TIME: Duration = Duration::from_millis(250);
/// How often the memory that requests and probes have left is returned while nobody is connected: after each probe.
const RELEASE_INTERVAL: Duration = app::PROBE_INTERVAL;
/// Connections over plain HTTP beside HTTPS, of all and of one address.
const MAX_REDIRECTS: usize = 1_024;
const MAX_REDIRECTS_PER_ADDRESS: usize = 128;

/// Serve the calendar and the admin portal
///
/// Applies pending migrations first and backs up a database that contains data. Prints one line on stdout
/// when it listens; logs go to stderr. SIGHUP reloads the configuration. On SIGTERM or Ctrl-C it completes
/// requests in flight and exits with 0.
#[derive(Args, Debug)]
pub(super) struct Serve {
    /// Address and port to listen on; port 0 picks a free one
    #[arg(long, env = "LECTERN_LISTEN", value_name = "ADDR")]
    pub(super) listen: Option<Listen>,
    /// Serve HTTPS for this domain, with a certificate by ACME; several are separated by commas
    ///
    /// Listens on ports 443 and 80, and ignores --listen; see [https] in config.example.toml.
    #[arg(long, value_name = "DOMAIN", value_delimiter = ',')]
    pub(super) https: Vec<Domain>,
    /// Fill a database that has no events with sample events; its default file is lectern-demo.db
    #[arg(long)]
    demo: bool,
}

impl Serve {
    /// The database that is served.
    pub(super) fn database<'c>(&self, config: &'c Config, database_named: bool) -> &'c Path {
        if self.demo && !database_named { Path::new(demo::DATABASE) } else { &config.database.path }
    }

    /// Serves until a signal to stop. `owner` is the user that root has become; `load` reads the configuration again.
    pub(super) fn run(
        &self,
        config: Config,
        database_named: bool,
        owner: Option<SystemUser>,
        load: impl Fn() -> Result<Config, ConfigError> + Send + 'static,
    ) -> anyhow::Result<()> {
        start_logging(&config.log);
        if let Some(owner) = owner {
            tracing::info!("{}", version::became(&owner, self.database(&config, database_named)));
        }
        http_server::raise_file_limit();
        let demo = self.demo;
        let adapt = move |mut config: Config| {
            if demo && !database_named {
                config.database.path = demo::DATABASE.into();
            }
            config
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let result = runtime.block_on(serve(adapt(config), demo, move || load().map(adapt)));
        // A pending request to a provider must not delay the exit.
        runtime.shutdown_timeout(Duration::from_secs(1));
        result
    }
}

async fn serve(
    config: Config,
    fill_with_demo: bool,
    load: impl Fn() -> Result<Config, ConfigError> + Send + 'static,
) -> anyhow::Result<()> {
    // Registered first, because a signal while the database is opened would be lost.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let hangup = signal(SignalKind::hangup())?;
    let listeners = open_listeners(&config).await?;
    let renderer = Renderer::new();
    // While the database is opened, so that the first visitor need not wait for both.
    renderer.iter().for_each(Renderer::load);
    let listening: SocketAddr = match &listeners {
        Sockets::Plain(listener) => listener.local_addr()?,
        Sockets::Https(listeners) => listeners.https.local_addr()?,
    };
    let metrics_listener = listen_for_metrics(&config).await?;
    // The sample events need no backup.
    if config.database.path != Path::new(demo::DATABASE) || !fill_with_demo {
        restore::check_not_lost(&config)?;
    }
    let db = Db::serve(&config.database.path, DbOptions::default())?;
    let sign_in = if fill_with_demo { Some(demo::fill(&db).await?) } else { None };
    let clock = Clock::default();
    if let Err(error) = app::delete_expired(&db, &clock).await {
        tracing::warn!(error = %ErrorChain(&error), "expired data could not be deleted");
    }
    if let Err(error) = app::link_series(&db).await {
        tracing::warn!(error = %ErrorChain(&error), "the series of events could not be stored");
    }
    let tls = if config.https.is_enabled() { Some(start_tls(&config)?) } else { None };
    let build = {
        let db = db.clone();
        let retained = Retained { metrics: metrics_listener.is_some().then(Arc::default), tls, renderer };
        move |config: Config, is_reload| {
            RunningSite::new(config, db.clone(), clock.clone(), listening, retained.clone(), is_reload)
        }
    };
    let site = build(config.clone(), false);
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        schema = db::newest_version(),
        database = %db.path().display(),
        base_url = site.base_url,
        "starting"
    );
    // Not an error here: each request tells of a database that can't be read.
    if let Ok(false) = db.read(users::any).await {
        let path = db.path().display().to_string();
        let path = if path.contains(' ') { format!("{path:?}") } else { path };
        let command = format!("lectern create-admin --email EMAIL --database {path}");
        tracing::info!("there is no account yet; '{command}' creates one");
    }
    let site = Arc::new(RwLock::new(site));
    let connections = OpenConnections::default();

    let metrics = match metrics_listener {
        Some(listener) => {
            tracing::info!(url = format!("http://{}{}", listener.local_addr()?, metrics::PATH), "metrics are served");
            Some(tokio::spawn(serve_metrics(listener, Arc::clone(&site), connections.clone())))
        }
        None => None,
    };
    let url = match &listeners {
        Sockets::Plain(_) => format!("http://{listening}"),
        Sockets::Https(listeners) => {
            let redirect = listeners.redirect.as_ref().and_then(|listener| listener.local_addr().ok());
            let redirect = redirect.map(|address| address.to_string()).unwrap_or_default();
            tracing::info!(address = %listening, redirect, "HTTPS is served");
            site.read().unwrap_or_else(PoisonError::into_inner).base_url.clone()
        }
    };
    announce(&url, sign_in)?;
    tokio::spawn(release_memory_while_idle(connections.clone()));
    let reload = reload_on_hangup(hangup, config, load, {
        let site = Arc::clone(&site);
        move |config| {
            if let Ok(mut site) = site.write() {
                *site = build(config, true);
            }
        }
    });
    // Closing the terminal also sends SIGHUP, which must stop the server.
    let reload = (!std::io::stderr().is_terminal()).then(|| tokio::spawn(reload));
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => tracing::info!("SIGTERM: stopping"),
            _ = interrupt.recv() => tracing::info!("SIGINT: stopping"),
        }
        // Fails without systemd.
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    };
    match listeners {
        Sockets::Plain(listener) => {
            let respond =
                move |request, peer| site.read().unwrap_or_else(PoisonError::into_inner).respond(request, peer);
            http_server::Server::new(listener, connections).serve(respond, stop).await;
        }
        Sockets::Https(listeners) => serve_https(listeners, connections, site, stop).await,
    }
    for task in [reload, metrics].into_iter().flatten() {
        task.abort();
    }
    db.close();
    tracing::info!("stopped");
    Ok(())
}

/// Returns memory to the system until the server stops: after the start, and then while there is no connection, because requests
/// would need it again.
async fn release_memory_while_idle(connections: OpenConnections) {
    tokio::time::sleep(START_TIME).await;
    loop {
        let release = || {
            memory::return_freed();
            memory::release_code();
        };
        // A panic would leave the memory as it is, and the next attempt may succeed.
        let _ = tokio::task::spawn_blocking(release).await;
        tokio::time::sleep(RELEASE_INTERVAL).await;
        while connections.count() > 0 {
            tokio::time::sleep(RELEASE_INTERVAL).await;
        }
    }
}

async fn listen_for_metrics(config: &Config) -> anyhow::Result<Option<TcpListener>> {
    let Some(Listen(address)) = config.metrics.listen else { return Ok(None) };
    let cannot_listen = |error: std::io::Error| {
        anyhow::anyhow!("Can't listen for metrics on {address}: {error}; choose another address for metrics.listen")
    };
    TcpListener::bind(address).await.map(Some).map_err(cannot_listen)
}

/// The sockets on which the site accepts connections.
enum Sockets {
    Plain(TcpListener),
    Https(Listeners),
}

async fn open_listeners(config: &Config) -> anyhow::Result<Sockets> {
    if config.https.is_enabled() {
        // Its message names the cause in words of its own.
        let listeners = https::listen(&config.https).map_err(|error| anyhow::anyhow!("{error}"))?;
        return Ok(Sockets::Https(listeners));
    }
    if let Ok(sockets) = sd_notify::listen_fds()
        && sockets.len() > 0
    {
        tracing::warn!("the sockets of systemd are used for HTTPS only, and https.domains is not set");
    }
    let address = config.server.listen.0;
    let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
    Ok(Sockets::Plain(listener))
}

/// TLS with the configured certificate or that of the last start; without one with a temporary one.
fn start_tls(config: &Config) -> anyhow::Result<Tls> {
    let certificate = if let Some(files) = config.https.files() {
        let certificate = CertificateFiles::new(files, &config.https.domains).load();
        let help = "correct the files, or leave both blank";
        Some(certificate.map_err(|error| anyhow::anyhow!("{}; {help}", error.with_path()))?)
    } else {
        let store = Store::new(&config.database.path, &config.https.directory_url.to_string());
        // The schedule logs a certificate that can't be read, and requests another.
        store.certificate().unwrap_or_default()
    };
    let certificate = certificate.map_or_else(|| Certificate::temporary(&config.https.domains), Ok)?;
    Ok(Tls::new(certificate)?)
}

/// Serves HTTPS, and beside it redirects and the challenges of the authority over plain HTTP.
async fn serve_https(
    listeners: Listeners,
    connections: OpenConnections,
    site: Arc<RwLock<RunningSite>>,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let limit = |max| {
        let site = Arc::clone(&site);
        AddressLimit::new(max, move |ip| {
            client_address::is_trusted(ip, &site.read().unwrap_or_else(PoisonError::into_inner).trusted_proxies)
        })
    };
    let (stopping, stopped) = watch::channel(false);
    tokio::spawn(async move {
        stop.await;
        let _ = stopping.send(true);
    });
    let until_stop = |mut stopped: watch::Receiver<bool>| async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    let Some(tls) = site.read().unwrap_or_else(PoisonError::into_inner).state.tls.clone() else { return };
    let respond = {
        let site = Arc::clone(&site);
        move |request, peer| site.read().unwrap_or_else(PoisonError::into_inner).respond(request, peer)
    };
    let https = http_server::Server::new(listeners.https, connections)
        .with_tls(tls)
        .limit_addresses(limit(MAX_CONNECTIONS_PER_ADDRESS))
        .serve(respond, until_stop(stopped.clone()));
    let Some(redirect) = listeners.redirect else { return https.await };
    let redirect = http_server::Server::new(redirect, OpenConnections::default())
        .at_most(MAX_REDIRECTS)
        .limit_addresses(limit(MAX_REDIRECTS_PER_ADDRESS));
    let respond = move |request: Request<Incoming>, _| {
        let response = site.read().unwrap_or_else(PoisonError::into_inner).redirect(&request);
        std::future::ready(Ok(response))
    };
    tokio::join!(https, redirect.serve(respond, until_stop(stopped)));
}

/// Serves the metrics, with the same timeouts and size limits as the site, until it is aborted.
async fn serve_metrics(listener: TcpListener, site: Arc<RwLock<RunningSite>>, connections: OpenConnections) {
    const MAX_CONNECTIONS: usize = 16;
    let respond = move |request: Request<Incoming>, _| {
        let state = site.read().unwrap_or_else(PoisonError::into_inner).state.clone();
        let connections = connections.count();
        async move { Ok(metrics::respond(state, connections, &request).await) }
    };
    let own = OpenConnections::default();
    http_server::Server::new(listener, own).at_most(MAX_CONNECTIONS).serve(respond, std::future::pending()).await;
}

/// The site with one configuration.
struct RunningSite {
    app: CachedRouter,
    state: AppState,
    base_url: String,
    log_requests: bool,
    trusted_proxies: Vec<IpNet>,
    /// The public port of HTTPS.
    https_port: u16,
    _tasks: Tasks,
}

/// The background tasks of a site, which end with it.
struct Tasks([JoinHandle<()>; 8]);

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

impl RunningSite {
    fn new(config: Config, db: Db, clock: Clock, listening: SocketAddr, retained: Retained, is_reload: bool) -> Self {
        let log_requests = config.log.requests;
        let (state, pages) = app::state(config, db, clock, listening, retained);
        let (base_url, trusted_proxies) = (state.base_url.clone(), state.trusted_proxies.clone());
        let https_port = url::Url::parse(&base_url).ok().and_then(|url| url.port_or_known_default()).unwrap_or(443);
        let tasks = Tasks([
            tokio::spawn(app::run_probes(state.clone())),
            tokio::spawn(app::back_up_on_schedule(state.clone())),
            tokio::spawn(app::upload_on_schedule(state.clone())),
            tokio::spawn(app::delete_expired_on_schedule(state.clone())),
            tokio::spawn(app::repair_search_index_on_schedule(state.clone())),
            tokio::spawn(app::purge_shared_caches(state.clone())),
            tokio::spawn(app::certificates::maintain_certificate(state.clone(), is_reload)),
            tokio::spawn(check::run_in_background(state.clone())),
        ]);
        let app = app::router(state.clone(), pages);
        Self { app, state, base_url, log_requests, trusted_proxies, https_port, _tasks: tasks }
    }

    /// The response to a request over plain HTTP beside HTTPS.
    fn redirect(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let no_challenges = Challenges::default();
        let challenges = self.state.tls.as_ref().map_or(&no_challenges, Tls::challenges);
        https::redirect::respond(request, &self.state.config.https.domains, self.https_port, challenges)
    }

    fn respond(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
    ) -> impl Future<Output = Result<Response<ResponseBody>, Infallible>> + Send + use<> {
        if self.log_requests {
            let line = RequestLine::new(&request, peer, &self.trusted_proxies);
            Either::Left(line.log(self.app.respond(request, peer)))
        } else {
            Either::Right(self.app.respond(request, peer))
        }
    }
}

/// Reads the configuration again at each SIGHUP and passes it to `replace`; an invalid one is logged and changes
/// nothing. Changes of addresses, the database and the log take a restart.
async fn reload_on_hangup(
    mut hangup: Signal,
    running: Config,
    load: impl Fn() -> Result<Config, ConfigError>,
    replace: impl Fn(Config),
) {
    while hangup.recv().await.is_some() {
        if let Ok(now) = sd_notify::NotifyState::monotonic_usec_now() {
            let _ = sd_notify::notify(&[sd_notify::NotifyState::Reloading, now]);
        }
        match load() {
            Ok(new) => {
                let fixed = [
                    ("server.listen", running.server.listen == new.server.listen),
                    ("https.domains", running.https.is_enabled() == new.https.is_enabled()),
                    ("https.listen", running.https.listen == new.https.listen),
                    ("https.redirect_listen", running.https.redirect_listen == new.https.redirect_listen),
                    ("metrics.listen", running.metrics.listen == new.metrics.listen),
                    ("database.path", running.database.path == new.database.path),
                    ("log.level", running.log.level == new.log.level),
                    ("log.format", running.log.format == new.log.format),
                ];
                for (key, _) in fixed.into_iter().filter(|(_, is_same)| !is_same) {
                    tracing::warn!(key, "this setting needs a restart");
                }
                replace(new);
                tracing::info!("SIGHUP: the configuration was reloaded");
            }
            Err(error) => tracing::error!(%error, "SIGHUP: the configuration was not reloaded"),
        }
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
    }
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
fn announce(url: &str, sign_in: Option<String>) -> anyhow::Result<()> {
    print_line(&format!("Lectern is listening on {url}"))?;
    if let Some(sign_in) = sign_in {
        print_line(&sign_in)?;
    }
    // Fails without systemd.
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
    Ok(())
}

fn start_logging(config: &Log) {
    let level = match config.level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    // Libraries log warnings and errors only.
    let filter = Targets::new().with_default(level.min(LevelFilter::WARN)).with_target("lectern", level);
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(Mutex::new(LogWriter::new(config.format)))
        .with_ansi(std::io::stderr().is_terminal())
        .event_format(config.format)
        .with_filter(filter);
    // Fails if a subscriber is already set.
    let _ = tracing_subscriber::registry().with(layer).try_init();
}

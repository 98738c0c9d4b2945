//! The sockets of HTTPS and of its redirect: opened here, or passed by systemd.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::{FromRawFd as _, RawFd};

use tokio::net::{TcpListener, TcpSocket};

use crate::platform::config::{Https, Listen};

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// The sockets that accept connections.
#[derive(Debug)]
pub struct Listeners {
    pub https: TcpListener,
    /// Plain HTTP, if it is on.
    pub redirect: Option<TcpListener>,
}

/// A socket that can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error("The sockets of systemd can't be used: {0}")]
    Systemd(#[source] io::Error),
    #[error("systemd passes a socket with the name '{0}'; set FileDescriptorName= to https or http")]
    UnknownName(String),
    #[error("The socket '{name}' of systemd can't be used: {source}; use ListenStream=")]
    Passed { name: String, source: io::Error },
    #[error("Can't listen on {address}: {}", reason(source, *address, setting))]
    Bind {
        address: SocketAddr,
        /// The name of the setting with this address.
        setting: &'static str,
        source: io::Error,
    },
}

/// Opens the sockets, unless systemd passes those with the names `https` and `http` (`FileDescriptorName=` in
/// systemd.socket).
///
/// # Errors
/// One of them can't be opened.
pub fn listen(config: &Https) -> Result<Listeners, ListenError> {
    let mut passed = PassedSockets::default();
    let sockets = sd_notify::listen_fds_with_names().map_err(ListenError::Systemd)?;
    for (socket, name) in sockets {
        let slot = match name.as_str() {
            "https" => &mut passed.https,
            "http" => &mut passed.http,
            _ => return Err(ListenError::UnknownName(name)),
        };
        *slot = Some(from_systemd(socket).map_err(|source| ListenError::Passed { name, source })?);
    }
    let https = match passed.https {
        Some(listener) => listener,
        None => bind(config.listen, "https.listen")?,
    };
    let redirect = match (passed.http, config.redirect_listen) {
        (Some(listener), _) => Some(listener),
        (None, Some(address)) => Some(bind(address, "https.redirect_listen")?),
        (None, None) => None,
    };
    Ok(Listeners { https, redirect })
}

/// The sockets that systemd has opened.
#[derive(Default)]
struct PassedSockets {
    https: Option<TcpListener>,
    http: Option<TcpListener>,
}

#[expect(unsafe_code, reason = "a descriptor that another process passes has no safe constructor")]
fn from_systemd(socket: RawFd) -> io::Result<TcpListener> {
    // SAFETY: systemd opened this descriptor for this process (`LISTEN_PID`), and each is taken once, here.
    let listener = unsafe { std::net::TcpListener::from_raw_fd(socket) };
    listener.set_nonblocking(true)?;
    listener.local_addr()?;
    TcpListener::from_std(listener)
}

fn bind(Listen(address): Listen, setting: &'static str) -> Result<TcpListener, ListenError> {
    match open(address) {
        // A system without IPv6.
        Err(error) if address.ip().is_unspecified() && address.is_ipv6() && has_no_ipv6(&error) => {
            open(SocketAddr::from((Ipv4Addr::UNSPECIFIED, address.port())))
        }
        result => result,
    }
    .map_err(|source| ListenError::Bind { address, setting, source })
}

fn has_no_ipv6(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EAFNOSUPPORT) || error.kind() == ErrorKind::AddrNotAvailable
}

fn open(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    if address.is_ipv6() {
        // Also for IPv4, whatever the default of the system is.
        rustix::net::sockopt::set_ipv6_v6only(&socket, false)?;
    }
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn reason(error: &io::Error, address: SocketAddr, setting: &str) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => format!("another program uses this port; stop it, or set {setting} to another one"),
        ErrorKind::AddrNotAvailable => format!("this machine does not have that address; correct {setting}"),
        ErrorKind::PermissionDenied if address.port() < 1024 => format!(
            "ports below 1024 need a permission; set AmbientCapabilities=CAP_NET_BIND_SERVICE in the systemd unit, let \
             a systemd socket with FileDescriptorName={} open the port, or run: setcap cap_net_bind_service=+ep \
             {}",
            if setting == "https.listen" { "https" } else { "http" },
            std::env::current_exe().map_or_else(|_| "lectern".to_owned(), |path| path.display().to_string())
        ),
        _ => error.to_string(),
    }
}

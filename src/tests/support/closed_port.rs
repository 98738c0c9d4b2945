//! A port without a server.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// A port that refuses connections. It stays bound, so no other test gets it meanwhile.
pub(crate) struct ClosedPort {
    pub(crate) address: SocketAddr,
    _socket: TcpSocket,
}

impl ClosedPort {
    pub(crate) fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
        Self { address: socket.local_addr().unwrap(), _socket: socket }
    }
}

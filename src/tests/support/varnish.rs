//! Varnish with the shipped configuration.

use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::raw_client::RawClient;

/// A running Varnish, which ends when it is dropped.
pub(crate) struct Varnish {
    process: Child,
    pub(crate) address: SocketAddr,
    _folder: TempDir,
}

/// A port that is free at the moment. Varnish can't report one that it chooses.
pub(crate) fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

impl Varnish {
    /// Starts it at `address` in front of `server`; `None` where it is not installed, and the test is then skipped.
    pub(crate) fn start(address: SocketAddr, server: SocketAddr) -> Option<Self> {
        if Command::new("varnishd").arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            eprintln!("skipped: varnishd is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        // Its user may be another one.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let shipped = std::fs::read_to_string("packaging/caches/varnish.vcl").unwrap();
        let file = folder.path().join("default.vcl");
        std::fs::write(&file, shipped.replace("\"8080\"", &format!("\"{}\"", server.port()))).unwrap();
        let mut command = Command::new("varnishd");
        command.arg("-F").arg("-n").arg(folder.path().join("work")).arg("-f").arg(file);
        command.args(["-a", &address.to_string(), "-s", "malloc,32m", "-p", "http_gzip_support=off"]);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let varnish = Self { process, address, _folder: folder };
        let deadline = Instant::now() + Duration::from_mins(1);
        // It compiles its configuration first.
        while std::net::TcpStream::connect(address).is_err() {
            assert!(Instant::now() < deadline, "Varnish does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(varnish)
    }

    /// A client without a session.
    pub(crate) fn visitor(&self) -> RawClient {
        RawClient::to(self.address)
    }
}

impl Drop for Varnish {
    fn drop(&mut self) {
        // Not killed, because its second process would go on.
        let _ = kill_process(Pid::from_child(&self.process), Signal::TERM);
        let _ = self.process.wait();
    }
}

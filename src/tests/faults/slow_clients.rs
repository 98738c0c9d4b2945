//! Slow clients: weak connections and deliberate delays.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::folder;
use crate::platform::http_server::raise_file_limit;
use crate::tests::support::program::{Server, command_after};
use crate::tests::support::raw_client::{Response, connect, read_response};

#[test]
fn half_open_and_slow_requests_do_not_block_the_site() {
    raise_file_limit();
    std::thread::scope(|scope| {
        scope.spawn(exceed_the_descriptors_with_half_open_requests);
        scope.spawn(send_requests_slowly);
    });
}

fn exceed_the_descriptors_with_half_open_requests() {
    const DESCRIPTORS: usize = 1_024;
    let folder = folder();
    let arguments = ["serve", "--listen", "127.0.0.1:0"];
    let mut server = Server::spawn(command_after(&format!("ulimit -n {DESCRIPTORS}"), folder.path(), &arguments));
    let mut half_open = Vec::new();
    for _ in 0..DESCRIPTORS + 76 {
        let mut connection = connect(server.address).unwrap();
        connection.get_mut().write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
        half_open.push(connection);
    }
    let started = Instant::now();
    assert_eq!(server.visitor().get("/api/events").status, 200);
    assert!(started.elapsed() < Duration::from_secs(15), "the response came after {:?}", started.elapsed());

    let signaled = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.end().0, Some(0));
    assert!(signaled.elapsed() < Duration::from_secs(15), "it stopped after {:?}", signaled.elapsed());
    drop(half_open);
}

fn send_requests_slowly() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let began = Instant::now();
    std::thread::scope(|scope| {
        let headers = scope.spawn(|| send_slowly(server.address, "GET / HTTP/1.1\r\nHost: x\r\n", "x: y\r\n"));
        let head = "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
        let body =
            scope.spawn(move || send_slowly(server.address, &format!("{head}Content-Length: 4000\r\n\r\n"), " "));
        let chunk = "1\r\n \r\n";
        let chunks = scope
            .spawn(move || send_slowly(server.address, &format!("{head}Transfer-Encoding: chunked\r\n\r\n"), chunk));
        let all = [headers, body, chunks];
        let mut longest = Duration::ZERO;
        while all.iter().any(|one| !one.is_finished()) {
            let started = Instant::now();
            assert_eq!(server.visitor().get("/healthz").status, 200);
            longest = longest.max(started.elapsed());
            std::thread::sleep(Duration::from_millis(100));
        }
        assert!(longest < Duration::from_secs(15), "other clients waited {longest:?}");
        let [headers, body, chunks] = all.map(|one| one.join().unwrap());
        assert!(headers.is_none_or(|response| response.status == 408 || response.status == 400));
        for response in [body, chunks].into_iter().flatten() {
            assert!(response.status == 503 || response.status == 408, "{}", response.text());
            if response.status == 503 {
                let message =
                    "The request took too long. The change may have been saved: please check before you repeat it.";
                assert_eq!(response.json()["error"], message);
            }
        }
    });
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    server.stop();
}

/// Sends the beginning, then a fragment several times a second until the server responds. Returns the response without
/// the first byte, `None` if the server closed the connection.
fn send_slowly(address: SocketAddr, beginning: &str, fragment: &str) -> Option<Response> {
    let mut connection = connect(address).unwrap();
    connection.get_mut().write_all(beginning.as_bytes()).unwrap();
    connection.get_ref().set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let began = Instant::now();
    let mut first = [0];
    loop {
        assert!(began.elapsed() < Duration::from_secs(25), "the server does not time out");
        match connection.get_ref().read(&mut first) {
            Ok(0) => return None,
            // The rest of the status line is enough.
            Ok(_) => return read_response(&mut connection).ok(),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return None,
        }
        if connection.get_mut().write_all(fragment.as_bytes()).is_err() {
            return None;
        }
    }
}

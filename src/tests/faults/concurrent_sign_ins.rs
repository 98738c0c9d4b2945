//! Five hundred concurrent sign-ins.

use std::io::Write as _;
use std::time::{Duration, Instant};

use super::{PASSWORD, folder, sign_in};
use crate::platform::http_server::raise_file_limit;
use crate::tests::support::program::Server;
use crate::tests::support::raw_client::{connect, read_response};

const SIGN_INS: usize = 500;
/// The peak: two threads with 19 MiB each, the program, and the connections.
/// An unoptimized program has larger code and larger futures (measured: 62 and 82 to 86 MB).
const MEMORY_KIB: u64 = if cfg!(unoptimized) { 96 * 1024 } else { 80 * 1024 };

#[test]
fn five_hundred_concurrent_sign_ins_leave_the_site_responsive_within_its_memory() {
    raise_file_limit();
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let mut connections: Vec<_> = (0..SIGN_INS).map(|_| connect(server.address).unwrap()).collect();
    for (number, connection) in connections.iter_mut().enumerate() {
        let body = format!("{{\"email\":\"nobody{number}@example.com\",\"password\":\"{PASSWORD}\"}}");
        let head = "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        connection.get_mut().write_all(request.as_bytes()).unwrap();
    }
    // No response has been read yet; other clients are served.
    let mut longest = Duration::ZERO;
    for _ in 0..20 {
        let started = Instant::now();
        assert_eq!(server.visitor().get("/api/events").status, 200);
        assert_eq!(admin.get("/api/user").status, 200);
        longest = longest.max(started.elapsed());
    }
    assert!(longest < Duration::from_secs(10), "other clients waited {longest:?}");

    let mut checked = 0;
    for connection in &mut connections {
        let response = read_response(connection).unwrap();
        match response.status {
            401 => checked += 1,
            503 => assert_eq!(response.json()["error"], "The server is busy. Please try again in a moment."),
            status => panic!("{status}: {}", response.text()),
        }
    }
    assert!(checked >= 2, "some are always checked");
    assert!(server.peak_memory() < MEMORY_KIB, "{} KiB", server.peak_memory());
    sign_in(&server);
    server.stop();
}

//! Requests that no honest client sends.

use std::time::Duration;

use serde_json::json;

use super::{folder, sign_in};
use crate::tests::support::program::Server;
use crate::tests::support::raw_client::raw;

const QUIET: Duration = Duration::from_millis(1_500);
/// The request that an attacker tries to smuggle past the server.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n";

#[test]
fn a_request_that_could_hide_another_is_rejected() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let length = HIDDEN.len();
    let json = "Content-Type: application/json\r\n";
    let cases = [
        // The end of the body is ambiguous.
        format!(
            "POST /api/auth/logout HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "POST /api/auth/logout HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "GET /api/events HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Content-Length: 0\r\nContent-Length: {length}\r\n\r\n{HIDDEN}"
        ),
        format!("POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Content-Length: 0, {length}\r\n\r\n{HIDDEN}"),
        // Lengths and codings that other servers may interpret differently.
        format!("POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Content-Length: +0\r\n\r\n{HIDDEN}"),
        format!("POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Content-Length: -1\r\n\r\n{HIDDEN}"),
        format!("POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Content-Length: 0x0\r\n\r\n{HIDDEN}"),
        format!(
            "POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Content-Length: 99999999999999999999\r\n\r\n{HIDDEN}"
        ),
        format!(
            "POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "POST /api/auth/login HTTP/1.0\r\nHost: x\r\n{json}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n{HIDDEN}"
        ),
        format!(
            "POST /api/auth/login HTTP/1.1\r\nHost: x\r\n{json}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n{HIDDEN}"
        ),
        // Header lines that other servers may interpret differently.
        format!("GET / HTTP/1.1\r\nHost : x\r\n\r\n{HIDDEN}"),
        format!("GET / HTTP/1.1\r\nHost: x\r\n folded: line\r\n\r\n{HIDDEN}"),
        format!("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n{HIDDEN}"),
        format!("GET / HTTP/1.1\r\nHost: x\r\nx: a\0b\r\n\r\n{HIDDEN}"),
        format!("GET / HTTP/1.1\r\nHost: x\r\nx: a\rb\r\n\r\n{HIDDEN}"),
    ];
    for request in cases {
        let response = raw(server.address, request.as_bytes(), QUIET);
        assert!(!response.contains("\"status\":\"ok\""), "the hidden request was served: {request:?}: {response}");
        assert!(!response.starts_with("HTTP/1.1 5"), "{request:?}: {response}");
        assert_eq!(server.visitor().get("/healthz").status, 200, "after {request:?}");
    }
    server.stop();
}

#[test]
fn nothing_is_read_after_a_body_with_two_lengths() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    for path in ["/api/auth/logout", "/api/events", "/"] {
        for method in ["POST", "GET"] {
            let send = |lengths: &str| {
                let request = format!("{method} {path} HTTP/1.1\r\nHost: x\r\n{lengths}\r\n0\r\n\r\n{HIDDEN}");
                raw(server.address, request.as_bytes(), QUIET)
            };
            let (length, chunked) = ("Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n");
            for lengths in [[length, chunked].concat(), [chunked, length].concat()] {
                let response = send(&lengths);
                assert_eq!(response.matches("HTTP/1.1 ").count(), 1, "{method} {path}: {response}");
                assert!(response.to_lowercase().contains("\r\nconnection: close\r\n"), "{response}");
            }
        }
    }
    server.stop();
}

#[test]
fn a_request_must_name_exactly_one_host() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    for path in ["/", "/api/events", "/healthz", "/nothing", "/api/user"] {
        for hosts in ["", "Host: x\r\nHost: x\r\n", "Host: x\r\nHost: y\r\n"] {
            let request = format!("GET {path} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
            let response = raw(server.address, request.as_bytes(), QUIET);
            assert!(response.starts_with("HTTP/1.1 400 "), "{path} {hosts:?}: {response}");
        }
        let response = raw(server.address, format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes(), QUIET);
        assert!(
            !response.starts_with("HTTP/1.1 400 ") && response.starts_with("HTTP/1."),
            "1.0 needs no host: {response}"
        );
    }
    server.stop();
}

#[test]
fn a_connection_without_http_is_closed() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    let cases: [&[u8]; 6] = [
        hello,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1 extra\r\nHost: x\r\n\r\n",
    ];
    for bytes in cases {
        let response = raw(server.address, bytes, QUIET);
        assert!(response.is_empty() || response.starts_with("HTTP/1.1 400 "), "{bytes:?}: {response}");
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(70_000));
    let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "x: y\r\n".repeat(20_000));
    for request in [long, many] {
        let response = raw(server.address, request.as_bytes(), QUIET);
        assert!(response.is_empty() || response.starts_with("HTTP/1.1 4"), "{response}");
    }
    assert_eq!(server.visitor().get("/healthz").status, 200);
    server.stop();
}

#[test]
fn bodies_ten_thousand_deep_and_too_large_are_rejected() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(10_000), close.repeat(10_000));
    let lists = deep("[", "]");
    let bodies = [
        lists.clone(),
        deep("{\"a\":", "}").replace(":}", ":0}"),
        "[".repeat(10_000),
        format!("{{\"event\":{lists}}}"),
        format!("{{\"unknown\":{lists}}}"),
    ];
    for body in &bodies {
        for (method, path) in [
            ("POST", "/api/events"),
            ("PUT", "/api/events/1"),
            ("POST", "/api/speakers"),
            ("PUT", "/api/page-content/home"),
            ("POST", "/api/users"),
            ("POST", "/api/auth/login"),
            ("PUT", "/api/events/1/interest"),
        ] {
            let response = admin.send(method, path, Some(body)).unwrap();
            assert!(response.status == 400 || response.status == 413, "{method} {path}: {}", response.text());
        }
    }
    for (path, size) in [("/api/events", 256 * 1024), ("/api/auth/login", 4 * 1024), ("/api/speakers", 256 * 1024)] {
        let body = json!({ "title": "x".repeat(size) }).to_string();
        assert_eq!(admin.clone().send("POST", path, Some(&body)).unwrap().status, 413, "{path}");
    }
    assert_eq!(server.visitor().get("/healthz").status, 200);
    server.stop();
}

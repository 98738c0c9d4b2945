//! Connections over TLS: protocols, limits, and what the site gets to know of them.

use std::io::{BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::IntoRawFd as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http2::SendRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{CertificateParams, KeyPair};
use rustix::process::Signal;
use rustls::CipherSuite;
use rustls::pki_types::ServerName;
use serde_json::json;
use tempfile::TempDir;

use super::{DOMAIN, EMAIL, PASSWORD, folder, get, start};
use crate::tests::support::program::{Server, command_after, finish, run};
use crate::tests::support::raw_client::{self, RawClient, read_response};
use crate::tests::support::tls_client::{self, Trust};

/// A server with a certificate of its own.
fn serve() -> (TempDir, Server) {
    let folder = folder(
        "[https]\ndomains = [\"events.example.com\"]\nlisten = \"127.0.0.1:0\"\nredirect_listen = \"127.0.0.1:0\"\n",
    );
    let settings = "certificate = \"site.pem\"\nkey = \"site.key\"\n";
    let path = folder.path().join("config.toml");
    std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + settings).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec![DOMAIN.to_owned()]).unwrap().self_signed(&key).unwrap();
    std::fs::write(folder.path().join("site.pem"), certificate.pem()).unwrap();
    std::fs::write(folder.path().join("site.key"), key.serialize_pem()).unwrap();
    let server = start(folder.path());
    (folder, server)
}

/// A connection over HTTP/2.
async fn http2(server: &Server) -> SendRequest<Full<Bytes>> {
    let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let config = Arc::new(tls_client::config(&Trust::Any, &[b"h2"]));
    let connector = tokio_rustls::TlsConnector::from(config);
    let stream = connector.connect(ServerName::try_from(DOMAIN).unwrap(), stream).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

fn request(method: &str, path: &str) -> http::request::Builder {
    Request::builder().method(method).uri(format!("https://{DOMAIN}{path}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn http_2_serves_the_same_as_http_1() {
    let (_folder, server) = serve();
    let mut connection = http2(&server).await;
    let mut responses = Vec::new();
    for path in ["/", "/api/events", "/healthz", "/no-such-page", "/calendar.ics"] {
        let request = request("GET", path).body(Full::default()).unwrap();
        responses.push((path, connection.send_request(request)));
    }
    for (path, response) in responses {
        let response = response.await.unwrap();
        let over_http_1 = get(&server, path);
        assert_eq!(
            (response.version(), response.status().as_u16()),
            (http::Version::HTTP_2, over_http_1.status),
            "{path}"
        );
        for name in ["content-type", "strict-transport-security", "content-security-policy", "etag"] {
            let value = response.headers().get(name).map(|value| value.to_str().unwrap()).unwrap_or_default();
            assert_eq!(value, over_http_1.header(name), "{path} {name}");
        }
        assert!(response.headers().contains_key("date") && !response.headers().contains_key("connection"));
        response.into_body().collect().await.unwrap();
    }
    // A session, whose cookie a browser may send in a field of its own.
    let body = json!({ "email": EMAIL, "password": PASSWORD }).to_string();
    let sign_in = request("POST", "/api/auth/login").header("content-type", "application/json");
    let sign_in = sign_in.header("origin", format!("https://{DOMAIN}")).header("sec-fetch-site", "same-origin");
    let response = connection.send_request(sign_in.body(Full::from(body.clone())).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let cookie = response.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let user = request("GET", "/api/user").header("cookie", "a=b").header("cookie", cookie).header("cookie", "c=d");
    let response = connection.send_request(user.body(Full::default()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    // A request of another site, and one with two hosts.
    let forged = request("POST", "/api/auth/login").header("content-type", "application/json");
    let forged = forged.header("origin", "https://other.example").body(Full::from(body)).unwrap();
    assert_eq!(connection.send_request(forged).await.unwrap().status(), StatusCode::FORBIDDEN);
    let two = request("GET", "/api/events").header("host", "other.example").body(Full::default()).unwrap();
    assert_eq!(connection.send_request(two).await.unwrap().status(), StatusCode::BAD_REQUEST);
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_in_flight_end_before_the_server_stops_and_others_are_refused() {
    let (_folder, mut server) = serve();
    let mut connection = http2(&server).await;
    let response = connection.send_request(request("GET", "/").body(Full::default()).unwrap()).await.unwrap();
    response.into_body().collect().await.unwrap();
    server.signal(Signal::TERM);
    // Idle connections are closed at once, over HTTP/2 and during a handshake.
    let (code, _) = tokio::task::spawn_blocking(move || server.end()).await.unwrap();
    assert_eq!(code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_are_too_large_are_rejected_over_http_2() {
    let (_folder, server) = serve();
    let mut connection = http2(&server).await;
    let mut large = request("GET", "/api/events");
    for number in 0..40 {
        large = large.header(format!("x-{number}"), "x".repeat(1_000));
    }
    let response = connection.send_request(large.body(Full::default()).unwrap()).await;
    assert!(response.is_err() || response.unwrap().status() == StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    assert_eq!(get(&server, "/api/events").status, 200);
    server.stop();
}

#[test]
fn plain_http_redirects_to_the_domain_only() {
    let (_folder, server) = serve();
    let send = |host: &str, target: &str| {
        let mut stream = TcpStream::connect(server.redirect).unwrap();
        stream.write_all(format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
        read_response(&mut BufReader::new(stream)).unwrap()
    };
    let response = send(DOMAIN, "/events/a-walk?from=mail");
    assert_eq!(
        (response.status, response.header("location")),
        (301, "https://events.example.com/events/a-walk?from=mail")
    );
    assert_eq!(response.header("strict-transport-security"), "", "RFC 6797 §7.2");
    assert_eq!(send("other.example", "/").status, 421);
    assert_eq!(send(DOMAIN, "/.well-known/acme-challenge/guess").status, 404);
    server.stop();
}

#[test]
fn forwarding_headers_of_untrusted_peers_are_not_trusted_over_tls() {
    let (_folder, server) = serve();
    let body = json!({ "email": EMAIL, "password": "wrong" }).to_string();
    let statuses: Vec<u16> = (0..12)
        .map(|number| {
            let mut connection = tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap();
            let head = format!(
                "Content-Type: application/json\r\nX-Forwarded-For: 203.0.113.{number}\r\nContent-Length: {}\r\n",
                body.len()
            );
            let line = "POST /api/auth/login";
            tls_client::request(&mut connection, line, DOMAIN, &format!("{head}\r\n{body}")).unwrap().status
        })
        .collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    server.stop();
}

#[test]
fn old_protocols_are_refused() {
    let (_folder, server) = serve();
    // A ClientHello of TLS 1.1 (RFC 4346 §7.4.1.2) with the suite TLS_RSA_WITH_AES_128_CBC_SHA.
    let hello = [&[3, 2][..], &[7; 32], &[0, 0, 2, 0, 0x2f, 1, 0]].concat();
    let length = u8::try_from(hello.len()).unwrap();
    let record = [&[22, 3, 1, 0, length + 4, 1, 0, 0, length][..], &hello].concat();
    let mut stream = raw_client::connect(server.address).unwrap();
    stream.get_mut().write_all(&record).unwrap();
    let mut alert = Vec::new();
    stream.read_to_end(&mut alert).unwrap();
    // A fatal alert.
    assert_eq!(alert.first().zip(alert.get(5)), Some((&21, &2)), "{alert:?}");
    // Plain HTTP on the port of HTTPS.
    let response = raw_client::raw(server.address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", Duration::from_secs(20));
    assert!(!response.contains("HTTP/1.1"), "{response}");
    assert_eq!(get(&server, "/api/events").status, 200);
    server.stop();
}

#[test]
fn the_server_chooses_the_cipher_suite() {
    let (_folder, server) = serve();
    let chosen = |version: &[u8]| {
        let mut provider = rustls::crypto::ring::default_provider();
        provider.cipher_suites.retain(|suite| format!("{:?}", suite.version().version).as_bytes().ends_with(version));
        // ChaCha20 first, AES with 128 bits last.
        provider.cipher_suites.sort_by_key(|suite| {
            let name = format!("{:?}", suite.suite());
            (!name.contains("CHACHA20"), name.contains("AES_128"))
        });
        let config = tls_client::config_with(provider, &Trust::Any, &[b"http/1.1"]);
        let connection = tls_client::connect_with(server.address, DOMAIN, config).unwrap();
        connection.get_ref().conn.negotiated_cipher_suite().unwrap().suite()
    };
    assert_eq!(chosen(b"1_3"), CipherSuite::TLS13_AES_128_GCM_SHA256);
    assert_eq!(chosen(b"1_2"), CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256);
    server.stop();
}

#[test]
fn slow_handshakes_and_too_many_connections_are_closed() {
    let (_folder, server) = serve();
    let slow = raw_client::connect(server.address).unwrap();
    // 512 from one address, of which one is above.
    let open: Vec<TcpStream> = (0..511).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    // A connection that is closed at once sends nothing; the loop waits until the server has accepted all others.
    server.wait_for("the limit", || {
        let mut stream = raw_client::connect(server.address).unwrap();
        stream.get_ref().set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        matches!(stream.read(&mut [0]), Ok(0)).then_some(())
    });
    // All of them end without a handshake.
    for mut stream in std::iter::once(slow.into_inner()).chain(open) {
        stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        assert!(!matches!(stream.read(&mut [0]), Ok(1..)), "only the server's end");
    }
    server
        .wait_for("the connections", || tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).ok());
    assert_eq!(get(&server, "/api/events").status, 200);
    server.stop();
}

#[test]
fn a_port_that_needs_a_permission_or_is_taken_is_explained() {
    let (folder, server) = serve();
    let path = folder.path().join("config.toml");
    let settings = std::fs::read_to_string(&path).unwrap();
    let taken = format!("listen = \"{}\"", server.address);
    std::fs::write(&path, settings.replacen("listen = \"127.0.0.1:0\"", &taken, 1)).unwrap();
    let text = run(folder.path(), &["serve", "--database", "other.db"]).sentence(1);
    assert!(text.contains("another program uses this port; stop it, or set https.listen to another one"), "{text}");
    server.stop();
}

/// `lectern serve` that gets these sockets as systemd passes them: as descriptors from 3 on.
fn with_sockets(folder: &Path, sockets: [&TcpListener; 2], names: &str) -> Command {
    let inherited = sockets.map(|socket| {
        // Away from the descriptors that they become.
        let copy = rustix::io::fcntl_dupfd_cloexec(socket, 100).unwrap();
        rustix::io::fcntl_setfd(&copy, rustix::io::FdFlags::empty()).unwrap();
        copy.into_raw_fd()
    });
    // The shell of the other tests redirects only descriptors of one digit.
    let script = format!(
        "exec 3<&{} 4<&{}; export LISTEN_FDS=2 LISTEN_PID=$$ LISTEN_FDNAMES={names}; exec \"$0\" \"$@\"",
        inherited[0], inherited[1]
    );
    command_after(&format!("exec bash -c '{script}' \"$0\" \"$@\""), folder, &["serve", "--https", DOMAIN])
}

#[test]
fn systemd_can_pass_the_sockets() {
    let folder = folder("");
    let [https, http] = [(), ()].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let server = Server::spawn(with_sockets(folder.path(), [&https, &http], "https:http"));
    let addresses = [&https, &http].map(|socket| socket.local_addr().unwrap());
    assert_eq!([server.address, server.redirect], addresses);
    assert_eq!(get(&server, "/api/events").status, 200);
    assert_eq!(RawClient::to(server.redirect).get("/").status, 421);
    server.stop();
    let wrong = with_sockets(folder.path(), [&https, &http], "lectern.socket:http");
    let text = finish(wrong, "").sentence(1);
    assert!(text.contains("name 'lectern.socket'; set FileDescriptorName= to https or http"), "{text}");
}

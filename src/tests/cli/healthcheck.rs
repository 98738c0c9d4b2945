//! `lectern healthcheck`

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use super::empty_folder;
use crate::tests::support::program::{Server, command, finish, run, succeed};

#[test]
fn the_server_is_requested_at_the_given_or_the_configured_address() {
    let folder = empty_folder();
    let server = Server::start(folder.path(), &[]);
    let url = format!("http://{}", server.address);
    assert_eq!(succeed(folder.path(), &["healthcheck", "--url", &url]), "ok\n");
    assert_eq!(succeed(folder.path(), &["healthcheck", "--url", &format!("{url}/healthz")]), "ok\n");
    let mut by_variable = command(folder.path(), &["healthcheck"]);
    by_variable.env("LECTERN_LISTEN", server.address.to_string()).env("http_proxy", "http://127.0.0.1:9");
    assert_eq!(finish(by_variable, "").succeeded(), "ok\n");
    let any = format!("[server]\nlisten = \"0.0.0.0:{}\"\n", server.address.port());
    std::fs::write(folder.path().join("config.toml"), any).unwrap();
    assert_eq!(succeed(folder.path(), &["healthcheck"]), "ok\n");

    std::fs::remove_file(folder.path().join("lectern.db")).unwrap();
    let message = run(folder.path(), &["healthcheck"]).sentence(1);
    assert!(message.ends_with("status 503: down; The database file was removed while the server runs."), "{message}");
    server.stop();
    let message = run(folder.path(), &["healthcheck", "--url", &url]).sentence(1);
    assert_eq!(message, format!("No server responds at {url}/healthz (Connection refused)."));
}

#[test]
fn a_server_of_another_program_is_unhealthy() {
    let folder = empty_folder();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1024]);
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").unwrap();
    });
    let message = run(folder.path(), &["healthcheck", "--url", &url]).sentence(1);
    let expected = "but not as lectern does (expected value at line 1 column 1).";
    assert_eq!(message, format!("{url}/healthz responds with status 200, {expected}"));
    other.join().unwrap();
    let message = run(folder.path(), &["healthcheck", "--database", "x"]);
    assert_eq!(message.code, Some(1));
    std::fs::write(folder.path().join("config.toml"), "[server]\nlisten = \"127.0.0.1:0\"\n").unwrap();
    assert!(run(folder.path(), &["healthcheck"]).sentence(1).contains("name its URL with --url"));
}

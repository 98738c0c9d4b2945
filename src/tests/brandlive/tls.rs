//! A provider whose certificate no public authority signed.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use tempfile::TempDir;

use crate::tests::support::fake_brandlive::{KEY, items};
use crate::tests::support::program::{run, succeed};

struct TlsProvider {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    folder: TempDir,
}

impl TlsProvider {
    /// A provider with a certificate for this host; the folder contains its authority in `ca.pem`.
    fn start(host: &str) -> Self {
        Self::signed(CertificateParams::new(vec![host.to_owned()]).unwrap())
    }

    /// The same with this certificate, which is in `server.pem`.
    fn signed(certificate: CertificateParams) -> Self {
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate = certificate.signed_by(&key, &authority).unwrap();
        let provider = Self::with(certificate.der().clone(), &key, &certificate.pem());
        std::fs::write(provider.folder.path().join("ca.pem"), authority.pem()).unwrap();
        provider
    }

    /// A provider with a certificate as `openssl req -x509` makes it, which is in `server.pem`.
    fn self_signed(mut certificate: CertificateParams) -> Self {
        certificate.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = certificate.self_signed(&key).unwrap();
        Self::with(certificate.der().clone(), &key, &certificate.pem())
    }

    fn with(certificate: CertificateDer<'static>, key: &KeyPair, pem: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("server.pem"), pem).unwrap();

        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
        let config = Arc::new(config);

        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counter.fetch_add(1, Ordering::Relaxed);
                let config = Arc::clone(&config);
                std::thread::spawn(move || {
                    let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
                    let mut request = Vec::new();
                    let mut byte = [0];
                    while !request.ends_with(b"\r\n\r\n") {
                        if stream.read(&mut byte).unwrap_or(0) == 0 {
                            return;
                        }
                        request.push(byte[0]);
                    }
                    let body = json!({ "data": items(2), "total": 2 }).to_string();
                    let head =
                        format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
                    let _ = stream.write_all((head + &body).as_bytes());
                    stream.conn.send_close_notify();
                    let _ = stream.flush();
                });
            }
        });
        Self { address, connections, folder }
    }

    fn configure(&self, network: &str) -> PathBuf {
        let config = format!(
            "{network}\n[brandlive]\nbase_url = \"https://{}\"\napi_key = \"{KEY}\"\nrequest_seconds = 5\n",
            self.address
        );
        std::fs::write(self.folder.path().join("config.toml"), config).unwrap();
        self.folder.path().to_owned()
    }
}

#[test]
fn an_untrusted_certificate_ends_the_sync_with_its_own_sentence() {
    let provider = TlsProvider::start("127.0.0.1");
    let folder = provider.configure("");
    assert_eq!(
        run(&folder, &["sync-brandlive"]).sentence(2),
        "Brandlive's certificate was issued by an unknown authority; if that is your company's own, add its certificate to \
         ca_file under [network]."
    );
    assert_eq!(provider.connections.load(Ordering::Relaxed), 1, "it is not retried");
}

#[test]
fn the_authority_in_ca_file_is_trusted_for_its_hosts() {
    let provider = TlsProvider::start("127.0.0.1");
    let folder = provider.configure("[network]\nca_file = \"ca.pem\"");
    assert_eq!(succeed(&folder, &["sync-brandlive"]), "2 created, 0 updated, 0 unchanged\n");
    let provider = TlsProvider::start("other.example");
    let folder = provider.configure("[network]\nca_file = \"ca.pem\"");
    assert!(run(&folder, &["sync-brandlive"]).sentence(2).contains("certificate is for another host"));
}

/// The parameters of a certificate for the provider.
fn for_the_provider() -> CertificateParams {
    CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap()
}

#[test]
fn a_certificate_that_is_in_ca_file_itself_is_accepted() {
    for provider in [TlsProvider::self_signed(for_the_provider()), TlsProvider::signed(for_the_provider())] {
        let folder = provider.configure("[network]\nca_file = \"server.pem\"");
        assert_eq!(succeed(&folder, &["sync-brandlive"]), "2 created, 0 updated, 0 unchanged\n");
    }
    // Not the certificate of another server, even for the same host.
    let (provider, other) =
        (TlsProvider::self_signed(for_the_provider()), TlsProvider::self_signed(for_the_provider()));
    let folder = provider.configure("[network]\nca_file = \"other.pem\"");
    std::fs::copy(other.folder.path().join("server.pem"), folder.join("other.pem")).unwrap();
    assert!(run(&folder, &["sync-brandlive"]).sentence(2).starts_with("Brandlive's certificate is self-signed"));
}

#[test]
fn each_problem_of_a_certificate_has_its_own_sentence() {
    let mut expired = for_the_provider();
    (expired.not_before, expired.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 1, 1));
    let mut future = for_the_provider();
    (future.not_before, future.not_after) = (date_time_ymd(2999, 1, 1), date_time_ymd(3000, 1, 1));
    let elsewhere = CertificateParams::new(vec!["other.example".to_owned()]).unwrap();
    let cases = [
        (expired, "has expired, or the clock of this machine is wrong; it has to be renewed on the server."),
        (future, "is not valid yet; check the clock of this machine."),
        (elsewhere, "is for another host; check base_url under [brandlive]."),
    ];
    for (certificate, problem) in cases {
        for (provider, file) in [
            (TlsProvider::signed(certificate.clone()), "ca.pem"),
            (TlsProvider::signed(certificate.clone()), "server.pem"),
            (TlsProvider::self_signed(certificate.clone()), "server.pem"),
        ] {
            let folder = provider.configure(&format!("[network]\nca_file = \"{file}\""));
            let sentence = run(&folder, &["sync-brandlive"]).sentence(2);
            assert_eq!(sentence, format!("Brandlive's certificate {problem}"), "{file}");
        }
    }
    let folder = TlsProvider::self_signed(for_the_provider());
    assert_eq!(
        run(&folder.configure(""), &["sync-brandlive"]).sentence(2),
        "Brandlive's certificate is self-signed or not made for a server; if you trust it, add it to ca_file under \
         [network]."
    );
}

#[test]
fn a_ca_file_that_cannot_be_used_is_rejected_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.pem"), "nothing").unwrap();
    for (file, reason) in [("missing.pem", "there is no such file"), ("empty.pem", "contains no certificate")] {
        std::fs::write(folder.path().join("config.toml"), format!("[network]\nca_file = \"{file}\"\n")).unwrap();
        let sentence = run(folder.path(), &["migrate"]).sentence(2);
        assert!(sentence.contains(reason) && sentence.contains("line 2: network.ca_file"), "{sentence}");
    }
}

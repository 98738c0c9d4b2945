//! A certificate authority with the interface of ACME (RFC 8555) that connects back to validate domains, with profiles
//! and renewal information (RFC 9773). It fails as a test tells it to, and checks no signature (see
//! scripts/check-https.sh).

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, PKCS_ECDSA_P256_SHA256, PublicKeyData,
    SignatureAlgorithm,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use x509_cert::der::Decode as _;

use super::raw_client::read_response;
use super::tls_client::{self, Trust};

/// How a request fails.
#[derive(Clone, Debug)]
pub(crate) enum AcmeFault {
    /// A problem of this type with a detail and a status, and the seconds of `Retry-After`.
    Problem(&'static str, &'static str, u16, Option<u64>),
    /// A status with a page of a proxy.
    Page(u16),
    /// The connection ends.
    Cut,
}

/// A running authority; it ends with the test's process.
pub(crate) struct FakeAcme {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    address: SocketAddr,
    issuer: CertifiedIssuer<'static, KeyPair>,
    state: Mutex<State>,
    /// Signaled when the ports are known.
    connected: Condvar,
}

#[derive(Default)]
struct State {
    /// The ports to which domains are validated: HTTP and TLS.
    ports: Option<(u16, u16)>,
    nonces: BTreeSet<String>,
    next: usize,
    /// The thumbprints of account keys.
    accounts: BTreeMap<usize, String>,
    orders: BTreeMap<usize, Order>,
    authorizations: BTreeMap<usize, Authorization>,
    faults: Vec<(String, AcmeFault, usize)>,
    requests: Vec<String>,
    /// Domains without an address.
    unknown: BTreeSet<String>,
    /// Kinds of challenges that can't be connected to.
    blocked: BTreeSet<String>,
    /// Of certificates: their age when they are issued, and their lifetime.
    age: TimeDelta,
    lifetime: TimeDelta,
    window: Option<(DateTime<Utc>, DateTime<Utc>)>,
    profiles: Vec<&'static str>,
    /// Orders that must name the certificate that they replace.
    replaced: Vec<String>,
}

struct Order {
    domains: Vec<String>,
    authorizations: Vec<usize>,
    profile: Option<String>,
    replaces: Option<String>,
    chain: Option<String>,
}

struct Authorization {
    domain: String,
    account: usize,
    status: &'static str,
    kind: String,
    error: Option<Value>,
}

struct Request {
    method: String,
    path: String,
    body: Vec<u8>,
}

type Response = (u16, Vec<(&'static str, String)>, String);

impl FakeAcme {
    /// Without profiles and suggestions; validations wait for [`Self::connect_to`].
    pub(crate) fn start() -> Self {
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
        let config = server_config(own.der().clone(), &key);

        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { lifetime: TimeDelta::days(90), ..State::default() };
        let shared = Arc::new(Shared { address, issuer, state: Mutex::new(state), connected: Condvar::new() });
        let fake = Self { address, shared: Arc::clone(&shared) };
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (shared, config) = (Arc::clone(&shared), Arc::clone(&config));
                // A client that goes away ends the connection.
                std::thread::spawn(move || drop(serve(connection, config, &shared)));
            }
        });
        fake
    }

    /// The settings of a server that uses this authority, whose certificate is written to a folder.
    pub(crate) fn settings(&self, folder: &Path, domains: &[&str], more: &str) -> String {
        std::fs::write(folder.join("ca.pem"), self.shared.issuer.pem()).unwrap();
        format!(
            "[https]\ndomains = {domains:?}\nemail = \"ada@example.com\"\nlisten = \"127.0.0.1:0\"\n\
             redirect_listen = \"127.0.0.1:0\"\ndirectory_url = \"https://{}/dir\"\nca_file = \"ca.pem\"\n{more}\n",
            self.address
        )
    }

    /// What makes a server use free ports and this authority, as variables.
    pub(crate) fn environment(&self, folder: &Path) -> [(&'static str, String); 4] {
        std::fs::write(folder.join("ca.pem"), self.shared.issuer.pem()).unwrap();
        [
            ("LECTERN_HTTPS__LISTEN", "127.0.0.1:0".to_owned()),
            ("LECTERN_HTTPS__REDIRECT_LISTEN", "127.0.0.1:0".to_owned()),
            ("LECTERN_HTTPS__DIRECTORY_URL", format!("https://{}/dir", self.address)),
            ("LECTERN_HTTPS__CA_FILE", "ca.pem".to_owned()),
        ]
    }

    /// The certificate of the authority.
    pub(crate) fn root(&self) -> CertificateDer<'static> {
        self.shared.issuer.der().clone()
    }

    /// Domains lead to these ports.
    pub(crate) fn connect_to(&self, http: u16, tls: u16) {
        self.change(|state| state.ports = Some((http, tls)));
        self.shared.connected.notify_all();
    }

    /// Whether domains lead anywhere.
    pub(crate) fn is_connected(&self) -> bool {
        self.shared.state.lock().unwrap().ports.is_some()
    }

    /// Requests to a path that begins with this fail the given number of times.
    pub(crate) fn fail(&self, path: &str, fault: AcmeFault, times: usize) {
        self.change(|state| state.faults.push((path.to_owned(), fault, times)));
    }

    /// Requests succeed again.
    pub(crate) fn recover(&self) {
        self.change(|state| {
            state.faults.clear();
            state.unknown.clear();
            state.blocked.clear();
        });
    }

    /// A domain has no address.
    pub(crate) fn forget_domain(&self, domain: &str) {
        self.change(|state| {
            state.unknown.insert(domain.to_owned());
        });
    }

    /// Nothing can connect to the port of a kind of challenge, such as `http-01`.
    pub(crate) fn block(&self, kind: &str) {
        self.change(|state| {
            state.blocked.insert(kind.to_owned());
        });
    }

    /// The age of further certificates when they are issued, and their lifetime.
    pub(crate) fn issue_for(&self, age: TimeDelta, lifetime: TimeDelta) {
        self.change(|state| (state.age, state.lifetime) = (age, lifetime));
    }

    /// Suggests renewing all certificates in this time, relative to now.
    pub(crate) fn suggest(&self, start: TimeDelta, end: TimeDelta) {
        self.change(|state| state.window = Some((Utc::now() + start, Utc::now() + end)));
    }

    /// Offers kinds of certificates.
    pub(crate) fn offer(&self, profiles: &[&'static str]) {
        self.change(|state| state.profiles = profiles.to_vec());
    }

    /// Loses all accounts, as a test authority that is restarted.
    pub(crate) fn forget_accounts(&self) {
        self.change(|state| state.accounts.clear());
    }

    /// Method and path of each request.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.shared.state.lock().unwrap().requests.clone()
    }

    /// The number of orders.
    pub(crate) fn orders(&self) -> usize {
        self.shared.state.lock().unwrap().orders.len()
    }

    /// The certificates that orders have replaced.
    pub(crate) fn replaced(&self) -> Vec<String> {
        self.shared.state.lock().unwrap().replaced.clone()
    }

    /// The profile and the domains of the last order.
    pub(crate) fn last_order(&self) -> (Option<String>, Vec<String>) {
        let state = self.shared.state.lock().unwrap();
        let order = state.orders.values().next_back().unwrap();
        (order.profile.clone(), order.domains.clone())
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.shared.state.lock().unwrap());
    }
}

/// TLS of a server with one certificate.
pub(crate) fn server_config(certificate: CertificateDer<'static>, key: &KeyPair) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap())
}

fn serve(connection: TcpStream, config: Arc<ServerConfig>, shared: &Shared) -> io::Result<()> {
    let stream = StreamOwned::new(ServerConnection::new(config).map_err(io::Error::other)?, connection);
    let mut stream = BufReader::new(stream);
    let Some(request) = read(&mut stream)? else { return Ok(()) };
    let fault = {
        let mut state = shared.state.lock().unwrap();
        state.requests.push(format!("{} {}", request.method, request.path));
        state.faults.iter_mut().find(|(path, _, times)| *times > 0 && request.path.starts_with(path.as_str())).map(
            |(_, fault, times)| {
                *times -= 1;
                fault.clone()
            },
        )
    };
    let (status, headers, body) = match fault {
        Some(AcmeFault::Cut) => return Ok(()),
        Some(AcmeFault::Page(status)) => (status, vec![], "<h1>Sorry</h1>".to_owned()),
        Some(AcmeFault::Problem(kind, detail, status, wait)) => {
            let headers = wait.map(|seconds| ("Retry-After", seconds.to_string())).into_iter().collect();
            (status, headers, problem(kind, detail).to_string())
        }
        None => respond(shared, &request),
    };
    let nonce = shared.nonce();
    let mut head = format!(
        "HTTP/1.1 {status} X\r\nConnection: close\r\nReplay-Nonce: {nonce}\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.extend([name, ": ", &value, "\r\n"]);
    }
    let stream = stream.get_mut();
    let body = if request.method == "HEAD" { "" } else { &body };
    stream.write_all((head + "\r\n" + body).as_bytes())?;
    stream.conn.send_close_notify();
    stream.flush()
}

fn read(stream: &mut BufReader<impl io::Read>) -> io::Result<Option<Request>> {
    let mut first = String::new();
    if stream.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(Some(Request { method, path, body }))
}

fn problem(kind: &str, detail: &str) -> Value {
    json!({ "type": format!("urn:ietf:params:acme:error:{kind}"), "detail": detail })
}

fn rejected(status: u16, kind: &str, detail: &str) -> Response {
    (status, vec![], problem(kind, detail).to_string())
}

impl Shared {
    fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    fn nonce(&self) -> String {
        let mut state = self.state.lock().unwrap();
        state.next += 1;
        let nonce = format!("nonce-{}", state.next);
        state.nonces.insert(nonce.clone());
        nonce
    }
}

fn decode(text: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap()
}

fn respond(shared: &Shared, request: &Request) -> Response {
    let path: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
    let id = |at: usize| path[at].parse::<usize>().unwrap();
    if request.method != "POST" {
        return match path[0] {
            "dir" => directory(shared),
            "nonce" => (200, vec![], String::new()),
            "renewal" => renewal(shared),
            _ => rejected(404, "malformed", "no such resource"),
        };
    }
    // JWS (RFC 8555 §6.2), without its signature.
    let jws: Value = serde_json::from_slice(&request.body).unwrap();
    let header: Value = serde_json::from_slice(&decode(&jws["protected"])).unwrap();
    assert_eq!((header["alg"].as_str(), header["url"].as_str()), (Some("ES256"), Some(&*shared.url(&request.path))));
    assert_eq!(decode(&jws["signature"]).len(), 64);
    if !shared.state.lock().unwrap().nonces.remove(header["nonce"].as_str().unwrap()) {
        return rejected(400, "badNonce", "this nonce was used");
    }
    let payload: Value = serde_json::from_slice(&decode(&jws["payload"])).unwrap_or(Value::Null);
    if path[0] == "account" && path.len() == 1 {
        return create_account(shared, &header["jwk"]);
    }
    let account = header["kid"].as_str().unwrap().rsplit('/').next().unwrap().parse().unwrap();
    if !shared.state.lock().unwrap().accounts.contains_key(&account) {
        return rejected(400, "accountDoesNotExist", "there is no such account");
    }
    match path[0] {
        "account" => (200, vec![], json!({ "status": "valid" }).to_string()),
        "order" if path.len() == 1 => create_order(shared, account, &payload),
        "order" => (200, vec![("Retry-After", "0".to_owned())], order(shared, id(1)).to_string()),
        "authorization" => (200, vec![], authorization(shared, id(1)).to_string()),
        "challenge" => validate(shared, id(1), path[2]),
        "finalize" => finalize(shared, id(1), &decode(&payload["csr"])),
        "certificate" => (200, vec![], shared.state.lock().unwrap().orders[&id(1)].chain.clone().unwrap()),
        _ => rejected(404, "malformed", "no such resource"),
    }
}

fn directory(shared: &Shared) -> Response {
    let state = shared.state.lock().unwrap();
    let profiles: BTreeMap<&str, &str> = state.profiles.iter().map(|name| (*name, "a profile")).collect();
    let mut directory = json!({
        "newNonce": shared.url("/nonce"), "newAccount": shared.url("/account"), "newOrder": shared.url("/order"),
        "meta": { "profiles": profiles },
    });
    if state.window.is_some() {
        directory["renewalInfo"] = json!(shared.url("/renewal"));
    }
    (200, vec![], directory.to_string())
}

fn renewal(shared: &Shared) -> Response {
    let (start, end) = shared.state.lock().unwrap().window.unwrap();
    let window = json!({ "suggestedWindow": { "start": start.to_rfc3339(), "end": end.to_rfc3339() } });
    (200, vec![("Retry-After", "21600".to_owned())], window.to_string())
}

fn create_account(shared: &Shared, jwk: &Value) -> Response {
    // RFC 7638
    let thumbprint = format!(r#"{{"crv":"P-256","kty":"EC","x":{},"y":{}}}"#, jwk["x"], jwk["y"]);
    let thumbprint = URL_SAFE_NO_PAD.encode(Sha256::digest(thumbprint));
    let mut state = shared.state.lock().unwrap();
    state.next += 1;
    let id = state.next;
    state.accounts.insert(id, thumbprint);
    (201, vec![("Location", shared.url(&format!("/account/{id}")))], json!({ "status": "valid" }).to_string())
}

fn create_order(shared: &Shared, account: usize, payload: &Value) -> Response {
    let domains: Vec<String> =
        payload["identifiers"].as_array().unwrap().iter().map(|id| id["value"].as_str().unwrap().to_owned()).collect();
    let text = |key: &str| payload[key].as_str().map(str::to_owned);
    let id = {
        let mut state = shared.state.lock().unwrap();
        if let Some(replaces) = text("replaces") {
            if state.replaced.contains(&replaces) {
                drop(state);
                return rejected(409, "alreadyReplaced", "this certificate was replaced");
            }
            state.replaced.push(replaces);
        }
        let mut authorizations = Vec::new();
        for domain in &domains {
            state.next += 1;
            let id = state.next;
            authorizations.push(id);
            let kind = String::new();
            let authorization = Authorization { domain: domain.clone(), account, status: "pending", kind, error: None };
            state.authorizations.insert(id, authorization);
        }
        state.next += 1;
        let id = state.next;
        let (profile, replaces) = (text("profile"), text("replaces"));
        state.orders.insert(id, Order { domains, authorizations, profile, replaces, chain: None });
        id
    };
    (201, vec![("Location", shared.url(&format!("/order/{id}")))], order(shared, id).to_string())
}

fn order(shared: &Shared, id: usize) -> Value {
    let state = shared.state.lock().unwrap();
    let order = &state.orders[&id];
    let statuses: BTreeSet<&str> = order.authorizations.iter().map(|id| state.authorizations[id].status).collect();
    let status = match () {
        () if order.chain.is_some() => "valid",
        () if statuses.contains("invalid") => "invalid",
        () if statuses.contains("pending") => "pending",
        () => "ready",
    };
    let urls: Vec<String> = order.authorizations.iter().map(|id| shared.url(&format!("/authorization/{id}"))).collect();
    let mut json = json!({
        "status": status, "authorizations": urls, "finalize": shared.url(&format!("/finalize/{id}")),
        "identifiers": order.domains.iter().map(|name| json!({ "type": "dns", "value": name })).collect::<Vec<_>>(),
    });
    for (key, value) in [("replaces", &order.replaces), ("profile", &order.profile)] {
        if let Some(value) = value {
            json[key] = json!(value);
        }
    }
    if order.chain.is_some() {
        json["certificate"] = json!(shared.url(&format!("/certificate/{id}")));
    }
    json
}

fn challenge(shared: &Shared, id: usize, kind: &str, authorization: &Authorization) -> Value {
    let mut json = json!({
        "type": kind, "url": shared.url(&format!("/challenge/{id}/{kind}")), "token": format!("token-{id}"),
        "status": if authorization.kind == kind { authorization.status } else { "pending" },
    });
    if let Some(error) = authorization.error.as_ref().filter(|_| authorization.kind == kind) {
        json["error"] = error.clone();
    }
    json
}

fn authorization(shared: &Shared, id: usize) -> Value {
    let state = shared.state.lock().unwrap();
    let authorization = &state.authorizations[&id];
    let challenges = ["http-01", "tls-alpn-01"].map(|kind| challenge(shared, id, kind, authorization));
    json!({
        "status": authorization.status, "challenges": challenges,
        "identifier": { "type": "dns", "value": authorization.domain },
    })
}

/// Validates a domain before it responds.
fn validate(shared: &Shared, id: usize, kind: &str) -> Response {
    let (domain, thumbprint, ports, is_unknown, is_blocked) = {
        let state = shared.state.lock().unwrap();
        let limit = Duration::from_mins(1);
        let (state, _) = shared.connected.wait_timeout_while(state, limit, |state| state.ports.is_none()).unwrap();
        let authorization = &state.authorizations[&id];
        let domain = authorization.domain.clone();
        let is_unknown = state.unknown.contains(&domain);
        let thumbprint = state.accounts[&authorization.account].clone();
        (domain, thumbprint, state.ports.unwrap(), is_unknown, state.blocked.contains(kind))
    };
    let key_authorization = format!("token-{id}.{thumbprint}");
    let result = match kind {
        _ if is_unknown => Err(("dns", "no address".to_owned())),
        _ if is_blocked => Err(("connection", "Connection refused".to_owned())),
        "http-01" => http_01(ports.0, &domain, &format!("token-{id}"), &key_authorization),
        _ => tls_alpn_01(ports.1, &domain, &key_authorization),
    };
    let mut state = shared.state.lock().unwrap();
    let authorization = state.authorizations.get_mut(&id).unwrap();
    kind.clone_into(&mut authorization.kind);
    authorization.status = if result.is_ok() { "valid" } else { "invalid" };
    authorization.error = result.err().map(|(kind, detail)| problem(kind, &detail));
    // The response is that of an authority that validates later.
    let mut response = challenge(shared, id, kind, authorization);
    response["status"] = json!("processing");
    response.as_object_mut().unwrap().remove("error");
    (200, vec![], response.to_string())
}

type Validation = Result<(), (&'static str, String)>;

fn http_01(port: u16, domain: &str, token: &str, expected: &str) -> Validation {
    let connection = |error: io::Error| ("connection", error.to_string());
    let mut stream = TcpStream::connect(("127.0.0.1", port)).map_err(connection)?;
    let path = format!("/.well-known/acme-challenge/{token}");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {domain}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(connection)?;
    let response = read_response(&mut BufReader::new(stream)).map_err(connection)?;
    if response.status == 200 && response.text() == expected {
        Ok(())
    } else {
        Err(("unauthorized", format!("invalid response: {}", response.status)))
    }
}

fn tls_alpn_01(port: u16, domain: &str, key_authorization: &str) -> Validation {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let stream = tls_client::connect(address, domain, &Trust::Any, &[b"acme-tls/1"])
        .map_err(|error| ("tls", error.to_string()))?;
    let connection = &stream.get_ref().conn;
    let wrong = |text: &str| Err(("unauthorized", text.to_owned()));
    if connection.alpn_protocol() != Some(b"acme-tls/1") {
        return wrong("another protocol");
    }
    let certificate = &connection.peer_certificates().unwrap()[0];
    let certificate = x509_cert::Certificate::from_der(certificate).unwrap();
    let extensions = certificate.tbs_certificate().extensions().unwrap();
    // RFC 8737 §3: an octet string with the hash, in the extension id-pe-acmeIdentifier.
    let expected = [&[4, 32][..], &Sha256::digest(key_authorization)].concat();
    let found = extensions.iter().find(|extension| extension.extn_id.to_string() == "1.3.6.1.5.5.7.1.31");
    match found {
        Some(extension) if extension.critical && extension.extn_value.as_bytes() == expected => Ok(()),
        _ => wrong("another hash"),
    }
}

/// The public key of a request.
struct PublicKey(Vec<u8>);

impl PublicKeyData for PublicKey {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

fn finalize(shared: &Shared, id: usize, csr: &[u8]) -> Response {
    let csr = x509_cert::request::CertReq::from_der(csr).unwrap();
    let key = PublicKey(csr.info.public_key.subject_public_key.raw_bytes().to_vec());
    {
        let mut state = shared.state.lock().unwrap();
        let (age, lifetime) = (state.age, state.lifetime);
        let order = state.orders.get_mut(&id).unwrap();
        let mut certificate = CertificateParams::new(order.domains.clone()).unwrap();
        certificate.use_authority_key_identifier_extension = true;
        let instant = |at: DateTime<Utc>| time::OffsetDateTime::from_unix_timestamp(at.timestamp()).unwrap();
        certificate.not_before = instant(Utc::now() - age);
        certificate.not_after = instant(Utc::now() - age + lifetime);
        let certificate = certificate.signed_by(&key, &shared.issuer).unwrap();
        order.chain = Some(certificate.pem() + &shared.issuer.pem());
    }
    (200, vec![], order(shared, id).to_string())
}

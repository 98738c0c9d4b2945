//! The id of a request, which its lines in the log and the `x-request-id` header of its response contain.

use std::cell::Cell;
use std::net::SocketAddr;

use http::header::{HeaderMap, HeaderName, HeaderValue};
use ipnet::IpNet;

use crate::platform::client_address::is_trusted;
use crate::platform::hex::hex;

/// The response header with the id of the request in the log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Sets the `x-request-id` of a response.
pub fn set_id<B>(response: &mut http::Response<B>, id: HeaderValue) {
    response.headers_mut().insert(REQUEST_ID, id);
}

/// The id that a trusted proxy has assigned to the request, or a new one.
pub fn id_of(headers: &HeaderMap, peer: Option<SocketAddr>, trusted: &[IpNet]) -> HeaderValue {
    peer.and_then(|peer| forwarded_id(headers, peer, trusted)).unwrap_or_else(new_id)
}

/// The id that a trusted proxy has assigned to the request.
fn forwarded_id(headers: &HeaderMap, peer: SocketAddr, trusted: &[IpNet]) -> Option<HeaderValue> {
    const MAX_LENGTH: usize = 64;
    if !is_trusted(peer.ip(), trusted) {
        return None;
    }
    let id = headers.get(REQUEST_ID)?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_valid = (1..=MAX_LENGTH).contains(&id.len()) && id.as_bytes().iter().all(is_plain);
    is_valid.then(|| id.clone())
}

/// 64 bits in hexadecimal digits, unique while the server runs.
fn new_id() -> HeaderValue {
    // An odd step of this size visits every number, and consecutive ids differ in most digits.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    thread_local! {
        // One for each thread, because they would wait for each other's access. Without random numbers, ids may repeat,
        // which is better than failing requests.
        static NEXT: Cell<u64> = Cell::new(getrandom::u64().unwrap_or_default());
    }
    let bits = NEXT.replace(NEXT.get().wrapping_add(STEP));
    HeaderValue::try_from(hex(&bits.to_be_bytes())).unwrap_or(HeaderValue::from_static("0"))
}

//! The number of connections from one address.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use crate::platform::rate_limit::network_of;

type OpenByAddress = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// Limits the connections from one address; those of one IPv6 network (/64) count together.
#[derive(Clone)]
pub struct AddressLimit {
    max: usize,
    is_exempt: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
    open: OpenByAddress,
}

impl AddressLimit {
    /// At most `max` connections, except from addresses such as those of proxies.
    pub fn new(max: usize, is_exempt: impl Fn(IpAddr) -> bool + Send + Sync + 'static) -> Self {
        Self { max, is_exempt: Arc::new(is_exempt), open: Arc::default() }
    }

    /// Counts a connection until the result is dropped; `None` if there are too many.
    pub(super) fn count(&self, peer: SocketAddr) -> Option<CountedConnection> {
        if (self.is_exempt)(peer.ip()) {
            return Some(CountedConnection(None));
        }
        let address = network_of(peer.ip().to_canonical());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= self.max {
            return None;
        }
        *count += 1;
        Some(CountedConnection(Some((Arc::clone(&self.open), address))))
    }
}

/// A counted connection.
pub(super) struct CountedConnection(Option<(OpenByAddress, IpAddr)>);

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let Some((open, address)) = self.0.take() else { return };
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(address: &str) -> SocketAddr {
        SocketAddr::new(address.parse().expect("an address"), 40_000)
    }

    #[test]
    fn connections_are_counted_by_address_and_by_network_of_ipv6() {
        let limit = AddressLimit::new(2, |ip| ip == peer("10.0.0.1").ip());
        let first = limit.count(peer("203.0.113.7"));
        let _second = limit.count(peer("::ffff:203.0.113.7")).expect("the second");
        assert!(limit.count(peer("203.0.113.7")).is_none());
        assert!(limit.count(peer("203.0.113.8")).is_some());
        drop(first);
        assert!(limit.count(peer("203.0.113.7")).is_some());

        let _one = limit.count(peer("2001:db8:1:2::1")).expect("one");
        let _two = limit.count(peer("2001:db8:1:2::2")).expect("two");
        assert!(limit.count(peer("2001:db8:1:2::3")).is_none());
        assert!(limit.count(peer("2001:db8:1:3::1")).is_some());

        let proxied: Vec<_> = (0..9).map(|_| limit.count(peer("10.0.0.1"))).collect();
        assert!(proxied.iter().all(Option::is_some));
    }
}

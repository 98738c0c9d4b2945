//! Decompressed bodies, for clients that accept no compression.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use bytes::Bytes;
use tokio::sync::Mutex;

use crate::platform::error::AppError;

/// The most memory of decompressed bodies that are being sent, in bytes. A client that requests one and does not read it
/// keeps it in memory until its connection is closed.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The memory of the bodies that are being sent, of all responses.
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// The decompressed body of a stored response, while it is being sent. All requests at that time share it.
#[derive(Debug, Default)]
pub(super) struct SharedBody(Mutex<Weak<Body>>);

impl SharedBody {
    /// The body. If none is being sent, `decompress` makes it, of this length; others wait for it.
    ///
    /// # Errors
    /// 503 if too much memory is in use for other bodies; the error of `decompress`.
    pub(super) async fn get(
        &self,
        length: usize,
        decompress: impl Future<Output = Result<Vec<u8>, AppError>>,
    ) -> Result<Bytes, AppError> {
        let mut shared = self.0.lock().await;
        if let Some(body) = shared.upgrade() {
            return Ok(Bytes::from_owner(Owner(body)));
        }
        let mut body = Body::reserve(length).ok_or_else(AppError::overloaded)?;
        body.bytes = decompress.await?;
        body.bytes.shrink_to_fit();
        let body = Arc::new(body);
        *shared = Arc::downgrade(&body);
        Ok(Bytes::from_owner(Owner(body)))
    }
}

/// A body whose memory counts until it is dropped.
#[derive(Debug)]
struct Body {
    reserved: usize,
    bytes: Vec<u8>,
}

impl Body {
    /// Reserves the memory of an empty body; `None` if others use too much. One alone may be of any length.
    fn reserve(reserved: usize) -> Option<Self> {
        let used = BYTES.fetch_add(reserved, Ordering::Relaxed);
        let body = Self { reserved, bytes: Vec::new() };
        (used == 0 || used + reserved <= MAX_BYTES).then_some(body)
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        BYTES.fetch_sub(self.reserved, Ordering::Relaxed);
    }
}

struct Owner(Arc<Body>);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.0.bytes
    }
}

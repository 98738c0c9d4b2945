//! Collects the frames of HTTP/2, so that they fill TLS records.
//!
//! h2 writes and flushes each frame by itself. A frame of the usual size with its head is nine bytes longer than a TLS
//! record, so each would be two records and a system call.

use std::future::{Future, poll_fn};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes that are collected before they are sent: two TLS records.
const CAPACITY: usize = 32 * 1024;

/// A stream whose flush does nothing: what was written is sent when the buffer is full, and by [`Self::drive`].
#[derive(Debug)]
pub(super) struct FrameBuffer<S>(Arc<Mutex<Buffered<S>>>);

#[derive(Debug)]
struct Buffered<S> {
    stream: S,
    bytes: Vec<u8>,
    /// The bytes of these that the stream has taken.
    sent: usize,
}

impl<S> Clone for FrameBuffer<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: AsyncWrite + Unpin> FrameBuffer<S> {
    pub(super) fn new(stream: S) -> Self {
        Self(Arc::new(Mutex::new(Buffered { stream, bytes: Vec::new(), sent: 0 })))
    }

    fn lock(&self) -> MutexGuard<'_, Buffered<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the connection that writes to a clone of this buffer, and sends what it wrote each time it waits. May be
    /// dropped and called again.
    pub(super) async fn drive<C: Future>(&self, mut connection: Pin<&mut C>) -> C::Output {
        poll_fn(|context| {
            let result = connection.as_mut().poll(context);
            // Errors are those of the connection's next read or write.
            let _ = self.lock().poll_send(context);
            result
        })
        .await
    }
}

impl<S: AsyncWrite + Unpin> Buffered<S> {
    /// Sends all that was collected.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.bytes.is_empty() {
            return Poll::Ready(Ok(()));
        }
        while self.sent < self.bytes.len() {
            match ready!(Pin::new(&mut self.stream).poll_write(context, &self.bytes[self.sent..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                sent => self.sent += sent,
            }
        }
        // Idle connections have no buffer.
        self.bytes = Vec::new();
        self.sent = 0;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    /// The space that is left. A full buffer is sent first.
    fn poll_space(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if self.bytes.len() == CAPACITY {
            ready!(self.poll_send(context))?;
        }
        if self.bytes.capacity() == 0 {
            self.bytes.reserve_exact(CAPACITY);
        }
        Poll::Ready(Ok(CAPACITY - self.bytes.len()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for FrameBuffer<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut buffered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Pin::new(&mut buffered.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for FrameBuffer<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut buffered = self.lock();
        let mut space = ready!(buffered.poll_space(context))?;
        let mut written = 0;
        for slice in slices {
            let taken = &slice[..slice.len().min(space)];
            buffered.bytes.extend_from_slice(taken);
            written += taken.len();
            space -= taken.len();
        }
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut buffered = self.lock();
        ready!(buffered.poll_send(context))?;
        Pin::new(&mut buffered.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test]
    async fn frames_are_sent_together_when_the_connection_waits() {
        let (server, mut client) = duplex(1024);
        let buffer = FrameBuffer::new(server);
        let mut writer = buffer.clone();
        let frames = async {
            for frame in [&b"head "[..], b"data ", b"end"] {
                writer.write_all(frame).await.unwrap();
                writer.flush().await.unwrap();
            }
            std::future::pending::<()>().await;
        };
        let mut frames = std::pin::pin!(frames);
        let mut received = [0; 64];
        tokio::select! {
            () = buffer.drive(frames.as_mut()) => unreachable!("it waits"),
            length = client.read(&mut received) => assert_eq!(&received[..length.unwrap()], b"head data end"),
        }
    }

    #[tokio::test]
    async fn a_client_that_reads_slowly_receives_everything_and_the_buffer_stays_small() {
        let (server, mut client) = duplex(1000);
        let buffer = FrameBuffer::new(server);
        let mut writer = buffer.clone();
        let sent: Vec<u8> = (0..500_000_u32).map(|number| number.to_le_bytes()[1]).collect();
        let all = sent.clone();
        let connection = async move {
            writer.write_all(&all).await.unwrap();
            writer.shutdown().await.unwrap();
        };
        let mut connection = std::pin::pin!(connection);
        let mut received = Vec::new();
        let read = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            assert!(buffer.lock().bytes.capacity() <= CAPACITY);
            client.read_to_end(&mut received).await.unwrap();
        };
        tokio::join!(buffer.drive(connection.as_mut()), read);
        assert!(received == sent);
        assert_eq!(buffer.lock().bytes.capacity(), 0, "nothing waits");
    }
}

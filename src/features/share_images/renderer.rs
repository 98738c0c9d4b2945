//! Renders each share image once and caches recent ones.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use rusqlite::Connection;

use super::rendering;
use super::types::ShareImageContent;
use crate::features::images;
use crate::platform::blocking::BlockingQueue;
use crate::platform::db::Db;
use crate::platform::error::AppError;

/// Total size of the cached images, in bytes; one has some 50 to 120 kB.
const CAPACITY: u64 = 3 * 1024 * 1024;
const ESTIMATED_IMAGES: usize = 32;
/// One image is rendered at a time, to leave the other processors to requests.
const CONCURRENT: usize = 1;
/// How many images may wait to be rendered.
const WAITING: usize = 64;
/// The widest portrait in pixels.
const PORTRAIT_WIDTH: u32 = 232;
/// The widest logo in pixels.
const LOGO_WIDTH: u32 = 200;
/// The most portraits in one image.
const MAX_PORTRAITS: usize = 6;

/// Returns a file of the web bundle by its path.
pub type BundleFile = fn(&str) -> Option<Vec<u8>>;

#[derive(Clone)]
struct ByLength;

impl Weighter<String, Bytes> for ByLength {
    fn weight(&self, _: &String, png: &Bytes) -> u64 {
        png.len() as u64
    }
}

/// The share images by the hash of their content.
pub(super) struct Renderer {
    images: Cache<String, Bytes, ByLength>,
    queue: BlockingQueue,
    bundle_file: BundleFile,
}

impl fmt::Debug for Renderer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Renderer").field("queue", &self.queue).finish_non_exhaustive()
    }
}

impl Renderer {
    /// A renderer with an empty cache.
    pub(super) fn new(bundle_file: BundleFile) -> Self {
        Self {
            images: Cache::with_weighter(ESTIMATED_IMAGES, CAPACITY, ByLength),
            queue: BlockingQueue::new(CONCURRENT, WAITING),
            bundle_file,
        }
    }

    /// The image with this content as PNG. `hash` is the hash of the content.
    ///
    /// # Errors
    /// 503 if too many images wait to be rendered.
    pub(super) async fn png(
        self: &Arc<Self>,
        db: &Db,
        content: ShareImageContent,
        hash: String,
    ) -> Result<Bytes, AppError> {
        if let Some(png) = self.images.get(&hash) {
            return Ok(png);
        }
        let (renderer, db) = (Arc::clone(self), db.clone());
        // A separate task finishes and caches the image even if the client disconnects.
        let task =
            tokio::spawn(
                async move { renderer.images.get_or_insert_async(&hash, renderer.render(&db, content)).await },
            );
        task.await.unwrap_or_else(|error| Err(AppError::failed("a share image was not rendered", error)))
    }

    async fn render(&self, db: &Db, content: ShareImageContent) -> Result<Bytes, AppError> {
        let admission = self.queue.admit(0)?;
        let paths: Vec<Option<String>> =
            content.speakers.iter().take(MAX_PORTRAITS).map(|speaker| speaker.portrait.clone()).collect();
        let (bundle_file, logo) = (self.bundle_file, content.logo.clone());
        let (portraits, logo) = db
            .read(move |connection| {
                let file = |path: Option<&str>, width| image_file(connection, path, width, bundle_file);
                let portraits: Result<Vec<_>, AppError> =
                    paths.iter().map(|path| file(path.as_deref(), PORTRAIT_WIDTH)).collect();
                Ok((portraits?, file(logo.as_deref(), LOGO_WIDTH)?))
            })
            .await?;
        admission.run(move || rendering::png(&content, &portraits, logo.as_deref()).map(Bytes::from)).await?
    }
}

/// The file at a path under `/pictures/`: an uploaded image or a file of the web bundle.
fn image_file(
    connection: &Connection,
    path: Option<&str>,
    width: u32,
    bundle_file: BundleFile,
) -> Result<Option<Vec<u8>>, AppError> {
    let Some(path) = path.filter(|path| path.starts_with("/pictures/")) else { return Ok(None) };
    Ok(match images::find_variant(connection, path, Some(width))? {
        Some(file) => Some(file.bytes),
        None => bundle_file(&path[1..]),
    })
}

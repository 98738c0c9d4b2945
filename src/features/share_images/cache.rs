//! Draws each picture once and keeps those that were asked for lately.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use rusqlite::Connection;

use super::draw;
use super::types::Content;
use crate::features::images;
use crate::platform::db::Db;
use crate::platform::error::AppError;

/// All kept pictures together are no larger; one is some 50 to 120 kB.
const ROOM: usize = 3 * 1024 * 1024;
/// The widest that a portrait is drawn, in pixels.
const PORTRAIT: u32 = 232;
/// No picture shows more portraits.
const PORTRAITS: usize = 6;

/// Answers for a path of the page's own files.
pub type Files = fn(&str) -> Option<Vec<u8>>;

/// Where pictures are drawn, one at a time, so that visitors keep the other processors.
pub struct Studio {
    kept: Mutex<VecDeque<(String, Bytes)>>,
    turn: Arc<tokio::sync::Mutex<()>>,
    files: Files,
}

impl fmt::Debug for Studio {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Studio").finish_non_exhaustive()
    }
}

impl Studio {
    /// A studio that has drawn nothing yet.
    pub fn new(files: Files) -> Self {
        Self { kept: Mutex::new(VecDeque::new()), turn: Arc::default(), files }
    }

    /// The picture with this content, whose hash is its name.
    pub(super) async fn picture(self: &Arc<Self>, db: &Db, content: Content, hash: String) -> Result<Bytes, AppError> {
        if let Some(png) = self.known(&hash) {
            return Ok(png);
        }
        let turn = Arc::clone(&self.turn).lock_owned().await;
        // Whoever had the turn before may have drawn what is wanted.
        if let Some(png) = self.known(&hash) {
            return Ok(png);
        }
        let addresses: Vec<Option<String>> =
            content.speakers.iter().take(PORTRAITS).map(|speaker| speaker.portrait.clone()).collect();
        let files = self.files;
        let portraits = db
            .read(move |connection| {
                addresses
                    .iter()
                    .map(|address| portrait(connection, address.as_deref(), files))
                    .collect::<Result<Vec<_>, _>>()
            })
            .await?;
        let studio = Arc::clone(self);
        let drawn = tokio::task::spawn_blocking(move || {
            // Held by the work itself: whoever asked may have gone away meanwhile.
            let _turn = turn;
            let png = Bytes::from(draw::png(&content, &portraits)?);
            studio.keep(hash, png.clone());
            Ok(png)
        });
        drawn.await.unwrap_or_else(|error| Err(AppError::internal(format!("a share image was not drawn: {error}"))))
    }

    fn known(&self, hash: &str) -> Option<Bytes> {
        let mut kept = self.kept.lock().ok()?;
        let place = kept.iter().position(|(known, _)| known == hash)?;
        // The last in the row is the one that was asked for last.
        let entry = kept.remove(place)?;
        let png = entry.1.clone();
        kept.push_back(entry);
        Some(png)
    }

    fn keep(&self, hash: String, png: Bytes) {
        let Ok(mut kept) = self.kept.lock() else { return };
        kept.push_back((hash, png));
        while kept.iter().map(|(_, png)| png.len()).sum::<usize>() > ROOM && kept.len() > 1 {
            kept.pop_front();
        }
    }
}

/// The file behind an address of this server: an uploaded picture, else one that came with the page.
fn portrait(connection: &Connection, address: Option<&str>, files: Files) -> Result<Option<Vec<u8>>, AppError> {
    let Some(path) = address.filter(|address| address.starts_with("/pictures/")) else { return Ok(None) };
    Ok(match images::find_variant(connection, path, Some(PORTRAIT))? {
        Some(file) => Some(file.bytes),
        None => files(&path[1..]),
    })
}

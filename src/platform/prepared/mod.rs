//! Answers that every visitor gets alike: built once per database version, kept as bytes in the
//! encodings that browsers take, and sent at the price of sending them.

mod packed;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header::HeaderMap;
use http::{Method, Request, Response};
use http_body_util::Full;
use rusqlite::Connection;
use tokio::sync::Mutex;

pub use packed::{Draft, Packed, accepts};

use super::clock::Clock;
use super::db::{self, Db};
use super::error::AppError;
use super::security::check_host;

type Build = dyn Fn(&Connection, DateTime<Utc>) -> Result<Draft, AppError> + Send + Sync;

/// One address and how its answer is made.
pub struct Recipe {
    path: &'static str,
    takes_query: bool,
    build: Arc<Build>,
}

impl fmt::Debug for Recipe {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Recipe").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Recipe {
    /// An answer at `path` that `build` makes from the database and the present instant. Where the
    /// request has a query string, the call's own handler is asked instead.
    pub fn new(
        path: &'static str,
        build: impl Fn(&Connection, DateTime<Utc>) -> Result<Draft, AppError> + Send + Sync + 'static,
    ) -> Self {
        Self { path, takes_query: true, build: Arc::new(build) }
    }

    /// The same answer whatever the query string says: a page that reads it in the browser.
    #[must_use]
    pub fn whatever_the_query(mut self) -> Self {
        self.takes_query = false;
        self
    }
}

struct Place {
    recipe: Recipe,
    current: ArcSwapOption<Packed>,
    /// One builds, the others wait for what comes out.
    building: Mutex<()>,
}

/// All prepared answers, by path.
pub struct Shelf {
    places: HashMap<&'static str, Place>,
    common: HeaderMap,
    db: Db,
    clock: Clock,
}

impl fmt::Debug for Shelf {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.places.keys()).finish()
    }
}

impl Shelf {
    /// A shelf for these recipes. Every answer carries the `common` headers.
    pub fn new(recipes: Vec<Recipe>, common: HeaderMap, db: Db, clock: Clock) -> Self {
        let places = recipes
            .into_iter()
            .map(|recipe| (recipe.path, Place { recipe, current: ArcSwapOption::empty(), building: Mutex::new(()) }))
            .collect();
        Self { places, common, db, clock }
    }

    /// The answer to a request, where it is on the shelf and true. This is what most requests are
    /// answered with, before anything else looks at them.
    pub fn answer_now<B>(&self, request: &Request<B>) -> Option<Response<Full<Bytes>>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        let place = self.places.get(request.uri().path())?;
        if (place.recipe.takes_query && request.uri().query().is_some()) || check_host(request).is_err() {
            return None;
        }
        self.true_answer(place)?.respond(request.headers())
    }

    /// The answer at `path`, built first where that is needed.
    ///
    /// # Errors
    /// The database can't be read, or 404 for a path without a recipe.
    pub async fn answer(&self, path: &str, asked: &HeaderMap) -> Result<Response<Full<Bytes>>, AppError> {
        let place = self.places.get(path).ok_or(AppError::NotFound("Page"))?;
        let packed = match self.true_answer(place) {
            Some(packed) => packed,
            None => self.build(place).await?,
        };
        packed.respond_packing(asked).await
    }

    /// Packs an answer that is asked for too rarely to be kept, with the same headers, tags and
    /// encodings as those on the shelf.
    ///
    /// # Errors
    /// The packing failed, which is a fault of ours.
    pub async fn pack_once(&self, draft: Draft, asked: &HeaderMap) -> Result<Response<Full<Bytes>>, AppError> {
        Arc::new(Packed::new(draft, 0, &self.common)).respond_packing(asked).await
    }

    fn true_answer(&self, place: &Place) -> Option<Arc<Packed>> {
        let packed = place.current.load_full()?;
        let in_time = packed.valid_until.is_none_or(|until| self.clock.now() < until);
        (packed.version >= self.db.version() && in_time).then_some(packed)
    }

    async fn build(&self, place: &Place) -> Result<Arc<Packed>, AppError> {
        let _turn = place.building.lock().await;
        // Whoever had the turn before may have built what is wanted.
        if let Some(packed) = self.true_answer(place) {
            return Ok(packed);
        }
        let build = Arc::clone(&place.recipe.build);
        let common = self.common.clone();
        let now = self.clock.now();
        let packed = self
            .db
            .read(move |connection| {
                let version = db::content_version(connection)?;
                Ok(Packed::new(build(connection, now)?, version, &common))
            })
            .await?;
        let packed = Arc::new(packed);
        place.current.store(Some(Arc::clone(&packed)));
        Ok(packed)
    }
}

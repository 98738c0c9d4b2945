//! Photos of venues. All clients share one lookup at the provider. Photos are cached in memory for minutes only, as
//! its terms require, and the absence of one for hours.

use std::net::IpAddr;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};
use quick_cache::sync::{Cache, EntryAction, EntryResult};

use super::client::{Client, Photo, PhotoError};
use super::store;
use crate::platform::config::Config;
use crate::platform::error::AppError;
use crate::platform::rate_limit::{Quota, RateLimiter};
use crate::platform::request_log;
use crate::platform::state::AppState;

/// How long a photo is cached; the provider's URL is valid a little longer.
const PHOTO_TTL: TimeDelta = TimeDelta::minutes(5);
/// How long the absence of a photo is cached.
const NO_PHOTO_TTL: TimeDelta = TimeDelta::hours(6);
/// How long a provider error is cached.
const ERROR_TTL: TimeDelta = TimeDelta::seconds(20);
/// The maximum number of cached lookups.
const CAPACITY: usize = 500;
const LOOKUP_FAILED: &str = "the lookup of a venue photo failed";

/// The cached lookups, and the limits on new ones.
#[derive(Debug)]
pub struct VenuePhotos {
    client: Option<Client>,
    per_day: u32,
    /// Requests for the attribution and URL of a photo, by client.
    pub(super) details_limiter: RateLimiter<IpAddr>,
    /// Requests for the image itself, by client.
    pub(super) image_limiter: RateLimiter<IpAddr>,
    /// By place id.
    lookups: Cache<String, Lookup>,
}

#[derive(Clone, Debug)]
struct Lookup {
    result: Result<Option<Photo>, Arc<PhotoError>>,
    expires_at: DateTime<Utc>,
}

impl Lookup {
    fn new(result: Result<Option<Photo>, Arc<PhotoError>>, now: DateTime<Utc>) -> Self {
        let ttl = match &result {
            Ok(Some(_)) => PHOTO_TTL,
            Ok(None) => NO_PHOTO_TTL,
            Err(_) => ERROR_TTL,
        };
        Self { result, expires_at: now + ttl }
    }

    fn photo(self) -> Result<Photo, AppError> {
        match self.result {
            Ok(Some(photo)) => Ok(photo),
            Ok(None) => Err(AppError::NotFound("Photo")),
            Err(error) => Err(AppError::Upstream {
                message: "The venue's photo can't be looked up at the moment".to_owned(),
                source: error.into(),
            }),
        }
    }
}

impl VenuePhotos {
    /// An empty cache.
    pub fn new(config: &Config) -> Self {
        let quota = Quota { burst: config.limits.photo_per_minute, per_minute: config.limits.photo_per_minute };
        Self {
            client: Client::new(&config.places, &config.network),
            per_day: config.limits.photo_per_day,
            details_limiter: RateLimiter::new(quota),
            image_limiter: RateLimiter::new(quota),
            lookups: Cache::new(CAPACITY),
        }
    }

    /// Whether an API key is configured.
    pub(super) fn is_configured(&self) -> bool {
        self.client.is_some()
    }

    /// The photo of a place, from the cache or the provider. Concurrent requests share one lookup.
    ///
    /// # Errors
    /// 404 without a photo, 502 if the provider fails, 503 without a key or if the daily quota is exceeded.
    pub(super) async fn find(self: &Arc<Self>, app: &AppState, place_id: String) -> Result<Photo, AppError> {
        let Some(client) = self.client.clone() else {
            return Err(AppError::Unavailable("Venue photos are not configured".to_owned()));
        };
        let now = app.clock.now();
        if let Some(lookup) = self.lookups.get(&place_id).filter(|lookup| now < lookup.expires_at) {
            return lookup.photo();
        }
        let (photos, app) = (Arc::clone(self), app.clone());
        // Detached, so that the paid result is cached even if the client disconnects.
        let find = async move {
            let replace_expired = |_: &String, lookup: &mut Lookup| {
                if now < lookup.expires_at {
                    EntryAction::Retain(lookup.clone())
                } else {
                    EntryAction::ReplaceWithGuard
                }
            };
            let guard = match photos.lookups.entry_async(&place_id, replace_expired).await {
                EntryResult::Retained(lookup) => return lookup.photo(),
                EntryResult::Vacant(guard) | EntryResult::Replaced(guard, _) => guard,
                EntryResult::Removed(..) | EntryResult::Timeout => return Err(AppError::overloaded()),
            };
            count_lookup(&app, photos.per_day).await?;
            let id = place_id.clone();
            let result = tokio::task::spawn_blocking(move || client.find_photo(&id))
                .await
                .map_err(|error| AppError::failed(LOOKUP_FAILED, error))?
                .map_err(Arc::new);
            let lookup = Lookup::new(result, app.clock.now());
            let _ = guard.insert(lookup.clone());
            lookup.photo()
        };
        request_log::run_detached(find).await
    }
}

/// Counts a lookup against the daily quota; 0 is unlimited.
async fn count_lookup(app: &AppState, per_day: u32) -> Result<(), AppError> {
    let now = app.clock.now();
    let day = now.date_naive();
    let is_within_quota =
        app.db.write(move |transaction| store::count_lookup(transaction, &day.to_string(), per_day)).await?;
    if is_within_quota {
        return Ok(());
    }
    let midnight = (day + Days::new(1)).and_time(NaiveTime::MIN).and_utc();
    let retry_after = u64::try_from((midnight - now).num_seconds()).unwrap_or(0) + 1;
    Err(AppError::QuotaExceeded { message: "No more venue photos are looked up today".to_owned(), retry_after })
}

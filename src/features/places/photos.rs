//! One look-up for all who ask: shared between the two calls and among visitors, for a few
//! minutes and in memory only, as the provider's terms want it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};

use super::client::{Client, Photo, Trouble};
use super::store;
use crate::platform::config::Config;
use crate::platform::error::AppError;
use crate::platform::rate_limit::{Quota, RateLimiter};
use crate::platform::security::ClientAddress;
use crate::platform::state::AppState;

/// A photo's address lives a while longer than this, so that what a page was sent to still works.
const FRESH: TimeDelta = TimeDelta::minutes(5);
/// A place without a photo rarely gets one.
const WITHOUT: TimeDelta = TimeDelta::hours(6);
/// A provider in trouble is left alone for a moment.
const TROUBLED: TimeDelta = TimeDelta::seconds(20);
/// So many places are remembered; older ones are forgotten when there are more.
const PLACES: usize = 500;

/// What is known of the photos of places, and what may be spent on them.
#[derive(Debug)]
pub struct Photos {
    client: Option<Client>,
    per_day: u32,
    /// Requests for what a photo is, and for the photo itself, by address.
    pub(super) asked: RateLimiter<ClientAddress>,
    pub(super) shown: RateLimiter<ClientAddress>,
    places: Mutex<HashMap<String, Arc<Place>>>,
}

/// One place. Its lock is held while it is looked up, so that the others wait for what comes out.
type Place = tokio::sync::Mutex<Option<Known>>;

#[derive(Debug)]
struct Known {
    outcome: Result<Option<Photo>, Trouble>,
    until: DateTime<Utc>,
}

impl Known {
    fn new(outcome: Result<Option<Photo>, Trouble>, now: DateTime<Utc>) -> Self {
        let until = now
            + match &outcome {
                Ok(Some(_)) => FRESH,
                Ok(None) => WITHOUT,
                Err(_) => TROUBLED,
            };
        Self { outcome, until }
    }

    fn answer(&self) -> Result<Photo, AppError> {
        match &self.outcome {
            Ok(Some(photo)) => Ok(photo.clone()),
            Ok(None) => Err(AppError::NotFound("Photo")),
            Err(_) => Err(AppError::Upstream("The venue's photo can't be looked up at the moment".to_owned())),
        }
    }
}

impl Photos {
    /// Nothing is known yet.
    pub fn new(config: &Config) -> Self {
        let quota = Quota { burst: config.limits.photo_per_minute, per_minute: config.limits.photo_per_minute };
        Self {
            client: Client::new(&config.places, &config.network),
            per_day: config.limits.photo_per_day,
            asked: RateLimiter::new(quota),
            shown: RateLimiter::new(quota),
            places: Mutex::default(),
        }
    }

    /// Whether there is a key to look photos up with.
    pub(super) fn is_configured(&self) -> bool {
        self.client.is_some()
    }

    /// The photo of a place, looked up if nobody did lately.
    ///
    /// # Errors
    /// 404 without a photo, 502 when the provider fails, 503 without a key or when the day's budget is spent.
    pub(super) async fn of(self: &Arc<Self>, app: &AppState, place_id: String) -> Result<Photo, AppError> {
        let Some(client) = self.client.clone() else {
            return Err(AppError::Unavailable("Venue photos are not configured".to_owned()));
        };
        let mut known = self.place(&place_id, app.clock.now()).lock_owned().await;
        if let Some(known) = known.as_ref().filter(|known| app.clock.now() < known.until) {
            return known.answer();
        }
        // A task of its own: what is paid for is kept even when whoever asked has gone away.
        let (app, per_day) = (app.clone(), self.per_day);
        let task = tokio::spawn(async move {
            spend(&app, per_day).await?;
            let outcome = tokio::task::spawn_blocking(move || client.look_up(&place_id))
                .await
                .map_err(|error| AppError::internal(format!("a venue photo was not looked up: {error}")))?;
            if let Err(trouble) = &outcome {
                tracing::warn!(%trouble, "a venue photo was not looked up");
            }
            known.insert(Known::new(outcome, app.clock.now())).answer()
        });
        task.await.map_err(|error| AppError::internal(format!("a venue photo was not looked up: {error}")))?
    }

    fn place(&self, place_id: &str, now: DateTime<Utc>) -> Arc<Place> {
        let Ok(mut places) = self.places.lock() else { return Arc::default() };
        if places.len() >= PLACES && !places.contains_key(place_id) {
            // One that is locked is being looked up.
            places.retain(|_, place| {
                place.try_lock().map_or(true, |known| known.as_ref().is_some_and(|known| now < known.until))
            });
        }
        if places.len() >= PLACES && !places.contains_key(place_id) {
            places.retain(|_, place| place.try_lock().is_err());
        }
        Arc::clone(places.entry(place_id.to_owned()).or_default())
    }
}

/// Takes one look-up from the day's budget; 0 means that there is none to keep to.
async fn spend(app: &AppState, per_day: u32) -> Result<(), AppError> {
    let now = app.clock.now();
    let day = now.date_naive();
    let within = app.db.write(move |transaction| store::spend(transaction, &day.to_string(), per_day)).await?;
    if within {
        return Ok(());
    }
    let midnight = (day + Days::new(1)).and_time(NaiveTime::MIN).and_utc();
    let retry_after = u64::try_from((midnight - now).num_seconds()).unwrap_or(0) + 1;
    Err(AppError::Spent { message: "No more venue photos are looked up today".to_owned(), retry_after })
}

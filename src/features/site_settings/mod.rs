//! The site settings: name, logo, colors, contact, links, newsletter form, and a notice on all pages. Admins change
//! them in the portal. A key of the configuration that differs from its default has precedence.

mod color;
mod handlers;
mod identity;
mod rules;
mod store;
mod types;

use std::sync::Arc;

use rusqlite::Connection;

use crate::platform::config::Config;
use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::error::AppError;

pub use identity::{SiteIdentity, SiteIdentityReader};
pub use rules::check_company_name;
pub use store::{image_urls, set_company_name};
use types::{CONFIGURATION_KEYS, SiteSettings, SiteValues, Values};
pub use types::{EffectiveSettings, Notice};

/// The key of everything that shows the site settings, for shared caches. Migration V13 records it when they change.
pub const CACHE_KEY: &str = "site";

pub fn endpoints() -> Endpoints {
    Endpoints::new().route(endpoints_at_path!(handlers::get_site_settings, handlers::update_site_settings))
}

/// The settings of the configuration, which stored ones complete. Clones share them.
#[derive(Clone, Debug)]
pub struct ConfiguredSettings(Arc<Sources>);

#[derive(Debug)]
struct Sources {
    defaults: Values,
    /// Those that differ from their default.
    configured: Values,
}

impl ConfiguredSettings {
    /// Reads the configuration.
    pub fn new(config: &Config) -> Self {
        let defaults = to_map(&SiteValues::from_config(&Config::default()));
        let mut configured = to_map(&SiteValues::from_config(config));
        configured.retain(|name, value| defaults.get(name) != Some(value));
        Self(Arc::new(Sources { defaults, configured }))
    }

    /// The settings in effect.
    ///
    /// # Errors
    /// 503 if the database can't be read.
    pub fn effective(&self, connection: &Connection) -> Result<EffectiveSettings, AppError> {
        self.with_stored(&store::find(connection)?.values).map(EffectiveSettings::from)
    }

    /// The settings in effect if the database can't be read.
    pub fn without_stored(&self) -> EffectiveSettings {
        self.with_stored(&Values::default()).unwrap_or_default().into()
    }

    /// The settings for the portal.
    fn for_portal(&self, connection: &Connection) -> Result<SiteSettings, AppError> {
        let stored = store::find(connection)?;
        let keys = CONFIGURATION_KEYS.iter().filter(|(name, _)| self.is_locked(name));
        Ok(SiteSettings {
            values: self.with_stored(&stored.values)?,
            locked: keys.map(|(name, key)| ((*name).to_owned(), (*key).to_owned())).collect(),
            revision: stored.revision,
            updated_at: stored.updated_at,
        })
    }

    fn defaults(&self) -> Result<SiteValues, AppError> {
        from_map(self.0.defaults.clone())
    }

    /// Whether the configuration has precedence.
    fn is_locked(&self, name: &str) -> bool {
        self.0.configured.contains_key(name)
    }

    fn with_stored(&self, stored: &Values) -> Result<SiteValues, AppError> {
        let mut values = self.0.defaults.clone();
        for (name, value) in &mut values {
            if let Some(other) = self.0.configured.get(name).or_else(|| stored.get(name)) {
                value.clone_from(other);
            }
        }
        from_map(values)
    }

    /// The values of `new` that differ from their default. Where the configuration has precedence, the stored value stays
    /// for the time after the key is removed.
    fn to_store(&self, new: &SiteValues, mut stored: Values) -> Values {
        stored.retain(|name, _| self.is_locked(name));
        let changed = to_map(new)
            .into_iter()
            .filter(|(name, value)| !self.is_locked(name) && self.0.defaults.get(name) != Some(value));
        stored.extend(changed);
        stored
    }
}

fn to_map(values: &SiteValues) -> Values {
    match serde_json::to_value(values) {
        Ok(serde_json::Value::Object(map)) => map,
        _ => Values::default(),
    }
}

fn from_map(values: Values) -> Result<SiteValues, AppError> {
    serde_json::from_value(values.into()).map_err(|error| AppError::failed("the site settings can't be read", error))
}

//! The data that all pages share.

use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::super::renderer::Renderer;
use super::super::types::{Deployment, SiteInfo};
use super::policies;
use super::template::Template;
use crate::features::site_settings::{ConfiguredSettings, EffectiveSettings, SiteIdentity};
use crate::platform::config::Config;
use crate::platform::error::AppError;
use crate::platform::security::ContentSecurityPolicy;

/// Data that all pages share.
pub(in super::super) struct PageContext {
    settings: ConfiguredSettings,
    deployment: Deployment,
    /// The policy of the portal, if it differs from that of other pages.
    pub(in super::super) portal_policy: Option<ContentSecurityPolicy>,
    /// The `frame-ancestors` of the embedded calendar.
    pub(in super::super) frame_ancestors: Vec<String>,
    /// Built for the first page, because that takes some milliseconds.
    pub(in super::super) template: LazyLock<Option<Template>, fn() -> Option<Template>>,
    /// Renders the markup; `None` in a binary that was built without the web bundle.
    pub(in super::super) renderer: Option<Renderer>,
    /// The latest settings, for pages that are built without the database.
    latest: RwLock<Arc<SiteView>>,
}

/// The site settings as a page shows them at one instant.
pub(in super::super) struct SiteView {
    pub(in super::super) settings: EffectiveSettings,
    pub(in super::super) info: SiteInfo,
    pub(in super::super) identity: SiteIdentity,
    pub(in super::super) policy: ContentSecurityPolicy,
    /// The style sheet with the company's colors.
    pub(in super::super) style: Option<String>,
    /// When the notice that it shows ends.
    pub(in super::super) notice_ends: Option<DateTime<Utc>>,
}

impl SiteView {
    fn new(settings: EffectiveSettings, deployment: &Deployment, now: DateTime<Utc>) -> Self {
        let shown = settings.notice.as_ref().filter(|notice| notice.is_shown(now));
        Self {
            info: SiteInfo::new(&settings, deployment, now),
            identity: SiteIdentity::new(&settings.name, &deployment.base_url),
            policy: policies::public_policy(&settings.subscribe),
            style: settings.accent.style_sheet(),
            notice_ends: shown.and_then(|notice| notice.ends_at),
            settings,
        }
    }
}

impl PageContext {
    pub(in super::super) fn new(
        config: &Config,
        settings: ConfiguredSettings,
        base_url: &str,
        template: fn() -> Option<Template>,
        renderer: Option<Renderer>,
    ) -> Self {
        let deployment = Deployment::new(config, base_url);
        let unread = SiteView::new(settings.without_stored(), &deployment, DateTime::UNIX_EPOCH);
        Self {
            portal_policy: policies::portal_policy(config),
            frame_ancestors: policies::frame_ancestors(config),
            template: LazyLock::new(template),
            renderer,
            latest: RwLock::new(Arc::new(unread)),
            settings,
            deployment,
        }
    }

    /// The settings that a page shows at an instant.
    pub(in super::super) fn site(
        &self,
        connection: &Connection,
        now: DateTime<Utc>,
    ) -> Result<Arc<SiteView>, AppError> {
        let view = Arc::new(SiteView::new(self.settings.effective(connection)?, &self.deployment, now));
        *self.latest.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&view);
        Ok(view)
    }

    /// The settings of the page that was built last.
    pub(super) fn latest_site(&self) -> Arc<SiteView> {
        Arc::clone(&self.latest.read().unwrap_or_else(PoisonError::into_inner))
    }
}

//! The data that all pages share.

use std::sync::LazyLock;

use super::super::renderer::Renderer;
use super::super::types::SiteInfo;
use super::policies;
use super::template::Template;
use crate::features::feeds::SiteIdentity;
use crate::platform::config::{self, Config};
use crate::platform::security::ContentSecurityPolicy;

/// Data that all pages share.
pub(in super::super) struct PageContext {
    pub(in super::super) info: SiteInfo,
    /// The company's settings, which are part of the content of share images.
    pub(in super::super) company: config::Site,
    pub(in super::super) identity: SiteIdentity,
    pub(in super::super) policy: ContentSecurityPolicy,
    /// The policy of the portal, if it differs from that of other pages.
    pub(in super::super) portal_policy: Option<ContentSecurityPolicy>,
    /// The `frame-ancestors` of the embedded calendar.
    pub(in super::super) frame_ancestors: Vec<String>,
    /// Built for the first page, because that takes some milliseconds.
    pub(in super::super) template: LazyLock<Option<Template>, fn() -> Option<Template>>,
    /// Renders the markup; `None` in a binary that was built without the web bundle.
    pub(in super::super) renderer: Option<Renderer>,
}

impl PageContext {
    pub(in super::super) fn new(
        config: &Config,
        base_url: &str,
        template: fn() -> Option<Template>,
        renderer: Option<Renderer>,
    ) -> Self {
        Self {
            info: SiteInfo::new(config, base_url),
            company: config.site.clone(),
            identity: SiteIdentity::new(config, base_url),
            policy: policies::public_policy(config),
            portal_policy: policies::portal_policy(config),
            frame_ancestors: policies::frame_ancestors(config),
            template: LazyLock::new(template),
            renderer,
        }
    }
}

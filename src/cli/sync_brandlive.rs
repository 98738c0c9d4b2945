//! `lectern sync-brandlive`

use std::process::ExitCode;

use clap::Args;

use super::{Config, exit, fail};
use crate::features::brandlive::NOT_CONFIGURED;

/// Import events from Brandlive
///
/// Exits with 0 when all went well, 1 when some items failed, 2 when nothing could be fetched or
/// it is not configured, 75 when another sync is running.
#[derive(Args, Debug)]
pub(super) struct SyncBrandlive {
    /// Show what would change, field by field, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Show which keys and types the provider's answer holds, and change nothing
    #[arg(long)]
    probe: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl SyncBrandlive {
    pub(super) fn run(&self, config: &Config) -> ExitCode {
        // The sync itself is a work of its own (issue 5); the flags are those of the contract.
        let Self { dry_run: _, probe: _, json: _ } = self;
        let missing = if config.brandlive.is_configured() {
            "this release does not import events yet"
        } else {
            "set api_key and api_secret under [brandlive], or LECTERN_BRANDLIVE_API_KEY and LECTERN_BRANDLIVE_API_SECRET"
        };
        fail(&format!("{NOT_CONFIGURED}: {missing}."), exit::USAGE)
    }
}

//! The company's settings that are stored in the database. A key of the configuration file that differs from its default
//! has precedence.

mod rules;
mod store;

pub use rules::check_company_name;
pub use store::{company_name, set_company_name};

use rusqlite::Connection;

use crate::platform::config::Site;
use crate::platform::error::AppError;

/// Replaces the settings of the configuration that have their defaults by the stored ones.
///
/// # Errors
/// 503 if the database can't be read.
pub fn apply(connection: &Connection, site: &mut Site) -> Result<(), AppError> {
    if site.name == Site::default().name
        && let Some(name) = company_name(connection)?
    {
        site.name = name;
    }
    Ok(())
}

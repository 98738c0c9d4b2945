//! Validation of the company's settings.

use crate::platform::messages::limits;

/// Checks the company's name and returns it without spaces around it.
///
/// # Errors
/// A sentence about the name.
pub fn check_company_name(text: &str) -> Result<&str, String> {
    let name = text.trim();
    match name.chars().count() {
        0 => Err("The company's name can't be blank".to_owned()),
        length if length > limits::NAME => {
            Err(format!("The company's name can have at most {} characters", limits::NAME))
        }
        _ if name.contains(char::is_control) => Err("The company's name can't contain control characters".to_owned()),
        _ => Ok(name),
    }
}

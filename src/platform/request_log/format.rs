//! The format of a line: text or JSON.

use std::fmt;

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::CURRENT;
use crate::platform::config::LogFormat;

/// Formats a line of the log: time (UTC), level, the request if there is one, message and fields. The query string of
/// a request is never logged.
impl<S, N> FormatEvent<S, N> for LogFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let current = CURRENT.try_with(Clone::clone).ok();
        match self {
            Self::Text => {
                SystemTime.format_time(&mut writer)?;
                write!(writer, " {:>5} ", event.metadata().level())?;
                if let Some(current) = current {
                    let (id, method, path) = (current.id(), current.method.as_str(), current.uri.path());
                    write!(writer, "request{{id={id:?} method={method:?} path={path:?}}}: ")?;
                }
                context.field_format().format_fields(writer.by_ref(), event)?;
                writeln!(writer)
            }
            Self::Json => {
                let mut time = String::new();
                SystemTime.format_time(&mut Writer::new(&mut time))?;
                let mut fields = JsonFields(Map::new());
                fields.0.insert("time".to_owned(), time.into());
                fields.0.insert("level".to_owned(), event.metadata().level().as_str().to_lowercase().into());
                event.record(&mut fields);
                if let Some(current) = current {
                    let request = json!({
                        "id": current.id(), "method": current.method.as_str(), "path": current.uri.path(),
                    });
                    fields.0.insert("request".to_owned(), request);
                }
                writeln!(writer, "{}", Value::Object(fields.0))
            }
        }
    }
}

impl LogFormat {
    /// Formats a warning about the log itself, which no event of tracing can report, with the line break at its end.
    pub(super) fn warning(self, message: &str) -> String {
        let mut time = String::new();
        // Writing to a string does not fail.
        let _ = SystemTime.format_time(&mut Writer::new(&mut time));
        match self {
            Self::Text => format!("{time}  WARN {message}\n"),
            Self::Json => format!("{}\n", json!({ "time": time, "level": "warn", "message": message })),
        }
    }
}

/// The fields of an event as a JSON object.
struct JsonFields(Map<String, Value>);

impl Visit for JsonFields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }
}

//! The OpenAPI document for generated requests: endpoints, examples, and the schemas of responses.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::openapi;

/// One endpoint.
pub(super) struct Endpoint {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) for_admins: bool,
    /// The schema of its request body, if any.
    pub(super) request_schema: Option<Value>,
    /// By status, the schema of the response body; `None` if it is empty.
    pub(super) responses: BTreeMap<u16, Option<Value>>,
}

impl Endpoint {
    /// The path with a value for its parameter.
    pub(super) fn filled(&self, part: &str) -> String {
        match (self.path.find('{'), self.path.find('}')) {
            (Some(start), Some(end)) => format!("{}{part}{}", &self.path[..start], &self.path[end + 1..]),
            _ => self.path.clone(),
        }
    }
}

/// The document.
pub(super) struct Document(Value);

fn body_schema(of: &Value) -> Option<Value> {
    of.pointer("/content/application~1json/schema").cloned()
}

impl Document {
    pub(super) fn read() -> Self {
        Self(serde_json::from_str(&openapi::document()).unwrap())
    }

    /// Every endpoint, in an order in which all of them can be requested.
    pub(super) fn endpoints(&self) -> Vec<Endpoint> {
        let mut endpoints = Vec::new();
        for (path, methods) in self.0["paths"].as_object().unwrap() {
            for (method, described) in methods.as_object().unwrap() {
                let responses = described["responses"].as_object().unwrap();
                endpoints.push(Endpoint {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    for_admins: described.get("security").is_some(),
                    request_schema: described.get("requestBody").and_then(body_schema),
                    responses: responses
                        .iter()
                        .map(|(status, of)| (status.parse().unwrap(), body_schema(of)))
                        .collect(),
                });
            }
        }
        assert!(endpoints.len() >= 22, "the document describes the endpoints");
        // Deletions come last, then sign-in and sign-out, which end the admin's session.
        endpoints.sort_by_key(|endpoint| (endpoint.path.starts_with("/api/auth/"), endpoint.method == "DELETE"));
        endpoints
    }

    /// A schema without its references and without the alternative that it is null.
    fn resolved<'d>(&'d self, schema: &'d Value) -> &'d Value {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.resolved(self.0.pointer(name.trim_start_matches('#')).unwrap());
        }
        let choices = schema.get("oneOf").and_then(Value::as_array);
        match choices.and_then(|list| list.iter().find(|choice| choice["type"] != "null")) {
            Some(choice) => self.resolved(choice),
            None => schema,
        }
    }

    fn properties<'d>(&'d self, schema: &'d Value) -> Option<&'d Map<String, Value>> {
        self.resolved(schema).get("properties").and_then(Value::as_object)
    }

    /// A valid body.
    pub(super) fn example(&self, schema: &Value) -> Value {
        self.example_of("", schema)
    }

    fn example_of(&self, name: &str, schema: &Value) -> Value {
        if let Some(properties) = self.properties(schema) {
            let object = properties.iter().map(|(key, of)| (key.clone(), self.example_of(key, of)));
            return object.collect::<Map<_, _>>().into();
        }
        if let Some(example) = schema.get("example") {
            return example.clone();
        }
        match name {
            "speakerIds" | "ids" => json!([1]),
            "date" => json!("2031-03-12"),
            "time" => json!("19:00"),
            "duration" => json!("60 minutes"),
            "timezone" => json!("America/Denver"),
            // Speakers and events both have a type; each description says which.
            "type" if schema["description"].as_str().is_some_and(|text| text.contains("Guest")) => json!("Guest"),
            "type" => json!("In-Person Events"),
            // Only one event can have a Brandlive id, a revision rises with every save, and a file has its own columns.
            "brandliveId" | "bulkEdit" | "revision" | "columns" | "dateOrder" | "delimiter" | "plan" | "status"
            | "until" => Value::Null,
            "registrationUrl" | "imageUrl" | "google" | "outlook" | "ical" => json!("https://example.com/a"),
            "email" => json!("ada@example.com"),
            "password" | "currentPassword" | "newPassword" => json!("a fine password"),
            "role" => json!("admin"),
            "action" => json!("add"),
            // A CSV file with one event, its options, and an undo of nothing, as other requests need the event.
            "file" => json!("VGl0bGUKQW4gZXZlbnQ="),
            "add" | "remove" | "speakers" | "types" | "created" | "leaveOutRows" => json!([]),
            "existingEvents" => json!("skip"),
            "acceptRemovals" | "roundDurations" | "incompleteAsDrafts" | "leaveOutErrors" => json!(true),
            // Nothing else can change with a deletion.
            "delete" => json!(false),
            // One speaker of the event takes the place of the other, and its dates are two.
            "events" => json!([{ "id": 1 }]),
            "from" | "count" => json!(2),
            "to" => json!(1),
            "dates" => json!(["2031-03-12", "2031-04-09"]),
            "format" => json!("json"),
            _ => json!(format!("Some {name}")),
        }
    }

    /// JSON pointers to every field of a body, at every depth, and to the body itself.
    pub(super) fn pointers(&self, schema: &Value) -> Vec<String> {
        let mut pointers = vec![String::new()];
        for (key, of) in self.properties(schema).into_iter().flatten() {
            pointers.extend(self.pointers(of).into_iter().map(|inner| format!("/{key}{inner}")));
        }
        pointers
    }

    /// Whether a value conforms to a schema and has no other properties.
    pub(super) fn conforms(&self, schema: &Value, value: &Value) -> Result<(), String> {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.conforms(self.0.pointer(name.trim_start_matches('#')).unwrap(), value);
        }
        if let Some(choices) = schema.get("oneOf").and_then(Value::as_array) {
            let fits = choices.iter().any(|choice| self.conforms(choice, value).is_ok());
            return if fits { Ok(()) } else { Err(format!("{value} fits none of {schema}")) };
        }
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_i64() => "integer",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let right = match &schema["type"] {
            Value::String(only) => only == kind,
            Value::Array(kinds) => kinds.iter().any(|one| one == kind),
            _ => true,
        };
        if !right {
            return Err(format!("{value} is not of the type {}", schema["type"]));
        }
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.conforms(&schema["items"], item)),
            Value::Object(object) => self.object_conforms(schema, object),
            _ => Ok(()),
        }
    }

    fn object_conforms(&self, schema: &Value, object: &Map<String, Value>) -> Result<(), String> {
        for key in schema["required"].as_array().into_iter().flatten() {
            if !object.contains_key(key.as_str().unwrap()) {
                return Err(format!("{key} is missing"));
            }
        }
        for (key, value) in object {
            let of = schema["properties"].get(key).or_else(|| schema.get("additionalProperties"));
            let Some(of) = of else { return Err(format!("{key} is not described")) };
            self.conforms(of, value)?;
        }
        Ok(())
    }
}

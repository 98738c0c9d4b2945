//! Content lines and components (RFC 5545 §3.1).

/// A content line.
#[derive(Clone, Debug, Default)]
pub(super) struct Property {
    /// In upper case.
    pub(super) name: String,
    /// Names in upper case, values without quotation marks.
    pub(super) parameters: Vec<(String, String)>,
    pub(super) value: String,
}

impl Property {
    /// The value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// A component, such as `VEVENT`, without the components in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    /// In upper case.
    pub(super) name: String,
    /// The line of its `BEGIN`, from 1.
    pub(super) line: usize,
    properties: Vec<Property>,
}

impl Component {
    pub(super) fn first(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &Property> {
        self.properties.iter().filter(move |property| property.name == name)
    }
}

/// The most components, alarms and time zones included, and the deepest nesting; what follows is not read.
const MAX_COMPONENTS: usize = 50_000;
const MAX_DEPTH: usize = 20;

/// Reads the components in the order of their beginnings. What is within another component follows it. A component that
/// does not end counts as well.
pub(super) fn read(text: &str) -> Vec<Component> {
    let mut components: Vec<Component> = Vec::new();
    // The indices of the components that have not ended.
    let mut open: Vec<usize> = Vec::new();
    for (line, content) in unfolded(text) {
        let Some(property) = property(&content) else { continue };
        match property.name.as_str() {
            "BEGIN" => {
                if open.len() == MAX_DEPTH || components.len() == MAX_COMPONENTS {
                    break;
                }
                open.push(components.len());
                let name = property.value.trim().to_uppercase();
                components.push(Component { name, line, properties: Vec::new() });
            }
            "END" => {
                let name = property.value.trim().to_uppercase();
                if let Some(at) = open.iter().rposition(|index| components[*index].name == name) {
                    open.truncate(at);
                }
            }
            _ => {
                if let Some(index) = open.last() {
                    components[*index].properties.push(property);
                }
            }
        }
    }
    components
}

/// The lines with their numbers; a line that begins with white space continues the one before.
fn unfolded(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some((_, last))) => last.push_str(rest),
            _ => lines.push((index + 1, line.to_owned())),
        }
    }
    lines
}

fn property(line: &str) -> Option<Property> {
    let end = line.find([':', ';'])?;
    let mut property = Property { name: line[..end].trim().to_uppercase(), ..Property::default() };
    let mut rest = &line[end..];
    while let Some(parameter) = rest.strip_prefix(';') {
        let (name, after) = parameter.split_once('=')?;
        let end = end_of_value(after);
        property.parameters.push((name.to_uppercase(), after[..end].replace('"', "")));
        rest = &after[end..];
    }
    rest.strip_prefix(':')?.clone_into(&mut property.value);
    Some(property)
}

/// The position of the first `;` or `:` outside of quotation marks.
fn end_of_value(text: &str) -> usize {
    let mut is_quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b';' | b':' if !is_quoted => return at,
            _ => {}
        }
    }
    text.len()
}

/// A text value (RFC 5545 §3.3.11).
pub(super) fn unescaped(value: &str) -> String {
    list_with(value, false).pop().unwrap_or_default()
}

/// The text values of a list.
pub(super) fn list(value: &str) -> Vec<String> {
    list_with(value, true)
}

fn list_with(value: &str, is_list: bool) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        let next = match c {
            ',' if is_list => {
                texts.push(String::new());
                continue;
            }
            '\\' => match chars.next() {
                Some('n' | 'N') => '\n',
                Some(escaped) => escaped,
                None => '\\',
            },
            _ => c,
        };
        if let Some(text) = texts.last_mut() {
            text.push(next);
        }
    }
    texts.into_iter().map(|text| text.trim().to_owned()).filter(|text| !is_list || !text.is_empty()).collect()
}

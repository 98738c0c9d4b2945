//! Invalid and hostile input.

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::strategy::{BoxedStrategy, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

const DEEP: usize = 10_000;

/// Values of a single field.
pub(super) fn values() -> Vec<Value> {
    let mut values = vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!([]),
        json!([null]),
        json!([1, "2", [3]]),
        json!({}),
        json!({ "": 1, "constructor": { "prototype": 1 }, "__proto__": [] }),
        json!("x".repeat(65 * 1024)),
        json!("😀".repeat(20_001)),
        json!(vec![1; 5_000]),
        json!(vec!["x"; 5_000]),
    ];
    values.extend(STRINGS.map(Value::from));
    values
}

const STRINGS: [&str; 24] = [
    "",
    " ",
    "\0",
    "a\0b",
    "\u{feff}",
    "\u{202e}\u{2066}",
    "\u{2028}\u{2029}",
    "\u{ffff}\u{10ffff}",
    "e\u{301}\u{301}\u{301}",
    "'; DROP TABLE events; --",
    "\" OR 1=1",
    "%s%n{0}${jndi:ldap://x}",
    "</script><script>alert(1)</script>",
    "../../../../etc/passwd",
    "\r\nSet-Cookie: a=b",
    "http://",
    "http://[::1",
    "https://user:pass@example.com:99999/",
    "9999-12-31",
    "0000-00-00",
    "24:00",
    "99999999999999999999 minutes",
    "user_1_\u{0}",
    "NaN",
];

/// Complete bodies.
pub(super) fn bodies() -> Vec<Vec<u8>> {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEEP), close.repeat(DEEP)).into_bytes()
    };
    let mut bodies = vec![
        nested("[", "", "]"),
        nested("{\"event\":", "1", "}"),
        nested("{\"a\":[", "1", "]}"),
        b"[".repeat(200 * 1024),
        b"{\"event\":{\"title\":".repeat(DEEP),
        b" ".repeat(300 * 1024),
        format!("{{\"name\":\"{}\"}}", "x".repeat(300 * 1024)).into_bytes(),
        format!("{{\"email\":\"{}\"}}", "x".repeat(65 * 1024)).into_bytes(),
        format!("[{}1]", "1,".repeat(100_000)).into_bytes(),
        format!("{{{}\"z\":1}}", "\"k\":1,".repeat(30_000)).into_bytes(),
        format!("1{}", "0".repeat(20_000)).into_bytes(),
        b"{\"title\":\"\xff\xfe\"}".to_vec(),
        b"{\"\xc3\x28\":1}".to_vec(),
        b"\xef\xbb\xbf{}".to_vec(),
        b"\xff\xfe{\0}\0".to_vec(),
        b"\x1f\x8b\x08\x00".to_vec(),
        vec![0; 1_000],
        b"{\"name\":\"\\ud800\"}".to_vec(),
        b"{\"name\":\"a\",\"name\":\"b\"}".to_vec(),
        b"a=b&c=d".to_vec(),
        b"<xml/>".to_vec(),
    ];
    bodies.extend(
        ["", "{", "}", "null", "true", "0", "-", "\"", "[]", "{}", "{} {}", "{,}", "NaN", "1e999"].map(Vec::from),
    );
    bodies
}

/// Values of a path parameter.
pub(super) fn path_parts() -> Vec<String> {
    let mut parts: Vec<String> = [
        "1",
        "0",
        "-1",
        "999999",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "1.5",
        "1e3",
        "01",
        "+1",
        "0x1",
        "abc",
        "%20",
        "%00",
        "%FF",
        "%31",
        "%F0%9F%98%80",
        "..%2f1",
        "1;a=b",
        "null",
        "1%20OR%201=1",
        "place-1",
    ]
    .map(str::to_owned)
    .to_vec();
    parts.push("9".repeat(5_000));
    parts.push("%41".repeat(2_000));
    parts
}

/// Query strings.
pub(super) fn queries() -> Vec<String> {
    let mut queries: Vec<String> = [
        "",
        "?",
        "?from=2031-01-01&to=2031-12-31&type=Special",
        "?from=%FF&to=%00&type=%F0%9F%98%80",
        "?from=1&from=2",
        "?userId=user_1&userId=user_2",
        "?userId=%00%FF%E2%80%AE",
        "?userId[]=1&type[a]=b",
        "?%zz=%zz&=&&&",
        "?from=9999-12-31&to=0000-00-00",
    ]
    .map(str::to_owned)
    .to_vec();
    queries.push(format!("?userId={}", "x".repeat(5_000)));
    queries
}

/// Random JSON, which is the same in every run, so that failures are reproducible.
pub(super) struct Random {
    runner: TestRunner,
    strategy: BoxedStrategy<Value>,
}

impl Random {
    pub(super) fn new() -> Self {
        let text = prop_oneof![
            any::<String>().boxed(),
            prop::sample::select(STRINGS.to_vec()).prop_map(str::to_owned).boxed()
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        let keys =
            prop::sample::select(vec!["event", "title", "type", "speakerIds", "name", "email", "heroTitle", "x", ""]);
        let strategy = leaf.prop_recursive(5, 40, 6, move |inner| {
            let object = prop::collection::vec((keys.clone(), inner.clone()), 0..6).prop_map(|pairs| {
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
            });
            prop_oneof![prop::collection::vec(inner, 0..6).prop_map(Value::from), object]
        });
        Self { runner: TestRunner::deterministic(), strategy: strategy.boxed() }
    }

    /// Any JSON.
    pub(super) fn json(&mut self) -> Value {
        self.strategy.new_tree(&mut self.runner).unwrap().current()
    }

    /// One to three of these.
    pub(super) fn some_of(&mut self, pointers: &[String]) -> Vec<String> {
        let most = pointers.len().min(3);
        prop::sample::subsequence(pointers.to_vec(), 1..=most).new_tree(&mut self.runner).unwrap().current()
    }
}

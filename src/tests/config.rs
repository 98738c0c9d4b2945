//! The configuration: the example, the precedence of sources, and the messages about errors.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::platform::config::{BaseUrl, Config, ConfigError, Domain, LogFormat, LogLevel, Overrides, load};

const EXAMPLE: &str = include_str!("../../config.example.toml");
const SECTIONS: [&str; 32] = [
    "server",
    "https",
    "database",
    "backup",
    "backup.keep",
    "backup.s3",
    "log",
    "metrics",
    "auth",
    "limits",
    "cache",
    "cache.purge",
    "cache.purge.fastly",
    "cache.purge.cloudflare",
    "cache.purge.varnish",
    "cache.purge.nginx",
    "cache.purge.url",
    "site",
    "site.contact",
    "site.footer",
    "subscribe",
    "embed",
    "feeds",
    "network",
    "places",
    "brandlive",
    "brandlive.credentials",
    "brandlive.paging",
    "brandlive.mapping",
    "brandlive.times",
    "brandlive.status",
    "brandlive.defaults",
];
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join("lectern.toml");
        std::fs::write(&path, text).unwrap();
        path
    }
}

/// The variables of an environment.
fn variables<const N: usize>(pairs: [(&str, &str); N]) -> [(String, String); N] {
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned()))
}

fn read(text: &str) -> Result<Config, ConfigError> {
    let files = Files::new();
    load(&Overrides { config: Some(files.write(text)), ..Overrides::default() }, variables([]))
}

/// The message about a file that can't be used, without the folder before its name.
fn message_about(text: &str) -> String {
    let message = read(text).expect_err(text).to_string();
    let message = message[message.find("lectern.toml").expect("the file is named")..].to_owned();
    assert!(message.ends_with('.') && !message.contains(". "), "one sentence: {message}");
    assert!(!message.contains('\n'), "one line: {message}");
    for rust in ["u32", "i64", "struct", "serde", "Error", "invalid type", "field"] {
        assert!(!message.contains(rust), "{rust} is a term of Rust: {message}");
    }
    message
}

#[test]
fn the_example_contains_the_defaults() {
    assert_eq!(read(EXAMPLE).unwrap(), Config::default());
}

#[test]
fn the_example_lists_every_key() {
    let example: toml::Table = EXAMPLE.parse().unwrap();
    for section in SECTIONS {
        // The message about an unknown key lists the keys of the section, without the names of earlier releases.
        let message = message_about(&format!("[{section}]\nno_such_key = 1\n"));
        let allowed: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        assert!(!allowed.is_empty(), "{message}");
        let table = section.split('.').fold(&example, |table, name| table[name].as_table().unwrap());
        let mut listed: Vec<&str> = table.keys().map(String::as_str).collect();
        let mut expected = allowed.clone();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected, "[{section}]");
    }
    let message = message_about("no_such_key = 1");
    let top: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let sections: Vec<&str> = SECTIONS.into_iter().filter(|section| !section.contains('.')).collect();
    assert_eq!(top, sections, "a section that this test does not list");
}

#[test]
fn renamed_keys_are_read_under_their_earlier_names() {
    let config = read(
        "[brandlive]\ncall_seconds = 7\ncredentials.way = \"basic\"\npaging.way = \"offset\"\n\
         times.form = \"milliseconds\"\n",
    );
    let renamed = read(
        "[brandlive]\nrequest_seconds = 7\ncredentials.mode = \"basic\"\npaging.mode = \"offset\"\n\
         times.format = \"milliseconds\"\n",
    );
    assert_eq!(config.unwrap(), renamed.unwrap());
}

#[test]
fn the_example_explains_every_key() {
    let lines: Vec<&str> = EXAMPLE.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if line.contains(" = ") && !line.starts_with(['#', ' ']) {
            let explained =
                lines[..at].iter().rev().take_while(|line| !line.is_empty()).any(|line| line.starts_with('#'));
            assert!(explained, "{line} has no comment");
        }
    }
    assert!(lines.iter().all(|line| line.len() <= 100), "lines stay readable in a terminal");
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_what_is_allowed() {
    assert_eq!(
        message_about("[server]\n\nlisen = \"127.0.0.1:80\"\n"),
        "lectern.toml, line 3: server.lisen: unknown setting; expected \
         `listen`, `base_url`, `trusted_proxies`."
    );
    assert!(message_about("[servr]\n").contains("line 1: servr: unknown setting; expected `server`"));
    assert!(message_about("[site.footer]\nwho = []\n").contains("line 2: site.footer.who: "));
    assert!(
        message_about("[site]\nsocial = [{ label = \"a\", link = \"b\" }]\n").contains("expected `label` or `url`")
    );
}

#[test]
fn a_value_of_another_type_is_named_in_words_of_the_file() {
    let days = "lectern.toml, line 2: auth.session_max_days: this must be a whole number, not";
    assert_eq!(message_about("[auth]\nsession_max_days = [7]\n"), format!("{days} a list."));
    assert_eq!(message_about("[auth]\nsession_max_days = { a = 7 }\n"), format!("{days} a section."));
    assert_eq!(
        message_about("[server]\nlisten = true\n"),
        "lectern.toml, line 2: server.listen: this must be a string in double quotes, not `true`."
    );
}

#[test]
fn a_key_that_is_set_twice_is_named_without_a_hint_at_quotes() {
    let message = message_about("[auth]\nreplit_login = true\nreplit_login = true\n");
    assert_eq!(message, "lectern.toml, line 3: replit_login: this is not TOML (duplicate key).");
}

#[test]
fn a_logo_that_browsers_would_block_is_rejected() {
    let message = message_about("[site]\nlogo_url = \"http://example.com/logo.png\"\n");
    assert!(message.contains("line 2: site.logo_url: browsers block `http://example.com/logo.png`"), "{message}");
    assert!(read("[site]\nlogo_url = \"https://example.com/logo.png\"\n").is_ok());
}

#[test]
fn the_base_url_is_normalized_as_browsers_do() {
    for (written, normalized) in [
        ("https://Events.Example.com:443/", "https://events.example.com"),
        ("http://b\u{fc}cher.example:8080", "http://xn--bcher-kva.example:8080"),
    ] {
        assert_eq!(written.parse::<BaseUrl>().unwrap().as_str(), normalized);
    }
    for more_than_a_host in
        ["https://a.example/b", "https://a.example/?b", "https://a.example/#b", "https://a:b@a.example"]
    {
        assert!(more_than_a_host.parse::<BaseUrl>().is_err(), "{more_than_a_host}");
    }
}

#[test]
fn a_bad_value_is_named_with_its_line_and_what_is_allowed() {
    let cases = [
        ("[server]\nlisten = \"localhost\"\n", "line 2: server.listen: ", "such as 127.0.0.1:8080"),
        ("[server]\nlisten = 8080\n", "line 2: server.listen: ", "a string in double quotes, not `8080`"),
        ("[server]\nbase_url = \"events.example.com\"\n", "line 2: server.base_url: ", "begins with https://"),
        ("[server]\nbase_url = \"https://a.example/b/\"\n", "line 2: server.base_url: ", "such as https://a.example"),
        ("[server]\ntrusted_proxies = [\"10.0.0.0/40\"]\n", "line 2: server.trusted_proxies[0]: ", "10.0.0.0/8"),
        ("[auth]\nsession_idle_hours = 0\n", "line 2: auth.session_idle_hours: ", "a whole number from 1 to"),
        ("[auth]\nsession_idle_hours = -4\n", "line 2: auth.session_idle_hours: ", "a whole number from 1 to"),
        ("[auth]\nsession_max_days = 4000000000\n", "line 2: auth.session_max_days: ", "a whole number from 1 to"),
        ("[auth]\nsession_max_days = \"7\"\n", "line 2: auth.session_max_days: ", "a whole number, not"),
        ("[auth]\nsession_max_days = 1.5\n", "line 2: auth.session_max_days: ", "a whole number, not"),
        ("[auth]\nreplit_login = \"no\"\n", "line 2: auth.replit_login: ", "true or false, not"),
        ("[limits]\n\n\nvisitor_burst = -1\n", "line 4: limits.visitor_burst: ", "a whole number of 0 or more"),
        ("[site]\nlearn_more_url = \"javascript:alert(1)\"\n", "line 2: site.learn_more_url: ", "https://"),
        ("[site]\nsocial = [{ label = \"X\" }]\n", "line 2: site.social[0]: ", "`url` is missing"),
        ("[site.contact]\naddress_lines = \"one\"\n", "site.contact.address_lines: ", "a list in square brackets"),
        ("[subscribe]\nattributes = { a = 1 }\n", "line 2: subscribe.attributes.a: ", "a string in double quotes"),
        ("[brandlive]\nlist_path = \"events\"\n", "line 2: brandlive.list_path: ", "begins with one slash"),
        ("[brandlive]\ntotal_seconds = 91\n", "line 2: brandlive.total_seconds: ", "at most 90"),
        ("[brandlive.paging]\nmode = \"pages\"\n", "line 2: brandlive.paging.mode: ", "this must be `none`, `page`"),
        (
            "[brandlive.credentials]\nmode = \"headers\"\nkey_name = \" \"\n",
            "brandlive.credentials: ",
            "key_name is blank",
        ),
        (
            "[brandlive.credentials]\nmode = \"query\"\nkey_name = \"\"\n",
            "brandlive.credentials: ",
            "key_name is blank",
        ),
        (
            "[brandlive.credentials]\nmode = \"headers\"\nkey_name = \"X Key\"\n",
            "brandlive.credentials: ",
            "not a header name",
        ),
        (
            "[brandlive.credentials]\nmode = \"token\"\ntoken_path = \"\"\n",
            "brandlive.credentials: ",
            "token_path is blank",
        ),
        ("[brandlive.credentials]\nmode = \"token\"\ntoken = []\n", "brandlive.credentials: ", "token is empty"),
        ("[brandlive.paging]\nparameter = \"\"\n", "brandlive.paging: ", "parameter is blank"),
        ("[brandlive.paging]\nmode = \"cursor\"\nnext = []\n", "brandlive.paging: ", "next is empty"),
        ("[brandlive.paging]\nmode = \"next\"\nnext = [\"\"]\n", "brandlive.paging: ", "refers to the whole response"),
        ("[brandlive.paging]\nparameter = \"limit\"\n", "brandlive.paging: ", "are the same"),
        ("[brandlive.mapping]\nstarts_at = []\n", "brandlive.mapping: ", "needs starts_at, or both date and time"),
        ("[brandlive.status]\ncancelled = [\" \"]\n", "brandlive.status: ", "a status word is blank"),
        (
            "[brandlive.status]\ncancelled = [\"Ended\"]\n",
            "brandlive.status: ",
            "`ended` is both in live and in cancelled",
        ),
        (
            "[brandlive]\nbase_url = \"https://x.example/?a=1\"\n",
            "line 2: brandlive.base_url: ",
            "can't contain `?` or `#`",
        ),
        (
            "[brandlive]\nbase_url = \"https://x.example#a\"\n",
            "line 2: brandlive.base_url: ",
            "can't contain `?` or `#`",
        ),
        ("[brandlive.mapping]\ntitle = [\"\"]\n", "brandlive.mapping: ", "a pointer in title is blank"),
        ("[brandlive.mapping]\nseries = [\"/series\", \"\"]\n", "brandlive.mapping: ", "a pointer in series is blank"),
        (
            "[brandlive.credentials]\nmode = \"query\"\nkey_name = \"page\"\n",
            "brandlive: ",
            "key_name under [brandlive.credentials] and a parameter under [brandlive.paging] are both `page`",
        ),
        (
            "[brandlive.credentials]\nmode = \"query\"\nsecret_name = \"limit\"\n",
            "brandlive: ",
            "secret_name under [brandlive.credentials] and a parameter",
        ),
        ("[brandlive.times]\nzone = \"Mars\"\n", "line 2: brandlive.times.zone: ", "America/New_York or UTC"),
        ("[brandlive.mapping]\nid = [\"id\"]\n", "line 2: brandlive.mapping.id[0]: ", "such as /data/title"),
        ("[brandlive.defaults]\ntype = \"Party\"\n", "line 2: brandlive.defaults.type: ", "Investor Insights"),
        ("[brandlive.defaults]\ntimezone = \"EDT\"\n", "line 2: brandlive.defaults.timezone: ", "an IANA name"),
        ("[site]\nname = \" \"\n", "line 2: site.name: ", "can't be blank"),
        (
            "[site]\nsocial = [{ label = \"\", url = \"https://a.example\" }]\n",
            "line 2: site.social[0].label: ",
            "can't be blank",
        ),
        ("[subscribe]\nattributes = { \"on click\" = \"a\" }\n", "line 2: subscribe.attributes: ", "data-form"),
        ("[subscribe.attributes]\nonload = \"a\"\n", "subscribe.attributes: `onload`", "data-form"),
        ("[brandlive]\nitems = []\n", "line 2: brandlive.items: ", "can't be empty"),
        ("[brandlive]\ndetail_path = \"/v1/event\"\n", "line 2: brandlive.detail_path: ", "such as /v1/event/{id}"),
        ("[brandlive.mapping]\nid = []\n", "line 2: brandlive.mapping.id: ", "can't be empty"),
        (
            "[brandlive.defaults]\nregistration_url = \"register\"\n",
            "line 2: brandlive.defaults.registration_url: ",
            "https://example.com/{id}",
        ),
        ("server = 3\n", "line 1: server: ", "a section with its own settings"),
    ];
    for (text, place, allowed) in cases {
        let message = message_about(text);
        assert!(message.contains(place) && message.contains(allowed), "{message}");
    }
}

#[test]
fn domains_of_https_are_complete_names() {
    let https = |value: &str| read(&format!("[https]\n{value}\n")).map(|config| config.https);
    let read = https("domains = [\"Events.Example.COM.\", \"münchen.example\", \"events.example.com\"]").unwrap();
    let names: Vec<&str> = read.domains.iter().map(Domain::as_str).collect();
    assert_eq!(names, ["events.example.com", "xn--mnchen-3ya.example"]);
    assert_eq!(read.base_url().as_deref(), Some("https://events.example.com"));
    for (domain, expected) in [
        ("203.0.113.7", "is an IP address; use a domain that leads to it"),
        ("[2001:db8::1]", "is an IP address; use a domain that leads to it"),
        ("2001:db8::1", "is an IP address; use a domain that leads to it"),
        ("0x7f.1", "is an IP address; use a domain that leads to it"),
        (
            "*.example.com",
            "is a wildcard, whose certificate needs the challenge DNS-01, which lectern does not support",
        ),
        ("https://events.example.com", "is a URL; name the domain alone"),
        ("events.example.com/calendar", "is a URL; name the domain alone"),
        ("events.example.com:443", "has a port; name the domain alone, and set the port in https.listen"),
        ("my events.example.com", "is not a domain; use one such as events.example.com"),
        ("under_score.example.com", "is not a domain"),
        ("-events.example.com", "is not a domain"),
        ("a..example.com", "is not a domain"),
    ] {
        let message = message_about(&format!("[https]\ndomains = [\"{domain}\"]\n"));
        assert!(message.contains("line 2: https.domains: ") && message.contains(expected), "{message}");
    }
    for (keys, expected) in [
        ("domains = [\"intranet\"]", "public authorities issue no certificate for `intranet`"),
        ("certificate = \"a.pem\"", "https.certificate is set without https.key"),
        ("key = \"a.key\"", "https.key is set without https.certificate"),
        ("certificate = \"a.pem\"\nkey = \"a.key\"", "https.certificate is set without https.domains"),
        (
            "domains = [\"a.example\"]\nredirect_listen = \"[::]:443\"",
            "line 3: https.redirect_listen is [::]:443, where https listens",
        ),
        (
            "domains = [\"a.example\"]\nlisten = \"127.0.0.1:80\"",
            "line 1: https.redirect_listen is [::]:80, where https listens",
        ),
        ("domains = [\"a.example\"]\n[server]\nbase_url = \"http://a.example\"", "use https:// or leave it blank"),
    ] {
        let message = https(keys).unwrap_err().to_string();
        assert!(message.contains("lectern.toml, line ") && message.contains(expected), "{message}");
        assert!(message.ends_with('.') && !message.contains(". "), "{message}");
    }
    for (key, expected) in [
        ("email = \"ada\"", "line 2: https.email: `ada` is not an e-mail address"),
        (
            "directory_url = \"http://ca.example/dir\"",
            "line 2: https.directory_url: `http://ca.example/dir` is not https",
        ),
        ("ca_file = \"missing.pem\"", "line 2: https.ca_file: `missing.pem` can't be read: there is no such file"),
        ("listen = \"443\"", "line 2: https.listen: `443` is not a listen address"),
    ] {
        let message = message_about(&format!("[https]\n{key}\n"));
        assert!(message.contains(expected), "{message}");
    }
    assert!(https("domains = [\"intranet\"]\ndirectory_url = \"https://ca.example/dir\"").is_ok());
}

#[test]
fn pointers_and_paths_of_the_sync_that_cannot_work_are_named_with_key_and_line() {
    let cases = [
        ("[brandlive]\nitems = [\"/a\", \"/b~\"]\n", "line 2: brandlive.items[1]: ", "contains ~ as ~0"),
        ("[brandlive.mapping]\ntitle = [\"/a\\nb\"]\n", "line 2: brandlive.mapping.title[0]: ", "control characters"),
        ("[brandlive.mapping]\ntitle = [\"/title \"]\n", "line 2: brandlive.mapping.title[0]: ", "end with a space"),
        ("[brandlive.mapping]\ntitle = [\"#/title\"]\n", "line 2: brandlive.mapping.title[0]: ", "begins with a slash"),
        ("[brandlive.mapping]\n\nstatus = [\"\"]\n", "line 3: brandlive.mapping: ", "a pointer in status is blank"),
        ("[brandlive.paging]\n\nparameter = \" \"\n", "line 3: brandlive.paging: ", "parameter is blank"),
        ("[brandlive.paging]\nparameter = \"a\\nb\"\n", "line 2: brandlive.paging: ", "parameter contains control"),
        ("[brandlive.paging]\nmore = [\"\"]\n", "line 2: brandlive.paging: ", "a pointer in more is blank"),
        ("[brandlive]\nlist_path = \"/v1/\\nevents\"\n", "line 2: brandlive.list_path: ", "control characters"),
        ("[brandlive]\nlist_path = \"/v1/events#all\"\n", "line 2: brandlive.list_path: ", "backslashes or #"),
        ("[brandlive]\nlist_path = \"/\\\\evil.example\"\n", "line 2: brandlive.list_path: ", "backslashes or #"),
        ("[brandlive]\ndetail_path = \"/v1/ev ent/{id}\"\n", "line 2: brandlive.detail_path: ", "spaces"),
        ("[brandlive.defaults]\nduration = 40321\n", "line 2: brandlive.defaults.duration: ", "at most 40320"),
    ];
    for (text, place, problem) in cases {
        let message = message_about(text);
        assert!(message.contains(place) && message.contains(problem), "{text}: {message}");
    }
}

#[test]
fn settings_of_the_sync_that_cannot_work_are_named_with_key_and_line() {
    let credentials = |mode: &str, more: &str| format!("[brandlive.credentials]\nmode = \"{mode}\"\n\n{more}\n");
    let cases = [
        (
            credentials("headers", "key_name = \"X Key\""),
            "line 4: brandlive.credentials: ",
            "key_name is not a header name",
        ),
        (credentials("headers", "key_name = \"X-Key:\""), "line 4: ", "key_name is not a header name"),
        (
            credentials("headers", "key_name = \"X-A\"\nsecret_name = \"x-a\""),
            "brandlive.credentials: ",
            "key_name and secret_name are the same header",
        ),
        ("[brandlive]\nlist_path = \"/v1/events?page=3\"\n".to_owned(), "brandlive", "both set `page`"),
        ("[brandlive]\napi_key = \"a:b\"\napi_secret = \"hush\"\n".to_owned(), "brandlive", "api_key contains a colon"),
        (
            "[brandlive]\nbase_url = \"https://u:pw@h.example\"\n".to_owned(),
            "line 2: brandlive.base_url: ",
            "can't contain a user name or a password",
        ),
        (credentials("headers", "key_name = \"X-Kéy\""), "line 4: ", "key_name is not a header name"),
        (credentials("headers", "secret_name = \"X-\\u0000\""), "line 4: ", "secret_name is not a header name"),
        (credentials("headers", "secret_name = \"X\\nY\""), "line 4: ", "secret_name is not a header name"),
        (credentials("headers", "key_name = \"Host\""), "line 4: ", "key_name is a header that every request has"),
        (credentials("query", "key_name = \"a\\tb\""), "line 4: ", "key_name contains control characters"),
        (credentials("token", "token_body = '{\"id\": {key}}'"), "line 4: ", "token_body is neither JSON nor a form"),
        (credentials("token", "token_body = '{key}'"), "line 4: ", "token_body is neither JSON nor a form"),
        (
            credentials("token", "token_path = \"/to ken\""),
            "line 4: brandlive.credentials.token_path: ",
            "can't contain spaces",
        ),
        (credentials("token", "token = [\"/a~2\"]"), "line 4: brandlive.credentials.token[0]: ", "contains ~ as ~0"),
        (
            "[brandlive]\n\napi_key = \"one\\ntwo\"\n".to_owned(),
            "line 3: brandlive.api_key: ",
            "can't contain a line break",
        ),
        (
            "[brandlive]\napi_secret = \"a\\u0007b\"\n".to_owned(),
            "line 2: brandlive.api_secret: ",
            "or another control character",
        ),
        (
            "[brandlive]\napi_key = \"\"\"one\ntwo\"\"\"\n".to_owned(),
            "brandlive.api_key: ",
            "can't contain a line break",
        ),
        (
            "[brandlive]\napi_key = \"schlüssel\"\n[brandlive.credentials]\nmode = \"bearer\"\n".to_owned(),
            "line 2: brandlive: ",
            "api_key contains characters beyond ASCII",
        ),
    ];
    for (text, place, problem) in cases {
        let message = message_about(&text);
        assert!(message.contains(place) && message.contains(problem), "{text}: {message}");
        assert!(!message.contains("one") && !message.contains("schl"), "{message}");
    }
    // From the environment, the variable is named.
    let environment = variables([("LECTERN_BRANDLIVE_API_KEY", "one\ntwo")]);
    let message = load(&Overrides::default(), environment).unwrap_err().to_string();
    assert_eq!(message, "LECTERN_BRANDLIVE_API_KEY: a key can't contain a line break or another control character.");
    for text in [
        "[brandlive]\nlist_path = \"/v1/events?kind=web%20inar\"\n",
        "[brandlive]\nitems = [\"/a~1b/c~0d\", \"/0/1\"]\n",
        "[brandlive]\napi_key = \"schlüssel\"\n",
        "[brandlive.credentials]\nmode = \"token\"\ntoken_body = \"id={key}&secret={secret}\"\n",
    ] {
        assert!(read(text).is_ok(), "{text}");
    }
}

#[test]
fn a_syntax_error_is_named_with_its_line() {
    let message = message_about("[server]\nlisten = 127.0.0.1:8080\n");
    assert!(message.starts_with("lectern.toml, line 2: listen: this is not TOML"), "{message}");
    assert!(message.ends_with("strings must be in double quotes."), "{message}");
    let twice = "[server]\nbase_url = \"\"\nbase_url = \"\"\n";
    assert!(message_about(twice).starts_with("lectern.toml, line 3: base_url: "), "{}", message_about(twice));
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_reason() {
    let files = Files::new();
    let message = |path: &Path| {
        let overrides = Overrides { config: Some(path.to_owned()), ..Overrides::default() };
        load(&overrides, variables([])).unwrap_err().to_string()
    };
    assert!(message(&files.0.path().join("none.toml")).ends_with("none.toml can't be read: there is no such file."));
    assert!(message(files.0.path()).ends_with(" can't be read: it is a folder."));
    assert!(
        message(&files.write(b"\xff\xfe\x00")).ends_with("lectern.toml can't be read: it is not a text file (UTF-8).")
    );
}

#[test]
fn a_secret_appears_in_no_error_and_no_debug_output() {
    // Errors in the line of a secret; "hush" and "4711" are the secret.
    let invalid_lines = [
        "api_key = hush",
        "api_key = \"hush",
        "api_key = 'hush",
        "api_key = 4711",
        "api_key = 4711hush",
        "api_key = [\"hush\"]",
        "api_key = { hush = 1 }",
        "api_key.hush = 1\napi_key.hush = 2",
        "api_key = \"a\\qhush\"",
        "api_key = hush = 4711",
        "api_key = 47.11",
        "api_key = 2021-01-01hush",
        "api_key = \"hush\"\napi_key = \"hush\"",
        "api_key = \"\"\"hush\n",
        "api_key = true\nhush",
        "api_key : hush",
        "api_key = \"hush\" hush",
    ];
    for line in invalid_lines {
        for (section, key) in [
            ("brandlive", "api_key"),
            ("brandlive", "api_secret"),
            ("places", "server_key"),
            ("backup.s3", "access_key"),
            ("backup.s3", "secret_key"),
        ] {
            let text = format!("[{section}]\n{}\n", line.replace("api_key", key));
            let message = message_about(&text);
            // The name of an unknown key is not a secret.
            let message = message.replace(&format!("{key}.hush"), "");
            assert!(!message.contains("hush") && !message.contains("4711") && !message.contains("47.11"), "{message}");
        }
    }
    let text = "[brandlive]\napi_key = \"hush\"\napi_secret = \"hush\"\n[places]\nserver_key = \"hush\"\n";
    let config = read(text).unwrap();
    assert!(config.brandlive.is_configured());
    let printed = format!("{config:?}");
    assert!(!printed.contains("hush") && printed.contains("[secret]"), "{printed}");
}

#[test]
fn flags_override_the_environment_which_overrides_the_file_and_the_defaults() {
    let files = Files::new();
    let path = files.write(
        "[server]\nlisten = \"127.0.0.1:1\"\nbase_url = \"https://file.example\"\n[database]\npath = \"file.db\"\n\
         [brandlive]\napi_key = \"file\"\napi_secret = \"file\"\n[places]\nserver_key = \"file\"\n",
    );
    let overrides = Overrides { config: Some(path), ..Overrides::default() };
    let environment = variables([
        ("LECTERN_BASE_URL", "https://environment.example"),
        ("LECTERN_BRANDLIVE_API_SECRET", "environment"),
        ("LECTERN_PLACES_SERVER_KEY", "environment"),
        // A blank variable counts as unset.
        ("LECTERN_BRANDLIVE_API_KEY", "  "),
    ]);

    let config = load(&overrides, environment.clone()).unwrap();
    assert_eq!(config.server.listen.0.to_string(), "127.0.0.1:1");
    assert_eq!(config.server.base_url.unwrap().as_str(), "https://environment.example");
    assert_eq!(config.database.path, PathBuf::from("file.db"));
    assert_eq!(config.brandlive.api_key.unwrap().reveal(), "file");
    assert_eq!(config.brandlive.api_secret.unwrap().reveal(), "environment");
    assert_eq!(config.places.server_key.unwrap().reveal(), "environment");
    assert_eq!(config.auth, Config::default().auth);

    let flags =
        Overrides { database: Some("flag.db".into()), listen: Some("127.0.0.1:2".parse().unwrap()), ..overrides };
    let config = load(&flags, environment).unwrap();
    assert_eq!(config.server.listen.0.to_string(), "127.0.0.1:2");
    assert_eq!(config.database.path, PathBuf::from("flag.db"));
}

/// The configuration of an environment without a file.
fn from_environment<const N: usize>(pairs: [(&str, &str); N]) -> Result<Config, String> {
    let files = Files::new();
    let overrides = Overrides { config: Some(files.write("[site]\nname = \"File\"\n")), ..Overrides::default() };
    load(&overrides, variables(pairs)).map_err(|error| error.to_string())
}

/// The error about a variable, which names it and contains the reason.
fn error_of_variable(name: &str, value: &str, reason: &str) -> String {
    let message = from_environment([(name, value)]).unwrap_err();
    assert!(message.starts_with(&format!("{name}: ")) && message.contains(reason), "{message}");
    message
}

#[test]
fn a_bad_variable_is_named() {
    for (name, value, reason) in [
        ("LECTERN_BASE_URL", "events.example.com", "use one that begins with https://"),
        ("LECTERN_SERVER__BASE_URL", "events.example.com", "use one that begins with https://"),
        ("LECTERN_LOG", "loud", "this must be `error`, `warn`, `info` or `debug`, not `loud`"),
        ("LECTERN_LIMITS__SIGN_IN_BURST", "many", "this must be a whole number of 0 or more, not \"many\""),
        ("LECTERN_AUTH__REPLIT_LOGIN", "perhaps", "this must be true or false, not \"perhaps\""),
        ("LECTERN_SERVER__PORT", "80", "unknown setting; expected `listen`, `base_url`, `trusted_proxies`"),
        ("LECTERN_CELLAR__WINE", "red", "unknown setting; expected `server`"),
        ("LECTERN_PLACES__SERVER_KEY_FILE", "/no/such/file", "/no/such/file can't be read: there is no such file."),
    ] {
        let message = error_of_variable(name, value, reason);
        assert!(message.ends_with('.') && !message.contains('\n'), "{message}");
    }
}

#[test]
fn a_network_of_mapped_addresses_is_that_of_ipv4() {
    let text = "[server]\ntrusted_proxies = [\"::ffff:127.0.0.1\", \"::ffff:10.0.0.0/104\", \"fd00::/8\"]\n";
    let networks: Vec<String> =
        read(text).unwrap().server.trusted_proxies.iter().map(|one| one.0.to_string()).collect();
    assert_eq!(networks, ["127.0.0.1/32", "10.0.0.0/8", "fd00::/8"]);
}

#[test]
fn a_value_of_a_list_in_a_variable_is_named_with_its_own_error() {
    for (name, value, reason) in [
        ("LECTERN_CACHE__PURGE__VARNISH__URLS", "127.0.0.1:6081", "`127.0.0.1:6081` is not a URL; use one that begins"),
        ("LECTERN_CACHE__PURGE__VARNISH__URLS", "http://a.example, b.example", "`b.example` is not a URL"),
        ("LECTERN_CACHE__PURGE__VARNISH__URLS", "[\"c.example\"]", "`c.example` is not a URL"),
        ("LECTERN_SERVER__TRUSTED_PROXIES", "foo", "`foo` is not a network; use one such as 10.0.0.0/8"),
        ("LECTERN_SERVER__TRUSTED_PROXIES", "127", "`127` is not a network"),
        ("LECTERN_HTTPS__DOMAINS", "203.0.113.7", "`203.0.113.7` is an IP address"),
        ("LECTERN_BRANDLIVE__ITEMS", "events", "such as /data/title"),
        ("LECTERN_SITE__SOCIAL", "X", "this must be a list in square brackets, not \"X\""),
        ("LECTERN_SITE__SOCIAL", "[3]", "this must be a section with its own settings"),
    ] {
        error_of_variable(name, value, reason);
    }
}

#[test]
fn every_setting_has_a_variable() {
    let config = from_environment([
        ("LECTERN_SITE__NAME", "2031"),
        ("LECTERN_SITE__CONTACT__PHONE", "303 555 0100"),
        ("LECTERN_SITE__SOCIAL", r#"[{ label = "Podcast", url = "https://example.com/podcast" }]"#),
        ("LECTERN_SERVER__TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8"),
        ("LECTERN_LIMITS__VISITOR_BURST", "7"),
        ("LECTERN_HTTPS__DOMAINS", "events.example.com, www.example.com"),
        ("LECTERN_HTTPS__REDIRECT_LISTEN", "0.0.0.0:8081"),
        ("LECTERN_AUTH__REPLIT_LOGIN", "true"),
        ("LECTERN_LOG__FORMAT", "json"),
        ("LECTERN_LOG", "debug"),
        ("LECTERN_LISTEN", "read by the command line"),
    ])
    .unwrap();
    let social = &config.site.social;
    assert_eq!((config.site.name.as_str(), config.site.contact.phone.as_str()), ("2031", "303 555 0100"));
    assert_eq!((social.len(), social[0].label.as_str()), (1, "Podcast"));
    assert_eq!(config.server.trusted_proxies.len(), 2);
    assert_eq!((config.https.domains.len(), config.https.redirect_listen.is_some()), (2, true));
    assert_eq!((config.limits.visitor_burst, config.auth.replit_login), (7, true));
    assert_eq!((config.log.format, config.log.level), (LogFormat::Json, LogLevel::Debug));
}

#[test]
fn a_secret_can_be_in_a_file_or_a_credential() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (short, long) = (file("short", "from a file\n"), file("long", "from another\n"));
    file("brandlive.api_secret", "a credential");
    file("places.server_key", "a credential");
    file("backup.s3.access_key", "a credential");
    let credentials = folder.path().to_str().unwrap();

    let config = from_environment([
        ("LECTERN_PLACES_SERVER_KEY_FILE", &short),
        ("LECTERN_BRANDLIVE__API_KEY_FILE", &long),
        ("LECTERN_BACKUP__S3__SECRET_KEY_FILE", &long),
        ("CREDENTIALS_DIRECTORY", credentials),
    ]);

    let config = config.unwrap();
    assert_eq!(config.places.server_key.unwrap().reveal(), "from a file");
    assert_eq!(config.brandlive.api_key.unwrap().reveal(), "from another");
    assert_eq!(config.brandlive.api_secret.unwrap().reveal(), "a credential");
    assert_eq!(config.backup.s3.secret_key.unwrap().reveal(), "from another");
    assert_eq!(config.backup.s3.access_key.unwrap().reveal(), "a credential");
}

#[test]
fn blank_means_unset() {
    let text = "[server]\nbase_url = \" \"\n[database]\npath = \"\"\n[site]\nlogo_url = \"\"\n\
                schedule_call_url = \"\"\ninvestor_resources_url = \"  \"\n[subscribe]\nscript_url = \"\"\n\
                [places]\nserver_key = \"  \"\nbrowser_key = \" \"\n[brandlive]\napi_key = \"\"\napi_secret = \"\"\n";
    let config = read(text).unwrap();
    assert_eq!(config.server, Config::default().server);
    assert_eq!(config.database, Config::default().database);
    assert_eq!(config.subscribe, Config::default().subscribe);
    assert_eq!(config.places, Config::default().places);
    assert_eq!(config.brandlive, Config::default().brandlive);
    assert_eq!(config.site.schedule_call_url, None);
    assert_eq!(config.site.investor_resources_url, None);
    assert!(!config.brandlive.is_configured());
}

#[test]
fn the_time_of_shared_caches_is_0_or_60_with_a_purge_and_can_be_set() {
    let seconds = |text: &str| read(text).unwrap().cache.seconds();
    assert_eq!(seconds(""), 0);
    assert_eq!(seconds("[cache]\nseconds = 300\n"), 300);
    for target in [
        "fastly]\nservice_id = \"s1\"\n",
        "cloudflare]\nzone_id = \"z1\"\n",
        "varnish]\nurls = [\"http://127.0.0.1:6081\"]\n",
        "nginx]\nurls = [\"http://127.0.0.1:8090/purge\"]\n",
        "url]\nurl = \"https://example.com/purge\"\n",
    ] {
        assert_eq!(seconds(&format!("[cache.purge.{target}")), 60, "{target}");
        assert_eq!(seconds(&format!("[cache]\nseconds = 0\n[cache.purge.{target}")), 0, "{target}");
    }
    for wrong in ["-1", "86401", "\"soon\"", "true"] {
        let message = message_about(&format!("[cache]\nseconds = {wrong}\n"));
        assert!(message.contains("cache.seconds: this must be a whole number from 0 to 86400"), "{message}");
    }
    let message = message_about("[cache.purge.fastly]\nservice_id = \"../x\"\n");
    assert!(message.contains("`../x` is not an id; it has letters and digits only."), "{message}");
}

#[test]
fn the_tokens_of_purges_are_secrets_that_only_the_server_needs() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "hush-4711\n").unwrap();
    let config = from_environment([
        ("LECTERN_CACHE__SECONDS", "90"),
        ("LECTERN_CACHE__PURGE__FASTLY__SERVICE_ID", "s1"),
        ("LECTERN_CACHE__PURGE__FASTLY__TOKEN_FILE", token.to_str().unwrap()),
        ("LECTERN_CACHE__PURGE__VARNISH__URLS", "http://10.0.0.5:6081, http://10.0.0.6:6081"),
    ])
    .unwrap();
    assert_eq!((config.cache.seconds(), config.cache.purge.varnish.urls.len()), (90, 2));
    assert_eq!(config.cache.purge.fastly.token.as_ref().unwrap().reveal(), "hush-4711");
    assert!(!format!("{config:?}").contains("hush-4711"));

    for (section, id, name) in [("fastly", "service_id", "Fastly"), ("cloudflare", "zone_id", "Cloudflare")] {
        let files = Files::new();
        let path = files.write(format!("[cache.purge.{section}]\n{id} = \"x1\"\n"));
        let overrides = Overrides { config: Some(path), ..Overrides::default() };
        assert!(load(&overrides, variables([])).is_ok(), "{name}: a command needs no token");
        let server = Overrides { is_server: true, ..overrides };
        let message = load(&server, variables([])).unwrap_err().to_string();
        let expected = format!(
            "lectern.toml, line 2: cache.purge.{section}.{id} is set without cache.purge.{section}.token; set the token, or \
             leave both blank."
        );
        assert!(message.ends_with(&expected), "{message}");
    }
}

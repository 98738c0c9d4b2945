//! Builds the web page where its sources changed, so that one `cargo build` makes the whole program.
//!
//! `LECTERN_WEB=skip` embeds the bundle that is there (or none) and asks for no Node.js. A debug
//! build does the same as soon as there is a bundle; `LECTERN_WEB=build` makes it build too.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const WEB: &str = "web";
/// What the bundle is made from. Never all of `web/`: what the build writes there would start it again.
const SOURCES: [&str; 7] =
    ["src", "public", "build-tools", "index.html", "package-lock.json", "tsconfig.json", "vite.config.ts"];

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-env-changed=LECTERN_WEB");
    println!("cargo:rerun-if-changed=build.rs");
    let web = Path::new(WEB);
    let sources: Vec<PathBuf> = SOURCES.iter().map(|name| web.join(name)).filter(|path| path.exists()).collect();
    for path in &sources {
        // A path that does not exist would run this at every build.
        println!("cargo:rerun-if-changed={}", path.display());
    }
    let bundle = web.join("dist/index.html");
    let wish = env::var("LECTERN_WEB").unwrap_or_default();
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if wish == "skip" || (wish != "build" && !release && bundle.exists()) {
        return;
    }
    let fingerprint = fingerprint(&sources);
    let stamp = web.join("dist/.sources");
    if bundle.exists() && fs::read_to_string(&stamp).is_ok_and(|known| known == fingerprint) {
        return;
    }
    if !has_node() {
        stop(
            "The web page can't be built: Node.js 20 or later with npm is needed. Install it (Debian: apt-get install \
             nodejs npm), or set LECTERN_WEB=skip to build without the page.",
        );
    }
    if !modules_are_fresh(web) {
        run(web, &["ci"]);
    }
    run(web, &["run", "build"]);
    fs::write(stamp, fingerprint).unwrap_or_else(|error| stop(&format!("web/dist can't be written: {error}.")));
}

fn has_node() -> bool {
    let answers = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success());
    answers("node") && answers("npm")
}

/// Whether node_modules was installed from the lock file as it is now.
fn modules_are_fresh(web: &Path) -> bool {
    let changed = |path: &str| fs::metadata(web.join(path)).and_then(|meta| meta.modified());
    match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Ok(installed), Ok(locked)) => installed >= locked,
        _ => false,
    }
}

fn run(web: &Path, arguments: &[&str]) {
    let out = Command::new("npm").args(arguments).current_dir(web).output();
    match out {
        Ok(out) if out.status.success() => {}
        Ok(out) => {
            eprintln!("{}\n{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
            stop(&format!("`npm {}` failed in web/; what it said stands above.", arguments.join(" ")));
        }
        Err(error) => stop(&format!("npm could not be started: {error}.")),
    }
}

/// A hash over the names and contents of all sources.
fn fingerprint(sources: &[PathBuf]) -> String {
    let mut hasher = DefaultHasher::new();
    for source in sources {
        hash_into(source, &mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

fn hash_into(path: &Path, hasher: &mut DefaultHasher) {
    path.hash(hasher);
    if path.is_dir() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries {
            hash_into(&entry, hasher);
        }
    } else {
        fs::read(path).unwrap_or_default().hash(hasher);
    }
}

/// Ends the build with one sentence.
fn stop(sentence: &str) -> ! {
    println!("cargo:warning={sentence}");
    std::process::exit(1)
}

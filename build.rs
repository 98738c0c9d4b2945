//! Builds the web bundle if its sources have changed, so `cargo build` builds everything, and compiles its server
//! script.
//!
//! `LECTERN_WEB=skip` embeds the existing bundle (or none) and does not need Node.js. A debug build does the same if a
//! bundle exists, unless `LECTERN_WEB=build`. `PROFILE` is `release` for every profile that inherits from it.
//!
//! Cargo shows the output of a build script with `-vv` only, so progress is also written to the terminal.

use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};
use std::{env, fs, thread};

use rquickjs::module::WriteOptions;
use rquickjs::{Context, Module, Runtime};

const WEB: &str = "web";
/// The fingerprint of the sources from which the bundle was built.
const STAMP: &str = "web/dist/.sources";
/// The sources of the bundle. Not `web/` itself: the build writes there and would run every time.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "build-tools",
    "index.html",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
    "vite.server.config.ts",
];
/// Renders the pages on the server.
const SERVER_SCRIPT: &str = "web/dist-server/server.js";
/// The best quality that is fast in a build script, which is not optimized.
const BROTLI_QUALITY: u32 = 9;
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

fn main() {
    report_optimization();
    build_bundle();
    compile_server_script();
    // Runs again when the bundle was deleted. Only an existing path: see below.
    if Path::new(STAMP).exists() {
        println!("cargo:rerun-if-changed={STAMP}");
    }
}

/// `cfg(unoptimized)` for the tests: such a program needs more memory.
fn report_optimization() {
    println!("cargo:rustc-check-cfg=cfg(unoptimized)");
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo:rustc-cfg=unoptimized");
    }
}

fn build_bundle() {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-env-changed=LECTERN_WEB");
    println!("cargo:rerun-if-changed=build.rs");
    let web = Path::new(WEB);
    let sources: Vec<PathBuf> = SOURCES.iter().map(|name| web.join(name)).filter(|path| path.exists()).collect();
    for path in &sources {
        // Only existing paths: for a missing one, Cargo would run this script at every build.
        println!("cargo:rerun-if-changed={}", path.display());
    }
    let has_bundle = || ["web/dist/index.html", SERVER_SCRIPT].iter().all(|file| Path::new(file).exists());
    let mode = env::var("LECTERN_WEB").unwrap_or_default();
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if mode == "skip" || (mode != "build" && !release && has_bundle()) {
        return;
    }
    let fingerprint = fingerprint(&sources);
    if has_bundle() && fs::read_to_string(STAMP).is_ok_and(|stored| stored == fingerprint) {
        return;
    }
    if !has_node() {
        fail(
            "The web bundle can't be built without Node.js 20.19 or later and npm. Install them, or build from the source \
             archive of a release, which contains the bundle. LECTERN_WEB=skip builds without it.",
        );
    }
    if !modules_are_fresh(web) {
        run_npm(web, &["ci"], "installing packages");
    }
    run_npm(web, &["run", "build"], "bundling");
    fs::write(STAMP, fingerprint).unwrap_or_else(|error| fail(&format!("web/dist can't be written: {error}.")));
    [STAMP, SERVER_SCRIPT].into_iter().for_each(make_older_than_this_run);
}

/// Cargo runs this script again if a file that it watches is newer than the beginning of the last run. These are written by it.
fn make_older_than_this_run(path: &str) {
    let file = File::options().write(true).open(path);
    // If that fails, the next build takes longer.
    let _ = file.and_then(|file| file.set_modified(SystemTime::now() - Duration::from_hours(1)));
}

/// Writes the bytecode of the server script, compressed, to a file that the renderer embeds. An engine loads it in a tenth
/// of the time that it takes to parse the script. The file is blank if there is no bundle.
fn compile_server_script() {
    let compiled = match fs::read_to_string(SERVER_SCRIPT) {
        Ok(script) => {
            println!("cargo:rerun-if-changed={SERVER_SCRIPT}");
            let bytecode = bytecode_of(&script);
            brotli(&bytecode.unwrap_or_else(|error| fail(&format!("{SERVER_SCRIPT} can't be compiled: {error}."))))
        }
        Err(_) => Vec::new(),
    };
    let file = Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("server-script.br");
    fs::write(&file, compiled).unwrap_or_else(|error| fail(&format!("{} can't be written: {error}.", file.display())));
}

/// The module that sets the global object `server`, for the version of the engine that the program has.
fn bytecode_of(script: &str) -> rquickjs::Result<Vec<u8>> {
    let context = Context::full(&Runtime::new()?)?;
    context.with(|ctx| {
        let module = Module::declare(ctx, "server.js", format!("{script}\nglobalThis.server = server"))?;
        module.write(WriteOptions { strip_source: true, strip_debug: true, ..WriteOptions::default() })
    })
}

fn brotli(content: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 4096, BROTLI_QUALITY, 22);
    // Writing to memory can't fail.
    let _ = writer.write_all(content);
    drop(writer);
    compressed
}

fn has_node() -> bool {
    let runs = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success());
    runs("node") && runs("npm")
}

/// Whether `node_modules` was installed from the current lock file.
fn modules_are_fresh(web: &Path) -> bool {
    let modified = |path: &str| fs::metadata(web.join(path)).and_then(|metadata| metadata.modified());
    match (modified("node_modules/.package-lock.json"), modified("package-lock.json")) {
        (Ok(installed), Ok(locked)) => installed >= locked,
        _ => false,
    }
}

fn run_npm(web: &Path, arguments: &[&str], step: &'static str) {
    let (done, is_done) = mpsc::channel::<()>();
    let started = Instant::now();
    let progress = thread::spawn(move || {
        loop {
            report(&format!("Web bundle: {step}, {} s", started.elapsed().as_secs()));
            if is_done.recv_timeout(PROGRESS_INTERVAL) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    });
    let out = Command::new("npm").args(arguments).current_dir(web).output();
    drop(done);
    // A panic of the thread can be ignored: it only prints.
    let _ = progress.join();
    match out {
        Ok(out) if out.status.success() => {}
        Ok(out) => {
            eprintln!("{}\n{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
            fail(&format!("`npm {}` failed in web/; see its output above.", arguments.join(" ")));
        }
        Err(error) => fail(&format!("npm could not be started: {error}.")),
    }
}

fn report(progress: &str) {
    println!("{progress}");
    if let Ok(mut terminal) = File::options().write(true).open("/dev/tty") {
        // Clears the line of Cargo's progress bar. The terminal may be closed.
        let _ = write!(terminal, "\r\x1b[K{progress}\r\n");
    }
}

/// A hash of the names and contents of all sources.
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

fn fail(message: &str) -> ! {
    println!("cargo:warning={message}");
    std::process::exit(1)
}

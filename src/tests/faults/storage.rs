//! Storage that fails under a running server: files that are removed, replaced or damaged, and devices that fail. Each
//! request of the admin has a connection of its own, because the server closes idle ones during the waits.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{an_event, assert_sound, folder, interest_of, prepare, sign_in};
use crate::tests::support::program::{Server, command, finish, poll_interval, run, succeed};
use crate::tests::support::raw_client::RawClient;

const UNAVAILABLE: &str = "The server's storage can't be used at the moment. Please try again later.";

fn hero(title: &str) -> Value {
    json!({ "heroTitle": title, "heroSubtitle": "Subtitle" })
}

/// Waits until `/healthz` responds with this status; returns its problems.
fn wait_for_health(server: &Server, status: u16) -> String {
    let started = Instant::now();
    loop {
        let health = server.visitor().get("/healthz");
        let home = server.visitor().get("/").status;
        assert!(health.status != 200 || home == 200, "/healthz is 200 and / is {home}");
        if health.status == status {
            return health.json()["problems"].to_string();
        }
        assert!(started.elapsed() < Duration::from_mins(1), "/healthz stays {}: {}", health.status, health.text());
        std::thread::sleep(poll_interval(started));
    }
}

fn assert_writes_are_rejected(server: &Server, admin: &RawClient, event: i64, problem: &str) {
    let rejected = admin.clone().put("/api/page-content/home", &hero("Lost"));
    assert_eq!((rejected.status, &rejected.json()["error"]), (503, &json!(UNAVAILABLE)));
    let rejected = server.visitor().put(&format!("/api/events/{event}/interest"), &interest_of("user_1_lost"));
    assert_eq!(rejected.status, 503, "{}", rejected.text());
    let health = server.visitor().get("/healthz");
    assert_eq!((health.status, &health.json()["status"]), (503, &json!("down")));
    assert_eq!(health.json()["problems"], json!([problem]));
    assert!(server.log().contains(problem), "{}", server.log());
}

fn assert_reads_continue(server: &Server, admin: &RawClient) {
    for path in ["/", "/calendar", "/api/events", "/api/speakers"] {
        assert_eq!(server.visitor().get(path).status, 200, "{path}");
    }
    assert_eq!(admin.clone().get("/api/user").status, 200);
    assert_eq!(server.visitor().get("/api/page-content/home").json()["heroTitle"], "Stored");
}

#[test]
fn a_removed_database_rejects_writes_until_the_same_file_is_back() {
    let problem = "The database file was removed while the server runs";
    assert_rejects_writes_until_the_file_is_back("lectern.db", problem);
}

#[test]
fn a_removed_write_ahead_log_rejects_writes_until_the_same_file_is_back() {
    let problem = "The write-ahead log of the database was removed while the server runs";
    assert_rejects_writes_until_the_file_is_back("lectern.db-wal", problem);
}

fn assert_rejects_writes_until_the_file_is_back(name: &str, problem: &str) {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let event = an_event(&mut admin);
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Stored")).status, 200);
    assert_eq!(wait_for_health(&server, 200), "[]");
    let (path, elsewhere) = (folder.path().join(name), folder.path().join("elsewhere"));

    fs::rename(&path, &elsewhere).unwrap();

    assert_writes_are_rejected(&server, &admin, event, problem);
    assert_reads_continue(&server, &admin);

    fs::rename(&elsewhere, &path).unwrap();
    assert_eq!(wait_for_health(&server, 200), "[]");
    assert!(server.log().contains("the files of the database are back"), "{}", server.log());
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Stored")).status, 200);
    server.kill();
    let server = Server::start(folder.path(), &[]);
    assert_reads_continue(&server, &admin.at(server.address));
    server.stop();
    assert_sound(&folder.path().join("lectern.db"));
}

#[test]
fn a_removed_database_is_saved_when_the_server_stops() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let admin = sign_in(&server);
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Stored")).status, 200);
    fs::remove_file(folder.path().join("lectern.db")).unwrap();
    server.stop();
    let saved = fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .find(|entry| entry.file_name().to_string_lossy().starts_with("lectern.db.rescued-"))
        .expect("a copy");
    let saved = saved.file_name().into_string().unwrap();

    // An empty database in its place would look like a site that works.
    let expected =
        format!("lectern.db can't be used: the file is missing or empty, but ./{saved} is its newest backup");
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"], &["users"], &["backup", "copy.db"]] {
        let message = run(folder.path(), arguments).sentence(1);
        assert!(message.starts_with(&expected), "{arguments:?}: {message}");
        assert!(message.contains(&format!("run 'lectern restore ./{saved}'")), "{message}");
    }
    let check = run(folder.path(), &["check"]);
    assert_eq!(check.code, Some(1));
    assert!(check.out.contains(&format!("PROBLEM  database      {expected}")), "{}", check.out);
    assert!(!folder.path().join("lectern.db").exists());

    succeed(folder.path(), &["restore", &saved]);
    let server = Server::start(folder.path(), &[]);
    assert_reads_continue(&server, &admin.at(server.address));
    server.stop();
    assert_sound(&folder.path().join("lectern.db"));
}

#[test]
fn only_create_admin_begins_anew_where_backups_are_left() {
    for from in ["before-restore", "schedule"] {
        let folder = folder();
        let database = folder.path().join("lectern.db");
        if from == "schedule" {
            fs::write(folder.path().join("config.toml"), "[backup]\ndir = \"backups\"\n").unwrap();
            succeed(folder.path(), &["backup"]);
        } else {
            succeed(folder.path(), &["backup", "copy.db"]);
            succeed(folder.path(), &["restore", "copy.db"]);
        }
        fs::remove_file(&database).unwrap();
        let message = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).sentence(1);
        let newest = if from == "schedule" { "backups/lectern-" } else { "./lectern.db.before-restore-" };
        assert!(message.contains(&format!("run 'lectern restore {newest}")), "{message}");
        let reset = ["create-admin", "--email", super::EMAIL, "--password-stdin", "--reset-password"];
        assert_eq!(run(folder.path(), &reset).sentence(1), message);
        assert!(!database.exists());
        // The sample events are in another file.
        Server::start(folder.path(), &["--demo"]).stop();

        let anew = ["create-admin", "--email", super::EMAIL, "--password-stdin"];
        finish(command(folder.path(), &anew), super::PASSWORD).succeeded();
        let server = Server::start(folder.path(), &[]);
        assert_eq!(server.visitor().get("/api/events").text(), "[]");
        server.stop();
    }
}

#[test]
fn a_replaced_database_rejects_writes_until_a_restart() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let event = an_event(&mut admin);
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Copied")).status, 200);
    succeed(folder.path(), &["backup", "copy.db"]);
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Stored")).status, 200);

    fs::rename(folder.path().join("copy.db"), folder.path().join("lectern.db")).unwrap();

    assert_writes_are_rejected(&server, &admin, event, "The database file was replaced while the server runs");
    assert_reads_continue(&server, &admin);
    server.stop();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(wait_for_health(&server, 200), "[]");
    assert_eq!(server.visitor().get("/api/page-content/home").json()["heroTitle"], "Copied");
    server.stop();
    assert_sound(&folder.path().join("lectern.db"));
}

#[test]
fn a_copy_written_over_the_database_is_noticed_and_left_as_it_is() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let event = an_event(&mut admin);
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Stored")).status, 200);
    assert_eq!(server.visitor().get("/").status, 200);
    succeed(folder.path(), &["backup", "copy.db"]);
    let copy = fs::read(folder.path().join("copy.db")).unwrap();

    fs::write(folder.path().join("lectern.db"), &copy).unwrap();

    let problem = "The database file was overwritten while the server runs";
    assert_writes_are_rejected(&server, &admin, event, problem);
    server.stop();
    assert!(fs::read(folder.path().join("lectern.db")).unwrap() == copy);
}

#[test]
fn a_lost_lock_is_reported() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let lock = folder.path().join("lectern.db.lock");
    fs::rename(&lock, folder.path().join("elsewhere")).unwrap();
    assert!(wait_for_health(&server, 503).contains("The lock of the database was lost"));
    let deadline = Instant::now() + Duration::from_secs(30);
    while !server.log().contains("The lock of the database was lost") {
        assert!(Instant::now() < deadline, "{}", server.log());
        std::thread::sleep(Duration::from_millis(50));
    }
    fs::rename(folder.path().join("elsewhere"), &lock).unwrap();
    assert_eq!(wait_for_health(&server, 200), "[]");
    server.stop();
}

#[test]
fn damaged_pages_are_found_without_a_request_and_are_never_a_500() {
    let folder = folder();
    // Closed once, so that the content is in the file instead of the log.
    Server::start(folder.path(), &["--demo", "--database", "lectern.db"]).stop();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.visitor().get("/").status, 200);
    assert_eq!(wait_for_health(&server, 200), "[]");
    let path = folder.path().join("lectern.db");
    let pages = path.metadata().unwrap().len() / 4_096;

    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    for page in 1..pages {
        file.write_all_at(&[0xa5; 4_096], page * 4_096).unwrap();
    }

    // First as a suspicion, which a check of the complete file confirms, and which no later check clears.
    server.wait_for("the confirmation", || {
        wait_for_health(&server, 503).contains("The database is damaged").then_some(())
    });
    assert!(server.log().contains("The database is damaged"), "{}", server.log());
    let deadline = Instant::now() + Duration::from_secs(16);
    while Instant::now() < deadline {
        let health = server.visitor().get("/healthz");
        assert!(health.status == 503 && health.text().contains("The database is damaged"), "{}", health.text());
        std::thread::sleep(Duration::from_millis(50));
    }
    // The home page is cached.
    assert_eq!(server.visitor().get("/").status, 200);
    let mut visitor = server.visitor();
    for path in ["/api/events", "/api/speakers", "/calendar.ics", "/feed.xml", "/events/1", "/pictures/a.jpg"] {
        let status = visitor.get(path).status;
        assert!(status != 500, "{path}: {status}");
    }
    let rejected = visitor.post("/api/auth/login", &json!({ "email": super::EMAIL, "password": super::PASSWORD }));
    assert_ne!(rejected.status, 500, "{}", rejected.text());
    server.stop();
}

/// Makes every read of a file by a process fail until it is dropped.
struct FailingReads {
    strace: Child,
    /// Open until it ends, because it reports every new thread.
    _reports: BufReader<ChildStderr>,
}

impl FailingReads {
    /// `None` if strace is missing or may not trace here.
    fn start(server: &Server) -> Option<Self> {
        let pid = server.pid().as_raw_pid().to_string();
        let mut strace = Command::new("strace")
            .args(["-f", "-p", &pid, "-e", "trace=pread64", "-e", "inject=pread64:error=EIO", "-o", "/dev/null"])
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let mut line = String::new();
        let mut reports = BufReader::new(strace.stderr.take()?);
        reports.read_line(&mut line).ok()?;
        let failing = Self { strace, _reports: reports };
        line.contains("attached").then_some(failing)
    }
}

impl Drop for FailingReads {
    fn drop(&mut self) {
        // It detaches before it ends.
        let _ = kill_process(Pid::from_child(&self.strace), Signal::TERM);
        let _ = self.strace.wait();
    }
}

#[test]
fn read_errors_that_pass_are_not_damage() {
    let folder = folder();
    Server::start(folder.path(), &["--demo", "--database", "lectern.db"]).stop();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.visitor().get("/").status, 200);
    assert_eq!(wait_for_health(&server, 200), "[]");
    let Some(failing) = FailingReads::start(&server) else {
        eprintln!("skipped: strace can't trace a process here");
        return;
    };
    let problems = wait_for_health(&server, 503);
    assert!(problems.contains("the storage reports an error") || problems.contains("The storage"), "{problems}");
    // Longer than the time between two checks of the complete file.
    let deadline = Instant::now() + Duration::from_secs(14);
    while Instant::now() < deadline {
        assert_eq!(server.visitor().get("/healthz").status, 503);
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(failing);

    assert_eq!(wait_for_health(&server, 200), "[]");
    assert!(!server.log().contains("is damaged"), "{}", server.log());
    assert!(succeed(folder.path(), &["check"]).contains("no page is damaged"));
    server.stop();
}

/// A file system on a loop device, mounted until it is dropped.
struct LoopDisk(TempDir);

impl LoopDisk {
    /// `None` if this process may not mount one, or if its tools are missing.
    fn mount(kind: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("image");
        fs::File::create(&image).unwrap().set_len(512 * 1024 * 1024).unwrap();
        fs::create_dir(folder.path().join("disk")).unwrap();
        let disk = Self(folder);
        let made = Command::new(format!("mkfs.{kind}")).arg("-q").arg(&image).output();
        made.ok().filter(|out| out.status.success())?;
        let mounted = Command::new("mount")
            .args(["-o", if kind == "ext4" { "loop,errors=remount-ro" } else { "loop" }])
            .arg(&image)
            .arg(disk.path())
            .output();
        mounted.ok().filter(|out| out.status.success())?;
        Some(disk)
    }

    fn path(&self) -> std::path::PathBuf {
        self.0.path().join("disk")
    }

    /// Makes every later operation fail, as a broken device does; false if the tool is missing.
    fn shut_down(&self) -> bool {
        // EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN are the same number; 2 means without writing the journal.
        let script = "open(F, '<', $ARGV[0]) or die; my $flags = pack('L', 2); ioctl(F, 0x8004587D, $flags) or die";
        let tool = Command::new("perl").args(["-e", script]).arg(self.path()).output();
        tool.is_ok_and(|out| out.status.success())
    }

    /// Makes the kernel report an error of the file system, after which it is read-only.
    fn make_read_only(&self) -> bool {
        let table = fs::read_to_string("/proc/mounts").unwrap_or_default();
        let device = table.lines().find_map(|line| {
            let (device, rest) = line.split_once(' ')?;
            rest.starts_with(self.path().to_str()?).then(|| device.trim_start_matches("/dev/").to_owned())
        });
        device.is_some_and(|device| fs::write(format!("/sys/fs/ext4/{device}/trigger_fs_error"), "x").is_ok())
    }
}

impl Drop for LoopDisk {
    fn drop(&mut self) {
        // Lazily, because a file may still be open there.
        let _ = Command::new("umount").arg("-l").arg(self.path()).output();
    }
}

fn server_on(disk: &Path) -> (Server, RawClient) {
    prepare(disk);
    let server = Server::start(disk, &[]);
    let admin = sign_in(&server);
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Stored")).status, 200);
    for path in ["/", "/api/events"] {
        assert_eq!(server.visitor().get(path).status, 200);
    }
    assert_eq!(wait_for_health(&server, 200), "[]");
    (server, admin)
}

#[test]
fn a_file_system_that_fails_is_503_and_visitors_are_served_from_memory() {
    for kind in ["ext4", "xfs"] {
        let Some(disk) = LoopDisk::mount(kind) else {
            eprintln!("skipped: this process may not mount {kind}");
            continue;
        };
        let (server, admin) = server_on(&disk.path());
        if !disk.shut_down() {
            eprintln!("skipped: {kind} can't be shut down here");
            continue;
        }
        let rejected = admin.clone().put("/api/page-content/home", &hero("Lost"));
        assert_eq!(rejected.status, 503, "{}", rejected.text());
        wait_for_health(&server, 503);
        // Time for a probe that reads.
        std::thread::sleep(Duration::from_secs(6));
        wait_for_health(&server, 503);
        assert!(!server.log().contains("is damaged"), "{}", server.log());
        assert_eq!(server.visitor().get("/").status, 200);
        for path in ["/api/speakers", "/api/users", "/feed.xml", "/events/1"] {
            assert_ne!(admin.clone().get(path).status, 500, "{path}");
        }
        server.kill();
    }
}

#[test]
fn a_file_system_that_becomes_read_only_is_503_and_visitors_are_served() {
    let Some(disk) = LoopDisk::mount("ext4") else {
        eprintln!("skipped: this process may not mount ext4");
        return;
    };
    let (server, admin) = server_on(&disk.path());
    if !disk.make_read_only() {
        eprintln!("skipped: the kernel offers no way to make it read-only");
        return;
    }
    // Only the probe writes.
    let problems = wait_for_health(&server, 503);
    assert!(problems.contains("could not be stored") || problems.contains("read-only"), "{problems}");
    assert_eq!(admin.clone().put("/api/page-content/home", &hero("Lost")).status, 503);
    assert_reads_continue(&server, &admin);
    server.kill();
}

//! The shared cache between the clients and the server under test: Varnish, nginx, or none.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// The configurations that are shipped.
const CONFIGURATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/caches");

/// A cache, or none.
pub struct SharedCache {
    name: String,
    /// Where visitors connect to.
    pub port: u16,
    /// Where the server must listen.
    pub backend: u16,
    purge: u16,
    folder: PathBuf,
    process: Option<Child>,
}

/// Whether the program is on this machine.
pub fn is_installed(name: &str) -> bool {
    let program = match name {
        "varnish" => "varnishd",
        "none" => return true,
        other => other,
    };
    Command::new(program).arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

impl SharedCache {
    /// Chooses ports.
    pub fn prepare(name: &str, folder: &Path, mut free_port: impl FnMut() -> u16) -> Self {
        let backend = free_port();
        let port = if name == "none" { backend } else { free_port() };
        let purge = free_port();
        Self { name: name.to_owned(), port, backend, purge, folder: folder.join(name), process: None }
    }

    /// The lines in the server's configuration.
    pub fn settings(&self) -> String {
        match self.name.as_str() {
            "varnish" => format!("[cache.purge.varnish]\nurls = [\"http://127.0.0.1:{}\"]\n", self.port),
            "nginx" => format!("[cache.purge.nginx]\nurls = [\"http://127.0.0.1:{}/purge\"]\n", self.purge),
            _ => String::new(),
        }
    }

    /// Starts it and waits until it listens.
    pub async fn start(mut self, backend: u16) -> Self {
        assert_eq!(backend, self.backend, "the server listens where the cache expects it");
        let command = match self.name.as_str() {
            "varnish" => self.varnish(),
            "nginx" => self.nginx(),
            _ => return self,
        };
        let log = self.folder.join("log");
        self.process = Some(spawn(command, &log));
        for _ in 0..300 {
            if tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return self;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{} does not listen: {}", self.name, std::fs::read_to_string(&log).unwrap_or_default());
    }

    /// A folder that the unprivileged user of a cache can use.
    fn make_folder(&self) {
        use std::os::unix::fs::PermissionsExt as _;

        std::fs::create_dir_all(&self.folder).expect("a folder");
        for folder in [&self.folder, self.folder.parent().expect("a folder")] {
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).expect("a folder");
        }
    }

    fn varnish(&self) -> Command {
        self.make_folder();
        let file = self.folder.join("default.vcl");
        let text = configuration("varnish.vcl", &[("\"8080\"", &format!("\"{}\"", self.backend))]);
        std::fs::write(&file, text).expect("the configuration is written");
        let mut command = Command::new("varnishd");
        command.arg("-F").arg("-n").arg(self.folder.join("work")).arg("-f").arg(file);
        command.args(["-a", &format!("127.0.0.1:{}", self.port), "-s", "malloc,256m", "-p", "http_gzip_support=off"]);
        command
    }

    fn nginx(&self) -> Command {
        self.make_folder();
        let folder = self.folder.display();
        let listen = |port: u16| format!("listen 127.0.0.1:{port}");
        // Plain HTTP: what is measured is the cache.
        let text = configuration(
            "nginx.conf",
            &[
                ("/var/cache/nginx/", &format!("{folder}/")),
                ("/etc/nginx/lectern-unavailable.html", &format!("{CONFIGURATIONS}/unavailable.html")),
                ("server 127.0.0.1:8080", &format!("server 127.0.0.1:{}", self.backend)),
                ("127.0.0.1:8090", &format!("127.0.0.1:{}", self.purge)),
                ("listen 80", &format!("listen unix:{folder}/redirect.sock")),
                ("listen 443 ssl http2", &listen(self.port)),
                ("listen [::]:80;", ""),
                ("listen [::]:443 ssl http2;", ""),
                ("    ssl_certificate", "    # ssl_certificate"),
            ],
        );
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {folder}/{kind};\n"))
            .concat();
        let file = self.folder.join("nginx.conf");
        let text = format!(
            "worker_processes 2;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{ worker_connections 1024; }}\n\
             http {{\naccess_log off;\n{temporary}{text}}}\n"
        );
        std::fs::write(&file, text).expect("the configuration is written");
        let mut command = Command::new("nginx");
        command.arg("-c").arg(file).args(["-g", "daemon off;"]);
        command
    }

    /// Processor seconds of the cache.
    pub fn cpu(&self) -> f64 {
        self.process.as_ref().map_or(0.0, |process| with_children(process.id()).into_iter().map(cpu_seconds).sum())
    }
}

impl Drop for SharedCache {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            // Not killed, because their own processes would go on.
            let _ = kill_process(Pid::from_child(process), Signal::TERM);
            let _ = process.wait();
        }
    }
}

/// The shipped configuration with other values; each must occur.
fn configuration(file: &str, changes: &[(&str, &str)]) -> String {
    let path = Path::new(CONFIGURATIONS).join(file);
    let mut text = std::fs::read_to_string(&path).expect("the configuration");
    for (from, to) in changes {
        assert!(text.contains(from), "{} has no {from}", path.display());
        text = text.replace(from, to);
    }
    text
}

fn spawn(mut command: Command, log: &Path) -> Child {
    let log = std::fs::File::create(log).expect("a file");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("the cache starts")
}

/// The fields of `/proc/PID/stat` after the name.
fn stat(pid: u32) -> Option<Vec<u64>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields = text.rsplit_once(") ")?.1.split(' ').map(|field| field.trim().parse().unwrap_or(0));
    Some(fields.collect())
}

/// Processor time of a process in seconds.
pub fn cpu_seconds(pid: u32) -> f64 {
    let ticks = stat(pid).map_or(0, |fields| fields[11] + fields[12]);
    // USER_HZ, which is the same on every Linux.
    ticks as f64 / 100.0
}

fn with_children(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").expect("Linux").flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let children: Vec<u32> =
        pids.filter(|pid| stat(*pid).is_some_and(|fields| fields[1] == u64::from(parent))).collect();
    std::iter::once(parent).chain(children.into_iter().flat_map(with_children)).collect()
}

//! A server of our own on a socket of our own, in a folder that goes with it.

use effigy_fleet::{Address, Build, RedisFleet};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A running server.
pub struct Server {
    folder: PathBuf,
    process: Option<Child>,
    arguments: Vec<String>,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl Server {
    /// Starts one; `None` where the machine has no `redis-server`.
    pub fn start(arguments: &[&str]) -> Option<Server> {
        if !effigy_testing::requirements::has("redis-server") {
            return None;
        }
        let name = format!("effigy-fleet-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let arguments = arguments.iter().map(|it| (*it).to_owned()).collect();
        let mut server = Server { folder, process: None, arguments };
        server.go();
        Some(server)
    }

    /// Starts the process, again where it was killed, and waits until it answers.
    pub fn go(&mut self) {
        let process = Command::new("redis-server")
            .args(["--port", "0", "--unixsocket", "socket", "--save", "", "--loglevel", "warning", "--dir"])
            .arg(&self.folder)
            .args(&self.arguments)
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        self.process = Some(process);
        for _ in 0..1000 {
            if RedisFleet::join(self.address("awake"), build()).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("redis-server does not answer");
    }

    /// kill -9.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub fn url(&self) -> String {
        format!("redis+unix://{}", self.folder.join("socket").display())
    }

    pub fn address(&self, campaign: &str) -> Address {
        Address::new(&self.url(), campaign).unwrap()
    }

    pub fn join(&self, campaign: &str) -> RedisFleet {
        RedisFleet::join(self.address(campaign), build()).unwrap()
    }
}

pub fn build() -> Build {
    Build { hash: "b".to_owned(), bits: 4096 }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

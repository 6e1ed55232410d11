//! A server for a fleet: redis-server with its log, on a socket in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// It ends with its owner.
pub(crate) struct Server {
    folder: PathBuf,
    process: Child,
}

impl Server {
    /// `None` where the machine has no `redis-server`.
    pub(crate) fn start(name: &str) -> Option<Server> {
        // The name of a socket may not be long.
        let folder = std::env::temp_dir().join(format!("effigy-{name}-{}", std::process::id()));
        if !effigy_testing::requirements::has("redis-server") {
            return None;
        }
        std::fs::create_dir_all(&folder).unwrap();
        let process = Server::go(&folder);
        Some(Server { folder, process })
    }

    fn go(folder: &Path) -> Child {
        let mut command = Command::new("redis-server");
        command.args(["--port", "0", "--unixsocket", "socket", "--save", "", "--appendonly", "yes"]);
        command.args(["--appendfsync", "always", "--dir"]).arg(folder).current_dir(folder).stdout(Stdio::null());
        let process = command.spawn().unwrap();
        let answers = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            std::os::unix::net::UnixStream::connect(folder.join("socket")).is_ok()
        });
        assert!(answers, "redis-server does not answer");
        process
    }

    /// `kill -9`, and again on its log.
    pub(crate) fn dies_and_comes_again(&mut self) {
        self.kill();
        self.process = Server::go(&self.folder);
    }

    /// Whether its log has these bytes: somebody has sent them.
    pub(crate) fn was_sent(&self, bytes: &[u8]) -> bool {
        let Ok(files) = std::fs::read_dir(self.folder.join("appendonlydir")) else { return false };
        files.flatten().any(|file| {
            std::fs::read(file.path()).is_ok_and(|log| log.windows(bytes.len().max(1)).any(|it| it == bytes))
        })
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", self.folder.join("socket").display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

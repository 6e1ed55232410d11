//! What a connection goes over.
//!
//! Knows: that a socket can be told how long to wait. Never: what goes over it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A socket of any kind, with a time limit.
pub(super) trait Socket: Read + Write + Send {
    /// How long one read or write may take from now on.
    fn wait(&self, time: Duration) -> io::Result<()>;
}

impl Socket for TcpStream {
    fn wait(&self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time))?;
        self.set_write_timeout(Some(time))
    }
}

impl Socket for UnixStream {
    fn wait(&self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time))?;
        self.set_write_timeout(Some(time))
    }
}

//! A connection to a server: one question, one answer, within bounds of time.
//!
//! Knows: sockets, passwords, TLS, how a question is written. Never: what is asked.

use super::reply::{ReadError, Reply, read};
use super::socket::Socket;
use redis::{ConnectionAddr, ConnectionInfo};
use std::io::{self, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// The time limit for connecting to the server.
const CONNECT: Duration = Duration::from_secs(2);

/// To get an answer of it, of whatever size.
const ANSWER: Duration = Duration::from_secs(10);

/// A socket on which nothing is waited for beyond a point in time: who sends a byte now and then gains nothing by it.
struct DeadlineStream {
    socket: Box<dyn Socket>,
    until: Instant,
}

impl DeadlineStream {
    fn left(&self) -> io::Result<()> {
        match self.until.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => self.socket.wait(left),
            _ => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Read for DeadlineStream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.left()?;
        self.socket.read(into)
    }
}

impl Write for DeadlineStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left()?;
        self.socket.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.left()?;
        self.socket.flush()
    }
}

/// A connection. After an error it is not used again: an answer may still be on its way.
pub(super) struct Connection {
    stream: BufReader<DeadlineStream>,
}

impl Connection {
    /// Reaches the server, and says who asks.
    pub(super) fn open(to: &ConnectionInfo) -> Result<Connection, ReadError> {
        let socket = socket(to.addr())?;
        let timed = DeadlineStream { socket, until: Instant::now() + ANSWER };
        let mut res = Connection { stream: BufReader::new(timed) };
        let own = to.redis_settings();
        if let Some(password) = own.password() {
            let words: Vec<&[u8]> = match own.username() {
                Some(user) => vec![b"AUTH", user.as_bytes(), password.as_bytes()],
                None => vec![b"AUTH", password.as_bytes()],
            };
            res.welcome(&words)?;
        }
        if own.db() != 0 {
            res.welcome(&[b"SELECT", own.db().to_string().as_bytes()])?;
        }
        Ok(res)
    }

    fn welcome(&mut self, words: &[&[u8]]) -> Result<(), ReadError> {
        match self.ask(words)? {
            Reply::Error(text) => Err(ReadError::Refused(text)),
            _ => Ok(()),
        }
    }

    /// Asks, and waits for the answer.
    pub(super) fn ask(&mut self, words: &[&[u8]]) -> Result<Reply, ReadError> {
        let mut question = format!("*{}\r\n", words.len()).into_bytes();
        for it in words {
            question.extend_from_slice(format!("${}\r\n", it.len()).as_bytes());
            question.extend_from_slice(it);
            question.extend_from_slice(b"\r\n");
        }
        let timed = self.stream.get_mut();
        timed.until = Instant::now() + ANSWER;
        timed.write_all(&question)?;
        timed.flush()?;
        read(&mut self.stream)
    }
}

fn socket(to: &ConnectionAddr) -> io::Result<Box<dyn Socket>> {
    match to {
        ConnectionAddr::Unix(path) => Ok(Box::new(UnixStream::connect(path)?)),
        ConnectionAddr::Tcp(host, port) => Ok(Box::new(tcp(host, *port)?)),
        #[cfg(feature = "tls")]
        ConnectionAddr::TcpTls { host, port, insecure: false, .. } => super::tls::connect(tcp(host, *port)?, host),
        _ => Err(io::Error::other("this kind of address is not supported")),
    }
}

/// The first of the host's addresses that answers.
fn tcp(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

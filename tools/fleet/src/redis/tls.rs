//! TLS to a server, with the authorities that the system believes.
//!
//! Knows: certificates. Never: what goes over the connection.

use super::socket::Socket;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

/// A socket that both sides encrypt.
struct Tls(StreamOwned<ClientConnection, TcpStream>);

/// Prepares TLS to a host; its certificate is checked when the first question is asked.
pub(super) fn connect(stream: TcpStream, host: &str) -> io::Result<Box<dyn Socket>> {
    let mut system = rustls_native_certs::load_native_certs();
    if let Some(error) = system.errors.pop() {
        return Err(io::Error::other(error));
    }
    let mut roots = RootCertStore::empty();
    for it in system.certs {
        roots.add(it).map_err(io::Error::other)?;
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let client = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    Ok(Box::new(Tls(StreamOwned::new(client, stream))))
}

impl Read for Tls {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Write for Tls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Socket for Tls {
    fn wait(&self, time: Duration) -> io::Result<()> {
        self.0.sock.wait(time)
    }
}

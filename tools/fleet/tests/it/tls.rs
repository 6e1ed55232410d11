//! TLS as Redis has it: who is not certified is refused, and nothing goes without.
//!
//! `cargo test -p effigy-fleet --features tls --test it tls::` (in `make test-all`): openssl makes an authority of our own.
#![cfg(feature = "tls")]

use crate::common::{Server, build};
use effigy_fleet::{Address, Fleet, FleetError, Item, RedisFleet, Report};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Where the client, which is this test once more, finds the server.
const URL: &str = "EFFIGY_FLEET_TLS_URL";

/// What it has to find there.
const WANTED: &str = "EFFIGY_FLEET_TLS_WANTED";

fn openssl(room: &Path, arguments: &str) {
    let output = Command::new("openssl").args(arguments.split_whitespace()).current_dir(room).output();
    let output = output.expect("openssl; apt-get install openssl");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An authority, and what it says of `localhost`.
fn certificates(room: &Path) {
    let key = "req -newkey rsa:2048 -nodes -days 2";
    openssl(room, &format!("{key} -x509 -keyout ca.key -out ca.crt -subj /CN=effigy-test"));
    openssl(room, &format!("{key} -keyout server.key -out server.csr -subj /CN=localhost"));
    std::fs::write(room.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    openssl(
        room,
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out server.crt -days 2 -extfile names",
    );
}

/// A process of its own: which authorities are believed is read once, from `SSL_CERT_FILE`.
fn client(url: &str, authority: &Path, wanted: &str) {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["tls::a_campaign_over_tls", "--exact"])
        .env(URL, url)
        .env(WANTED, wanted)
        .env("SSL_CERT_FILE", authority)
        .status();
    assert!(status.unwrap().success(), "{url} {wanted}");
}

#[test]
fn a_campaign_over_tls() {
    if let (Ok(url), Ok(wanted)) = (std::env::var(URL), std::env::var(WANTED)) {
        let joined = Address::new(&url, "c").and_then(|it| RedisFleet::join(it, build()));
        return match (joined, wanted.as_str()) {
            (Ok(mut fleet), "works") => {
                let item = Item { input: b"x".to_vec(), note: Vec::new(), score: 1, bits: vec![7] };
                fleet.push(&Report { items: vec![item], ..Report::default() }).unwrap();
                assert_eq!(fleet.lease(1, Duration::ZERO).unwrap()[0].input, b"x");
            }
            (Err(FleetError::Unreachable(why)), "refused") => assert!(!why.contains("secret"), "{why}"),
            (it, _) => panic!("{:?}", it.err()),
        };
    }
    let room = std::env::temp_dir().join(format!("effigy-fleet-tls-{}", std::process::id()));
    std::fs::create_dir_all(&room).unwrap();
    certificates(&room);
    let other = room.join("other");
    std::fs::create_dir_all(&other).unwrap();
    certificates(&other);
    let port = TcpListener::bind("localhost:0").unwrap().local_addr().unwrap().port().to_string();
    let file = |name: &str| room.join(name).display().to_string();
    let (certificate, key, authority) = (file("server.crt"), file("server.key"), file("ca.crt"));
    let more = ["--tls-port", &port, "--tls-cert-file", &certificate, "--tls-key-file", &key];
    let more = [&more[..], &["--tls-ca-cert-file", &authority, "--tls-auth-clients", "no"]].concat();
    let Some(_server) = Server::start(&more) else { return };
    let url = format!("rediss://:secret@localhost:{port}");
    let plain = format!("rediss://localhost:{port}");
    client(&plain, &room.join("ca.crt"), "works");
    client(&plain, &other.join("ca.crt"), "refused");
    // Another name than the one that is certified.
    client(&format!("rediss://127.0.0.1:{port}"), &room.join("ca.crt"), "refused");
    // And nothing goes without TLS.
    client(&format!("redis://:secret@localhost:{port}"), &room.join("ca.crt"), "refused");
    client(&url, &other.join("ca.crt"), "refused");
    std::fs::remove_dir_all(&room).unwrap();
}

//! What a campaign refuses: another build, what is too large, what somebody else has written into the server.

use crate::common::{Server, build};
use effigy_fleet::{
    Address, Build, Cursor, Fleet, FleetError, Item, LocalFleet, MOST_INPUT, MOST_TRIES, News, RedisFleet, Report,
};
use std::time::Duration;

fn item(input: &[u8], bits: &[u32]) -> Item {
    Item { input: input.to_vec(), note: b"n".to_vec(), score: 1, bits: bits.to_vec() }
}

fn one(item: Item) -> Report {
    Report { items: vec![item], ..Report::default() }
}

#[test]
fn another_build_is_refused() {
    let Some(server) = Server::start(&[]) else { return };
    server.join("c");
    for other in [Build { hash: "other".to_owned(), ..build() }, Build { bits: 7, ..build() }] {
        let refused = RedisFleet::join(server.address("c"), other.clone());
        assert!(matches!(refused, Err(FleetError::AnotherBuild(_))), "{:?}", refused.err());
        // Under another name it has a campaign of its own.
        assert!(RedisFleet::join(server.address(&format!("d{}", other.bits)), other).is_ok());
    }
}

#[test]
fn addresses_are_checked_and_keep_their_secrets() {
    for (url, name) in
        [("redis://", "a b"), ("redis://localhost", ""), ("http://localhost", "c"), ("", "c"), ("redis://[", "c")]
    {
        assert!(matches!(Address::new(url, name), Err(FleetError::Address(_))), "{url} {name}");
    }
    let address = Address::new("redis://user:secret@localhost:1/0", "c").unwrap();
    assert_eq!(address.to_string(), "redis://localhost:1/0 (campaign c)");
    // Nobody listens there.
    let refused = RedisFleet::join(address, build()).err().unwrap();
    assert!(matches!(refused, FleetError::Unreachable(_)), "{refused}");
    assert!(!refused.to_string().contains("secret"));
    if cfg!(not(feature = "tls")) {
        assert!(Address::new("rediss://localhost", "c").is_err());
    }
}

#[test]
fn a_password_is_needed_where_there_is_one() {
    let Some(server) = Server::start(&[]) else { return };
    let mut own = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    redis::cmd("CONFIG").arg("SET").arg("requirepass").arg("secret").exec(&mut own).unwrap();
    let refused = RedisFleet::join(server.address("c"), build()).err().unwrap();
    assert!(matches!(refused, FleetError::Refused(_)), "{refused:?}");
    let with = Address::new(&format!("{}?pass=secret", server.url()), "c").unwrap();
    assert!(RedisFleet::join(with, build()).is_ok());
}

#[test]
fn what_is_too_large_is_not_sent() {
    let mut list = LocalFleet::default();
    assert!(list.push(&one(item(&vec![0; MOST_INPUT + 1], &[]))).is_err());
    assert!(list.cover(&[u32::MAX]).is_err());
    let Some(server) = Server::start(&[]) else { return };
    let mut list = server.join("c");
    assert!(list.push(&one(item(b"x", &[build().bits]))).is_err());
    assert!(list.push(&one(item(&vec![0; MOST_INPUT], &[build().bits - 1]))).is_ok());
    assert_eq!(list.lease(1, Duration::ZERO).unwrap()[0].input.len(), MOST_INPUT);
}

/// Whoever may write to the server may write anything.
#[test]
fn what_others_have_written_is_refused() {
    let Some(server) = Server::start(&[]) else { return };
    let mut list = server.join("c");
    list.push(&one(item(b"a", &[1]))).unwrap();
    list.push(&one(item(b"b", &[]))).unwrap();
    let mut own = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    let mut write = |command: &str, arguments: &[&[u8]]| {
        let mut it = redis::cmd(command);
        arguments.iter().for_each(|argument| {
            it.arg(*argument);
        });
        it.query::<redis::Value>(&mut own).unwrap();
    };
    // Another input under the name of b; a name that is none; an item of nothing.
    let b = effigy_fleet::ItemId::of(b"b").to_string();
    write("HSET", &[b"effigy:{c}:item", b.as_bytes(), b"\x00\x00other"]);
    for entry in [&b"i"[..], b"i0123", b"", b"x", b"f", &[b'i'; 40], &[0xff; 99]] {
        write("RPUSH", &[b"effigy:{c}:news", entry]);
    }
    let (news, next) = list.news(&Cursor::default(), 100).unwrap();
    // The find of no name has no input, either.
    assert!(matches!(&news[..], [News::Covered(it)] if it.input == b"a"), "{news:?}");
    assert_eq!(next, Cursor(vec![8]));
    let mut got = Vec::new();
    for _ in 0..2 * MOST_TRIES {
        got.extend(list.lease(5, Duration::ZERO).unwrap().into_iter().map(|it| it.input));
    }
    assert_eq!(got, vec![b"a".to_vec(); MOST_TRIES as usize]);
    assert_eq!(list.status().unwrap().given_up, 2);
    // A number that is no item's name is no answer.
    write("ZADD", &[b"effigy:{c}:todo", b"9", b"nonsense"]);
    assert!(matches!(list.lease(5, Duration::ZERO), Err(FleetError::Answer(_))));
    write("DEL", &[b"effigy:{c}:todo"]);
    write("SET", &[b"effigy:{c}:todo", b"9"]);
    assert!(matches!(list.lease(5, Duration::ZERO), Err(FleetError::Refused(_))));
}

#[test]
fn the_library_refuses_what_no_client_of_ours_sends() {
    let Some(server) = Server::start(&[]) else { return };
    let mut list = server.join("c");
    let mut own = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    let keys: Vec<String> = "meta todo leased item corpus score leases seen covered news found given_up stat"
        .split(' ')
        .map(|it| format!("effigy:{{c}}:{it}"))
        .collect();
    let id = "0".repeat(32);
    let cases: [(&str, &[&[u8]]); 12] = [
        ("effigy1_push", &[]),
        ("effigy1_push", &[b"1"]),
        ("effigy1_push", &[b"-1", b"0", b""]),
        ("effigy1_push", &[b"1e99", b"0", b""]),
        ("effigy1_push", &[b"1", id.as_bytes(), b"x", b"", b"", b"0", b""]),
        ("effigy1_push", &[b"1", id.as_bytes(), b"1", b"", b"\xff\xff\xff\xff", b"0", b""]),
        ("effigy1_push", &[b"0", b"1", b""]),
        ("effigy1_push", &[b"0", b"0", b"abc"]),
        ("effigy1_finish", &[id.as_bytes()]),
        ("effigy1_lease", &[b"1", b"x", b"1"]),
        ("effigy1_renew", &[b"1", id.as_bytes()]),
        ("effigy1_cover", &[b"\xff\xff\xff\xff"]),
    ];
    for (function, arguments) in cases {
        let mut command = redis::cmd("FCALL");
        command.arg(function).arg(keys.len()).arg(&keys);
        arguments.iter().for_each(|it| {
            command.arg(*it);
        });
        assert!(command.query::<redis::Value>(&mut own).is_err(), "{function} {arguments:?}");
    }
    // Nothing of it was written.
    assert_eq!(list.status().unwrap(), effigy_fleet::FleetStatus::default());
}

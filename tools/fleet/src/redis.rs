//! The work list on Redis 7 or Valkey: several processes, several machines.
//!
//! Knows: one library of functions (`redis/fleet.lua`), the keys of a campaign, the connection and its loss; that what
//! the server answers may be anything. Never: what an item is. Passwords and TLS are as the address has them.
//!
//! A call whose answer was lost may have happened. It is made once more: `push`, `cover`, `renew` and `finish` come to
//! the same when they are made twice, and what was leased to nobody comes back when the lease is over.

use crate::item::{ItemId, Leased, MOST_ITEMS, Report, Ticket, of_payload, packed, payload, unpacked};
use crate::{Build, Cursor, Find, Finished, Fleet, FleetError, FleetStatus, Item, MOST_TRIES, Merged, News};
use redis::{Client, Cmd, Connection, ErrorKind, RedisError, Value};
use std::fmt;
use std::time::Duration;

/// The functions that run in the server.
const LIBRARY: &str = include_str!("redis/fleet.lua");

/// The keys of a campaign, in the order of the library.
const KEYS: [&str; 13] = [
    "meta", "todo", "leased", "item", "corpus", "score", "leases", "seen", "covered", "news", "found", "given_up",
    "stat",
];

/// To reach the server.
const CONNECT: Duration = Duration::from_secs(2);

/// To get an answer of it.
const ANSWER: Duration = Duration::from_secs(10);

/// Bytes of the name of a campaign.
const MOST_NAME: usize = 64;

/// Where a campaign is.
#[derive(Clone)]
pub struct Address {
    client: Client,
    campaign: String,
    /// The address without its password.
    shown: String,
}

impl fmt::Debug for Address {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{self}")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} (campaign {})", self.shown, self.campaign)
    }
}

impl Address {
    /// Of `redis://`, `rediss://` or `redis+unix://`, as the server's own clients write it.
    ///
    /// # Errors
    /// When it is no address, or the name no name.
    pub fn new(url: &str, campaign: &str) -> Result<Address, FleetError> {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
        if campaign.is_empty() || campaign.len() > MOST_NAME || !campaign.chars().all(is_plain) {
            let what = "the name of a campaign has letters, digits, '-', '_' and '.', at most 64 of them";
            return Err(FleetError::Address(what.to_owned()));
        }
        let shown = without_password(url);
        #[cfg(feature = "tls")]
        if url.starts_with("rediss:") {
            // Only the first call counts; the others find it there.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        #[cfg(not(feature = "tls"))]
        if url.starts_with("rediss:") {
            let what = "this effigy was built without TLS: cargo build --features tls";
            return Err(FleetError::Address(format!("{shown}: {what}")));
        }
        let client = Client::open(url).map_err(|it| FleetError::Address(format!("{shown}: {it}")))?;
        Ok(Address { client, campaign: campaign.to_owned(), shown })
    }
}

fn without_password(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => url.to_owned(),
    }
}

/// A campaign on a server. Each thread has one of its own.
pub struct RedisFleet {
    address: Address,
    build: Build,
    keys: Vec<String>,
    connection: Option<Connection>,
    /// The connection was lost so often.
    losses: u64,
}

impl RedisFleet {
    /// Joins a campaign, or begins it.
    ///
    /// # Errors
    /// When the server cannot be reached, or the campaign is of another build.
    pub fn join(address: Address, build: Build) -> Result<RedisFleet, FleetError> {
        let keys = KEYS.iter().map(|it| format!("effigy:{{{}}}:{it}", address.campaign)).collect();
        let mut res = RedisFleet { address, build, keys, connection: None, losses: 0 };
        res.connected()?;
        Ok(res)
    }

    /// The connection, made again where it was lost: what the server is asked then depends on nothing that it forgot.
    fn connected(&mut self) -> Result<&mut Connection, FleetError> {
        if self.connection.is_none() {
            let mut made = self.address.client.get_connection_with_timeout(CONNECT).map_err(|it| failed(&it))?;
            made.set_read_timeout(Some(ANSWER)).map_err(|it| failed(&it))?;
            made.set_write_timeout(Some(ANSWER)).map_err(|it| failed(&it))?;
            let loaded = redis::cmd("FUNCTION").arg("LOAD").arg("REPLACE").arg(LIBRARY).query::<Value>(&mut made);
            // Who may not load functions may call those that are there: the next call tells.
            if let Err(error) = loaded
                && error.code() != Some("NOPERM")
            {
                return Err(failed(&error));
            }
            let (hash, bits) = (self.build.hash.as_bytes(), self.build.bits.to_string());
            call(&self.keys, "effigy1_open", &[hash, bits.as_bytes()])
                .query::<Value>(&mut made)
                .map_err(|it| failed(&it))?;
            self.connection = Some(made);
        }
        self.connection.as_mut().ok_or_else(|| FleetError::Unreachable("no connection".to_owned()))
    }

    fn ask(&mut self, function: &str, arguments: &[&[u8]]) -> Result<Value, FleetError> {
        let command = call(&self.keys, function, arguments);
        let mut again = self.connection.is_some();
        loop {
            match command.query::<Value>(self.connected()?) {
                Ok(value) => return Ok(value),
                Err(error) => {
                    let error = failed(&error);
                    if matches!(error, FleetError::Unreachable(_)) {
                        self.connection = None;
                        self.losses += 1;
                    }
                    if !again || self.connection.is_some() {
                        return Err(error);
                    }
                    again = false;
                }
            }
        }
    }
}

fn call(keys: &[String], function: &str, arguments: &[&[u8]]) -> Cmd {
    let mut res = redis::cmd("FCALL");
    res.arg(function).arg(keys.len()).arg(keys);
    for it in arguments {
        res.arg(*it);
    }
    res
}

/// What an error of the connection means to us.
fn failed(error: &RedisError) -> FleetError {
    let text = || error.to_string();
    match error.code() {
        Some("BUILD") => FleetError::AnotherBuild(error.detail().unwrap_or("another one").to_owned()),
        // It is there, and not ready.
        Some("LOADING" | "MASTERDOWN" | "TRYAGAIN" | "CLUSTERDOWN" | "READONLY" | "BUSY") => {
            FleetError::Unreachable(text())
        }
        Some(_) => FleetError::Refused(text()),
        None if error.is_io_error() || error.is_timeout() || error.is_connection_dropped() => {
            FleetError::Unreachable(text())
        }
        None if error.kind() == ErrorKind::Parse => FleetError::Answer(text()),
        None => FleetError::Refused(text()),
    }
}

fn no_answer() -> FleetError {
    FleetError::Answer("not what was asked for".to_owned())
}

fn list(value: Value) -> Result<Vec<Value>, FleetError> {
    match value {
        Value::Array(it) => Ok(it),
        _ => Err(no_answer()),
    }
}

fn number(value: &Value) -> Result<u64, FleetError> {
    match value {
        Value::Int(it) => u64::try_from(*it).map_err(|_| no_answer()),
        _ => Err(no_answer()),
    }
}

fn bytes(value: &Value) -> Result<&[u8], FleetError> {
    match value {
        Value::BulkString(it) => Ok(it),
        _ => Err(no_answer()),
    }
}

fn numbers<const N: usize>(value: Value) -> Result<[u64; N], FleetError> {
    let all = list(value)?.iter().map(number).collect::<Result<Vec<u64>, _>>()?;
    all.try_into().map_err(|_| no_answer())
}

/// A report as the library reads it.
fn arguments(report: &Report) -> Vec<Vec<u8>> {
    let text = |it: String| it.into_bytes();
    let mut res = vec![text(report.items.len().to_string())];
    for item in &report.items {
        res.push(text(ItemId::of(&item.input).to_string()));
        res.push(text(item.score.to_string()));
        res.push(payload(&item.input, &item.note));
        res.push(packed(&item.bits));
    }
    res.push(text(report.finds.len().to_string()));
    for find in &report.finds {
        res.push(find.key.clone());
        res.push(payload(&find.input, b""));
    }
    res.push(packed(&report.bits));
    res
}

fn milliseconds(time: Duration) -> Vec<u8> {
    time.as_millis().to_string().into_bytes()
}

impl Fleet for RedisFleet {
    fn push(&mut self, report: &Report) -> Result<Merged, FleetError> {
        report.check(self.build.bits)?;
        let arguments = arguments(report);
        let arguments: Vec<&[u8]> = arguments.iter().map(|it| &it[..]).collect();
        let [items, bits, finds] = numbers(self.ask("effigy1_push", &arguments)?)?;
        Ok(Merged { items, bits, finds })
    }

    fn lease(&mut self, most: usize, time: Duration) -> Result<Vec<Leased>, FleetError> {
        let most = most.min(MOST_ITEMS).to_string();
        let (time, tries) = (milliseconds(time), MOST_TRIES.to_string());
        let answer = list(self.ask("effigy1_lease", &[most.as_bytes(), &time, tries.as_bytes()])?)?;
        let mut res = Vec::new();
        for it in answer.chunks(3) {
            let [id, lease, payload] = it else { return Err(no_answer()) };
            let id = ItemId::parse(bytes(id)?).ok_or_else(no_answer)?;
            let lease = u32::try_from(number(lease)?).map_err(|_| no_answer())?;
            // What somebody else wrote there is left until it is given up.
            let Ok((input, note)) = of_payload(Some(id), bytes(payload)?) else { continue };
            res.push(Leased { ticket: Ticket { id, lease }, input, note });
        }
        Ok(res)
    }

    fn renew(&mut self, held: &[Ticket], time: Duration) -> Result<Vec<bool>, FleetError> {
        if held.is_empty() {
            return Ok(Vec::new());
        }
        let mut arguments = vec![milliseconds(time)];
        for it in held {
            arguments.push(it.id.to_string().into_bytes());
            arguments.push(it.lease.to_string().into_bytes());
        }
        let arguments: Vec<&[u8]> = arguments.iter().map(|it| &it[..]).collect();
        let answer = list(self.ask("effigy1_renew", &arguments)?)?;
        let res = answer.iter().map(|it| Ok(number(it)? == 1)).collect::<Result<Vec<bool>, FleetError>>()?;
        if res.len() == held.len() { Ok(res) } else { Err(no_answer()) }
    }

    fn cover(&mut self, bits: &[u32]) -> Result<u64, FleetError> {
        Report { bits: bits.to_vec(), ..Report::default() }.check(self.build.bits)?;
        number(&self.ask("effigy1_cover", &[&packed(bits)])?)
    }

    fn finish(&mut self, ticket: Ticket, report: &Report) -> Result<Finished, FleetError> {
        report.check(self.build.bits)?;
        let mut all = vec![ticket.id.to_string().into_bytes(), ticket.lease.to_string().into_bytes()];
        all.extend(arguments(report));
        let all: Vec<&[u8]> = all.iter().map(|it| &it[..]).collect();
        let [held, items, bits, finds] = numbers(self.ask("effigy1_finish", &all)?)?;
        Ok(Finished { held: held == 1, merged: Merged { items, bits, finds } })
    }

    fn news(&mut self, since: &Cursor, most: usize) -> Result<(Vec<News>, Cursor), FleetError> {
        let since = since.0.first().copied().unwrap_or(0);
        let (from, most) = (since.to_string(), most.min(MOST_ITEMS).to_string());
        let answer = list(self.ask("effigy1_news", &[from.as_bytes(), most.as_bytes()])?)?;
        let mut res = Vec::new();
        for it in answer.chunks(2) {
            let [entry, payload] = it else { return Err(no_answer()) };
            res.extend(self.news_of(bytes(entry)?, bytes(payload)?));
        }
        Ok((res, Cursor(vec![since + answer.len() as u64 / 2])))
    }

    fn status(&mut self) -> Result<FleetStatus, FleetError> {
        let [waiting, leased, done, given_up, expired, covered, finds] = numbers(self.ask("effigy1_status", &[])?)?;
        Ok(FleetStatus { waiting, leased, done, given_up, expired, covered, finds })
    }

    fn another(&self) -> Result<Box<dyn Fleet>, FleetError> {
        Ok(Box::new(RedisFleet::join(self.address.clone(), self.build.clone())?))
    }

    fn losses(&self) -> u64 {
        self.losses
    }
}

impl RedisFleet {
    /// An entry of the news; what is none is passed over.
    fn news_of(&self, entry: &[u8], payload: &[u8]) -> Option<News> {
        let (kind, rest) = entry.split_first()?;
        match kind {
            b'i' => {
                let (id, bits) = rest.split_at_checked(32)?;
                let (input, note) = of_payload(Some(ItemId::parse(id)?), payload).ok()?;
                let bits = unpacked(bits, self.build.bits).ok()?;
                Some(News::Covered(Item { input, note, score: 0, bits }))
            }
            b'f' => {
                let (input, _) = of_payload(None, payload).ok()?;
                let find = Find { key: rest.to_vec(), input };
                Report { finds: vec![find.clone()], ..Report::default() }.check(1).ok()?;
                Some(News::Found(find))
            }
            _ => None,
        }
    }
}

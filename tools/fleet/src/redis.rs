//! The work list on Redis 7 or Valkey: several processes, several machines.
//!
//! Knows: one library of functions (`redis/fleet.lua`), the keys of a campaign, the connection and its loss; that what
//! the server answers may be anything. Never: what an item is. Passwords and TLS are as the address has them.
//!
//! A call whose answer was lost may have happened. It is made once more: `push`, `cover`, `renew` and `finish` come to
//! the same when they are made twice, and what was leased to nobody comes back when the lease is over.

mod connection;
mod reply;
mod socket;
#[cfg(feature = "tls")]
mod tls;

use crate::item::{ItemId, LeasedItem, MOST_ITEMS, Report, Ticket, of_payload, packed, payload, unpacked};
use crate::{Build, Cursor, Find, FinishResult, Fleet, FleetError, FleetStatus, Item, MOST_TRIES, NewCounts, News};
use connection::Connection;
use redis::{ConnectionInfo, IntoConnectionInfo};
use reply::{ReadError, Reply, shown};
use std::fmt;
use std::time::Duration;

/// The functions that run in the server.
const LIBRARY: &str = include_str!("redis/fleet.lua");

/// The keys of a campaign, in the order of the library.
const KEYS: [&str; 13] = [
    "meta", "todo", "leased", "item", "corpus", "score", "leases", "seen", "covered", "news", "found", "given_up",
    "stat",
];

/// Bytes of the name of a campaign.
const MOST_NAME: usize = 64;

/// The address of a campaign: its server and its name.
#[derive(Clone)]
pub struct Address {
    to: ConnectionInfo,
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
        let expected = "an address such as redis://host:6379 or redis://:password@host was expected";
        let to = url.into_connection_info().map_err(|it| FleetError::Address(format!("{shown}: {expected} ({it})")))?;
        Ok(Address { to, campaign: campaign.to_owned(), shown })
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
            let mut made = Connection::open(&self.address.to).map_err(failed)?;
            let loaded = made.ask(&[b"FUNCTION", b"LOAD", b"REPLACE", LIBRARY.as_bytes()]).map_err(failed)?;
            // Who may not load functions may call those that are there: the next call tells.
            if let Reply::Error(text) = &loaded
                && !text.starts_with(b"NOPERM ")
            {
                return Err(refused(text));
            }
            let (hash, bits) = (self.build.hash.as_bytes(), self.build.bits.to_string());
            let words = call(&self.keys, "effigy1_open", &[hash, bits.as_bytes()]);
            if let Reply::Error(text) = made.ask(&slices(&words)).map_err(failed)? {
                return Err(refused(&text));
            }
            self.connection = Some(made);
        }
        self.connection.as_mut().ok_or_else(|| FleetError::Unreachable("no connection".to_owned()))
    }

    fn ask(&mut self, function: &str, arguments: &[&[u8]]) -> Result<Reply, FleetError> {
        let words = call(&self.keys, function, arguments);
        let mut again = self.connection.is_some();
        loop {
            let answer = self.connected()?.ask(&slices(&words));
            let error = match answer {
                Ok(Reply::Error(text)) => refused(&text),
                Ok(it) => return Ok(it),
                // What comes next on this connection may be the answer to this question.
                Err(error) => {
                    self.connection = None;
                    failed(error)
                }
            };
            if matches!(error, FleetError::Unreachable(_)) {
                self.connection = None;
                self.losses += 1;
            }
            if !again || !matches!(error, FleetError::Unreachable(_)) {
                return Err(error);
            }
            again = false;
        }
    }
}

/// The words of a call.
fn call(keys: &[String], function: &str, arguments: &[&[u8]]) -> Vec<Vec<u8>> {
    let head = [b"FCALL".to_vec(), function.as_bytes().to_vec(), keys.len().to_string().into_bytes()];
    let keys = keys.iter().map(|it| it.as_bytes().to_vec());
    head.into_iter().chain(keys).chain(arguments.iter().map(|it| it.to_vec())).collect()
}

fn slices(words: &[Vec<u8>]) -> Vec<&[u8]> {
    words.iter().map(|it| &it[..]).collect()
}

/// What it means to us that there is no answer.
fn failed(error: ReadError) -> FleetError {
    use std::io::ErrorKind::{TimedOut, UnexpectedEof, WouldBlock};
    match error {
        ReadError::Io(error) => FleetError::Unreachable(match error.kind() {
            TimedOut | WouldBlock => "it does not answer in time".to_owned(),
            UnexpectedEof => "it has closed the connection".to_owned(),
            _ => error.to_string(),
        }),
        ReadError::Malformed(what) => FleetError::Answer(what),
        ReadError::Oversized => FleetError::Oversized,
        ReadError::Refused(text) => refused(&text),
    }
}

/// What a refusal means to us.
fn refused(text: &[u8]) -> FleetError {
    let code = text.split(|it| *it == b' ').next().unwrap_or_default();
    let detail = || shown(text.get(code.len() + 1..).unwrap_or_default());
    match code {
        b"BUILD" => FleetError::AnotherBuild(detail()),
        // It is there, and not ready.
        b"LOADING" | b"MASTERDOWN" | b"TRYAGAIN" | b"CLUSTERDOWN" | b"READONLY" | b"BUSY" => {
            FleetError::Unreachable(shown(text))
        }
        _ => FleetError::Refused(shown(text)),
    }
}

fn no_answer() -> FleetError {
    FleetError::Answer("not what was asked for".to_owned())
}

fn list(value: Reply) -> Result<Vec<Reply>, FleetError> {
    match value {
        Reply::List(it) => Ok(it),
        _ => Err(no_answer()),
    }
}

fn number(value: &Reply) -> Result<u64, FleetError> {
    match value {
        Reply::Int(it) => u64::try_from(*it).map_err(|_| no_answer()),
        _ => Err(no_answer()),
    }
}

fn bytes(value: &Reply) -> Result<&[u8], FleetError> {
    match value {
        Reply::Bulk(it) => Ok(it),
        _ => Err(no_answer()),
    }
}

fn numbers<const N: usize>(value: Reply) -> Result<[u64; N], FleetError> {
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
    fn push(&mut self, report: &Report) -> Result<NewCounts, FleetError> {
        report.check(self.build.bits)?;
        let arguments = arguments(report);
        let arguments: Vec<&[u8]> = arguments.iter().map(|it| &it[..]).collect();
        let [items, bits, finds] = numbers(self.ask("effigy1_push", &arguments)?)?;
        Ok(NewCounts { items, bits, finds })
    }

    fn lease(&mut self, most: usize, time: Duration) -> Result<Vec<LeasedItem>, FleetError> {
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
            res.push(LeasedItem { ticket: Ticket { id, lease }, input, note });
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

    fn finish(&mut self, ticket: Ticket, report: &Report) -> Result<FinishResult, FleetError> {
        report.check(self.build.bits)?;
        let mut all = vec![ticket.id.to_string().into_bytes(), ticket.lease.to_string().into_bytes()];
        all.extend(arguments(report));
        let all: Vec<&[u8]> = all.iter().map(|it| &it[..]).collect();
        let [held, items, bits, finds] = numbers(self.ask("effigy1_finish", &all)?)?;
        Ok(FinishResult { held: held == 1, merged: NewCounts { items, bits, finds } })
    }

    fn news(&mut self, since: &Cursor, most: usize) -> Result<(Vec<News>, Cursor), FleetError> {
        let since = since.0.first().copied().unwrap_or(0);
        let mut most = most.min(MOST_ITEMS);
        let answer = loop {
            let (from, count) = (since.to_string(), most.to_string());
            match self.ask("effigy1_news", &[from.as_bytes(), count.as_bytes()]) {
                // All of them at once may be too large; one is not.
                Err(FleetError::Oversized) if most > 1 => most /= 2,
                other => break list(other?)?,
            }
        };
        if answer.len() > 2 * most {
            return Err(no_answer());
        }
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

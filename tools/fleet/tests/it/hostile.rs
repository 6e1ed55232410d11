//! A server that is none: it answers with garbage, without end, in depths, in halves, slowly or not at all. Whoever asks
//! it gets an error, soon, and takes no more memory than an answer may have.

use crate::common::build;
use effigy_fleet::{Address, Fleet, FleetError, RedisFleet, Report};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// More bytes than this are not taken of one answer: 64 MiB, and what lies in the buffers of the sockets.
const MOST_TAKEN: u64 = 96 << 20;

/// What a server answers to whatever it is asked.
#[derive(Clone, Copy)]
enum Answers {
    /// This, and then it closes the connection.
    Closes(&'static [u8]),
    /// This, and then it waits.
    Waits(&'static [u8]),
    /// This, and then the other again and again.
    Repeats(&'static [u8], &'static [u8]),
    /// This, a byte at a time.
    Drips(&'static [u8]),
}

/// A server on a port of its own, for as long as it is held.
struct Fake {
    url: String,
    sent: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

impl Fake {
    fn start(answers: Answers) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("redis://{}", listener.local_addr().expect("an address"));
        let (sent, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (counter, end) = (Arc::clone(&sent), Arc::clone(&over));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                let (counter, end) = (Arc::clone(&counter), Arc::clone(&end));
                std::thread::spawn(move || serve(stream, answers, &counter, &end));
            }
        });
        Fake { url, sent, over }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

fn serve(mut stream: TcpStream, answers: Answers, sent: &AtomicU64, over: &AtomicBool) {
    let mut question = vec![0; 1 << 20];
    let say = |stream: &mut TcpStream, bytes: &[u8]| {
        sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        stream.write_all(bytes).is_ok() && !over.load(Ordering::Relaxed)
    };
    while let Ok(1..) = stream.read(&mut question) {
        let goes_on = match answers {
            Answers::Closes(text) => {
                say(&mut stream, text);
                false
            }
            Answers::Waits(text) => say(&mut stream, text),
            Answers::Repeats(first, again) => {
                let many = again.repeat(1 + (64 << 10) / again.len());
                let mut is_taken = say(&mut stream, first);
                while is_taken {
                    is_taken = say(&mut stream, &many);
                }
                false
            }
            Answers::Drips(text) => text.iter().cycle().all(|it| {
                std::thread::sleep(Duration::from_millis(50));
                say(&mut stream, &[*it])
            }),
        };
        if !goes_on {
            return;
        }
    }
}

/// What comes of joining such a campaign, and of giving it something.
fn error_of(answers: Answers) -> (FleetError, u64) {
    let fake = Fake::start(answers);
    let address = Address::new(&fake.url, "c").expect("an address");
    let joined = RedisFleet::join(address, build()).and_then(|mut it| {
        it.push(&Report::default())?;
        it.status()
    });
    let error = joined.expect_err("it is no server");
    assert!(!error.to_string().chars().any(char::is_control), "{error:?}");
    (error, fake.sent.load(Ordering::Relaxed))
}

#[test]
fn what_is_no_answer_is_an_error() {
    let garbage: [&[u8]; 8] = [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\r\n",
        b"\0\0\0\0\r\n",
        b"$x\r\n",
        b"*1\r\n%1\r\n",
        b"+OK\n",
        b"$3\r\nabcdef\r\n",
        b":\xff\r\n",
    ];
    for it in garbage {
        let (error, _) = error_of(Answers::Waits(it));
        assert!(matches!(error, FleetError::Answer(_)), "{error:?}");
    }
    // Answers to another question.
    for it in [
        &b":1\r\n"[..],
        b"+OK\r\n",
        b"*0\r\n",
        b"*3\r\n:1\r\n$1\r\na\r\n:1\r\n",
        b"$-1\r\n",
        b"*3\r\n:-1\r\n:0\r\n:0\r\n",
    ] {
        let (error, _) = error_of(Answers::Waits(it));
        assert!(matches!(error, FleetError::Answer(_)), "{error:?}");
    }
}

#[test]
fn what_ends_in_the_middle_is_as_if_nobody_answered() {
    for it in [&b""[..], b"+O", b"$100\r\nabc", b"*3\r\n:1\r\n", b"$1\r\na\r", b"-ERR"] {
        let (error, _) = error_of(Answers::Closes(it));
        assert!(matches!(error, FleetError::Unreachable(_)), "{error:?}");
    }
}

#[test]
fn what_has_no_end_is_not_taken() {
    let endless: [(&[u8], &[u8]); 7] = [
        (b"$99999999999\r\n", b"aaaaaaaa"),
        (b"$67000000\r\n", b"aaaaaaaa"),
        (b"+", b"aaaaaaaa"),
        (b"*2000000000\r\n", b":1\r\n"),
        (b"*16000\r\n", b":1\r\n"),
        (b"", b"*1\r\n"),
        (b"*1000\r\n", b"$1000000\r\n"),
    ];
    for (first, again) in endless {
        let (error, sent) = error_of(Answers::Repeats(first, again));
        let name = String::from_utf8_lossy(first).into_owned();
        assert!(matches!(error, FleetError::Oversized | FleetError::Answer(_)), "{name}: {error:?}");
        assert!(sent < MOST_TAKEN, "{name}: {sent} bytes");
    }
}

#[test]
fn who_is_silent_or_slow_is_not_waited_for() {
    let kinds = [Answers::Waits(b""), Answers::Drips(b"$1000\r\n"), Answers::Waits(b"$5\r\nab")];
    let waiting = kinds.map(|it| std::thread::spawn(move || error_of(it).0));
    for it in waiting {
        let error = it.join().expect("an error");
        assert!(
            matches!(error, FleetError::Unreachable(_) | FleetError::Answer(_) | FleetError::Oversized),
            "{error:?}"
        );
    }
}

#[test]
fn no_words_of_a_server_steer_a_terminal() {
    for it in [&b"-ERR \x1b[31mred\x07\r\n"[..], b"-BUILD \x1b]0;title\x07\r\n", b"\x1b[2J\r\n", b"-\xc2\x9b2J x\r\n"] {
        // That there is no control character is said for all of them.
        let (error, _) = error_of(Answers::Waits(it));
        assert!(!matches!(error, FleetError::Unreachable(_)), "{error:?}");
    }
}

//! A native program that forks for each test: it is loaded, and its sanitizer set up, once.
//!
//! Knows: the socket over which tests go to it (`languages/llvm/runtime/server.c`). Never: what a test is, verdicts.
//! Source: AFL's fork server.

use super::native::{MOST_BYTES, NativeRun, Room, Stack, prepared, reports};
use effigy_llvm::surroundings::Given;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// A program that is ready for its first test has said so by then.
const READY: Duration = Duration::from_secs(20);

/// So long after the time of a test the server has answered.
const GRACE: Duration = Duration::from_secs(20);

/// The answer where a process that has run other tests cannot say what happens.
const UNSAID: u8 = 2;

/// A process that forks a child for each test.
pub(super) struct Server {
    child: Child,
    tests: UnixStream,
    output: PathBuf,
    errors: PathBuf,
    /// The folder in which its sanitizers report.
    scratch: PathBuf,
}

impl Server {
    /// Starts a program as a server.
    ///
    /// # Errors
    /// Also where the program cannot be one: something of it runs before `main` that reads, or writes.
    pub(super) fn start(program: &Path, scratch: &Path) -> Result<Server> {
        let own = scratch.join(format!("server-{}", program.file_name().unwrap_or_default().to_string_lossy()));
        let directory = own.join("directory");
        let _ = std::fs::remove_dir_all(&own);
        std::fs::create_dir_all(&directory)?;
        let socket = own.join("socket");
        let listener = UnixListener::bind(&socket)?;
        listener.set_nonblocking(true)?;
        // One character: whether it was read can be seen.
        std::fs::write(own.join("input"), "x")?;
        let (output, errors) = (own.join("output"), own.join("errors"));
        let mut child = prepared(program, Stack::Ample, scratch)
            .env("EFFIGY_SERVER", &socket)
            .current_dir(&directory)
            .stdin(File::open(own.join("input"))?)
            .stdout(File::create(&output)?)
            .stderr(File::create(&errors)?)
            .spawn()?;
        let deadline = Instant::now() + READY;
        let tests = loop {
            match listener.accept() {
                Ok((tests, _)) => break tests,
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(ended(&mut child, error)),
                Err(error) if Instant::now() >= deadline || child.try_wait()?.is_some() => {
                    return Err(ended(&mut child, error));
                }
                Err(_) => std::thread::sleep(Duration::from_micros(500)),
            }
        };
        tests.set_nonblocking(false)?;
        let server = Server { child, tests, output, errors, scratch: scratch.to_owned() };
        // What runs before `main` has left files behind: they would be in no test's directory.
        match std::fs::read_dir(&directory)?.next() {
            Some(_) => Err(ErrorKind::Unsupported.into()),
            None => Ok(server),
        }
    }

    /// Runs the program on a test; where it `repeats`, in a process that has run others. `None` where that cannot say what
    /// happens.
    ///
    /// # Errors
    /// When the server is no more.
    pub(super) fn run(
        &mut self,
        repeats: bool,
        (given, inputs): (&Given, &Path),
        room: &Room,
        timeout: Duration,
    ) -> Result<Option<NativeRun>> {
        reports(&self.scratch)?;
        self.tests.write_all(&self.request(repeats, (given, inputs), room, timeout)?)?;
        self.tests.set_read_timeout(Some(timeout + GRACE))?;
        let mut answer = [0; 8];
        self.tests.read_exact(&mut answer)?;
        let [a, b, c, d, late, ..] = answer;
        if late == UNSAID {
            return Ok(None);
        }
        let status = ExitStatus::from_raw(i32::from_ne_bytes([a, b, c, d]));
        let late = late != 0;
        Ok(Some(NativeRun {
            code: status.code().filter(|_| !late),
            signal: status.signal().filter(|_| !late),
            late,
            output: read(&self.output)?,
            errors: String::from_utf8_lossy(&read(&self.errors)?).into_owned(),
            report: reports(&self.scratch)?,
        }))
    }

    fn request(
        &self,
        repeats: bool,
        (given, inputs): (&Given, &Path),
        room: &Room,
        timeout: Duration,
    ) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut add = |it: &[u8]| -> Result<()> {
            if it.contains(&0) {
                return Err(ErrorKind::InvalidInput.into());
            }
            text.extend_from_slice(it);
            text.push(0);
            Ok(())
        };
        add(if repeats { b"1" } else { b"0" })?;
        add(timeout.as_millis().to_string().as_bytes())?;
        for path in [&room.directory, &room.stdin, &self.output, &self.errors] {
            add(path.as_os_str().as_bytes())?;
        }
        add(inputs.as_os_str().as_bytes())?;
        add(if given.stdin_is_file { b"1" } else { b"0" })?;
        add(given.arguments.len().to_string().as_bytes())?;
        given.arguments.iter().try_for_each(|it| add(it))?;
        add(given.unset.len().to_string().as_bytes())?;
        given.unset.iter().try_for_each(|it| add(it.as_bytes()))?;
        add(given.variables.len().to_string().as_bytes())?;
        for (name, value) in &given.variables {
            add(name.as_bytes())?;
            add(value)?;
        }
        let length = u32::try_from(text.len()).map_err(|_| Error::from(ErrorKind::InvalidInput))?;
        Ok([&length.to_ne_bytes()[..], &text].concat())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ended(child: &mut Child, error: Error) -> Error {
    let _ = child.kill();
    let _ = child.wait();
    error
}

/// What a run has written, up to the limit.
fn read(path: &Path) -> Result<Vec<u8>> {
    let mut res = Vec::new();
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut res)?;
    Ok(res)
}

//! Which process runs a test: a fork of a server, or one of its own.
//!
//! Knows: that a server may not come up, or die. Never: what it says (`server`), what a run means (`verdict`).

use super::native::{self, Limits, NativeRun, Room, Stack};
use super::server::Server;
use effigy_llvm::driver::{Instrumentation, Native, Sanitizer};
use effigy_llvm::surroundings::Given;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A server that has died so often is not started again.
const MOST_DEATHS: u32 = 3;

/// Runs the tests of one worker.
pub(super) struct Runner {
    folder: PathBuf,
    isolate: bool,
    servers: Vec<(Instrumentation, Place)>,
}

/// What is known of the server of a program.
struct Place {
    server: Option<Server>,
    deaths: u32,
}

impl Runner {
    /// One that has this folder to itself. Each test is a process if `isolate` says so.
    pub(super) fn new(folder: PathBuf, isolate: bool) -> Runner {
        Runner { folder, isolate, servers: Vec::new() }
    }

    /// The folder in which tests are run.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a program does on a test in a process that has run others; `None` where that is not known.
    pub(super) fn repeated(
        &mut self,
        instrumentation: Instrumentation,
        program: &Native,
        given: &Given,
        (inputs, room): (&Path, &Room),
        timeout: Duration,
    ) -> Option<NativeRun> {
        let can = program.repeats && !self.isolate && given.variables.is_empty() && given.unset.is_empty();
        if can { self.served(true, (instrumentation, &program.program), given, (inputs, room), timeout) } else { None }
    }

    /// Runs a program on a test, in a process of its own.
    pub(super) fn run(
        &mut self,
        instrumentation: Instrumentation,
        program: &Path,
        given: &Given,
        (inputs, room): (&Path, &Room),
        limits: Limits,
    ) -> std::io::Result<NativeRun> {
        if !self.isolate
            && limits.stack == Stack::Ample
            // In a fork it does not see each misuse of a lock.
            && instrumentation.sanitizer != Sanitizer::Thread
            // Its server's own blocks would be leaks, too.
            && !limits.leaks
            && let Some(run) = self.served(false, (instrumentation, program), given, (inputs, room), limits.timeout)
        {
            return Ok(run);
        }
        native::run(program, given, inputs, room, limits)
    }

    fn served(
        &mut self,
        repeats: bool,
        (instrumentation, program): (Instrumentation, &Path),
        given: &Given,
        (inputs, room): (&Path, &Room),
        timeout: Duration,
    ) -> Option<NativeRun> {
        let at = self.servers.iter().position(|it| it.0 == instrumentation).unwrap_or_else(|| {
            self.servers.push((instrumentation, Place { server: None, deaths: 0 }));
            self.servers.len() - 1
        });
        let place = &mut self.servers[at].1;
        if place.server.is_none() && place.deaths < MOST_DEATHS {
            match Server::start(program, &self.folder) {
                Ok(server) => place.server = Some(server),
                // A program that cannot be a server never can.
                Err(_) => place.deaths = MOST_DEATHS,
            }
        }
        match place.server.as_mut()?.run(repeats, (given, inputs), room, timeout) {
            Ok(run) => run,
            Err(_) => {
                place.server = None;
                place.deaths += 1;
                None
            }
        }
    }
}

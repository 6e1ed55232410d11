//! A whole script: bytes in, answers out.
//!
//! Knows: the order of the three. Never: where bytes come from and answers go.

use crate::command::ScriptCommand;
use crate::error::ScriptError;
use crate::reader::Reader;
use crate::session::ScriptSession;
use crate::split::Splitter;
use std::time::Instant;

/// A script that is carried out as it comes.
#[derive(Debug)]
pub struct Script<'a> {
    splitter: Splitter,
    reader: Reader<'a>,
    /// What was asserted and answered.
    pub session: ScriptSession<'a>,
}

impl<'a> Script<'a> {
    /// A script of which nothing was read.
    pub fn new(reader: Reader<'a>, session: ScriptSession<'a>) -> Script<'a> {
        Script { splitter: Splitter::new(), reader, session }
    }

    /// Takes more of it and carries out what is complete; `say` gets what is printed. False when the script says that it
    /// has ended.
    ///
    /// # Errors
    /// At the first command that has no sense. Those before it were carried out.
    pub fn feed(&mut self, bytes: &[u8], say: &mut dyn FnMut(&str)) -> Result<bool, ScriptError> {
        let mut since = Instant::now();
        self.splitter.push(bytes);
        while let Some(written) = self.splitter.next_command()? {
            let place = written.place;
            let command = self.reader.command(written)?;
            self.session.has_read(since.elapsed());
            let is_exit = matches!(command, ScriptCommand::Exit);
            let text = self.session.execute(command, place).map_err(|problem| ScriptError { place, problem })?;
            if !text.is_empty() {
                say(&text);
            }
            if is_exit {
                return Ok(false);
            }
            since = Instant::now();
        }
        self.session.has_read(since.elapsed());
        Ok(true)
    }

    /// The script has no more bytes.
    ///
    /// # Errors
    /// When it ends within a command.
    pub fn finish(&self) -> Result<(), ScriptError> {
        self.splitter.finish()
    }
}

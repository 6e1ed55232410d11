//! Commands to their places: a line is taken apart, and each command is carried out where it belongs.
//!
//! Knows: which method carries out which command. Never: how.

use crate::command::{COMMANDS, Command, named, parse, split};
use crate::points::Goal;
use crate::session::{Reply, Said, Session};
use effigy_engine::Inspect;

impl<L: Inspect> Session<'_, L> {
    /// Carries out the commands of a line.
    pub fn execute(&mut self, line: &str) -> Reply {
        let mut reply = Reply::default();
        for text in split(line) {
            let said = match parse(text) {
                Ok(Command::Quit) => {
                    reply.ends = true;
                    return reply;
                }
                Ok(command) => self.carry_out(command),
                Err(error) => Err(error.to_string()),
            };
            reply.error = said.is_err();
            let said = said.unwrap_or_else(|it| format!("error: {it}"));
            if !reply.text.is_empty() && !said.is_empty() {
                reply.text.push('\n');
            }
            reply.text.push_str(said.trim_end());
            if reply.error {
                break;
            }
        }
        reply
    }

    fn carry_out(&mut self, command: Command) -> Said {
        match command {
            Command::Call(text) => self.call(&text),
            Command::Go(choice) => self.move_on(Goal::Stop, choice),
            Command::Step(count, choice) => self.move_on(Goal::Steps(count), choice),
            Command::Next(count, choice) => self.move_on(Goal::Nexts(count), choice),
            Command::Finish(choice) => self.move_on(Goal::Finish, choice),
            Command::Assume(text) => self.assume(&text),
            Command::Prove(text) => self.prove(&text),
            Command::Break(point, condition) => self.add_breakpoint(point, condition),
            Command::Breaks => Ok(self.list_breakpoints()),
            Command::Delete(number) => self.delete_breakpoint(number),
            Command::Trace(tracing) => self.set_trace(tracing),
            Command::Show(what) => self.show(&what),
            Command::List(around) => self.list(around),
            Command::Where => Ok(self.whereabouts()),
            Command::Set(target, value) => self.set(&target, &value),
            Command::Save => Ok(self.save()),
            Command::Restore(number) => self.restore(number),
            Command::States => Ok(self.states()),
            Command::Undo => self.undo(),
            Command::Witness => self.witness(),
            Command::Test => self.test(),
            Command::Explore(limit, call) => self.explore(limit, call.as_deref()),
            Command::Tree => Ok(self.tree.text(self.here.node)),
            Command::Help(about) => help(about.as_deref()),
            Command::Quit => Ok(String::new()),
        }
    }
}

fn help(about: Option<&str>) -> Said {
    let Some(about) = about else {
        let width = COMMANDS.iter().map(|it| it.name.len()).max().unwrap_or(0);
        let lines = COMMANDS.iter().map(|it| format!("{:width$}  {}", it.name, it.what));
        let mut res: Vec<String> = lines.collect();
        res.push(
            "Several commands on a line are parted by `;`. A name can be shortened. `help NAME` says more.".to_owned(),
        );
        return Ok(res.join("\n"));
    };
    named(about).map(|it| format!("{}\n  {}", it.usage, it.what)).map_err(|it| it.to_string())
}

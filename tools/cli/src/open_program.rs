//! The commands on an opened program of any language: each command is compiled for each language here.
//!
//! Knows: which command is which. Never: a language.

use crate::args::{BmcArgs, DebugArgs, FeasibleArgs, MergeMode, RunArgs, TreeArgs};
use crate::frontend::{OpenProgram, Plan};
use crate::{Code, Failure};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl<P: Plan> OpenProgram for P {
    fn run(&self, args: &RunArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
        if let Some(input) = &args.concolic {
            return crate::concolic::run(self, args, input);
        }
        match args.merge {
            MergeMode::Never => crate::run::run(self, args, interrupt),
            MergeMode::Where(joins) => crate::bmc::merged(self, args, joins, interrupt),
        }
    }

    fn bmc(&self, args: &BmcArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
        crate::bmc::bmc(self, args, interrupt)
    }

    fn tree(&self, args: &TreeArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
        match &args.generations {
            Some(input) => crate::concolic::generations(self, args, input, interrupt),
            None => crate::tree::tree(self, args, interrupt),
        }
    }

    fn debug(&self, args: &DebugArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
        crate::debug::debug(self, args, interrupt)
    }

    fn feasible(&self, args: &FeasibleArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
        crate::feasible::feasible(self, args, interrupt)
    }
}

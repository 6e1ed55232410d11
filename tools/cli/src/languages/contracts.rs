//! Programs with contracts (.vpr, .oo), whose verification is walked.
//!
//! Knows: the flags that say what is inferred. Never: a rule of verification.

use crate::Failure;
use crate::args::{InferenceArgs, LibraryArgs};
use crate::frontend::{About, Frontend, OpenProgram, Plan, Purpose, ReportHooks, Request};
use crate::verification::{How, Verification};
use clap::{Args, FromArgMatches};
use effigy_report::document::ProgramSection;
use effigy_report::tree::StateDetail;
use effigy_verify::{Detail, Verifier};

/// Viper and the object language, verified.
pub(crate) struct ContractLanguages;

/// The flags of what is verified.
#[derive(Debug, Args)]
#[command(next_help_heading = "Contracts (.vpr, .oo)")]
struct VerifiedArgs {
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    inference: InferenceArgs,
}

impl Frontend for ContractLanguages {
    fn name(&self) -> &'static str {
        "verified"
    }

    fn title(&self) -> &'static str {
        "Contracts"
    }

    fn programs(&self) -> &'static str {
        ".vpr and .oo programs that are verified"
    }

    fn files(&self, purpose: Purpose) -> Option<&'static str> {
        match purpose {
            Purpose::Run | Purpose::Bmc | Purpose::Feasible => None,
            Purpose::Tree | Purpose::Debug => Some("a Viper (.vpr) or object-oriented file (.oo), its verification"),
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vpr", "oo"]
    }

    fn options(&self, purpose: Purpose, command: clap::Command) -> clap::Command {
        match purpose {
            Purpose::Run | Purpose::Bmc | Purpose::Feasible => command,
            Purpose::Tree | Purpose::Debug => VerifiedArgs::augment_args(command),
        }
    }

    fn open(&self, request: &Request<'_>) -> Result<Box<dyn OpenProgram>, Failure> {
        let own = VerifiedArgs::from_arg_matches(request.matches).map_err(Failure::of)?;
        let detail = match request.purpose {
            Purpose::Debug => Detail::Conjuncts,
            Purpose::Run | Purpose::Tree | Purpose::Bmc | Purpose::Feasible => Detail::Statements,
        };
        let VerifiedArgs { library, inference } = &own;
        let how = How { smt: request.smt, inference, library, interrupt: request.interrupt, detail };
        Ok(Box::new(Verification::load(&request.start.files, request.start.entry(), &how)?))
    }
}

impl Plan for Verification {
    type Language<'a> = Verifier<'a>;

    fn language(&self) -> Result<Verifier<'_>, Failure> {
        Ok(self.verifier())
    }

    /// A verification is not a run, so it cannot be resumed.
    fn fingerprint(&self) -> u64 {
        0
    }

    fn about<'a>(&'a self, _: &Verifier<'a>) -> About {
        let name = self.name().to_string();
        About {
            language: ContractLanguages.name(),
            // Its statements are found by what they say, not by their numbers.
            showing: StateDetail::Texts,
            program: ProgramSection { files: self.files(), entry: Some(name.clone()), ..ProgramSection::default() },
            title: name,
            ..About::default()
        }
    }
}

impl ReportHooks for Verifier<'_> {}

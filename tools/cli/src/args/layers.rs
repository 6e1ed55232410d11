//! A switch for each layer of the solver that has one.
//!
//! Knows: what the solver's own table says of its layers. Never: which there are.

use clap::{Arg, ArgAction, ArgMatches, Command, Error};
use effigy_solver::{LayerKind, LayerSet};

/// The layers that are left when those that the flags name are switched off.
#[derive(Debug)]
pub(crate) struct LayerArgs {
    pub(crate) on: LayerSet,
}

fn switched() -> impl Iterator<Item = (LayerKind, &'static str)> {
    LayerKind::ALL.iter().filter_map(|&it| Some((it, it.help()?)))
}

impl clap::FromArgMatches for LayerArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LayerArgs, Error> {
        let off = switched().map(|it| it.0).filter(|it| matches.get_flag(it.flag().0));
        Ok(LayerArgs { on: off.fold(LayerSet::default(), LayerSet::without) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = LayerArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for LayerArgs {
    fn augment_args(command: Command) -> Command {
        switched().fold(command, |command, (layer, help)| {
            let (flag, alias) = layer.flag();
            let arg = Arg::new(flag).long(flag).help(help).action(ArgAction::SetTrue);
            command.arg(alias.into_iter().fold(arg, Arg::alias))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        LayerArgs::augment_args(command)
    }
}

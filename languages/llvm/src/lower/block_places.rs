//! The places of blocks: where the source is when a block begins.
//!
//! Knows: debug locations of instructions, and from where blocks are entered. Never: the order of blocks in the text, in
//! which what stands before a block need not be executed before it.

use super::function::{Entrance, Lowering};
use super::places;
use super::promotion::callee_name;
use super::unwritten::successors;
use crate::ir::{BlockId, Instruction, Op};
use effigy_engine::Place;
use std::sync::Arc;

impl Lowering<'_, '_> {
    /// The place at which a block begins: that of its first instruction which has one and is executed. If none has one,
    /// that from which the block is entered, where this is the same for all ways into it; else line 0.
    pub(super) fn first_place(&mut self, id: BlockId) -> u32 {
        let is_declaration =
            |call: &crate::ir::Call| callee_name(self.module, call).is_some_and(|it| it.starts_with("llvm.dbg."));
        let is_executed = |it: &&Instruction| {
            !self.is_mark(it) && !matches!(&it.op, Op::Call(call) if is_declaration(call)) && it.debug != u32::MAX
        };
        let function = self.function;
        let executed: Vec<u32> =
            function.blocks[id.index()].instructions.iter().filter(is_executed).map(|it| it.debug).collect();
        if let Some(known) = executed.into_iter().find_map(|it| self.known_place(it)) {
            return known;
        }
        if self.entered_from.is_none() {
            self.entered_from = Some(self.entrances());
        }
        match self.entered_from.as_ref().map(|it| it[id.index()]) {
            Some(Entrance::From(place)) => place,
            _ => self.nowhere(),
        }
    }

    /// For each block from where it is entered.
    fn entrances(&mut self) -> Vec<Entrance> {
        let function = self.function;
        let mut res = vec![Entrance::Unknown; function.blocks.len()];
        for (at, block) in function.blocks.iter().enumerate() {
            let own = block.instructions.iter().rev().find_map(|it| self.known_place(it.debug));
            // One without any place, which stands behind what leads to it, is in the place of that.
            let place = own.or(match res[at] {
                Entrance::From(place) => Some(place),
                _ => None,
            });
            for to in successors(block) {
                let Some(known) = res.get_mut(to.index()) else { continue };
                *known = match (*known, place) {
                    (Entrance::Unknown, Some(place)) => Entrance::From(place),
                    (Entrance::From(known), Some(place)) if known == place => Entrance::From(known),
                    _ => Entrance::Several,
                };
            }
        }
        res
    }

    /// The function without a line.
    fn nowhere(&mut self) -> u32 {
        *self.nowhere.get_or_insert_with(|| {
            let places = &mut self.linker.code.places;
            let head = &places[self.head as usize];
            let (file, function) = (Arc::clone(&head.file), Arc::clone(&head.function));
            places.push(Place { line: 0, column: 0, file, function });
            places.len() as u32 - 1
        })
    }

    /// The number of the place that debug location `debug` stands for.
    pub(super) fn known_place(&mut self, debug: u32) -> Option<u32> {
        if debug == u32::MAX {
            return None;
        }
        if let Some(&known) = self.known_places.get(&debug) {
            return Some(known);
        }
        let place = places::place(self.module, debug)?;
        let number = self.place_id(place);
        self.known_places.insert(debug, number);
        Some(number)
    }
}

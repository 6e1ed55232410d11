//! Control: what each thread executes next, as a persistent stack.
//!
//! Knows: blocks, calls in progress, threads and who waits for whom. Never: values.
//! Source: de Boer and Bonsangue 2021, section 3 (the stack of closures), section 5 (interleaving).

use super::program::{Block, Program, RoutineId, Stmt, StmtId, StmtKind, Target};
use super::vocabulary::Instance;
use effigy_engine::LoopRounds;
use rpds::{List, RedBlackTreeMap};
use std::rc::Rc;

/// The number of a thread along the path; 0 is the main thread.
pub use effigy_engine::ThreadId;

/// What is still to be executed, the next first.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// The statements of a block from an index on, and the rounds of the loop that stands there.
    Block(Block, usize, LoopRounds),
    /// The end of a call.
    Return(Rc<PendingCall>),
    /// The end of an `atomic` block.
    EndAtomic,
}

impl Item {
    fn block(block: &Block) -> Item {
        Item::Block(Rc::clone(block), 0, LoopRounds::default())
    }
}

/// A call that has not returned.
#[derive(Clone, Debug)]
pub(super) struct PendingCall {
    pub(super) callee: RoutineId,
    pub(super) target: Option<Target>,
    /// The caller, and the call's own number.
    pub(super) caller: (RoutineId, Instance),
    pub(super) instance: Instance,
    /// The statement that made the call.
    pub(super) site: StmtId,
    /// In the calling call something was asked that the program does not decide by itself.
    pub(super) asked: bool,
}

/// A thread with the statements that it has yet to execute.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub(super) items: List<Item>,
    pub(super) routine: RoutineId,
    pub(super) instance: Instance,
    /// Calls in progress, with the main statement.
    pub(super) depth: usize,
    /// How many `atomic` are entered.
    pub(super) atomic: u32,
    /// The call on top has executed `return e`.
    pub(super) returned: bool,
    /// How many threads of its `par` are alive.
    pub(super) children: u32,
    /// In the call on top something was asked that the program does not decide by itself.
    pub(super) asked: bool,
    parent: Option<ThreadId>,
}

/// What a thread does next.
#[derive(Clone, Debug)]
pub(super) enum Next {
    /// The execution of this statement.
    Statement(Stmt),
    /// The end of a call whose body ended without `return`, or whose `return` was executed.
    Return(Rc<PendingCall>),
}

/// The threads of a state, by number.
#[derive(Clone, Debug)]
pub(super) struct Control {
    pub(super) threads: RedBlackTreeMap<ThreadId, Thread>,
    next_thread: ThreadId,
    pub(super) next_instance: Instance,
}

impl Control {
    /// The start of the main statement.
    pub(super) fn new(program: &Program) -> Control {
        let body = Rc::clone(&program.routine(Program::MAIN).body);
        let mut res = Control { threads: RedBlackTreeMap::new(), next_thread: 1, next_instance: 1 };
        res.threads.insert_mut(0, Thread::new(body, Program::MAIN, 0, None));
        res.settle(0);
        res
    }

    pub(super) fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(&id)
    }

    /// The threads that can move, in the order of their numbers. In an `atomic` only the one inside can, and those that
    /// it has started there.
    pub(super) fn runnable(&self) -> Vec<ThreadId> {
        // Of several, each is inside of the ones before.
        let inside = self.threads.iter().filter(|(_, it)| it.atomic > 0).map(|(id, _)| *id);
        let innermost = inside.max_by_key(|it| self.lineage(*it).count());
        let able = self.threads.iter().filter(|(_, it)| it.children == 0).map(|(id, _)| *id);
        able.filter(|it| innermost.is_none_or(|holder| self.lineage(*it).any(|it| it == holder))).collect()
    }

    /// A thread, the one that started it, and so on.
    fn lineage(&self, id: ThreadId) -> impl Iterator<Item = ThreadId> + '_ {
        std::iter::successors(Some(id), |it| self.threads.get(it)?.parent)
    }

    /// What a thread does next.
    pub(super) fn next(&self, id: ThreadId) -> Option<Next> {
        match self.threads.get(&id)?.items.first()? {
            Item::Block(block, at, _) => block.get(*at).cloned().map(Next::Statement),
            Item::Return(pending) => Some(Next::Return(Rc::clone(pending))),
            Item::EndAtomic => None,
        }
    }

    fn change(&mut self, id: ThreadId, change: impl FnOnce(&mut Thread)) {
        if let Some(thread) = self.threads.get(&id) {
            let mut thread = thread.clone();
            change(&mut thread);
            self.threads.insert_mut(id, thread);
        }
    }

    /// Ends the current statement of a thread.
    pub(super) fn advance(&mut self, id: ThreadId) {
        self.change(id, Thread::advance);
        self.settle(id);
    }

    /// The statement is done but for this block.
    pub(super) fn advance_into(&mut self, id: ThreadId, block: &Block) {
        self.change(id, |it| {
            it.advance();
            it.items.push_front_mut(Item::block(block));
        });
        self.settle(id);
    }

    /// The block is executed before the statement is again; `asked` says whether the program did not decide that by
    /// itself.
    pub(super) fn repeat(&mut self, id: ThreadId, block: &Block, asked: bool) {
        self.change(id, |it| {
            if let Some(Item::Block(outer, at, rounds)) = it.items.first() {
                let rounds = LoopRounds { made: rounds.made + 1, open: rounds.open + u32::from(asked), asked: false };
                let item = Item::Block(Rc::clone(outer), *at, rounds);
                it.items.drop_first_mut();
                it.items.push_front_mut(item);
            }
            it.items.push_front_mut(Item::block(block));
        });
        self.settle(id);
    }

    /// Something was asked that the program does not decide by itself.
    pub(super) fn asked(&mut self, id: ThreadId) {
        if self.threads.get(&id).is_some_and(|it| !it.asked) {
            self.change(id, |it| it.asked = true);
        }
    }

    /// Lets a thread enter an `atomic` block.
    pub(super) fn enter_atomic(&mut self, id: ThreadId, block: &Block) {
        self.change(id, |it| {
            it.advance();
            it.atomic += 1;
            it.items.push_front_mut(Item::EndAtomic);
            it.items.push_front_mut(Item::block(block));
        });
        self.settle(id);
    }

    /// Enters a call; the new call's number.
    pub(super) fn call(
        &mut self,
        program: &Program,
        id: ThreadId,
        callee: RoutineId,
        target: Option<Target>,
        site: StmtId,
    ) -> Instance {
        let instance = self.next_instance;
        self.next_instance += 1;
        self.change(id, |it| {
            it.advance();
            let asked = std::mem::take(&mut it.asked);
            let pending = PendingCall { callee, target, caller: (it.routine, it.instance), instance, site, asked };
            it.items.push_front_mut(Item::Return(Rc::new(pending)));
            it.items.push_front_mut(Item::block(&program.routine(callee).body));
            it.routine = callee;
            it.instance = instance;
            it.depth += 1;
        });
        self.settle(id);
        instance
    }

    /// `return`: what is left of the body is dropped; what follows is the end of the call, or nothing.
    pub(super) fn unwind(&mut self, id: ThreadId, returned: bool) {
        self.change(id, |it| {
            it.returned = returned;
            while let Some(item) = it.items.first() {
                match item {
                    Item::Return(_) => break,
                    Item::EndAtomic => it.atomic = it.atomic.saturating_sub(1),
                    Item::Block(..) => {}
                }
                it.items.drop_first_mut();
            }
        });
        self.settle(id);
    }

    /// The end of the call on top.
    pub(super) fn leave(&mut self, id: ThreadId, pending: &PendingCall) {
        self.change(id, |it| {
            it.items.drop_first_mut();
            it.returned = false;
            (it.routine, it.instance) = pending.caller;
            it.asked |= pending.asked;
            it.depth = it.depth.saturating_sub(1);
        });
        self.settle(id);
    }

    /// The calls in progress, innermost first.
    pub(super) fn calls(&self, id: ThreadId) -> Vec<StmtId> {
        let items = self.threads.get(&id).map(|it| &it.items);
        let site = |it: &Item| match it {
            Item::Return(pending) => Some(pending.site),
            _ => None,
        };
        items.into_iter().flat_map(|it| it.iter()).filter_map(site).collect()
    }

    /// `par`: the thread waits for the new ones.
    pub(super) fn fork(&mut self, id: ThreadId, blocks: &[Block]) {
        let Some(parent) = self.threads.get(&id) else { return };
        let (routine, instance) = (parent.routine, parent.instance);
        self.change(id, |it| {
            it.advance();
            it.children = blocks.len() as u32;
        });
        for block in blocks {
            let child = self.next_thread;
            self.next_thread += 1;
            self.threads.insert_mut(child, Thread::new(Rc::clone(block), routine, instance, Some(id)));
            self.settle(child);
        }
        self.settle(id);
    }

    /// Removes what is finished: ends of blocks, of `atomic`, of threads, and their parents' waiting.
    fn settle(&mut self, id: ThreadId) {
        let mut next = Some(id);
        while let Some(id) = next.take() {
            let Some(thread) = self.threads.get(&id) else { return };
            let mut thread = thread.clone();
            if thread.children > 0 {
                return;
            }
            loop {
                match thread.items.first() {
                    Some(Item::Block(block, at, _)) => match block.get(*at).map(|it| &*it.kind) {
                        None => {
                            thread.items.drop_first_mut();
                        }
                        Some(StmtKind::Block(inner)) => {
                            let inner = Rc::clone(inner);
                            thread.advance();
                            thread.items.push_front_mut(Item::block(&inner));
                        }
                        Some(_) => break,
                    },
                    Some(Item::EndAtomic) => {
                        thread.atomic = thread.atomic.saturating_sub(1);
                        thread.items.drop_first_mut();
                    }
                    Some(Item::Return(_)) | None => break,
                }
            }
            if thread.items.is_empty() {
                let parent = thread.parent;
                self.threads.remove_mut(&id);
                if let Some(parent) = parent {
                    self.change(parent, |it| it.children = it.children.saturating_sub(1));
                    next = Some(parent);
                }
            } else {
                self.threads.insert_mut(id, thread);
            }
        }
    }
}

impl Thread {
    fn new(block: Block, routine: RoutineId, instance: Instance, parent: Option<ThreadId>) -> Thread {
        let items = List::new().push_front(Item::block(&block));
        Thread { items, routine, instance, depth: 1, atomic: 0, returned: false, children: 0, asked: false, parent }
    }

    fn advance(&mut self) {
        if let Some(Item::Block(block, at, _)) = self.items.first() {
            let item = Item::Block(Rc::clone(block), at + 1, LoopRounds::default());
            self.items.drop_first_mut();
            self.items.push_front_mut(item);
        }
    }
}

//! Random programs that verify do not fail: no assertion, no contract, no access to what is not there.

use effigy_contracts::concrete::{
    ConcreteBudget, ConcreteErrorKind, ConcreteValue, ObjectId, World, holds_before, run_in,
};
use effigy_contracts::program::{MethodId, Type};
use effigy_programs::viper::{program, without};
use effigy_programs::{cases, is_campaign, verification};
use effigy_verify::{Config, Program, Verdict, members, verify};
use effigy_viper::{NoImports, read};
use std::time::{SystemTime, UNIX_EPOCH};

/// Knuth's generator; its high bits are the better ones.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % count
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }

    /// One of the objects, or null.
    fn reference(&mut self, below: u32) -> ConcreteValue {
        match self.below(below as usize + 1) {
            0 => ConcreteValue::Null,
            it => ConcreteValue::Object(ObjectId(it as u32 - 1)),
        }
    }

    /// A heap of some objects that have all fields.
    fn world(&mut self, program: &Program) -> World {
        let mut world = World::default();
        let count = 1 + self.below(3) as u32;
        for at in 0..count {
            let values = program.fields.iter().zip(0..).map(|(field, id)| {
                let value = match field.typ {
                    Type::Ref if self.below(8) == 0 => self.reference(count),
                    // Mostly without cycles.
                    Type::Ref => self.reference(at),
                    _ => ConcreteValue::from(self.below(6) as i64 - 1),
                };
                (effigy_contracts::program::FieldId(id), value)
            });
            let values: Vec<_> = values.collect();
            world.allocate(values);
        }
        world
    }

    fn argument(&mut self, typ: &Type, world: &World) -> ConcreteValue {
        match typ {
            Type::Ref => self.reference(world.objects()),
            Type::Bool => ConcreteValue::from(self.below(2) == 0),
            _ => ConcreteValue::from(self.below(7) as i64 - 2),
        }
    }
}

fn verifies(program: &Program) -> bool {
    // With paths merged or alone.
    let config = Config { merge_after: Some(0), ..verification::config(20_000, 1_000_000, verification::VIPER) };
    members(program).into_iter().all(|it| matches!(verify(program, it, &config).verdict, Verdict::Verified))
}

/// What came of running the methods of a program.
#[derive(Default)]
struct Runs {
    /// Runs that ended.
    ended: usize,
    /// What failed, and with which method on what.
    failure: Option<String>,
}

/// Runs each method on inputs that its precondition allows.
fn runs(program: &Program, random: &mut Random) -> Runs {
    let budget = ConcreteBudget { depth: 200, ..ConcreteBudget::of(20_000) };
    let mut res = Runs::default();
    for (at, method) in program.methods.iter().enumerate() {
        let id = MethodId(at as u32);
        let mut left = 12;
        for _ in 0..150 {
            let mut world = random.world(program);
            let parameters = method.variables[..method.parameters].iter();
            let args: Vec<ConcreteValue> = parameters.map(|it| random.argument(&it.typ, &world)).collect();
            if holds_before(program, &world, id, &args, budget) != Ok(true) {
                continue;
            }
            match run_in(program, &mut world, id, &args, budget) {
                Ok(_) => res.ended += 1,
                Err(error) if error.kind.is_failure() => {
                    res.failure = Some(format!("{}{args:?} in {world:?}: {error}", method.name));
                    return res;
                }
                Err(error) => assert!(!matches!(error.kind, ConcreteErrorKind::Unsupported(_)), "{error}"),
            }
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    res
}

/// Whether a text is a program that verifies and fails all the same.
fn is_unsound(text: &str, seed: u64) -> Option<String> {
    let program = read("random.vpr", text, &mut NoImports).ok()?;
    let failure = runs(&program, &mut Random(seed)).failure?;
    verifies(&program).then_some(failure)
}

/// The smallest program that is still unsound, dropping lines.
fn smallest(mut text: String, seed: u64) -> String {
    loop {
        let smaller = (0..text.lines().count()).flat_map(|line| without(&text, line));
        match smaller.into_iter().find(|it| is_unsound(it, seed).is_some()) {
            Some(smaller) => text = smaller,
            None => return text,
        }
    }
}

#[test]
fn random_programs_that_verify_do_not_fail() {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    let (mut verified, mut ended, mut wrong) = (0, 0, 0);
    let count = u64::from(cases(400));
    // The usual programs are the same in each run; a campaign adds new ones.
    let new = if is_campaign() { count / 10 } else { 0 };
    for seed in (0..count).chain((0..new).map(|it| (seconds << 20) + it)) {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let text = program(&random.bytes(400));
        let read = read("random.vpr", &text, &mut NoImports);
        let program = read.unwrap_or_else(|it| panic!("seed {seed}: {}\n{text}", it[0]));
        let seed = random.0;
        let ran = runs(&program, &mut random);
        let verifies = verifies(&program);
        match ran.failure {
            None if verifies => {
                verified += 1;
                ended += ran.ended;
            }
            Some(failure) if verifies => {
                let smallest = smallest(text, seed);
                panic!("seed {seed}: verifies, but {failure}\n{smallest}{:?}", is_unsound(&smallest, seed));
            }
            Some(_) => wrong += 1,
            None => {}
        }
    }
    let counts = format!("{verified} programs verify, with {ended} runs; {wrong} fail and do not verify");
    assert!(verified >= cases(100) as usize && wrong >= cases(20) as usize && ended > verified, "{counts}");
}

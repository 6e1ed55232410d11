//! The table of layers is what the chain is made of.

use effigy_solver::{LayerKind, LayerSet, PathCondition, SolverConfig, Statistics, chain};

fn layers(on: LayerSet) -> Vec<&'static str> {
    let mut statistics = Statistics::default();
    PathCondition::of(on).statistics(&mut statistics);
    chain(&SolverConfig { layers: on, ..SolverConfig::default() }).statistics(&mut statistics);
    statistics.layers.iter().map(|it| it.name).filter(|it| !["bits", "smt"].contains(it)).collect()
}

#[test]
fn the_chain_is_the_table() {
    let all: Vec<&str> = LayerKind::ALL.iter().map(|it| it.name()).collect();
    assert_eq!(layers(LayerSet::default()), all);
    assert_eq!(layers(LayerSet::NONE), [""; 0]);
    for &layer in LayerKind::ALL {
        assert_eq!(layers(LayerSet::NONE.with(layer)), [layer.name()]);
        let others: Vec<&str> = all.iter().copied().filter(|it| *it != layer.name()).collect();
        assert_eq!(layers(LayerSet::default().without(layer)), others);
        assert_eq!(layer.flag().0.strip_prefix("no-"), Some(layer.name()));
    }
}

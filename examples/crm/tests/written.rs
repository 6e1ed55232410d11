//! Counterexamples of the application with its faults, as effigy wrote them: without the faults they pass.

include!("written/private_opportunities_are_shown.rs");

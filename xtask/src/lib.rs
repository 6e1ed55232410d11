//! The rules of the house, as tests: `cargo test -p xtask`.
//!
//! Knows: files of the tree, and how scripts answer. Never: what they compute.

pub mod licences;

#[cfg(test)]
mod bench_scripts;
#[cfg(test)]
mod build_scripts;
#[cfg(test)]
mod circles;
#[cfg(test)]
mod install_section;
#[cfg(test)]
mod integration_tests;
#[cfg(test)]
mod minimum_rust;
#[cfg(test)]
mod names;
#[cfg(test)]
mod python_packages;
#[cfg(test)]
mod registry_hosts;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod test_switches;
#[cfg(test)]
mod tests;

//! Which sites of a program were reached, over all paths.
//!
//! Knows: dense site numbers. Never: what a site is (a block's edge, a statement); the language's report knows.

/// A place that coverage counts; the language numbers its sites densely from zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Site(pub u32);

/// The set of sites reached so far.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    reached: Vec<bool>,
    /// The sites in the order in which they were reached.
    order: Vec<Site>,
}

impl Coverage {
    /// An empty set with room for `sites` sites; it grows when a larger number is reached.
    pub fn new(sites: usize) -> Coverage {
        Coverage { reached: vec![false; sites], order: Vec::new() }
    }

    /// Marks a site; true when it is new.
    #[inline]
    pub fn reach(&mut self, site: Site) -> bool {
        let index = site.0 as usize;
        if let Some(&true) = self.reached.get(index) {
            return false;
        }
        self.reach_new(index)
    }

    #[cold]
    fn reach_new(&mut self, index: usize) -> bool {
        if index >= self.reached.len() {
            self.reached.resize(index + 1, false);
        }
        self.reached[index] = true;
        self.order.push(Site(index as u32));
        true
    }

    /// Marks what another walk has reached.
    pub fn merge(&mut self, other: &Coverage) {
        for &site in &other.order {
            self.reach(site);
        }
    }

    /// Whether the site was reached.
    pub fn contains(&self, site: Site) -> bool {
        self.reached.get(site.0 as usize).copied().unwrap_or(false)
    }

    /// The number of sites reached. It only grows, so a walk compares it to see whether a run found something new.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The sites that were reached after the first `count` ones, in the order in which they were reached.
    pub fn since(&self, count: usize) -> &[Site] {
        self.order.get(count..).unwrap_or_default()
    }
}

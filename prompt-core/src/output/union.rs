//! One of several shapes.

use super::coerce::Coercer;
use super::fit::{Fit, Misfit};
use super::node::Node;
use super::shape::Id;

impl Coercer<'_> {
    /// The shape that fits at the smallest cost. Of equals the first, as serde's untagged enums
    /// have it, unless both rest on an inference and differ: that would be a guess.
    pub(super) fn union(
        &mut self,
        node: &Node<'_>,
        id: Id,
        variants: &[Id],
    ) -> Result<Fit, Misfit> {
        self.unions += 1;
        let found = self.best(node, variants);
        self.unions -= 1;
        match found {
            Ok((fit, false)) => Ok(fit),
            Ok((_, true)) => {
                let message = format!("{} fits several types equally well", self.quoted(node));
                let expected = super::describe::shape(self.shapes, id);
                Err(self.misfit(node, message, format!("expected {expected}")))
            }
            // Something was recognised: its problems are what is wrong.
            Err(Some(misfit)) if misfit.near > 0 => Err(misfit),
            Err(_) => Err(self.wrong(node, id)),
        }
    }

    /// The best fit, and whether it is a guess; else the problems of what came nearest.
    fn best(
        &mut self,
        node: &Node<'_>,
        variants: &[Id],
    ) -> Result<(Fit, bool), Option<Misfit>> {
        let mut best: Option<(Fit, bool)> = None;
        let mut nearest: Option<Misfit> = None;
        for &variant in variants {
            match self.fit(node, variant) {
                Ok(fit) if fit.cost == 0 => return Ok((fit, false)),
                Ok(fit) => match &mut best {
                    Some((other, guess)) if fit.cost == other.cost => {
                        *guess |= fit.inferred && other.inferred && fit.value != other.value;
                    }
                    Some((other, _)) if fit.cost > other.cost => {}
                    _ => best = Some((fit, false)),
                },
                Err(misfit) => {
                    if nearest.as_ref().is_none_or(|other| misfit.near > other.near) {
                        nearest = Some(misfit);
                    }
                }
            }
        }
        best.ok_or(nearest)
    }
}

//! One of several shapes.

use super::coerce::Coercer;
use super::describe;
use super::fit::{Fit, Memo, Misfit};
use super::node::{Kind, Node};
use super::object::TAG;
use super::shape::{Id, Object, Shape};

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
        let found = match self
            .solid
            .then(|| self.remembered(node, variants))
            .flatten()
        {
            Some(variant) => self
                .fit(node, variant)
                .map(|fit| (fit, variant, false))
                .map_err(|_| None),
            None => self.best(node, variants),
        };
        self.unions -= 1;
        match found {
            Ok((fit, _, false)) if !fit.hollow || self.unions > 0 => Ok(fit),
            // Nothing around this will be tried again, so its value is wanted now.
            Ok((_, variant, false)) => self.solidly(node, variant),
            Ok((_, _, true)) => Err(self.misfit(node, || {
                let message = format!("{} fits several types equally well", self.quoted(node));
                (message, describe::expected(self.shapes, id))
            })),
            Err(Some((variant, near))) if near > 0 && !self.quiet() => {
                if near < TAG
                    && let Some(misfit) = self.wrong_tag(node, variants)
                {
                    return Err(misfit.near(near));
                }
                // Something was recognised: its problems are what is wrong, and now they are asked
                // for.
                match self.fit(node, variant) {
                    Err(misfit) => Err(misfit),
                    Ok(_) => Err(self.wrong(node, id).near(near)),
                }
            }
            Err(Some((_, near))) => Err(self.wrong(node, id).near(near)),
            Err(None) => Err(self.wrong(node, id)),
        }
    }

    /// The variant that is known to be the best of all.
    fn remembered(&self, node: &Node<'_>, variants: &[Id]) -> Option<Id> {
        let mut best: Option<(u32, Id)> = None;
        for &variant in variants {
            match self.known(node, variant)? {
                // What comes after it was never tried.
                Memo::Fits { cost: 0, .. } => return Some(variant),
                Memo::Fits { cost, .. } if best.is_none_or(|(least, _)| cost < least) => {
                    best = Some((cost, variant));
                }
                Memo::Fits { .. } | Memo::Misfit { .. } => {}
            }
        }
        best.map(|(_, variant)| variant)
    }

    /// Matches once more, with all values made.
    fn solidly(&mut self, node: &Node<'_>, variant: Id) -> Result<Fit, Misfit> {
        self.unions += 1;
        let before = std::mem::replace(&mut self.solid, true);
        let fit = self.fit(node, variant);
        self.solid = before;
        self.unions -= 1;
        fit
    }

    /// The best fit, its variant, and whether it is a guess; else what came nearest, and how near.
    fn best(
        &mut self,
        node: &Node<'_>,
        variants: &[Id],
    ) -> Result<(Fit, Id, bool), Option<(Id, usize)>> {
        let mut best: Option<(Fit, Id, bool)> = None;
        let mut nearest: Option<(Id, usize)> = None;
        for &variant in variants {
            match self.fit(node, variant) {
                Ok(fit) if fit.cost == 0 => return Ok((fit, variant, false)),
                Ok(fit) => match &mut best {
                    Some((other, _, guess)) if fit.cost == other.cost => {
                        let differ = fit.hollow || other.hollow || fit.value != other.value;
                        *guess |= fit.inferred && other.inferred && differ;
                    }
                    Some((other, _, _)) if fit.cost > other.cost => {}
                    _ => best = Some((fit, variant, false)),
                },
                Err(misfit) => {
                    if nearest.is_none_or(|(_, near)| misfit.near > near) {
                        nearest = Some((variant, misfit.near));
                    }
                }
            }
        }
        best.ok_or(nearest)
    }

    /// The tag that all variants have in one field, and none of them as it was written.
    fn wrong_tag(&self, node: &Node<'_>, variants: &[Id]) -> Option<Misfit> {
        let Kind::Object(entries) = &node.kind else {
            return None;
        };
        let objects: Option<Vec<&Object>> = variants
            .iter()
            .map(|variant| match self.shapes.get(*variant) {
                Shape::Object(object) => Some(object),
                _ => None,
            })
            .collect();
        let objects = objects?;
        let tag = |object: &&Object, name: &str| {
            let field = object.fields.iter().find(|field| field.name == name)?;
            self.tag(field).map(|literal| format!("`{}`", literal.text))
        };
        let entry = entries.iter().find(|entry| {
            objects
                .iter()
                .all(|object| tag(object, &entry.key).is_some())
        })?;
        Some(self.misfit(&entry.value, || {
            let tags: Vec<String> = objects
                .iter()
                .filter_map(|object| tag(object, &entry.key))
                .collect();
            let message = format!("{} is none of the variants", self.quoted(&entry.value));
            (message, format!("expected {}", tags.join(", ")))
        }))
    }
}

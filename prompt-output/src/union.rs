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
        let remembered = match self.solid {
            true => self.remembered(node, variants),
            false => None,
        };
        let found = match remembered {
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
        let mut objects = Vec::with_capacity(variants.len());
        for variant in variants {
            let Shape::Object(object) = self.shapes.get(*variant) else {
                return None;
            };
            objects.push(object);
        }
        for entry in entries {
            if let Some(tags) = self.tags(&objects, &entry.key) {
                return Some(self.misfit(&entry.value, || {
                    let message = format!("{} is none of the variants", self.quoted(&entry.value));
                    (message, format!("expected {}", tags.join(", ")))
                }));
            }
        }
        None
    }

    /// What the fields of this name can only be, if every object has one.
    fn tags(&self, objects: &[&Object], name: &str) -> Option<Vec<String>> {
        let mut tags = Vec::with_capacity(objects.len());
        for object in objects {
            let field = object.fields.iter().find(|field| field.name == name)?;
            tags.push(format!("`{}`", self.tag(field)?.text));
        }
        Some(tags)
    }
}

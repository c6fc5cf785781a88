//! Unions on the short way.

use serde_json::Value;

use super::{Bail, Straight};
use crate::fit::Noted;
use crate::shape::Id;

/// A variant of a union that fits.
struct Variant {
    value: Value,
    at: usize,
    cost: u32,
    marks: Vec<Noted>,
}

impl Straight<'_, '_> {
    /// The first variant that fits as it is, or else the one that costs least, where no change could make another cheaper.
    pub(super) fn union(&mut self, variants: &[Id]) -> Result<Value, Bail> {
        let place = self.place();
        let mut best: Option<Variant> = None;
        let mut none = Bail::Mismatch;
        for &variant in variants {
            self.unions += 1;
            let value = self.exact(variant);
            self.unions -= 1;
            match value {
                Ok(value) if self.cost == place.cost => return Ok(value),
                Ok(value) if best.as_ref().is_none_or(|best| self.cost < best.cost) => {
                    let (at, cost) = (self.at, self.cost);
                    let marks = self.marks.split_off(place.marks);
                    best = Some(Variant {
                        value,
                        at,
                        cost,
                        marks,
                    });
                }
                Ok(_) | Err(Bail::Mismatch) => {}
                Err(Bail::Inexact) => none = Bail::Inexact,
                Err(bail @ (Bail::Slip | Bail::Unsure)) => return Err(bail),
            }
            let read = self.at - place.at;
            self.again = self.again.checked_sub(read).ok_or(Bail::Unsure)?;
            self.back(place);
        }
        match best {
            Some(best)
                if none == Bail::Mismatch
                    && self.lenient.is_none()
                    && best.cost - place.cost < Bail::OTHER_KIND =>
            {
                (self.at, self.cost) = (best.at, best.cost);
                self.marks.extend(best.marks);
                Ok(best.value)
            }
            Some(_) => Err(Bail::Inexact),
            None => Err(none),
        }
    }
}

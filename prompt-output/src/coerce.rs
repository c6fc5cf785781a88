//! Matching what was read against what was asked for.
//!
//! Each shape takes a node as it is, or with a change that loses nothing and adds nothing; every
//! change is marked and has its cost. What would have to be made up is a problem.

use crate::choice::is_model_refusal;
use crate::describe::{describe, excerpt, expected};
use crate::fit::{At, Fit, Memo, Misfit};
use crate::number::to_json_number;
use crate::object::TAG;
use crate::reader::{Desk, End, Entry, Kind, Node, parse_value};
use crate::repair::RepairKind;
use crate::shape::{Id, Object, Shape, Shapes};
use crate::unquoted::is_null;
use prompt_syntax::Span;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How many strings may be read as JSON inside each other.
const NESTED: u8 = 3;

/// A hash of two small numbers that are counted up, which no text can choose: nodes and shapes.
#[derive(Default)]
struct Places(u64);

impl Hasher for Places {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        // An odd number without a pattern: the 64 bits after the point of the golden ratio.
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub(crate) struct Coercer<'s> {
    pub shapes: &'s Shapes,
    pub desk: &'s Desk<'s>,
    /// The text the nodes' spans are of.
    pub text: &'s str,
    /// Where that text stands in the answer, if it was decoded from a string.
    origin: Option<Span>,
    /// The text may go on: what is not final is left out, and so is what does not fit.
    pub partial: bool,
    nested: u8,
    /// What is known of matches within unions.
    memo: HashMap<(u32, Id), Memo, BuildHasherDefault<Places>>,
    /// No hollow fits are wanted.
    pub solid: bool,
    pub unions: u32,
    /// What is wrong is put in words; see [`Coercer::quiet`].
    loud: bool,
    /// What is being matched, so that a type that holds itself is not entered forever.
    active: Vec<(u32, Id)>,
}

impl<'s> Coercer<'s> {
    pub(crate) fn new(
        shapes: &'s Shapes,
        desk: &'s Desk<'s>,
        text: &'s str,
        partial: bool,
    ) -> Coercer<'s> {
        Coercer {
            shapes,
            desk,
            text,
            origin: None,
            partial,
            nested: 0,
            memo: HashMap::default(),
            solid: false,
            unions: 0,
            loud: false,
            active: Vec::new(),
        }
    }

    /// Where something stands in the answer.
    pub(crate) fn span(&self, span: Span) -> Span {
        self.origin.unwrap_or(span)
    }

    /// What was written, for a message.
    pub(crate) fn quote(&self, node: &Node<'_>) -> String {
        excerpt(&self.text[node.span.start..node.span.end])
    }

    /// Whether nobody reads what is wrong: most is only tried, a variant of a union as much as another reading, and a
    /// partial value leaves out what does not fit. Putting it in words would take most of the time, so it is done once
    /// nothing has fit, for the nearest reading alone.
    pub(crate) fn quiet(&self) -> bool {
        !self.loud || self.unions > 0 || self.partial
    }

    /// Tries something, and puts in words what is wrong with it.
    pub(crate) fn aloud<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.voiced(true, work)
    }

    /// Tries something of which nobody asks what is wrong with it.
    pub(crate) fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.voiced(false, work)
    }

    fn voiced<T>(&mut self, loud: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.loud, loud);
        let done = work(self);
        self.loud = before;
        done
    }

    pub(crate) fn misfit(
        &self,
        node: &Node<'_>,
        words: impl FnOnce() -> (String, String),
    ) -> Misfit {
        self.misfit_at(node.span, words)
    }

    #[cold]
    pub(crate) fn misfit_at(&self, span: Span, words: impl FnOnce() -> (String, String)) -> Misfit {
        match self.quiet() {
            true => Misfit::default(),
            false => self.misfit_of(span, words()),
        }
    }

    fn misfit_of(&self, span: Span, (message, label): (String, String)) -> Misfit {
        Misfit::new(self.span(span), message, label)
    }

    /// A node of another type than the shape's.
    #[cold]
    pub(crate) fn wrong(&self, node: &Node<'_>, id: Id) -> Misfit {
        self.misfit(node, || self.wrong_words(node, id))
    }

    fn wrong_words(&self, node: &Node<'_>, id: Id) -> (String, String) {
        let expected = describe(self.shapes, id);
        let message = match &node.kind {
            _ if matches!(self.shapes.get(id), Shape::Never) => "nothing may stand here".to_owned(),
            Kind::Word(word) if is_null(word) => {
                ["`", &self.quote(node), "` where a value is needed"].concat()
            }
            Kind::Word(_) | Kind::Text(_) => {
                ["`", &self.quote(node), "` is not ", &expected].concat()
            }
            Kind::List(items) if items.is_empty() => ["an empty list is not ", &expected].concat(),
            Kind::List(items) => format!("a list of {} is not {expected}", items.len()),
            Kind::Object(_) => ["an object is not ", &expected].concat(),
        };
        (message, ["expected ", &expected].concat())
    }

    pub(crate) fn quoted(&self, node: &Node<'_>) -> String {
        ["`", &self.quote(node), "`"].concat()
    }

    /// A value whose end did not come.
    pub(crate) fn breaks_off(&self, node: &Node<'_>) -> Misfit {
        self.misfit(node, || {
            (
                ["`", &self.quote(node), "` breaks off"].concat(),
                "the text ends here".to_owned(),
            )
        })
    }

    /// Whether a node may yet change, so that it cannot be taken for anything but text.
    pub(crate) fn may_change(&self, node: &Node<'_>) -> bool {
        match node.end {
            End::Sure => false,
            End::Likely => self.partial,
            End::Cut => self.partial || matches!(node.kind, Kind::Text(_)),
        }
    }

    pub(crate) fn fit(&mut self, node: &Node<'_>, id: Id) -> Result<Fit, Misfit> {
        let shapes = self.shapes;
        let (id, shape) = shapes.at(id);
        let key = (node.id, id);
        if self.active.contains(&key) {
            return Err(self.wrong(node, id));
        }
        let remember = self.unions > 0 && node.is_container();
        if remember
            && let Some(&known) = self.memo.get(&key)
            && (!self.solid || matches!(known, Memo::Misfit { .. }))
        {
            return known.recall();
        }
        self.active.push(key);
        let result = self.fit_shape(node, id, shape);
        self.active.pop();
        if remember {
            self.memo.insert(key, Memo::of(&result));
        }
        result
    }

    /// What is remembered of a match.
    pub(crate) fn known(&self, node: &Node<'_>, id: Id) -> Option<Memo> {
        self.memo.get(&(node.id, self.shapes.at(id).0)).copied()
    }

    fn fit_shape(&mut self, node: &Node<'_>, id: Id, shape: &'s Shape) -> Result<Fit, Misfit> {
        match shape {
            Shape::Any => self.any(node),
            Shape::Never => Err(self.wrong(node, id)),
            Shape::Null => self.null(node).ok_or_else(|| self.wrong(node, id)),
            Shape::Nullable(inner) => self.nullable(node, *inner),
            Shape::Text(lengths) => self.string(node, id, *lengths),
            Shape::Bool | Shape::Integer(_) | Shape::Number(_) | Shape::Choice(_) => {
                self.scalar(node, id, shape)
            }
            Shape::List(list) => self.list(node, id, list),
            Shape::Tuple(items) => self.tuple(node, id, items),
            Shape::Object(object) => self.object(node, id, object),
            Shape::Union(variants) => self.union(node, id, variants),
            Shape::Same(_) => Err(self.wrong(node, id)),
        }
    }

    pub(crate) fn null(&self, node: &Node<'_>) -> Option<Fit> {
        let span = self.span(node.span);
        match &node.kind {
            Kind::Word("null") => Some(Fit::exact(Value::Null)),
            Kind::Word(word) if is_null(word) => {
                Some(Fit::exact(Value::Null).mark(RepairKind::ForeignLiteral, span, *word))
            }
            _ => None,
        }
    }

    fn nullable(&mut self, node: &Node<'_>, inner: Id) -> Result<Fit, Misfit> {
        if let Some(fit) = self.null(node) {
            return Ok(fit);
        }
        let fitted = self.fit(node, inner);
        match &node.kind {
            // A string that says null, where a string could not stand.
            Kind::Text(text) if fitted.is_err() && says_null(text) => {
                let fit = Fit::exact(Value::Null);
                Ok(fit.mark(
                    RepairKind::ForeignLiteral,
                    self.span(node.span),
                    self.quote(node),
                ))
            }
            _ => fitted,
        }
    }

    /// What an answer says in words, without any notation around it. `levels`: how many shapes may
    /// be gone through, since a type may hold nothing but itself.
    pub(crate) fn prose(&mut self, node: &Node<'_>, id: Id, levels: u8) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        let Kind::Word(text) = &node.kind else {
            return Err(self.wrong(node, id));
        };
        let shapes = self.shapes;
        let (id, shape) = shapes.at(id);
        if levels == 0 {
            return Err(self.wrong(node, id));
        }
        let levels = levels - 1;
        match shape {
            Shape::Text(_) | Shape::Any => {
                Ok(Fit::exact(*text).mark(RepairKind::AnswerAsText, span, ""))
            }
            Shape::Null | Shape::Nullable(_) if *text == "null" => Ok(Fit::exact(Value::Null)),
            Shape::Nullable(inner) => self.prose(node, *inner, levels),
            Shape::Bool | Shape::Integer(_) | Shape::Number(_) | Shape::Choice(_) => {
                if is_model_refusal(text) {
                    return Err(self.misfit(node, || {
                        let expected = describe(shapes, id);
                        (
                            "the model refuses to answer".to_owned(),
                            format!("expected {expected}"),
                        )
                    }));
                }
                self.fit(node, id)
            }
            // A list of texts would take any prose for an item.
            Shape::List(list) if !matches!(shapes.get(list.item), Shape::Text(_) | Shape::Any) => {
                let fit = self.quietly(|coercer| coercer.prose(node, list.item, levels));
                let fit = fit.map_err(|_| self.wrong(node, id))?;
                let fit = fit.wrap(At::Item(0), |value| Value::Array(vec![value]));
                Ok(fit.mark(RepairKind::OneAsList, span, ""))
            }
            Shape::Object(object) => self
                .implied(node, object)
                .ok_or_else(|| self.wrong(node, id)),
            Shape::Union(variants) => {
                let best = self.quietly(|coercer| {
                    let fits = variants
                        .iter()
                        .filter_map(|variant| coercer.prose(node, *variant, levels).ok());
                    fits.min_by_key(|fit| fit.cost)
                });
                best.ok_or_else(|| self.wrong(node, id))
            }
            _ => Err(self.wrong(node, id)),
        }
    }

    /// Whether the text ended within the node, or right after it.
    pub(crate) fn is_open(&self, node: &Node<'_>) -> bool {
        self.partial && node.end != End::Sure
    }

    /// A string that holds the JSON that was asked for.
    pub(crate) fn nested(&mut self, node: &Node<'_>, id: Id) -> Option<Result<Fit, Misfit>> {
        let Kind::Text(text) = &node.kind else {
            return None;
        };
        if self.nested == NESTED || self.may_change(node) {
            return None;
        }
        let blank = text.len() - text.trim_start().len();
        let fenced = text[blank..].starts_with("```");
        let start = if fenced {
            text.find(['{', '['])?
        } else {
            blank
        };
        if !text[start..].starts_with(['{', '[']) {
            return None;
        }
        let reading = parse_value(text, start, text.len(), self.desk).ok()?;
        let inner = reading.node;
        if inner.end != End::Sure || !is_rest(&text[inner.span.end..], fenced) {
            return None;
        }
        let span = self.span(node.span);
        let mut coercer = Coercer::new(self.shapes, self.desk, text, self.partial);
        coercer.origin = Some(span);
        coercer.nested = self.nested + 1;
        coercer.loud = !self.quiet();
        let fit = coercer.fit(&inner, id);
        Some(fit.map(|fit| {
            let fit = fit.mark(RepairKind::Escaped, span, "");
            reading
                .marks
                .iter()
                .fold(fit, |fit, mark| fit.mark(mark.kind, span, ""))
        }))
    }
}

/// Whether nothing comes after JSON in a string, but the end of its fence.
fn is_rest(rest: &str, fenced: bool) -> bool {
    let rest = rest.trim();
    rest.is_empty() || fenced && rest == "```"
}

/// The words for "no value" that no other type could mean.
fn says_null(text: &str) -> bool {
    matches!(
        text.trim().to_ascii_lowercase().as_str(),
        "null" | "none" | "nil"
    )
}

impl Coercer<'_> {
    /// A node as JSON has it, where anything may stand.
    pub(crate) fn any(&mut self, node: &Node<'_>) -> Result<Fit, Misfit> {
        if let Some(fit) = self.null(node) {
            return Ok(fit);
        }
        let span = self.span(node.span);
        match &node.kind {
            Kind::Word(_) if self.may_change(node) => Err(self.breaks_off(node)),
            Kind::Word("true") => Ok(Fit::exact(true)),
            Kind::Word("false") => Ok(Fit::exact(false)),
            Kind::Word(word @ ("True" | "False")) => {
                Ok(Fit::exact(*word == "True").mark(RepairKind::ForeignLiteral, span, *word))
            }
            Kind::Word(word) => match to_json_number(word) {
                Some(number) => Ok(Fit::exact(Value::Number(number))),
                None => Ok(Fit::exact(*word)),
            },
            Kind::Text(text) => {
                let fit = Fit::exact(text.as_ref());
                Ok(if self.is_open(node) { fit.open() } else { fit })
            }
            Kind::List(items) => {
                let mut whole = Fit::exact(Value::Null);
                let mut values = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let mut fit = match self.any(item) {
                        Ok(fit) => fit,
                        Err(_) if self.partial => break,
                        Err(misfit) => return Err(misfit.inside(At::Item(index))),
                    };
                    values.push(std::mem::take(&mut fit.value));
                    whole.take(&mut fit, Some(At::Item(index)));
                }
                whole.value = Value::Array(values);
                Ok(if self.is_open(node) {
                    whole.open()
                } else {
                    whole
                })
            }
            Kind::Object(entries) => self.any_object(node, entries),
        }
    }

    fn any_object(&mut self, node: &Node<'_>, entries: &[Entry<'_>]) -> Result<Fit, Misfit> {
        let mut whole = Fit::exact(Value::Null);
        let mut map = Map::new();
        for entry in entries {
            let at = At::Key(&entry.key);
            let mut fit = match self.any(&entry.value) {
                Ok(fit) => fit,
                Err(_) if self.partial => continue,
                Err(misfit) => return Err(misfit.inside(at)),
            };
            map.insert(entry.key.to_string(), std::mem::take(&mut fit.value));
            whole.take(&mut fit, Some(at));
        }
        whole.value = Value::Object(map);
        Ok(if self.is_open(node) {
            whole.open()
        } else {
            whole
        })
    }
}

impl Coercer<'_> {
    /// The shape that fits at the smallest cost. Of equals the first, as serde's untagged enums
    /// have it, unless both rest on an inference and differ: that would be a guess.
    pub(crate) fn union(
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
                (message, expected(self.shapes, id))
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

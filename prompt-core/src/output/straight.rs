//! The short way: correct JSON of the right shape, made a value as it is read.
//!
//! It gives what the long way would (`candidate`, `read`, `coerce`), or nothing: a comment, a key written twice, an object
//! in the place of a list, a second bracket anywhere in the text are left to the long way, which then begins anew. Strings
//! and numbers that are not quite right are made so as there, by the [`Coercer`].

mod object;

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use crate::syntax::Span;

use super::ahead::is_space;
use super::coerce::Coercer;
use super::fence::Fence;
use super::fit::{At, Fit, Noted, Path, Step};
use super::loose;
use super::node::Kind;
use super::number::Amount;
use super::repair::RepairKind;
use super::scalar::WHOLE_COST;
use super::shape::{Id, Integers, List, Literal, Numbers, Shape, Shapes};

/// How many shapes may be inside each other; the long way reads brackets a little deeper.
const DEPTH: usize = 120;

/// Why the short way gives nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Bail {
    /// The long way finds a fit at some cost, or none: in a union the next variant may be exact.
    Inexact,
    /// Nothing is known of what the long way would find.
    Unsure,
}

/// The value of an answer that holds one pair of brackets, and where it stands.
pub(super) fn read<'s>(
    coercer: &mut Coercer<'s>,
    from: usize,
    fences: &[Fence],
) -> Option<(Fit, Span)> {
    let answer: &'s str = coercer.text;
    let start = from + memchr::memchr2(b'{', b'[', &answer.as_bytes()[from..])?;
    let fence = Fence::around(fences, start).filter(|fence| fence.closed);
    let end = fence.map_or(answer.len(), |fence| fence.body.end);
    let mut straight = Straight {
        shapes: coercer.shapes,
        coercer,
        text: &answer[..end],
        at: start,
        depth: 0,
        again: 4 * answer.len(),
        unions: 0,
        cost: 0,
        marks: Vec::new(),
    };
    let root = straight.shapes.root();
    let value = straight.value(root).ok()?;
    let span = Span::new(start, straight.at);
    if !is_alone(answer, span, end) {
        return None;
    }
    let fit = Fit {
        cost: straight.cost,
        marks: straight.marks,
        ..Fit::exact(value)
    };
    Some((fit, span))
}

/// Whether nothing after the brackets could belong to them, and no other brackets are there.
fn is_alone(answer: &str, span: Span, end: usize) -> bool {
    let after = &answer[span.end..];
    let near = answer[span.end..end].trim_start_matches(is_space);
    let goes_on = near.starts_with([',', '/', '#']) || after.starts_with('(');
    let no_brackets = |text: &str| memchr::memchr2(b'{', b'[', text.as_bytes()).is_none();
    let inside = &answer[span.start..span.end];
    !goes_on && no_brackets(after) && (is_answer(inside) || no_brackets(&inside[1..]))
}

/// Whether brackets hold what is an answer, right or wrong, judged by what they begin with; see `candidate`.
fn is_answer(text: &str) -> bool {
    let first = text.trim_start_matches(|c: char| c == '[' || c.is_ascii_whitespace());
    match first.strip_prefix('{') {
        Some(rest) => rest.trim_ascii_start().starts_with('"'),
        None => first.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit()),
    }
}

pub(super) struct Straight<'c, 's> {
    shapes: &'s Shapes,
    coercer: &'c mut Coercer<'s>,
    pub(super) text: &'s str,
    pub(super) at: usize,
    depth: usize,
    /// How many bytes may still be read once more, for another variant of a union.
    again: usize,
    /// How many unions are around.
    unions: usize,
    cost: u32,
    marks: Vec<Noted>,
}

/// How far was read, and what came of it.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    cost: u32,
    marks: usize,
}

impl Straight<'_, '_> {
    fn value(&mut self, id: Id) -> Result<Value, Bail> {
        let place = self.place();
        match self.exact(id) {
            Err(Bail::Inexact) if self.unions == 0 => {
                self.back(place);
                self.coerced(id)
            }
            value => value,
        }
    }

    /// A string, a number or a literal, made what it should be.
    fn coerced(&mut self, id: Id) -> Result<Value, Bail> {
        let start = self.at;
        let kind = match self.peek()? {
            b'"' => Kind::Text(self.text()?),
            b'{' | b'[' => return Err(Bail::Unsure),
            _ => Kind::Word(self.word()?),
        };
        let node = loose::node(self.coercer.desk, start, self.at, kind);
        // What is wrong with it, the long way says.
        self.coercer.unions += 1;
        let fit = self.coercer.fit(&node, id);
        self.coercer.unions -= 1;
        let mut fit = fit.map_err(|_| Bail::Unsure)?;
        self.cost = self.cost.saturating_add(fit.cost);
        self.marks.append(&mut fit.marks);
        if fit.hollow {
            Err(Bail::Unsure)
        } else {
            Ok(fit.value)
        }
    }

    /// A value as it should be.
    fn exact(&mut self, id: Id) -> Result<Value, Bail> {
        self.deeper(|straight| straight.shaped(id))
    }

    fn shaped(&mut self, id: Id) -> Result<Value, Bail> {
        let shapes = self.shapes;
        match shapes.get(id) {
            Shape::Any => self.any(),
            Shape::Nullable(_) if self.peek()? == b'n' => self.null(),
            Shape::Nullable(inner) => self.exact(*inner),
            Shape::Text(lengths) => {
                let text = self.text()?;
                if lengths.allow_text(&text) {
                    Ok(Value::String(text.into_owned()))
                } else {
                    Err(Bail::Inexact)
                }
            }
            Shape::Null => self.null(),
            Shape::Bool => self.truth(),
            Shape::Integer(integers) => self.integer(*integers),
            Shape::Number(numbers) => self.number(*numbers),
            Shape::Choice(literals) => self.choice(literals),
            Shape::List(list) => self.list(list),
            Shape::Tuple(items) => self.tuple(items),
            Shape::Object(object) => self.object(object),
            Shape::Union(variants) => self.union(variants),
            Shape::Never | Shape::Same(_) => Err(Bail::Inexact),
        }
    }

    /// The first variant that fits as it is. If none does, the one of the smallest cost would have to be found.
    fn union(&mut self, variants: &[Id]) -> Result<Value, Bail> {
        let place = self.place();
        for &variant in variants {
            self.unions += 1;
            let value = self.exact(variant);
            self.unions -= 1;
            match value {
                Ok(value) if self.cost == place.cost => return Ok(value),
                Err(Bail::Unsure) => return Err(Bail::Unsure),
                Ok(_) | Err(Bail::Inexact) => {}
            }
            let read = self.at - place.at;
            self.again = self.again.checked_sub(read).ok_or(Bail::Unsure)?;
            self.back(place);
        }
        Err(Bail::Inexact)
    }

    fn any(&mut self) -> Result<Value, Bail> {
        match self.peek()? {
            b'"' => Ok(Value::String(self.text()?.into_owned())),
            b'{' => {
                let mut map = Map::new();
                self.entries(|straight, key, _| {
                    let value = straight.deeper(Self::any)?;
                    map.insert(key.into_owned(), value);
                    Ok(())
                })?;
                Ok(Value::Object(map))
            }
            b'[' => {
                let mut items = Vec::new();
                self.items(|straight, _| {
                    items.push(straight.deeper(Self::any)?);
                    Ok(())
                })?;
                Ok(Value::Array(items))
            }
            b'n' => self.null(),
            b't' | b'f' => self.truth(),
            _ => match self.amount()? {
                Amount::Integer(whole) => whole_number(whole),
                Amount::Float(float) | Amount::Fraction(float) => float_number(float),
            },
        }
    }

    fn place(&self) -> Place {
        Place {
            at: self.at,
            cost: self.cost,
            marks: self.marks.len(),
        }
    }

    /// Forgets what was read since.
    fn back(&mut self, place: Place) {
        (self.at, self.cost) = (place.at, place.cost);
        self.marks.truncate(place.marks);
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Bail>) -> Result<T, Bail> {
        if self.depth == DEPTH {
            return Err(Bail::Unsure);
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn list(&mut self, list: &List) -> Result<Value, Bail> {
        let mut items = Vec::new();
        self.items(|straight, index| {
            let marks = straight.marks.len();
            items.push(straight.value(list.item)?);
            straight.inside(marks, At::Item(index));
            Ok(())
        })?;
        if !list.lengths.allow(items.len()) {
            return Err(Bail::Inexact);
        }
        Ok(Value::Array(items))
    }

    fn tuple(&mut self, shapes: &[Id]) -> Result<Value, Bail> {
        let mut items = Vec::with_capacity(shapes.len());
        self.items(|straight, index| {
            let marks = straight.marks.len();
            let shape = shapes.get(index).ok_or(Bail::Inexact)?;
            items.push(straight.value(*shape)?);
            straight.inside(marks, At::Item(index));
            Ok(())
        })?;
        if items.len() < shapes.len() {
            return Err(Bail::Inexact);
        }
        Ok(Value::Array(items))
    }

    fn null(&mut self) -> Result<Value, Bail> {
        self.literal("null").map(|()| Value::Null)
    }

    fn truth(&mut self) -> Result<Value, Bail> {
        let truth = self.peek()? == b't';
        self.literal(if truth { "true" } else { "false" })?;
        Ok(Value::Bool(truth))
    }

    fn choice(&mut self, literals: &[Literal]) -> Result<Value, Bail> {
        let text = match self.peek()? {
            b'"' => self.text()?,
            b'n' => return Err(Bail::Inexact),
            _ => Cow::Borrowed(self.word()?),
        };
        let text = text.trim();
        let named = literals.iter().find(|literal| literal.text == text);
        named.map(|named| named.value.clone()).ok_or(Bail::Inexact)
    }

    fn integer(&mut self, integers: Integers) -> Result<Value, Bail> {
        let Amount::Integer(whole) = self.amount()? else {
            return Err(Bail::Inexact);
        };
        let step = integers.multiple_of.unwrap_or(1);
        if whole < integers.min || whole > integers.max || whole % step != 0 {
            return Err(Bail::Inexact);
        }
        whole_number(whole)
    }

    fn number(&mut self, numbers: Numbers) -> Result<Value, Bail> {
        let float = match self.amount()? {
            Amount::Integer(whole) => {
                self.cost += WHOLE_COST;
                whole as f64
            }
            Amount::Float(float) | Amount::Fraction(float) => float,
        };
        if !numbers.allow(float) {
            return Err(Bail::Inexact);
        }
        float_number(float)
    }

    fn mark(&mut self, kind: RepairKind, span: Span, note: &str) {
        self.cost = self.cost.saturating_add(kind.cost());
        self.marks.push(Noted {
            kind,
            span,
            path: Path::new(),
            note: note.to_owned(),
        });
    }

    /// All marks from some on concern what is inside of a part.
    fn inside(&mut self, marks: usize, at: At<'_>) {
        for mark in &mut self.marks[marks..] {
            mark.path.push(Step::from(at));
        }
    }
}

fn whole_number(whole: i128) -> Result<Value, Bail> {
    match (i64::try_from(whole), u64::try_from(whole)) {
        (Ok(whole), _) => Ok(Value::Number(whole.into())),
        (_, Ok(whole)) => Ok(Value::Number(whole.into())),
        _ => Err(Bail::Unsure),
    }
}

fn float_number(float: f64) -> Result<Value, Bail> {
    let number = Number::from_f64(float).ok_or(Bail::Unsure)?;
    Ok(Value::Number(number))
}

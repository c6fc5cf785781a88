//! The short way: an answer in order, made a value as it is read.
//!
//! It gives what the long way would (`candidate`, `read`, `coerce`), or nothing: a key written twice, an object in the place
//! of a list, a second bracket anywhere in the text are left to the long way, which then begins anew. Strings and numbers
//! that are not quite right are made so as there, by the [`Coercer`].
//!
//! There are two manners, as in `read`: correct JSON (`strict`), and once a slip shows that it is none, all from the
//! beginning with what the lenient reader is sure of (`lenient`).

mod lenient;
mod object;
mod scalar;
mod strict;
mod union;

use serde_json::{Map, Value};

use prompt_syntax::Span;

use super::ahead::is_space;
use super::candidate;
use super::coerce::Coercer;
use super::fence::Fence;
use super::fit::{At, Fit, Noted, Path, Step};
use super::loose;
use super::node::Kind;
use super::number::Amount;
use super::quoted;
use super::read::{Desk, Frame, Mark, Reader};
use super::repair::RepairKind;
use super::shape::{Id, List, Shape, Shapes};

/// How many shapes may be inside each other; the long way reads brackets a little deeper.
const DEPTH: usize = 120;

/// Why the short way gives nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Bail {
    /// The long way finds a fit at some cost, or none: in a union the next variant may be exact.
    Inexact,
    /// Something of another kind stands here, or what cannot fit: the cost is at least [`Bail::OTHER_KIND`].
    Mismatch,
    /// It is no correct JSON, whatever comes.
    Slip,
    /// Nothing is known of what the long way would find.
    Unsure,
}

impl Bail {
    /// The least cost of a value of one kind where another was asked for: that of JSON in a string.
    const OTHER_KIND: u32 = 8;
}

/// What was read the short way.
pub(super) struct Found {
    pub fit: Fit,
    pub span: Span,
    /// What had to be overlooked in the notation.
    pub marks: Vec<Mark>,
}

/// The value of an answer that holds one pair of brackets. If there is none, then perhaps where something begins that is
/// no correct JSON.
pub(super) fn read<'s>(
    coercer: &mut Coercer<'s>,
    from: usize,
    fences: &[Fence],
) -> Result<Found, Option<usize>> {
    let answer: &'s str = coercer.text;
    let Some(offset) = memchr::memchr2(b'{', b'[', &answer.as_bytes()[from..]) else {
        return Err(None);
    };
    let start = from + offset;
    let fence = Fence::around(fences, start).filter(|fence| fence.closed);
    let end = fence.map_or(answer.len(), |fence| fence.body.end);
    let mut straight = Straight::new(coercer, start, end, None);
    let root = straight.shapes.root();
    match straight.value(root) {
        Ok(value) => straight.found(answer, start, value).ok_or(None),
        Err(Bail::Slip) if candidate::is_escaped(answer, start) => Err(None),
        Err(Bail::Slip) => {
            let desk = Desk::new(&coercer.shapes.names, answer.len(), true);
            let reader = Reader::new(answer, start, end, &desk, false);
            let mut straight = Straight::new(coercer, start, end, Some(reader));
            let value = straight.value(root).ok();
            let found = value.and_then(|value| straight.found(answer, start, value));
            found.ok_or(Some(start))
        }
        Err(_) => Err(None),
    }
}

/// Whether nothing after the brackets could belong to them, and no other brackets are there.
fn is_alone(answer: &str, span: Span, end: usize, lenient: bool) -> bool {
    let after = &answer[span.end..];
    let near = answer[span.end..end].trim_start_matches(is_space);
    let goes_on = near.starts_with([',', '/', '#']) || after.starts_with('(');
    let no_brackets = |text: &str| memchr::memchr2(b'{', b'[', text.as_bytes()).is_none();
    let inside = &answer[span.start..span.end];
    !goes_on && no_brackets(after) && (is_answer(inside, lenient) || no_brackets(&inside[1..]))
}

/// Whether brackets hold what is an answer, right or wrong, judged by what they begin with; see `candidate`.
fn is_answer(text: &str, lenient: bool) -> bool {
    let first = text.trim_start_matches(|c: char| c == '[' || c.is_ascii_whitespace());
    match first.strip_prefix('{') {
        Some(rest) => {
            let key = |c: char| quoted::opens(c) || c.is_ascii_alphabetic();
            rest.trim_ascii_start().starts_with(key)
        }
        None if lenient => first.starts_with(quoted::opens),
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
    /// Reads what is no correct JSON, once that is known.
    lenient: Option<Reader<'s, 'c>>,
}

/// How far was read, and what came of it.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    cost: u32,
    marks: usize,
    lenient: Option<Slips>,
}

/// What the lenient reader knew.
#[derive(Clone, Copy)]
struct Slips {
    marks: usize,
    frames: usize,
    innermost: Option<Frame>,
}

impl<'c, 's> Straight<'c, 's> {
    fn new(
        coercer: &'c mut Coercer<'s>,
        start: usize,
        end: usize,
        lenient: Option<Reader<'s, 'c>>,
    ) -> Straight<'c, 's> {
        let text = coercer.text;
        Straight {
            shapes: coercer.shapes,
            coercer,
            text: &text[..end],
            at: start,
            depth: 0,
            again: 4 * text.len(),
            unions: 0,
            cost: 0,
            marks: Vec::new(),
            lenient,
        }
    }

    fn found(self, answer: &str, start: usize, value: Value) -> Option<Found> {
        let span = Span::new(start, self.at);
        if !is_alone(answer, span, self.text.len(), self.lenient.is_some()) {
            return None;
        }
        let fit = Fit {
            cost: self.cost,
            marks: self.marks,
            ..Fit::exact(value)
        };
        let marks = self.lenient.map_or_else(Vec::new, |reader| reader.marks);
        Some(Found { fit, span, marks })
    }

    fn value(&mut self, id: Id) -> Result<Value, Bail> {
        let place = self.place();
        match self.exact(id) {
            Err(Bail::Inexact | Bail::Mismatch) if self.unions == 0 => {
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
            Shape::Nullable(inner) => match self.exact(*inner) {
                // A string may say null.
                Err(Bail::Mismatch) => Err(Bail::Inexact),
                value => value,
            },
            Shape::Text(lengths) => {
                let text = self.text()?;
                if lengths.allow_text(&text) {
                    Ok(Value::String(text.into_owned()))
                } else {
                    Err(Bail::Mismatch)
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
                Amount::Integer(whole) => scalar::whole_number(whole),
                Amount::Float(float) | Amount::Fraction(float) => scalar::float_number(float),
            },
        }
    }

    fn place(&self) -> Place {
        Place {
            at: self.at,
            cost: self.cost,
            marks: self.marks.len(),
            lenient: self.lenient.as_ref().map(|reader| Slips {
                marks: reader.marks.len(),
                frames: reader.frames.len(),
                innermost: reader.frames.last().copied(),
            }),
        }
    }

    /// Forgets what was read since.
    fn back(&mut self, place: Place) {
        (self.at, self.cost) = (place.at, place.cost);
        self.marks.truncate(place.marks);
        if let (Some(reader), Some(slips)) = (&mut self.lenient, place.lenient) {
            reader.marks.truncate(slips.marks);
            reader.frames.truncate(slips.frames);
            if let (Some(frame), Some(innermost)) = (reader.frames.last_mut(), slips.innermost) {
                *frame = innermost;
            }
        }
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
            return Err(Bail::Mismatch);
        }
        Ok(Value::Array(items))
    }

    fn tuple(&mut self, shapes: &[Id]) -> Result<Value, Bail> {
        let mut items = Vec::with_capacity(shapes.len());
        self.items(|straight, index| {
            let marks = straight.marks.len();
            let shape = shapes.get(index).ok_or(Bail::Mismatch)?;
            items.push(straight.value(*shape)?);
            straight.inside(marks, At::Item(index));
            Ok(())
        })?;
        if items.len() < shapes.len() {
            return Err(Bail::Mismatch);
        }
        Ok(Value::Array(items))
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

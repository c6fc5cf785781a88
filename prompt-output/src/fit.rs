//! What matching a node against a shape comes to: a value and what it cost, or problems.

use crate::repair::RepairKind;
use prompt_syntax::Span;
use serde_json::Value;

/// A value of the shape.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub value: Value,
    /// The sum of its marks' costs, and of what a reading lacks; see [`RepairKind::cost`].
    pub cost: u32,
    pub marks: Vec<Noted>,
    /// The values in it that are not final, as the text goes on.
    pub open: Vec<Path>,
    /// It rests on an inference, so another one that is as good makes it a guess.
    pub inferred: bool,
    /// Its cost is known, but its value was not made, or not all of it; see [`Memo`].
    pub hollow: bool,
}

/// What is remembered of a fit within a union, where the same part of a text is matched with the
/// same shape once for each way to it. The values are not kept, since each holds all inside it: a
/// fit from memory is hollow, and the one that is taken in the end is made once more.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memo {
    Fits { cost: u32, inferred: bool },
    Misfit { near: usize },
}

impl Memo {
    pub(crate) fn of(result: &Result<Fit, Misfit>) -> Memo {
        match result {
            Ok(fit) => Memo::Fits {
                cost: fit.cost,
                inferred: fit.inferred,
            },
            Err(misfit) => Memo::Misfit { near: misfit.near },
        }
    }

    pub(crate) fn recall(self) -> Result<Fit, Misfit> {
        match self {
            Memo::Fits { cost, inferred } => Ok(Fit {
                cost,
                inferred,
                hollow: true,
                ..Fit::exact(Value::Null)
            }),
            Memo::Misfit { near } => Err(Misfit {
                near,
                ..Misfit::default()
            }),
        }
    }
}

/// Something put right, and at which value.
#[derive(Clone, Debug)]
pub(crate) struct Noted {
    pub kind: RepairKind,
    pub span: Span,
    pub path: Path,
    pub note: String,
}

/// The way to a value, from the inside out, so that each level only has to add its own step.
pub(crate) type Path = Vec<Step>;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Key(String),
    Item(usize),
}

/// A part of a value, as its whole sees it. It becomes a [`Step`] only where a path is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At<'k> {
    Key(&'k str),
    Item(usize),
}

impl From<At<'_>> for Step {
    fn from(at: At<'_>) -> Step {
        match at {
            At::Key(key) => Step::Key(key.to_owned()),
            At::Item(index) => Step::Item(index),
        }
    }
}

/// A path as a JSON pointer.
pub(crate) fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for step in path.iter().rev() {
        pointer.push('/');
        match step {
            Step::Key(key) if key.contains(['~', '/']) => {
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            Step::Key(key) => pointer.push_str(key),
            Step::Item(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

/// Why a node does not fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Misfit {
    /// Empty where nobody would read them: see [`Coercer::quiet`](crate::coerce::Coercer::quiet).
    pub problems: Vec<Flaw>,
    /// How much of it did fit: to tell which of several readings was meant.
    pub near: usize,
}

/// One thing that does not fit, to be made a [`Problem`](super::Problem).
#[derive(Clone, Debug)]
pub(crate) struct Flaw {
    pub span: Span,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
    pub path: Path,
}

/// More problems than this help nobody.
const MANY: usize = 8;

impl Fit {
    pub(crate) fn exact(value: impl Into<Value>) -> Fit {
        Fit {
            value: value.into(),
            cost: 0,
            marks: Vec::new(),
            open: Vec::new(),
            inferred: false,
            hollow: false,
        }
    }

    pub(crate) fn mark(mut self, kind: RepairKind, span: Span, note: impl Into<String>) -> Fit {
        self.cost = self.cost.saturating_add(kind.cost());
        self.marks.push(Noted {
            kind,
            span,
            path: Path::new(),
            note: note.into(),
        });
        self
    }

    /// The value is not final.
    pub(crate) fn open(mut self) -> Fit {
        self.open.push(Path::new());
        self
    }

    /// Leaves a part out of a partial value: at little cost if it is merely unfinished. If it is
    /// wrong, what is left is never final.
    pub(crate) fn leave_out(&mut self, unfinished: bool) {
        self.cost = self.cost.saturating_add(if unfinished { 1 } else { 100 });
        if !unfinished {
            self.open.push(Path::new());
        }
    }

    pub(crate) fn inferred(mut self) -> Fit {
        self.inferred = true;
        self
    }

    /// Takes over everything but the value of a part.
    pub(crate) fn take(&mut self, part: &mut Fit, at: Option<At<'_>>) {
        self.cost = self.cost.saturating_add(part.cost);
        self.inferred |= part.inferred;
        self.hollow |= part.hollow;
        // Most have neither.
        if part.marks.is_empty() && part.open.is_empty() {
            return;
        }
        for mut mark in part.marks.drain(..) {
            mark.path.extend(at.map(Step::from));
            self.marks.push(mark);
        }
        for mut path in part.open.drain(..) {
            path.extend(at.map(Step::from));
            self.open.push(path);
        }
    }

    /// Puts the value inside another.
    pub(crate) fn wrap(mut self, at: At<'_>, around: impl FnOnce(Value) -> Value) -> Fit {
        let value = std::mem::take(&mut self.value);
        let mut outer = Fit::exact(around(value));
        outer.take(&mut self, Some(at));
        outer
    }
}

impl Misfit {
    pub(crate) fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Misfit {
        let (message, label) = (message.into(), label.into());
        let flaw = Flaw {
            span,
            message,
            label,
            help: None,
            path: Path::new(),
        };
        Misfit {
            problems: vec![flaw],
            near: 0,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Misfit {
        if let Some(first) = self.problems.first_mut() {
            first.help = Some(help.into());
        }
        self
    }

    pub(crate) fn near(mut self, near: usize) -> Misfit {
        self.near += near;
        self
    }

    pub(crate) fn take(&mut self, part: Misfit, at: Option<At<'_>>) {
        self.near += part.near;
        if self.problems.is_empty() {
            self.problems = part.problems;
            for flaw in &mut self.problems {
                flaw.path.extend(at.map(Step::from));
            }
            return;
        }
        for mut flaw in part.problems {
            if self.problems.len() == MANY {
                return;
            }
            flaw.path.extend(at.map(Step::from));
            self.problems.push(flaw);
        }
    }

    pub(crate) fn inside(self, at: At<'_>) -> Misfit {
        let mut outer = Misfit::default();
        outer.take(self, Some(at));
        outer
    }
}

//! What matching a node against a shape comes to: a value and what it cost, or problems.

use crate::repair::RepairKind;
use prompt_syntax::Span;
use serde_json::Value;

/// A value of the shape.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub value: Value,
    /// The sum of its repairs' costs, and of what a candidate lacks; see [`RepairKind::cost`].
    pub cost: u32,
    pub repairs: Vec<ValueRepair>,
    /// The values in it that are not final, as the text goes on.
    pub open: Vec<Path>,
    /// It rests on an inference, so another one that is as good makes it a guess.
    pub inferred: bool,
    /// Its cost is known, but its value was not made, or not all of it; see [`Memo`].
    pub is_placeholder: bool,
}

/// What is remembered of a fit within a union, where the same part of a text is matched with the
/// same shape once for each way to it. The values are not kept, since each holds all inside it: a
/// fit from memory is is_placeholder, and the one that is taken in the end is made once more.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memo {
    Fits { cost: u32, inferred: bool },
    Mismatch { near: usize },
}

impl Memo {
    pub(crate) fn of(result: &Result<Fit, Mismatch>) -> Memo {
        match result {
            Ok(fit) => Memo::Fits {
                cost: fit.cost,
                inferred: fit.inferred,
            },
            Err(mismatch) => Memo::Mismatch {
                near: mismatch.near,
            },
        }
    }

    pub(crate) fn recall(self) -> Result<Fit, Mismatch> {
        match self {
            Memo::Fits { cost, inferred } => Ok(Fit {
                cost,
                inferred,
                is_placeholder: true,
                ..Fit::exact(Value::Null)
            }),
            Memo::Mismatch { near } => Err(Mismatch {
                near,
                ..Mismatch::default()
            }),
        }
    }
}

/// Something put right, and at which value.
#[derive(Clone, Debug)]
pub(crate) struct ValueRepair {
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
pub(crate) enum StepRef<'k> {
    Key(&'k str),
    Item(usize),
}

impl From<StepRef<'_>> for Step {
    fn from(at: StepRef<'_>) -> Step {
        match at {
            StepRef::Key(key) => Step::Key(key.to_owned()),
            StepRef::Item(index) => Step::Item(index),
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

/// NumberError a node does not fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mismatch {
    /// Empty where nobody would read them: see [`Coercer::is_silent`](crate::coerce::Coercer::is_silent).
    pub issues: Vec<RawIssue>,
    /// How much of it did fit: to tell which of several candidates was meant.
    pub near: usize,
}

/// One thing that does not fit, to be made a [`Issue`](super::Issue).
#[derive(Clone, Debug)]
pub(crate) struct RawIssue {
    pub span: Span,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
    pub path: Path,
}

/// More issues than this help nobody.
const MANY: usize = 8;

impl Fit {
    pub(crate) fn exact(value: impl Into<Value>) -> Fit {
        Fit {
            value: value.into(),
            cost: 0,
            repairs: Vec::new(),
            open: Vec::new(),
            inferred: false,
            is_placeholder: false,
        }
    }

    pub(crate) fn with_repair(
        mut self,
        kind: RepairKind,
        span: Span,
        note: impl Into<String>,
    ) -> Fit {
        self.cost = self.cost.saturating_add(kind.cost());
        self.repairs.push(ValueRepair {
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
    pub(crate) fn take(&mut self, part: &mut Fit, at: Option<StepRef<'_>>) {
        self.cost = self.cost.saturating_add(part.cost);
        self.inferred |= part.inferred;
        self.is_placeholder |= part.is_placeholder;
        // Most have neither.
        if part.repairs.is_empty() && part.open.is_empty() {
            return;
        }
        for mut mark in part.repairs.drain(..) {
            mark.path.extend(at.map(Step::from));
            self.repairs.push(mark);
        }
        for mut path in part.open.drain(..) {
            path.extend(at.map(Step::from));
            self.open.push(path);
        }
    }

    /// Puts the value inside another.
    pub(crate) fn wrap(mut self, at: StepRef<'_>, around: impl FnOnce(Value) -> Value) -> Fit {
        let value = std::mem::take(&mut self.value);
        let mut outer = Fit::exact(around(value));
        outer.take(&mut self, Some(at));
        outer
    }
}

impl Mismatch {
    pub(crate) fn new(
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Mismatch {
        let (message, label) = (message.into(), label.into());
        let issue = RawIssue {
            span,
            message,
            label,
            help: None,
            path: Path::new(),
        };
        Mismatch {
            issues: vec![issue],
            near: 0,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Mismatch {
        if let Some(first) = self.issues.first_mut() {
            first.help = Some(help.into());
        }
        self
    }

    pub(crate) fn near(mut self, near: usize) -> Mismatch {
        self.near += near;
        self
    }

    pub(crate) fn take(&mut self, part: Mismatch, at: Option<StepRef<'_>>) {
        self.near += part.near;
        if self.issues.is_empty() {
            self.issues = part.issues;
            for issue in &mut self.issues {
                issue.path.extend(at.map(Step::from));
            }
            return;
        }
        for mut issue in part.issues {
            if self.issues.len() == MANY {
                return;
            }
            issue.path.extend(at.map(Step::from));
            self.issues.push(issue);
        }
    }

    pub(crate) fn inside(self, at: StepRef<'_>) -> Mismatch {
        let mut outer = Mismatch::default();
        outer.take(self, Some(at));
        outer
    }
}

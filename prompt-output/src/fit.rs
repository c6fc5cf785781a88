//! The result of matching a node against a type: a value and its cost, or the mismatches.

use crate::path::{PathStep, StepRef, ValuePath, json_pointer};
use crate::repair::{RepairKind, ValueRepair};
use prompt_base::Span;
use serde_json::Value;

/// A value of the type.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub value: Value,
    /// The sum of the costs of its repairs and of what it lacks; see [`RepairKind::cost`].
    pub cost: u32,
    pub repairs: Vec<ValueRepair>,
    /// The paths of the values that are not final.
    pub open: Vec<ValuePath>,
    /// Only its cost is known, and its value is missing or incomplete; see [`Memo`].
    pub is_placeholder: bool,
}

/// The remembered cost of a match within a union, where a part of a text is matched against the same type once for each path to it.
/// The values are not kept, since each contains everything inside it: a fit from memory is a placeholder, and the chosen one is
/// computed once more.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memo {
    Fits { cost: u32 },
    Mismatch { matched: usize },
}

impl Memo {
    pub(crate) fn from_result(result: &Result<Fit, Mismatch>) -> Memo {
        match result {
            Ok(fit) => Memo::Fits { cost: fit.cost },
            Err(mismatch) => Memo::Mismatch {
                matched: mismatch.matched,
            },
        }
    }

    pub(crate) fn to_result(self) -> Result<Fit, Mismatch> {
        match self {
            Memo::Fits { cost } => Ok(Fit {
                cost,
                is_placeholder: true,
                ..Fit::from_value(Value::Null)
            }),
            Memo::Mismatch { matched: near } => Err(Mismatch {
                matched: near,
                ..Mismatch::default()
            }),
        }
    }
}

/// Why a node does not fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mismatch {
    /// Empty where messages are off: see [`Coercer::is_silent`](crate::coerce::Coercer::is_silent).
    pub issues: Vec<RawIssue>,
    /// The extent of the match: decides which of several candidates is reported.
    pub matched: usize,
}

/// A mismatch to be reported as an [`Issue`](crate::Issue).
#[derive(Clone, Debug)]
pub(crate) struct RawIssue {
    pub span: Span,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
    pub path: ValuePath,
}

/// The weight of a matching tag among the matched fields.
pub(crate) const TAG_WEIGHT: usize = 100;

/// The cost of a part that does not fit.
pub(crate) const WRONG_PART_COST: u32 = 100;

/// The largest number of reported issues.
const MAX_ISSUES: usize = 8;

impl Fit {
    pub(crate) fn from_value(value: impl Into<Value>) -> Fit {
        Fit {
            value: value.into(),
            cost: 0,
            repairs: Vec::new(),
            open: Vec::new(),
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
            path: ValuePath::new(),
            note: note.into(),
        });
        self
    }

    /// Records that the value is not final, if it is not.
    pub(crate) fn mark_open_if(self, is_open: bool) -> Fit {
        match is_open {
            true => self.mark_open(),
            false => self,
        }
    }

    /// Records that the value is not final.
    pub(crate) fn mark_open(mut self) -> Fit {
        self.open.push(ValuePath::new());
        self
    }

    /// Records that a part of a partial value was left out, at little cost if it is merely unfinished. If it is wrong, the rest is
    /// never final.
    pub(crate) fn leave_out(&mut self, unfinished: bool) {
        // The candidate with fewer wrong parts is the better one, however many parts have not arrived yet.
        self.cost = self
            .cost
            .saturating_add(if unfinished { 1 } else { WRONG_PART_COST });
        if !unfinished {
            self.open.push(ValuePath::new());
        }
    }

    /// Records that parts of the value, and everything in them, are not final.
    pub(crate) fn mark_parts_open(&mut self, mut paths: Vec<ValuePath>) {
        while let Some(path) = paths.pop() {
            let inner = |step| [vec![step], path.clone()].concat();
            match self.value.pointer(&json_pointer(&path)) {
                Some(Value::Array(items)) => {
                    paths.extend((0..items.len()).map(|index| inner(PathStep::Item(index))));
                }
                Some(Value::Object(map)) => {
                    paths.extend(map.keys().map(|key| inner(PathStep::Key(key.clone()))));
                }
                _ => {}
            }
            self.open.push(path);
        }
    }

    /// Records that the parts with another value, or without one, in another fit of the same node are not final: that fit may be the result.
    pub(crate) fn mark_differences_open(&mut self, other: &Fit) {
        let mut paths = Vec::new();
        let mut parts = vec![(ValuePath::new(), &self.value, &other.value)];
        while let Some((path, one, two)) = parts.pop() {
            let inner = |step| [vec![step], path.clone()].concat();
            match (one, two) {
                (Value::Object(one), Value::Object(two)) => {
                    for (key, one) in one {
                        let path = inner(PathStep::Key(key.clone()));
                        match two.get(key) {
                            Some(two) => parts.push((path, one, two)),
                            None => paths.push(path),
                        }
                    }
                }
                (Value::Array(one), Value::Array(two)) => {
                    for (index, one) in one.iter().enumerate() {
                        let path = inner(PathStep::Item(index));
                        match two.get(index) {
                            Some(two) => parts.push((path, one, two)),
                            None => paths.push(path),
                        }
                    }
                }
                // The value of a placeholder is that of an equal match.
                (_, Value::Null) if other.is_placeholder => {}
                (one, two) if one == two => {}
                _ => paths.push(path),
            }
        }
        self.mark_parts_open(paths);
    }

    /// Takes over everything but the value of a part.
    pub(crate) fn take_part(&mut self, part: &mut Fit, at: Option<StepRef<'_>>) {
        self.cost = self.cost.saturating_add(part.cost);
        self.is_placeholder |= part.is_placeholder;
        // Most parts have neither.
        if part.repairs.is_empty() && part.open.is_empty() {
            return;
        }
        for mut mark in part.repairs.drain(..) {
            mark.path.extend(at.map(PathStep::from));
            self.repairs.push(mark);
        }
        for mut path in part.open.drain(..) {
            path.extend(at.map(PathStep::from));
            self.open.push(path);
        }
    }

    /// Puts the value inside another.
    pub(crate) fn wrap_value(
        mut self,
        at: StepRef<'_>,
        around: impl FnOnce(Value) -> Value,
    ) -> Fit {
        let value = std::mem::take(&mut self.value);
        let mut outer = Fit::from_value(around(value));
        outer.take_part(&mut self, Some(at));
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
            path: ValuePath::new(),
        };
        Mismatch {
            issues: vec![issue],
            matched: 0,
        }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Mismatch {
        if let Some(first) = self.issues.first_mut() {
            first.help = Some(help.into());
        }
        self
    }

    pub(crate) fn with_matched(mut self, near: usize) -> Mismatch {
        self.matched += near;
        self
    }

    pub(crate) fn take_part(&mut self, part: Mismatch, at: Option<StepRef<'_>>) {
        self.matched += part.matched;
        if self.issues.is_empty() {
            self.issues = part.issues;
            for issue in &mut self.issues {
                issue.path.extend(at.map(PathStep::from));
            }
            return;
        }
        for mut issue in part.issues {
            if self.issues.len() == MAX_ISSUES {
                return;
            }
            issue.path.extend(at.map(PathStep::from));
            self.issues.push(issue);
        }
    }
}

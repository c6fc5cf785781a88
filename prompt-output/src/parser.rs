//! The state of the tolerant JSON parser: its position, its open brackets, its repairs, and the budgets of all attempts on one answer.

use crate::identity::parse_exact_json;
use crate::name::Names;
use crate::repair::{RepairKind, SyntaxRepair};
use crate::schema::Schema;
use crate::syntax::{End, NodeKind, SyntaxNode};
use prompt_base::Span;
use prompt_base::json::MAX_DEPTH;
use std::borrow::Cow;
use std::cell::Cell;

/// Why no value could be read at a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ReadError {
    /// No JSON begins here.
    NotJson,
    /// The nesting is too deep at this position.
    TooDeep(usize),
    /// The budget for this text is spent.
    BudgetSpent,
}

/// The state shared by all attempts to read one answer: budgets and the next node id.
pub(crate) struct ParseContext<'s> {
    pub names: &'s Names,
    /// The labels of the value, besides the fixed ones.
    pub titles: &'s [String],
    validator: &'s jsonschema::Validator,
    /// Bytes that may still be read. An answer is read from many positions, and an incorrect one would otherwise be read to its
    /// end from each of them.
    pub bytes_left: Cell<usize>,
    /// Bytes that may still be inspected ahead of the cursor.
    pub lookahead_left: Cell<usize>,
    next_id: Cell<u32>,
    pub arrival: Arrival,
}

/// The completeness of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// All of it.
    Whole,
    /// All that the model was allowed to write: a value at the end may be incomplete.
    Truncated,
    /// More of it will follow.
    Partial,
}

impl<'s> ParseContext<'s> {
    pub(crate) fn new(schema: &'s Schema, length: usize, arrival: Arrival) -> ParseContext<'s> {
        ParseContext {
            names: &schema.types.names,
            titles: &schema.titles,
            validator: &schema.validator,
            // Proportional to the length, so that all attempts together take linear time; the constant leaves short
            // answers with many brackets enough.
            bytes_left: Cell::new(64 * 1024 + 10 * length),
            lookahead_left: Cell::new(256 * 1024 + 32 * length),
            next_id: Cell::new(0),
            arrival,
        }
    }
}

impl ParseContext<'_> {
    /// Whether the text continues later.
    pub(crate) fn is_partial(&self) -> bool {
        self.arrival == Arrival::Partial
    }

    /// Whether a text is right as it is: JSON that satisfies the schema.
    pub(crate) fn is_exact(&self, text: &str) -> bool {
        parse_exact_json(text).is_some_and(|json| self.validator.is_valid(&json.value))
    }

    /// Makes a node with the next id.
    pub(crate) fn new_node<'t>(&self, span: Span, end: End, kind: NodeKind<'t>) -> SyntaxNode<'t> {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        SyntaxNode {
            id,
            span,
            end,
            kind,
        }
    }

    /// Charges inspected bytes to the lookahead budget.
    pub(crate) fn charge_lookahead(&self, bytes: usize) {
        self.lookahead_left
            .set(self.lookahead_left.get().saturating_sub(bytes));
    }

    pub(crate) fn lookahead_is_spent(&self) -> bool {
        self.lookahead_left.get() == 0
    }
}

/// An open bracket, and the notation of its content so far.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OpenBracket {
    /// `unquoted`: its keys have no quotes.
    Object { unquoted: bool },
    /// `unquoted`: it contains unquoted words.
    List { unquoted: bool },
}

pub(crate) struct JsonParser<'t, 'd> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    /// The end of the input: the end of the text or of a fence.
    pub(crate) end: usize,
    pub(crate) context: &'d ParseContext<'d>,
    pub(crate) strict: bool,
    /// Up to here the strict reading is certain whatever follows: the lenient reading of the same text is strict, too, before it.
    pub(crate) settled: usize,
    pub(crate) open_brackets: Vec<OpenBracket>,
    pub(crate) repairs: Vec<SyntaxRepair>,
    /// A quote from which on no certain end of a string was found; see `string.rs`.
    pub(crate) unclosed_quote: Option<(char, usize)>,
    /// The text ended within an entry of which nothing remains, or possibly within a string.
    pub(crate) dangling: bool,
    /// Where a value is missing, or text that may be part of a value, and why.
    pub(crate) loss: Option<Loss>,
}

/// A position at which the answer lacks or contains something that the value does not have, and a message.
pub(crate) type Loss = (Span, &'static str);

/// A value read from the text, with the repairs of its notation.
pub(crate) struct Candidate<'t> {
    pub node: SyntaxNode<'t>,
    pub repairs: Vec<SyntaxRepair>,
    pub dangling: bool,
    pub loss: Option<Loss>,
    /// The values up to here are final while the answer arrives.
    pub settled: usize,
}

impl<'t> Candidate<'t> {
    pub(crate) fn is_object(&self) -> bool {
        matches!(self.node.kind, NodeKind::Object(_))
    }

    pub(crate) fn new(node: SyntaxNode<'t>, repairs: Vec<SyntaxRepair>) -> Candidate<'t> {
        Candidate {
            node,
            repairs,
            dangling: false,
            loss: None,
            settled: 0,
        }
    }
}

impl<'t, 'd> JsonParser<'t, 'd> {
    pub(crate) fn new(
        text: &'t str,
        start: usize,
        end: usize,
        context: &'d ParseContext<'d>,
        strict: bool,
    ) -> JsonParser<'t, 'd> {
        JsonParser {
            text,
            at: start,
            end,
            context,
            strict,
            settled: 0,
            open_brackets: Vec::new(),
            repairs: Vec::new(),
            unclosed_quote: None,
            dangling: false,
            loss: None,
        }
    }

    pub(crate) fn into_candidate(self, node: SyntaxNode<'t>) -> Candidate<'t> {
        Candidate {
            dangling: self.dangling,
            loss: self.loss,
            settled: self.settled,
            ..Candidate::new(node, self.repairs)
        }
    }

    /// Whether the innermost bracket is inside a list.
    pub(crate) fn inside_list(&self) -> bool {
        let outer = &self.open_brackets[..self.open_brackets.len().saturating_sub(1)];
        outer
            .iter()
            .any(|bracket| matches!(bracket, OpenBracket::List { .. }))
    }

    pub(crate) fn inside_object(&self) -> bool {
        let outer = &self.open_brackets[..self.open_brackets.len().saturating_sub(1)];
        outer
            .iter()
            .any(|bracket| matches!(bracket, OpenBracket::Object { .. }))
    }

    pub(crate) fn open_bracket(&mut self, bracket: OpenBracket) -> Result<(), ReadError> {
        if self.open_brackets.len() == MAX_DEPTH {
            return Err(ReadError::TooDeep(self.at));
        }
        self.open_brackets.push(bracket);
        self.at += 1;
        Ok(())
    }

    /// Records that the content of the innermost bracket is unquoted.
    pub(crate) fn record_unquoted(&mut self, is_bare: bool) {
        if let Some(OpenBracket::Object { unquoted } | OpenBracket::List { unquoted }) =
            self.open_brackets.last_mut()
        {
            *unquoted |= is_bare;
        }
    }

    pub(crate) fn node_from(&self, start: usize, end: End, kind: NodeKind<'t>) -> SyntaxNode<'t> {
        let span = Span::new(start, self.at);
        self.context.new_node(span, end, kind)
    }

    /// Whether only correct JSON is accepted here.
    pub(crate) fn is_strict(&self) -> bool {
        self.strict || self.at < self.settled
    }

    /// Records a repair. In strict mode any repair is an error.
    pub(crate) fn record_repair(&mut self, kind: RepairKind, span: Span) -> Result<(), ReadError> {
        if self.is_strict() {
            return Err(ReadError::NotJson);
        }
        self.repairs.push(SyntaxRepair::new(kind, span));
        Ok(())
    }

    pub(crate) fn charge_bytes(&mut self, bytes: usize) -> Result<(), ReadError> {
        if self.context.lookahead_is_spent() {
            return Err(ReadError::BudgetSpent);
        }
        let left = self
            .context
            .bytes_left
            .get()
            .checked_sub(bytes)
            .ok_or(ReadError::BudgetSpent)?;
        self.context.bytes_left.set(left);
        Ok(())
    }

    pub(crate) fn skip_char(&mut self, kind: RepairKind) -> Result<(), ReadError> {
        let start = self.at;
        self.at += self.peek().map_or(0, char::len_utf8);
        self.record_repair(kind, Span::new(start, self.at))
    }

    /// The strict reading is certain up to a position.
    pub(crate) fn mark_settled(&mut self, at: usize) {
        if self.strict {
            self.settled = at;
        }
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        match self.text.as_bytes()[self.at..self.end].first() {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.rest().chars().next(),
            None => None,
        }
    }

    /// The character at the cursor, as a span.
    pub(crate) fn current_char(&self) -> Span {
        let length = self.peek().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }

    /// Records that the answer lacks a value, or contains text that belongs to none. In strict mode it is an error.
    pub(crate) fn record_lost_text(
        &mut self,
        span: Span,
        message: &'static str,
    ) -> Result<(), ReadError> {
        if self.is_strict() {
            return Err(ReadError::NotJson);
        }
        self.loss.get_or_insert((span, message));
        Ok(())
    }
}

/// The result of reading a key.
pub(crate) enum KeyRead<'t> {
    Key {
        text: Cow<'t, str>,
        span: Span,
        unquoted: bool,
    },
    None,
    /// The text ended within the key.
    Cut,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Separator {
    Entries,
    Items,
}

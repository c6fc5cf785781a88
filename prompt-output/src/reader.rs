//! The tolerant JSON parser: text → [`SyntaxNode`], with the repairs of its notation.
//!
//! One parser has two modes. The **strict** mode accepts only correct JSON, complete or cut off at the end, so correct JSON is
//! always read as JSON, whatever its strings contain. Only incorrect JSON is read again in the **lenient** mode, where the
//! end of a string or of an unquoted value depends on what follows it (`lookahead.rs`).
//!
//! The strict reading marks how far it is settled, and the lenient reading of the same text is strict up to there. While an answer
//! arrives, a value is final only in the settled part, so no later text and no repair can change it.

use crate::lookahead::is_space;
use crate::parser::{
    Candidate, JsonParser, KeyRead, OpenBracket, ParseContext, ReadError, Separator,
};
use crate::repair::RepairKind;
use crate::string::is_opening_quote;
use crate::syntax::{End, LEAVES_OUT, NodeKind, ObjectEntry, SyntaxNode, has_ellipsis};
use crate::unquoted::is_literal;
use prompt_base::Span;

/// Reads the value at a position: strictly, and leniently if that fails.
pub(crate) fn parse_value<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    context: &ParseContext<'_>,
) -> Result<Candidate<'t>, ReadError> {
    let mut reader = JsonParser::new(text, start, end, context, true);
    let read = reader.read_value();
    let settled = reader.settled;
    let strict = match read {
        Err(ReadError::NotJson) => None,
        Err(stop) => return Err(stop),
        Ok(node) => {
            let after = node.span.end;
            // A string with an unescaped quote may look like complete JSON up to that quote. A key of the schema, or an odd quote,
            // after the value shows that the value did not end there.
            let continues = node.end == End::Sure
                && (reader.object_continues(after) || reader.string_continues(after));
            // A value that is right as it is ends there, whatever follows.
            let is_exact = node.end == End::Sure
                && (continues || context.is_partial())
                && context.is_exact(&text[start..after]);
            if is_exact {
                reader.mark_settled(after);
            }
            let early = continues && !is_exact;
            let cut = node.end == End::Cut && !context.is_partial();
            let candidate = reader.into_candidate(node);
            if !early && !cut {
                return Ok(candidate);
            }
            Some((candidate, early))
        }
    };
    match (strict, parse_leniently(text, start, end, context, settled)) {
        // An unclosed value may be the result of an overlooked quote.
        (Some((_, early)), Ok(lenient)) if early || lenient.node.end == End::Sure => Ok(lenient),
        (Some((strict, _)), _) => Ok(strict),
        (None, lenient) => lenient,
    }
}

/// Reads the value at a position that is known not to be correct JSON.
pub(crate) fn parse_leniently<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    context: &ParseContext<'_>,
    settled: usize,
) -> Result<Candidate<'t>, ReadError> {
    let mut reader = JsonParser::new(text, start, end, context, false);
    reader.settled = settled;
    reader.read_value().map(|node| reader.into_candidate(node))
}

impl<'t> JsonParser<'t, '_> {
    pub(crate) fn read_value(&mut self) -> Result<SyntaxNode<'t>, ReadError> {
        self.charge_bytes(1)?;
        let start = self.at;
        match self.peek() {
            Some(bracket @ ('{' | '[')) => {
                let repairs = self.repairs.len();
                let open_brackets = self.open_brackets.len();
                let read = match bracket {
                    '{' => self.read_object(),
                    _ => self.read_list(),
                };
                match read {
                    // An unquoted text may begin with a bracket: `{{name}} of …`. There is no value behind the bracket yet, so none that
                    // is final.
                    Err(ReadError::NotJson) if !self.strict && open_brackets > 0 => {
                        self.repairs.truncate(repairs);
                        self.open_brackets.truncate(open_brackets);
                        self.at = start;
                        self.settled = self.settled.min(start);
                        self.read_unquoted()
                    }
                    Ok(node) if node.end == End::Sure && open_brackets > 0 => {
                        self.mark_settled(self.at);
                        Ok(node)
                    }
                    read => read,
                }
            }
            Some(quote) if is_opening_quote(quote) => self.read_string(),
            _ => self.read_unquoted(),
        }
    }

    /// Whether the object that ends at a position continues after it, so that its closing bracket is superfluous:
    /// `{"a": {"b": 1}}, "c": 2}`.
    pub(crate) fn object_continues(&self, at: usize) -> bool {
        let comma = self.space_after(at).at;
        if !self.text[comma..self.end].starts_with(',') {
            return false;
        }
        let next = self.space_after(comma + 1).at;
        let key = self.key_ahead(next);
        key.is_some_and(|key| key.quoted && key.known && !key.cut)
    }

    pub(crate) fn read_object(&mut self) -> Result<SyntaxNode<'t>, ReadError> {
        let start = self.at;
        self.open_bracket(OpenBracket::Object { unquoted: false })?;
        self.read_entries(start)
    }

    /// Reads the entries of an object whose opening bracket was read or is missing.
    pub(crate) fn read_entries(&mut self, start: usize) -> Result<SyntaxNode<'t>, ReadError> {
        let mut entries: Vec<ObjectEntry<'t>> = Vec::new();
        let mut end = End::Sure;
        loop {
            self.skip_space()?;
            match self.peek() {
                None => {
                    end = End::Cut;
                    break;
                }
                // Models close the outer object together with an inner one. Only a field name of the schema after the bracket
                // shows that more of the object follows.
                Some('}')
                    if self.open_brackets.len() == 1
                        && self.object_continues(self.at + 1)
                        && !(self.repairs.is_empty()
                            && self.context.is_exact(&self.text[start..=self.at])) =>
                {
                    self.skip_char(RepairKind::ExtraBracket)?;
                }
                Some('}') => {
                    self.at += 1;
                    break;
                }
                Some(',') => self.skip_char(RepairKind::ExtraComma)?,
                Some(']') if self.inside_list() => {
                    self.record_repair(RepairKind::MissingBracket, self.current_char())?;
                    break;
                }
                Some(']') => self.skip_char(RepairKind::ExtraBracket)?,
                // The next object of a list; this one is not closed.
                Some('{') if self.inside_list() && !entries.is_empty() => {
                    self.record_repair(RepairKind::MissingBracket, self.current_char())?;
                    break;
                }
                Some(_) => match self.read_entry(entries.is_empty())? {
                    EntryRead::Entry(entry) => entries.push(entry),
                    EntryRead::Skipped => {}
                    EntryRead::End => {
                        self.at = self.end;
                        self.dangling = true;
                    }
                    EntryRead::Nothing if entries.is_empty() => return Err(ReadError::NotJson),
                    EntryRead::Nothing => self.skip_stray_text(false)?,
                },
            }
        }
        self.open_brackets.pop();
        Ok(self.node_from(start, end, NodeKind::Object(entries)))
    }

    /// Reads a key, its value and the comma after it.
    fn read_entry(&mut self, first: bool) -> Result<EntryRead<'t>, ReadError> {
        let before = self.at;
        let first_letter = self.rest().get(1..).and_then(|rest| rest.chars().next());
        let begins_name = |letter: char| {
            self.context
                .names
                .has_prefix(letter.encode_utf8(&mut [0; 4]))
        };
        if first_letter.is_some_and(begins_name) {
            self.mark_settled(before);
        }
        let (key, key_span, unquoted) = match self.read_key()? {
            KeyRead::Key {
                text,
                span,
                unquoted,
            } => (text, span, unquoted),
            KeyRead::Cut => {
                // Its value may be a part of it.
                if !self.context.is_partial() && self.text[before..self.end].contains(':') {
                    let start = Span::new(before, before);
                    self.record_lost_text(start, "the quotes of this key are not closed")?;
                }
                return Ok(EntryRead::End);
            }
            KeyRead::None => {
                self.at = before;
                return Ok(EntryRead::Nothing);
            }
        };
        if first {
            self.record_unquoted(unquoted);
        }
        if self.peek() != Some(':') && self.context.names.contains(&key) {
            self.mark_settled(before);
        }
        self.skip_space()?;
        match self.peek() {
            Some(':') => {
                self.mark_settled(before);
                self.at += 1;
            }
            Some('=') if self.rest().starts_with("=>") => {
                self.record_repair(RepairKind::MissingColon, Span::new(self.at, self.at + 2))?;
                self.at += 2;
            }
            None => return Ok(EntryRead::End),
            Some(next)
                if !unquoted && !self.is_strict() && self.is_key_without_colon(&key, next) =>
            {
                self.record_repair(RepairKind::MissingColon, self.current_char())?;
            }
            Some(_) => {
                self.at = before;
                return Ok(EntryRead::Nothing);
            }
        }
        self.skip_space()?;
        match self.peek() {
            None => return Ok(EntryRead::End),
            Some(',' | '}') => return self.leave_out_key(&key, key_span),
            Some(_) => {}
        }
        let value = self.read_value()?;
        if let NodeKind::Unquoted("") = value.kind {
            return self.leave_out_key(&key, key_span);
        }
        self.read_separator(Separator::Entries)?;
        Ok(EntryRead::Entry(ObjectEntry {
            key,
            key_span,
            value,
        }))
    }

    /// Leaves out a key without a value, unless it may be an entry of a map.
    fn leave_out_key(&mut self, key: &str, span: Span) -> Result<EntryRead<'t>, ReadError> {
        self.record_repair(RepairKind::MissingValue, span)?;
        // A field of a struct is then reported as missing where it is required. A key of a map has no such check, and would
        // be dropped without a trace.
        if self.context.names.accept_any && !self.context.names.contains(key) {
            self.record_lost_text(span, "this key has no value")?;
        }
        Ok(EntryRead::Skipped)
    }

    /// Whether a quoted text is a key whose colon is missing, judged by the next character.
    fn is_key_without_colon(&self, word: &str, next: char) -> bool {
        let names = self.context.names;
        // Any text may be a key of a map, so there a value must follow.
        let value = matches!(next, '"' | '\'' | '“' | '{' | '[' | '-' | '0'..='9');
        names.contains(word) || names.accept_any && value
    }

    pub(crate) fn read_list(&mut self) -> Result<SyntaxNode<'t>, ReadError> {
        let start = self.at;
        self.open_bracket(OpenBracket::List { unquoted: false })?;
        self.read_items(start)
    }

    /// Reads the items of a list whose opening bracket was read or is missing.
    pub(crate) fn read_items(&mut self, start: usize) -> Result<SyntaxNode<'t>, ReadError> {
        let mut items: Vec<SyntaxNode<'t>> = Vec::new();
        let mut end = End::Sure;
        loop {
            self.skip_space()?;
            match self.peek() {
                None => {
                    end = End::Cut;
                    break;
                }
                Some(']') => {
                    self.at += 1;
                    break;
                }
                Some(',') => {
                    // Unlike a field, a missing item has no name by which it would be missed.
                    let comma = self.current_char();
                    self.at += 1;
                    self.record_lost_text(comma, "an item is missing before this comma")?;
                }
                Some('}') if self.inside_object() => {
                    self.record_repair(RepairKind::MissingBracket, self.current_char())?;
                    break;
                }
                Some('}') => {
                    self.skip_char(RepairKind::ExtraBracket)?;
                    self.skip_space()?;
                    // The comma after the item.
                    self.at += usize::from(!items.is_empty() && self.peek() == Some(','));
                }
                Some(_) => {
                    let before = self.at;
                    let item = self.read_value()?;
                    if self.at == before {
                        self.skip_char(RepairKind::StrayText)?;
                        continue;
                    }
                    items.push(item);
                    self.read_separator(Separator::Items)?;
                }
            }
        }
        let leaves_out = |item: &&SyntaxNode<'_>| match item.kind {
            NodeKind::Unquoted(word) => {
                item.is_ellipsis() || word.ends_with("...") || word.ends_with('…')
            }
            _ => false,
        };
        if let Some(ellipsis) = items.iter().find(leaves_out) {
            self.record_lost_text(ellipsis.span, LEAVES_OUT)?;
        }
        // A word without quotes among strings is rather a remark: `["a", "b", etc.]`.
        let is_quoted = |item: &SyntaxNode<'_>| matches!(item.kind, NodeKind::Quoted(_));
        let is_word = |item: &&SyntaxNode<'_>| matches!(item.kind, NodeKind::Unquoted(word) if !is_literal(word));
        if items.iter().any(is_quoted)
            && let Some(word) = items.iter().find(is_word)
        {
            let why = "this item has no quotes, and others have";
            self.record_lost_text(word.span, why)?;
        }
        self.open_brackets.pop();
        Ok(self.node_from(start, end, NodeKind::List(items)))
    }

    /// Reads what separates two values: a comma, or less.
    pub(crate) fn read_separator(&mut self, between: Separator) -> Result<(), ReadError> {
        self.skip_space()?;
        match self.peek() {
            Some(',') => {
                let comma = self.current_char();
                self.at += 1;
                self.skip_space()?;
                if matches!(self.peek(), Some('}' | ']')) {
                    self.record_repair(RepairKind::ExtraComma, comma)?;
                }
                // These signs may begin a comment.
                let begins_item = self.peek().is_some_and(|next| !matches!(next, '/' | '#'));
                if between == Separator::Items && begins_item {
                    self.mark_settled(self.at);
                }
                Ok(())
            }
            Some('}' | ']') => {
                // The outermost bracket, and what is before it, may be the rest of a string.
                if self.open_brackets.len() > 1 {
                    self.mark_settled(self.at);
                }
                Ok(())
            }
            None => Ok(()),
            // The next item: the closing bracket of this object is missing, which `read_entries` repairs.
            Some('{') if between == Separator::Entries && self.inside_list() => Ok(()),
            Some(_) if between == Separator::Items => {
                self.record_repair(RepairKind::MissingComma, self.current_char())
            }
            Some(_) if self.key_ahead(self.at).is_some() => {
                self.record_repair(RepairKind::MissingComma, self.current_char())
            }
            Some(_) => self.skip_stray_text(true),
        }
    }

    /// Skips text that is not a key, up to the next key or bracket, or the end. After a value, or with values in it, it is lost:
    /// it may be a part of a value.
    fn skip_stray_text(&mut self, after_value: bool) -> Result<(), ReadError> {
        let start = self.at;
        self.skip_to_next_key()?;
        let text = self.text[start..self.at].trim_end();
        let is_fence = text == "```";
        // Plain words between two entries are a remark of the model. Text with a number, a quote or a bracket may be a part of
        // the answer, and leaving it out would change the answer.
        let is_value = |c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '{' | '[');
        if !is_fence && after_value || text.contains(is_value) || has_ellipsis(text) {
            self.record_lost_text(
                Span::new(start, start + text.len()),
                "this text belongs to no value",
            )?;
        }
        Ok(())
    }

    fn skip_to_next_key(&mut self) -> Result<(), ReadError> {
        let start = self.at;
        let mut previous = ' ';
        for (offset, letter) in self.rest().char_indices() {
            let at = start + offset;
            // A word and a colon also occur in prose. They are a key only where an entry can begin: after a line break or a comma, or
            // in quotes with a name of the schema.
            let border = matches!(previous, '\n' | ',');
            let quoted = letter == '"' && is_space(previous);
            // The first character is always skipped, so that parsing makes progress.
            if offset > 0
                && (matches!(letter, '}' | ']')
                    || (border && self.key_ahead(self.space_after(at).at).is_some())
                    || (quoted && self.key_ahead(at).is_some_and(|key| key.known)))
            {
                self.context.charge_lookahead(offset);
                self.at = at;
                return self.record_repair(RepairKind::StrayText, Span::new(start, at));
            }
            previous = letter;
        }
        self.context.charge_lookahead(self.end - start);
        self.at = self.end;
        self.record_repair(RepairKind::StrayText, Span::new(start, self.end))
    }
}

/// The result of reading an entry of an object.
enum EntryRead<'t> {
    Entry(ObjectEntry<'t>),
    /// A key without a value.
    Skipped,
    /// There is no key here; nothing was consumed.
    Nothing,
    /// The text ended within the entry.
    End,
}

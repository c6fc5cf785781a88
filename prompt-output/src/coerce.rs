//! Converts values of the text into the types of the schema.
//!
//! A type accepts a value as it is, or in another notation of the same value; every change is a repair with a cost. Nothing is
//! added, left out, wrapped or taken out of a container.

use crate::describe::{describe_type, excerpt};
use crate::fit::{Fit, Memo, Mismatch, TAG_WEIGHT, WRONG_PART_COST};
use crate::number::{amount_to_json, exceeds_floats, parse_number, to_json_number};
use crate::parser::{Candidate, ParseContext};
use crate::path::ValuePath;
use crate::reader::parse_value;
use crate::repair::RepairKind;
use crate::syntax::{End, LEAVES_OUT, NodeKind, SyntaxNode};
use crate::types::{Object, Type, TypeIndex, TypeTable};
use crate::unquoted::{is_null, is_number, may_be_literal};
use prompt_base::Span;
use serde_json::Value;
use std::collections::BTreeMap;

/// How deep strings that contain JSON may be nested.
const MAX_NESTING: u8 = 3;

pub(crate) struct Coercer<'s> {
    pub types: &'s TypeTable,
    pub context: &'s ParseContext<'s>,
    /// The text that the nodes' spans refer to.
    pub text: &'s str,
    /// The position of that text in the answer, if it was decoded from a string.
    origin: Option<Span>,
    /// The text may continue: values that are not final are left out, and so are values that do not fit.
    pub partial: bool,
    nesting: u8,
    /// The remembered results of matches within unions.
    memo: BTreeMap<(u32, TypeIndex), Memo>,
    /// Placeholders are not accepted.
    pub needs_values: bool,
    pub union_depth: u32,
    /// The values of the candidate in progress up to here are final, in a text that may continue.
    settled: usize,
    /// Mismatches get messages; see [`Coercer::is_silent`].
    pub reports: bool,
    /// The matches in progress, so that a recursive type is not entered forever.
    in_progress: Vec<(u32, TypeIndex)>,
}

impl<'s> Coercer<'s> {
    pub(crate) fn new(
        types: &'s TypeTable,
        context: &'s ParseContext<'s>,
        text: &'s str,
    ) -> Coercer<'s> {
        Coercer {
            types,
            context,
            text,
            origin: None,
            partial: context.is_partial(),
            settled: 0,
            nesting: 0,
            memo: BTreeMap::new(),
            needs_values: false,
            union_depth: 0,
            reports: false,
            in_progress: Vec::new(),
        }
    }

    /// The position of a span in the answer.
    pub(crate) fn answer_span(&self, span: Span) -> Span {
        self.origin.unwrap_or(span)
    }

    /// An excerpt of the source of a node, for a message.
    pub(crate) fn node_excerpt(&self, node: &SyntaxNode<'_>) -> String {
        excerpt(&self.text[node.span.start..node.span.end])
    }

    /// Whether mismatches get no messages. Most matches are only tried (a variant of a union, another candidate), and a partial value
    /// leaves out what does not fit. Formatting messages would take most of the time, so it is done for the closest candidate alone,
    /// once nothing has fit.
    pub(crate) fn is_silent(&self) -> bool {
        !self.reports || self.union_depth > 0 || self.partial
    }

    /// Runs a match whose mismatches get no messages.
    pub(crate) fn without_messages<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.with_reporting(false, work)
    }

    pub(crate) fn with_reporting<T>(
        &mut self,
        reports: bool,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = std::mem::replace(&mut self.reports, reports);
        let done = work(self);
        self.reports = before;
        done
    }

    pub(crate) fn mismatch(
        &self,
        node: &SyntaxNode<'_>,
        texts: impl FnOnce() -> (String, String),
    ) -> Mismatch {
        self.mismatch_at(node.span, texts)
    }

    #[cold]
    pub(crate) fn mismatch_at(
        &self,
        span: Span,
        texts: impl FnOnce() -> (String, String),
    ) -> Mismatch {
        match self.is_silent() {
            true => Mismatch::default(),
            false => self.mismatch_of(span, texts()),
        }
    }

    fn mismatch_of(&self, span: Span, (message, label): (String, String)) -> Mismatch {
        Mismatch::new(self.answer_span(span), message, label)
    }

    /// The mismatch of a node of another type.
    #[cold]
    pub(crate) fn type_mismatch(&self, node: &SyntaxNode<'_>, id: TypeIndex) -> Mismatch {
        self.mismatch(node, || self.type_mismatch_texts(node, id))
    }

    fn type_mismatch_texts(&self, node: &SyntaxNode<'_>, id: TypeIndex) -> (String, String) {
        let expected = describe_type(self.types, id);
        let message = match &node.kind {
            _ if matches!(self.types.get(id), Type::Never) => {
                "a value is not allowed here".to_owned()
            }
            NodeKind::Unquoted(word) if is_null(word) => {
                ["`", &self.node_excerpt(node), "` where a value is needed"].concat()
            }
            NodeKind::Unquoted(_) | NodeKind::Quoted(_) => {
                ["`", &self.node_excerpt(node), "` is not ", &expected].concat()
            }
            NodeKind::List(items) if items.is_empty() => {
                ["an empty list is not ", &expected].concat()
            }
            NodeKind::List(items) => format!("a list of {} is not {expected}", items.len()),
            NodeKind::Object(_) => ["an object is not ", &expected].concat(),
        };
        (message, ["expected ", &expected].concat())
    }

    pub(crate) fn quoted_excerpt(&self, node: &SyntaxNode<'_>) -> String {
        ["`", &self.node_excerpt(node), "`"].concat()
    }

    /// The mismatch of a value whose end is missing.
    pub(crate) fn truncated_mismatch(&self, node: &SyntaxNode<'_>) -> Mismatch {
        self.mismatch(node, || {
            (
                ["`", &self.node_excerpt(node), "` breaks off"].concat(),
                "the text ends here".to_owned(),
            )
        })
    }

    /// Whether later text may change the value of a node, or add to it.
    fn is_open(&self, node: &SyntaxNode<'_>) -> bool {
        self.partial && (node.end != End::Sure || node.span.end > self.settled)
    }

    /// Whether a node may yet change, so that it can only be read as text.
    pub(crate) fn may_change(&self, node: &SyntaxNode<'_>) -> bool {
        match node.end {
            End::Sure => false,
            End::Likely => self.partial,
            End::Cut => self.partial || matches!(node.kind, NodeKind::Quoted(_)),
        }
    }

    /// Coerces a candidate, all of whose text must belong to its values.
    pub(crate) fn coerce_candidate(
        &mut self,
        candidate: &Candidate<'_>,
        coerce: impl Fn(&mut Self, &SyntaxNode<'_>) -> Result<Fit, Mismatch>,
    ) -> Result<Fit, Mismatch> {
        match candidate.loss {
            Some((span, message)) if !self.partial => {
                let texts = || {
                    (
                        message.to_owned(),
                        "expected a comma, a key, a value or a bracket".to_owned(),
                    )
                };
                Err(self.mismatch_at(span, texts).with_matched(1))
            }
            _ => {
                let before = std::mem::replace(&mut self.settled, candidate.settled);
                let result = coerce(self, &candidate.node);
                self.settled = before;
                result
            }
        }
    }

    pub(crate) fn coerce_node(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        let types = self.types;
        let (id, ty) = types.resolve_index(id);
        let key = (node.id, id);
        if self.in_progress.contains(&key) {
            return Err(self.type_mismatch(node, id));
        }
        // Without a type the values are needed at once, to compare them with literals.
        let is_remembered = self.union_depth > 0 && node.is_container() && !matches!(ty, Type::Any);
        if is_remembered
            && let Some(&known) = self.memo.get(&key)
            && (!self.needs_values || matches!(known, Memo::Mismatch { .. }))
        {
            return known.to_result();
        }
        self.in_progress.push(key);
        let result = self.coerce_to_type(node, id, ty);
        self.in_progress.pop();
        let result = result.map(|fit| fit.mark_open_if(self.is_open(node)));
        if is_remembered {
            self.memo.insert(key, Memo::from_result(&result));
        }
        result
    }

    /// The known result of a match.
    pub(crate) fn known_result(&self, node: &SyntaxNode<'_>, id: TypeIndex) -> Option<Memo> {
        self.memo
            .get(&(node.id, self.types.resolve_index(id).0))
            .copied()
    }

    fn coerce_to_type(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        ty: &'s Type,
    ) -> Result<Fit, Mismatch> {
        match ty {
            Type::Any => self.coerce_untyped(node),
            Type::Never => Err(self.type_mismatch(node, id)),
            Type::Null => self
                .coerce_null(node)
                .ok_or_else(|| self.type_mismatch(node, id)),
            Type::Nullable(inner) => self.coerce_nullable(node, *inner),
            Type::Text => self.coerce_string(node, id),
            Type::Bool | Type::Number(_) | Type::Choice(_) => self.coerce_scalar(node, id, ty),
            Type::List(list) => self.coerce_list(node, id, list),
            Type::Object(object) => self.coerce_object(node, id, object),
            Type::Union(variants) => self.coerce_union(node, id, variants),
            Type::Same(_) => Err(self.type_mismatch(node, id)),
        }
    }

    pub(crate) fn coerce_null(&self, node: &SyntaxNode<'_>) -> Option<Fit> {
        let span = self.answer_span(node.span);
        match &node.kind {
            NodeKind::Unquoted("null") => Some(Fit::from_value(Value::Null)),
            NodeKind::Unquoted(word) if is_null(word) => Some(
                Fit::from_value(Value::Null).with_repair(RepairKind::ForeignLiteral, span, *word),
            ),
            _ => None,
        }
    }

    fn coerce_nullable(
        &mut self,
        node: &SyntaxNode<'_>,
        inner: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        if let NodeKind::Unquoted("null") = node.kind {
            return Ok(Fit::from_value(Value::Null));
        }
        let fitted = self.coerce_node(node, inner);
        match &node.kind {
            NodeKind::Unquoted(_) if fitted.is_err() => self.coerce_null(node).ok_or(()).or(fitted),
            // A string that contains "null", where no string is accepted.
            NodeKind::Quoted(text) if fitted.is_err() && means_null(text) => {
                let fit = Fit::from_value(Value::Null);
                Ok(fit.with_repair(
                    RepairKind::ForeignLiteral,
                    self.answer_span(node.span),
                    self.node_excerpt(node),
                ))
            }
            _ => fitted,
        }
    }

    /// Whether the text ended within the node or right after it.
    pub(crate) fn is_unfinished(&self, node: &SyntaxNode<'_>) -> bool {
        self.partial && node.end != End::Sure
    }

    /// Coerces a string that contains the expected JSON.
    pub(crate) fn coerce_nested_json(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
    ) -> Option<Result<Fit, Mismatch>> {
        let NodeKind::Quoted(text) = &node.kind else {
            return None;
        };
        if self.nesting == MAX_NESTING || self.may_change(node) {
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
        let candidate = parse_value(text, start, text.len(), self.context).ok()?;
        let inner = candidate.node;
        let is_complete = inner.end == End::Sure && candidate.loss.is_none();
        if !is_complete || !is_end_of_fence(&text[inner.span.end..], fenced) {
            return None;
        }
        let span = self.answer_span(node.span);
        let mut coercer = Coercer::new(self.types, self.context, text);
        coercer.origin = Some(span);
        coercer.nesting = self.nesting + 1;
        coercer.reports = !self.is_silent();
        let fit = coercer.coerce_node(&inner, id);
        Some(fit.map(|fit| {
            let fit = fit.with_repair(RepairKind::Escaped, span, "");
            candidate
                .repairs
                .iter()
                .fold(fit, |fit, mark| fit.with_repair(mark.kind, span, ""))
        }))
    }
}

/// Whether nothing follows the JSON in a string but the end of its fence.
fn is_end_of_fence(rest: &str, fenced: bool) -> bool {
    let rest = rest.trim();
    rest.is_empty() || fenced && rest == "```"
}

/// Whether a text means null, and cannot mean anything else.
fn means_null(text: &str) -> bool {
    matches!(
        text.trim().to_ascii_lowercase().as_str(),
        "null" | "none" | "nil"
    )
}

impl Coercer<'_> {
    /// Coerces a node where any value is accepted.
    pub(crate) fn coerce_any(&mut self, node: &SyntaxNode<'_>) -> Result<Fit, Mismatch> {
        let fit = self.coerce_untyped(node)?;
        Ok(fit.mark_open_if(self.is_open(node)))
    }

    fn coerce_untyped(&mut self, node: &SyntaxNode<'_>) -> Result<Fit, Mismatch> {
        if let Some(fit) = self.coerce_null(node) {
            return Ok(fit);
        }
        let span = self.answer_span(node.span);
        match &node.kind {
            NodeKind::Unquoted(_) if node.is_ellipsis() => Err(self.mismatch(node, || {
                (LEAVES_OUT.to_owned(), "expected a value".to_owned())
            })),
            NodeKind::Unquoted(word)
                if self.may_change(node)
                    || node.end == End::Cut
                        && may_be_literal(word)
                        && parse_number(word).is_none() =>
            {
                Err(self.truncated_mismatch(node))
            }
            NodeKind::Unquoted("true") => Ok(Fit::from_value(true)),
            NodeKind::Unquoted("false") => Ok(Fit::from_value(false)),
            NodeKind::Unquoted(word @ ("True" | "TRUE" | "False" | "FALSE")) => {
                let truth = word.starts_with('T');
                Ok(Fit::from_value(truth).with_repair(RepairKind::ForeignLiteral, span, *word))
            }
            NodeKind::Unquoted(word) => Ok(match to_json_number(word) {
                Some(number) => Fit::from_value(Value::Number(number)),
                None => self.coerce_other_word(node, word)?,
            }),
            NodeKind::Quoted(text) => Ok(Fit::from_value(text.as_ref())),
            NodeKind::List(items) => {
                self.coerce_items(items, |coercer, _, item| coercer.coerce_any(item))
            }
            NodeKind::Object(entries) => {
                let types = self.types;
                self.coerce_entries(node, entries, types.any_object())
            }
        }
    }

    /// Converts an unquoted word that is not JSON: a number in another notation, or a string without quotes.
    fn coerce_other_word(&self, node: &SyntaxNode<'_>, word: &str) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        let number = parse_number(word).filter(|number| !number.is_percent);
        if let Some(number) = number.filter(|_| is_number(word)) {
            let number = amount_to_json(number.amount).ok_or_else(|| self.lossy_number(node))?;
            let fit = Fit::from_value(Value::Number(number));
            return Ok(fit.with_repair(RepairKind::NumberNotation, span, word));
        }
        if exceeds_floats(word) {
            return Err(self.lossy_number(node));
        }
        let fit = Fit::from_value(word);
        Ok(match is_number(word) {
            // The parser did not record it, since the schema may want a number.
            true => fit.with_repair(RepairKind::MissingQuotes, span, word),
            false => fit,
        })
    }

    /// The mismatch of a number that would lose digits.
    pub(crate) fn lossy_number(&self, node: &SyntaxNode<'_>) -> Mismatch {
        self.mismatch(node, || {
            let message = self.quoted_excerpt(node) + " does not fit into 64 bits";
            (message, "expected a number of 64 bits".to_owned())
        })
        .with_help("only JSON that needs no repair may contain longer numbers")
    }
}

/// The variant of a union that fits at the smallest cost.
struct BestVariant {
    fit: Fit,
    variant: TypeIndex,
    /// The fits of the variants that may turn out to be the best.
    others: Vec<(Fit, TypeIndex)>,
}

/// The best variant of a union that was matched before.
#[derive(Clone, Copy)]
struct RememberedVariant {
    variant: TypeIndex,
    /// Another variant may turn out to be the best.
    may_change: bool,
}

impl Coercer<'_> {
    /// Returns the variant that fits at the smallest cost. Of equals the first wins, as in serde's untagged enums.
    pub(crate) fn coerce_union(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        variants: &[TypeIndex],
    ) -> Result<Fit, Mismatch> {
        self.union_depth += 1;
        let remembered = match self.needs_values {
            true => self.remembered_variant(node, variants),
            false => None,
        };
        let found = match remembered {
            Some(variant) => self.coerce_remembered(node, variant).map_err(|_| None),
            None => self.best_variant(node, variants),
        };
        self.union_depth -= 1;
        match found {
            Ok(best) => self.fit_of_best(node, best),
            Err(Some((variant, near))) if near > 0 && !self.is_silent() => {
                if near < TAG_WEIGHT
                    && let Some(mismatch) = self.wrong_tag(node, variants)
                {
                    return Err(mismatch.with_matched(near));
                }
                // Some of it matched: the mismatches of that variant are reported.
                match self.coerce_node(node, variant) {
                    Err(mismatch) => Err(mismatch),
                    Ok(_) => Err(self.type_mismatch(node, id).with_matched(near)),
                }
            }
            Err(Some((_, near))) => Err(self.type_mismatch(node, id).with_matched(near)),
            Err(None) => Err(self.type_mismatch(node, id)),
        }
    }

    /// The fit of the best variant. Its parts that have another value in a variant that may turn out to be the best are not final.
    fn fit_of_best(&mut self, node: &SyntaxNode<'_>, best: BestVariant) -> Result<Fit, Mismatch> {
        // Nothing around an outermost union is tried again, so its values are made now.
        let is_outermost = self.union_depth == 0;
        let mut fit = match is_outermost && best.fit.is_placeholder {
            true => self.coerce_with_values(node, best.variant)?,
            false => best.fit,
        };
        for (other, variant) in best.others {
            let other = match is_outermost && other.is_placeholder {
                true => self.coerce_with_values(node, variant).unwrap_or(other),
                false => other,
            };
            fit.mark_differences_open(&other);
        }
        Ok(fit)
    }

    /// The variant that is known to be the best, and whether another one may turn out to be the best.
    fn remembered_variant(
        &self,
        node: &SyntaxNode<'_>,
        variants: &[TypeIndex],
    ) -> Option<RememberedVariant> {
        let is_open = self.is_unfinished(node);
        let mut best: Option<(u32, TypeIndex)> = None;
        let mut fitting = 0;
        for &variant in variants {
            match self.known_result(node, variant)? {
                // The variants after it were not tried.
                Memo::Fits { cost: 0 } if !is_open => {
                    return Some(RememberedVariant {
                        variant,
                        may_change: false,
                    });
                }
                Memo::Fits { cost } => {
                    fitting += u32::from(cost < WRONG_PART_COST);
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, variant));
                    }
                }
                Memo::Mismatch { .. } => {}
            }
        }
        best.map(|(_, variant)| RememberedVariant {
            variant,
            may_change: is_open && fitting > 1,
        })
    }

    /// The fit of a remembered variant. The values of the other variants are not made, since the time would grow exponentially with the
    /// depth of unions: if another one may turn out to be the best, no part is final.
    fn coerce_remembered(
        &mut self,
        node: &SyntaxNode<'_>,
        remembered: RememberedVariant,
    ) -> Result<BestVariant, Mismatch> {
        let mut fit = self.coerce_node(node, remembered.variant)?;
        if remembered.may_change {
            fit.mark_parts_open(vec![ValuePath::new()]);
        }
        Ok(BestVariant {
            fit,
            variant: remembered.variant,
            others: Vec::new(),
        })
    }

    /// Matches once more, with all values.
    fn coerce_with_values(
        &mut self,
        node: &SyntaxNode<'_>,
        variant: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        self.union_depth += 1;
        let before = std::mem::replace(&mut self.needs_values, true);
        let fit = self.coerce_node(node, variant);
        self.needs_values = before;
        self.union_depth -= 1;
        fit
    }

    /// Returns the best variant; or else the closest one and how much of it matched.
    fn best_variant(
        &mut self,
        node: &SyntaxNode<'_>,
        variants: &[TypeIndex],
    ) -> Result<BestVariant, Option<(TypeIndex, usize)>> {
        let mut best: Option<(Fit, TypeIndex)> = None;
        let mut nearest: Option<(TypeIndex, usize)> = None;
        // The rest of the node decides.
        let is_open = self.is_unfinished(node);
        let mut others = Vec::new();
        for &variant in variants {
            match self.coerce_node(node, variant) {
                Ok(fit) if fit.cost == 0 && !is_open => {
                    return Ok(BestVariant {
                        fit,
                        variant,
                        others: Vec::new(),
                    });
                }
                Ok(fit) => {
                    let is_better = best.as_ref().is_none_or(|(best, _)| fit.cost < best.cost);
                    let other = match is_better {
                        true => best.replace((fit, variant)),
                        false => Some((fit, variant)),
                    };
                    let may_fit =
                        |(fit, _): &(Fit, TypeIndex)| is_open && fit.cost < WRONG_PART_COST;
                    others.extend(other.filter(may_fit));
                }
                Err(mismatch) => {
                    if nearest.is_none_or(|(_, near)| mismatch.matched > near) {
                        nearest = Some((variant, mismatch.matched));
                    }
                }
            }
        }
        let (fit, variant) = best.ok_or(nearest)?;
        Ok(BestVariant {
            fit,
            variant,
            others,
        })
    }

    /// The mismatch for a tag field that all variants have, with a value that none of them has.
    fn wrong_tag(&self, node: &SyntaxNode<'_>, variants: &[TypeIndex]) -> Option<Mismatch> {
        let NodeKind::Object(entries) = &node.kind else {
            return None;
        };
        let mut objects = Vec::with_capacity(variants.len());
        for variant in variants {
            let Type::Object(object) = self.types.get(*variant) else {
                return None;
            };
            objects.push(object);
        }
        for entry in entries {
            if let Some(tags) = self.variant_tags(&objects, &entry.key) {
                return Some(self.mismatch(&entry.value, || {
                    let message = format!(
                        "{} is none of the variants",
                        self.quoted_excerpt(&entry.value)
                    );
                    (message, format!("expected {}", tags.join(", ")))
                }));
            }
        }
        None
    }

    /// The only possible values of the fields with this name, if every object has one.
    fn variant_tags(&self, objects: &[&Object], name: &str) -> Option<Vec<String>> {
        let mut tags = Vec::with_capacity(objects.len());
        for object in objects {
            let field = object.fields.iter().find(|field| field.name == name)?;
            tags.push(format!("`{}`", self.tag_literal(field)?.text));
        }
        Some(tags)
    }
}

//! Parses a template as a part of a prompt, whose names and tags decide which of its text is literal.

use super::names::{KnownNames, resolve_names};
use super::usage::NameUsage;
use crate::front_matter::{unread_fence, unread_front_matter, unread_path, unread_yaml};
use crate::language::{Language, Plain};
use crate::parse::{ParsedTree, parse_tree};
use crate::problem::MAX_ERRORS;
use crate::roles::{
    pasted_roles, report_roles_of_a_message, report_text_outside_roles, report_unread_roles,
};
use crate::{Error, Options, Template, XmlTag, XmlTags};

/// The result of parsing: the tree and all errors.
///
/// ```
/// use prompt_syntax::{Options, parse};
///
/// let parsed = parse("<a> <if>", Options::default());
/// assert_eq!(parsed.template.nodes.len(), 3);
/// assert_eq!(parsed.errors[0].message(), "`<if>` has no condition");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParsedTemplate<L: Language = Plain> {
    /// The tree. If there are errors, it contains the parts that could be parsed.
    pub template: Template<L>,
    /// `<name>…</name>` pairs that stay text.
    pub tags: Vec<XmlTag>,
    /// The errors, in the order of their spans.
    pub errors: Vec<Error>,
    /// The names that the template takes from outside, in the order of their first use. Empty if the names are known.
    pub names: Vec<NameUsage>,
}

/// Reads a template. It never fails: what cannot be read is an error in the result, and the rest is there.
/// After a hundred errors the others are left out.
///
/// ```
/// use prompt_syntax::{Dialect, Options, parse};
///
/// let parsed = parse("<if x>yes", Options::message(Dialect::Angle));
/// assert_eq!(parsed.errors[0].message(), "this block is never closed");
/// ```
pub fn parse(text: &str, options: Options) -> ParsedTemplate {
    parse_in(text, options, &XmlTags::default(), KnownNames::Unknown)
}

/// Reads a template as a part of a prompt, whose tags and names decide what is text: with known names, text that another
/// template language would read as a slot for one of them is an error.
///
/// ```
/// use prompt_syntax::analysis::FieldInfo;
/// use prompt_syntax::Kind;
/// use prompt_syntax::{KnownNames, Options, Plain, XmlTags, parse_in};
///
/// let fields = [FieldInfo { name: "name".into(), kind: Kind::Text, trusted: false, excluded_by: None, answer: false }];
/// let errors = |text| parse_in::<Plain>(text, Options::default(), &XmlTags::default(), KnownNames::Fields(&fields)).errors;
/// assert!(errors("Dear <name>, {x}").is_empty());
/// assert_eq!(errors("Dear {name},")[0].message(), "`{name}` is not a slot in the angle dialect");
/// ```
pub fn parse_in<L: Language>(
    text: &str,
    options: Options,
    tags: &XmlTags,
    names: KnownNames<'_>,
) -> ParsedTemplate<L> {
    let with_roles = parse_and_resolve(text, options, tags, names);
    let mut with_roles = with_roles;
    report_roles_of_a_message(text, options, &mut with_roles.errors);
    let pasted = pasted_roles(
        text,
        &with_roles.template.nodes,
        &with_roles.errors,
        options,
        names.fields(),
    );
    let mut parsed = match pasted {
        None => with_roles,
        Some(error) => {
            let options = Options {
                roles: false,
                ..options
            };
            let mut one_message = parse_and_resolve(text, options, tags, names);
            if !options.input_only {
                one_message.errors.push(error);
            }
            one_message
        }
    };
    if parsed.errors.is_empty() {
        let has_fields = !names.fields().is_empty();
        let unread = unread_fence(text, &parsed.template.nodes, options)
            .or_else(|| unread_path(text, options, has_fields));
        parsed.errors.extend(unread);
    }
    parsed.errors.extend(unread_front_matter(text, options));
    // `system: |` has an error as a role.
    let has_error = |at| parsed.errors.iter().any(|error| error.span.start == at);
    let yaml = unread_yaml(text, options).filter(|error| !has_error(error.span.start));
    parsed.errors.extend(yaml);
    parsed
        .errors
        .sort_by_key(|error| (error.span.start, error.span.end));
    truncate_errors(&mut parsed.errors);
    let fields = names.fields().iter().map(|field| field.name.as_str());
    let named = |error: Error| error.with_names(&fields);
    parsed.errors = parsed.errors.into_iter().map(named).collect();
    parsed
}

/// The errors are in any order.
fn parse_and_resolve<L: Language>(
    text: &str,
    options: Options,
    tags: &XmlTags,
    names: KnownNames<'_>,
) -> ParsedTemplate<L> {
    let ParsedTree {
        mut nodes,
        tags: found_tags,
        mut errors,
        lookalikes,
    } = parse_tree(text, options, tags);
    let (dialect, fields) = (options.dialect, names.fields());
    let names = resolve_names(
        &mut nodes,
        text,
        dialect,
        tags,
        lookalikes,
        names,
        &mut errors,
    );
    if options.roles {
        report_text_outside_roles(text, &nodes, dialect, fields, &mut errors);
        report_unread_roles(text, &nodes, options, &mut errors);
    }
    ParsedTemplate {
        template: Template { nodes },
        tags: found_tags,
        errors,
        names,
    }
}

/// Keeps the first errors about text that was perhaps pasted, which may be joined, and the first others.
fn truncate_errors(errors: &mut Vec<Error>) {
    let mut left = [MAX_ERRORS; 2];
    errors.retain(|error| {
        let left = &mut left[usize::from(error.problem.pasted.is_some())];
        let is_shown = *left > 0;
        *left = left.saturating_sub(1);
        is_shown
    });
}

//! The lines between `---` at the beginning of a template file: `key: value`, with the keys of the attribute.

use proc_macro2::{Group, TokenStream, TokenTree};
use prompt_family::FAMILIES;
pub(crate) use prompt_syntax::front_matter::length;
use prompt_syntax::front_matter::{
    Bounds, Entry, SLOTS, bounds, known_entries, role, unknown_value,
};

use prompt_base::Span;
use prompt_syntax::problem::front_matter as problem;
use prompt_syntax::{Dialect, Error};
use syn::Type;

use crate::Errors;
use crate::input::{AttributeValue, Format, ItemKeys, WHITESPACE};
use crate::source::{Quoted, SourceText};

/// Whether it is a Prompty file: Jinja with a line for each role.
pub(crate) fn is_prompty(path: &Quoted) -> bool {
    path.value().ends_with(".prompty")
}

/// Adds the keys that the front matter of the template file defines.
pub(crate) fn merge_front_matter(keys: &mut ItemKeys, path: &Quoted, errors: &mut Errors) {
    // A file that cannot be read is reported where its text is used.
    let Some(source) = SourceText::whole_file(path, &mut Errors::default()) else {
        return;
    };
    let before = errors.count();
    let mut reader = FrontMatterReader {
        keys,
        source: &source,
        path,
        errors,
    };
    reader.read_entries();
    if errors.count() > before {
        keys.broken = true;
    }
    if is_prompty(path) && keys.syntax.is_none() {
        keys.syntax = Some(AttributeValue {
            key: path.span(),
            value: Dialect::Jinja,
        });
    }
}

/// Reports a role that a file sets for its whole text, in addition to role blocks.
pub(crate) fn refuse_role(path: &Quoted, key: Span, errors: &mut Errors) {
    if let Some(source) = SourceText::whole_file(path, &mut Errors::default()) {
        source.report(&problem::role_beside_blocks().at(key), errors);
    }
}

struct FrontMatterReader<'a> {
    keys: &'a mut ItemKeys,
    source: &'a SourceText,
    path: &'a Quoted,
    errors: &'a mut Errors,
}

impl FrontMatterReader<'_> {
    fn read_entries(&mut self) {
        let text = &self.source.value;
        let end = match bounds(text) {
            Bounds::None => return,
            Bounds::Open => {
                let error = problem::unclosed_front_matter().at(Span::new(0, 3));
                return self.source.report(&error, self.errors);
            }
            Bounds::Closed { end, .. } => end,
        };
        let (entries, mut errors) = known_entries(text, end);
        errors.extend(
            entries
                .iter()
                .filter_map(|entry| self.apply_entry(entry).err()),
        );
        errors.sort_by_key(|one| one.span.start);
        for error in errors {
            self.source.report(&error, self.errors);
        }
    }

    fn apply_entry(&mut self, entry: &Entry) -> Result<(), Error> {
        let name = entry.key.value.as_str();
        let value = entry.text()?.to_owned();
        let at = self.path.span();
        let twice = || problem::in_the_attribute(name).at(entry.key.span);
        macro_rules! set {
            ($field:ident, $value:expr) => {{
                if self.keys.$field.is_some() {
                    return Err(twice());
                }
                self.keys.$field = Some(AttributeValue {
                    key: at,
                    value: $value,
                });
            }};
        }
        match name {
            "syntax" => {
                let dialect = Dialect::from_name(&value);
                set!(
                    syntax,
                    dialect.ok_or_else(|| unknown_value(
                        entry,
                        "dialect",
                        &Dialect::ALL.map(Dialect::name)
                    ))?
                );
            }
            "slots" => {
                if value != SLOTS[0] {
                    return Err(unknown_value(entry, "value of `slots`", &SLOTS));
                }
                set!(slots, ());
            }
            "format" => {
                let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
                let format = prompt_family::by_name(&value).map(Format::Family);
                set!(
                    format,
                    format.ok_or_else(|| unknown_value(entry, "format", &names))?
                );
            }
            "role" => self.keys.role = Some((role(entry)?, entry.key.span)),
            "output" => set!(output, self.parse_type(entry, &value)?),
            "description" => set!(description, value),
            _ => {
                let known = WHITESPACE.into_iter().find(|known| *known == name);
                let on = match value.as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(unknown_value(entry, "value", &["true", "false"])),
                };
                let mut given = self.keys.whitespace.iter();
                if given.any(|given| Some(given.value.0) == known) {
                    return Err(twice());
                }
                let given = known.map(|known| AttributeValue {
                    key: at,
                    value: (known, on),
                });
                self.keys.whitespace.extend(given);
            }
        }
        Ok(())
    }

    /// A type, with errors about it at the path of the file.
    fn parse_type(&self, entry: &Entry, value: &str) -> Result<Type, Error> {
        let at = self.path.span();
        let wrong = || problem::no_type(value).at(entry.span());
        let tokens: TokenStream = value.parse().map_err(|_| wrong())?;
        let ty = syn::parse2(at_span(tokens, at)).map_err(|_| wrong())?;
        match ty {
            Type::Path(_) | Type::Array(_) | Type::Tuple(_) => Ok(ty),
            _ => Err(wrong()),
        }
    }
}

/// The tokens, with errors about them at a span.
fn at_span(tokens: TokenStream, at: proc_macro2::Span) -> TokenStream {
    let mut placed = Vec::new();
    for mut token in tokens {
        if let TokenTree::Group(group) = &token {
            let inner = at_span(group.stream(), at);
            token = Group::new(group.delimiter(), inner).into();
        }
        token.set_span(token.span().located_at(at));
        placed.push(token);
    }
    TokenStream::from_iter(placed)
}

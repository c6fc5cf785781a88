//! `#[prompt(…)]`: its keys, one by one. A key that cannot be read is reported and skipped.

use proc_macro2::{Span, TokenStream};
use prompt_syntax::family::{self, FAMILIES, Family};
use prompt_syntax::problem::attribute as problem;
use prompt_syntax::{Dialect, Role};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, LitStr, Path, Token, Type};

use crate::errors::{Errors, unread};
use crate::front_matter;
use crate::source::Quoted;

/// The keys of a struct, an enum or a variant.
pub(crate) const ITEM_KEYS: [&str; 18] = [
    "system",
    "user",
    "assistant",
    "history",
    "examples",
    "template",
    "file",
    "doc",
    "fragment",
    "output",
    "syntax",
    "format",
    "model",
    "from",
    "crate",
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
];

/// Keys of the Jinja dialect that are `true` or `false`.
pub(crate) const WHITESPACE: [&str; 3] = ["trim_blocks", "lstrip_blocks", "keep_trailing_newline"];

/// The keys of a field.
pub(crate) const FIELD_KEYS: [&str; 8] = [
    "trusted", "skip", "history", "examples", "tools", "extra", "media", "answer",
];

/// The keys of `prompt!`; any other name is a variable's.
pub(crate) const INLINE_KEYS: [&str; 9] = [
    "system",
    "user",
    "assistant",
    "template",
    "syntax",
    "crate",
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
];

/// A value, and the key that it was given with.
pub(crate) struct Keyed<T> {
    pub(crate) key: Span,
    pub(crate) value: T,
}

/// The format that a template is checked against.
pub(crate) enum Format {
    /// A model family, by its name.
    Family(&'static Family),
    /// The path of a constant, which only rustc can evaluate.
    Path(Path),
}

/// Where text of the prompt comes from, in the order in which it was given.
pub(crate) enum Given {
    Message {
        role: Role,
        text: Quoted,
    },
    History,
    Examples,
    /// The examples of a file.
    ShotsOf {
        path: Quoted,
    },
    Template {
        text: Quoted,
    },
    File {
        path: Quoted,
    },
    Doc,
    Fragment {
        text: Quoted,
    },
}

impl Given {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Given::Message { role, .. } => role.name(),
            Given::History => "history",
            Given::Examples | Given::ShotsOf { .. } => "examples",
            Given::Template { .. } => "template",
            Given::File { .. } => "file",
            Given::Doc => "doc",
            Given::Fragment { .. } => "fragment",
        }
    }
}

impl Given {
    /// The literal that holds the text, if one does.
    pub(crate) fn text(&self) -> Option<&Quoted> {
        match self {
            Given::Message { text, .. } | Given::Template { text } | Given::Fragment { text } => {
                Some(text)
            }
            Given::History
            | Given::Examples
            | Given::ShotsOf { .. }
            | Given::File { .. }
            | Given::Doc => None,
        }
    }
}

/// What `#[prompt(…)]` says on a struct, an enum or a variant.
#[derive(Default)]
pub(crate) struct ItemKeys {
    pub(crate) given: Vec<Keyed<Given>>,
    pub(crate) output: Option<Keyed<Type>>,
    pub(crate) syntax: Option<Keyed<Dialect>>,
    pub(crate) format: Option<Keyed<Format>>,
    /// The model that the prompt is written for.
    pub(crate) model: Option<Keyed<String>>,
    /// What the prompt is for, where its file says so.
    pub(crate) description: Option<Keyed<String>>,
    /// Whether the only field's value converts into the prompt with `From`.
    pub(crate) from: Option<Keyed<()>>,
    pub(crate) krate: Option<Keyed<Path>>,
    /// Who says the text of a file without role blocks, and where the file says so.
    pub(crate) role: Option<(Role, prompt_syntax::Span)>,
    /// What the Jinja dialect does with white space around its tags.
    pub(crate) whitespace: Vec<Keyed<(&'static str, bool)>>,
    /// Whether a key could not be read: then what it hides is not reported as missing.
    pub(crate) broken: bool,
}

impl ItemKeys {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> ItemKeys {
        let mut keys = ItemKeys::default();
        let before = errors.count();
        each_key(attributes, errors, |key, input, errors| {
            keys.key(&key, input, errors)
        });
        keys.broken = errors.count() > before;
        front_matter::merge(&mut keys, errors);
        keys
    }

    /// The keys in the parentheses of an attribute macro. `own` reads those that only this macro has.
    pub(crate) fn read_arguments(
        arguments: TokenStream,
        errors: &mut Errors,
        mut own: impl FnMut(&Ident, ParseStream<'_>, &mut Errors) -> Option<syn::Result<()>>,
    ) -> ItemKeys {
        let mut keys = ItemKeys::default();
        let before = errors.count();
        each_key_in(arguments, errors, &mut |key, input, errors| {
            own(&key, input, errors).unwrap_or_else(|| keys.key(&key, input, errors))
        });
        keys.broken = errors.count() > before;
        front_matter::merge(&mut keys, errors);
        keys
    }

    /// The keys of a variant: what is said of the whole enum has no place there.
    pub(crate) fn read_of_variant(attributes: &[Attribute], errors: &mut Errors) -> ItemKeys {
        let keys = ItemKeys::read(attributes, errors);
        let of_the_enum = [
            ("output", keys.output.as_ref().map(|given| given.key)),
            ("format", keys.format.as_ref().map(|given| given.key)),
            ("model", keys.model.as_ref().map(|given| given.key)),
            (
                "description",
                keys.description.as_ref().map(|given| given.key),
            ),
            ("from", keys.from.as_ref().map(|given| given.key)),
            ("crate", keys.krate.as_ref().map(|given| given.key)),
        ];
        for (name, at) in of_the_enum {
            if let Some(at) = at {
                errors.push(at, problem::misplaced(name, "a variant", "the enum"));
            }
        }
        keys
    }

    /// What one of the keys about white space says, here or on the enum around; `false` if neither does.
    pub(crate) fn whitespace(&self, outer: &ItemKeys, name: &str) -> bool {
        let mut given = self.whitespace.iter().chain(&outer.whitespace);
        given
            .find(|key| key.value.0 == name)
            .is_some_and(|key| key.value.1)
    }

    pub(crate) fn key(
        &mut self,
        key: &Ident,
        input: ParseStream<'_>,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        let span = key.span();
        let name = key.to_string();
        if let Some(known) = WHITESPACE.into_iter().find(|known| *known == name) {
            let value = flag(input, key)?;
            if self.whitespace.iter().any(|key| key.value.0 == known) {
                twice(key, errors);
            }
            self.whitespace.push(Keyed {
                key: span,
                value: (known, value),
            });
            return Ok(());
        }
        if let Some(role) = Role::from_name(&name) {
            let text = text(input, key)?;
            self.given.push(Keyed {
                key: span,
                value: Given::Message { role, text },
            });
            return Ok(());
        }
        let given = match name.as_str() {
            "history" => {
                expect_bare(key, input)?;
                Given::History
            }
            "examples" if input.peek(Token![=]) => Given::ShotsOf {
                path: text(input, key)?,
            },
            "examples" => Given::Examples,
            "doc" => {
                expect_bare(key, input)?;
                Given::Doc
            }
            "template" => Given::Template {
                text: text(input, key)?,
            },
            "file" => Given::File {
                path: text(input, key)?,
            },
            "fragment" => Given::Fragment {
                text: text(input, key)?,
            },
            "output" => {
                equals(input, key, "a type", "output = Answer")?;
                if let Ok(quoted) = input.parse::<Quoted>() {
                    let problem = problem::quoted_type(&quoted.value());
                    return Err(unread(quoted.span(), problem));
                }
                return set(&mut self.output, key, input.parse()?, errors);
            }
            "crate" => {
                equals(input, key, "a path", "crate = typed_prompt")?;
                return set(&mut self.krate, key, Path::parse_mod_style(input)?, errors);
            }
            "from" => {
                expect_bare(key, input)?;
                return set(&mut self.from, key, (), errors);
            }
            "model" => {
                let model = text(input, key)?.value();
                return set(&mut self.model, key, model, errors);
            }
            "syntax" => {
                let text = text(input, key)?;
                match Dialect::from_name(&text.value()) {
                    Some(dialect) => return set(&mut self.syntax, key, dialect, errors),
                    None => {
                        let names = Dialect::ALL.map(Dialect::name);
                        let problem = problem::unknown("dialect", &text.value(), &names);
                        errors.push(text.span(), problem);
                    }
                }
                return Ok(());
            }
            "format" => {
                equals(input, key, "the name of a format", "format = llama3")?;
                let format = match format(input)? {
                    FormatName::Name(name) => name,
                    FormatName::Path(path) => {
                        return set(&mut self.format, key, Format::Path(path), errors);
                    }
                };
                match family::by_name(&format.to_string()) {
                    Some(family) => {
                        return set(&mut self.format, key, Format::Family(family), errors);
                    }
                    None => {
                        let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
                        let problem = problem::unknown_format(&format.to_string(), &names);
                        errors.push(format.span(), problem);
                    }
                }
                return Ok(());
            }
            _ => {
                if FIELD_KEYS.contains(&name.as_str()) {
                    let problem = problem::misplaced(
                        &name,
                        "a struct, enum or variant",
                        "the field it concerns",
                    );
                    errors.push(span, problem);
                } else {
                    unknown(key, "key", &ITEM_KEYS, errors);
                }
                skip_to_comma(input);
                return Ok(());
            }
        };
        // Examples may stand in several places.
        let several = matches!(given, Given::Examples);
        if !several && self.given.iter().any(|other| other.value.name() == name) {
            twice(key, errors);
            return Ok(());
        }
        self.given.push(Keyed {
            key: span,
            value: given,
        });
        Ok(())
    }
}

/// Calls `read` for each key of each `#[prompt(…)]`; what it leaves unread up to the next comma is skipped.
fn each_key(
    attributes: &[Attribute],
    errors: &mut Errors,
    mut read: impl FnMut(Ident, ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) {
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("prompt"))
    {
        let Ok(list) = attribute.meta.require_list() else {
            let at = attribute.path().segments[0].ident.span();
            let example = "`#[prompt(key)]` or `#[prompt(key = …)]`";
            errors.push(at, problem::says_nothing(example));
            continue;
        };
        each_key_in(list.tokens.clone(), errors, &mut read);
    }
}

/// The same for what stands in the parentheses.
fn each_key_in(
    tokens: TokenStream,
    errors: &mut Errors,
    read: &mut dyn FnMut(Ident, ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) {
    let keys = |input: ParseStream<'_>| {
        while !input.is_empty() {
            let result = if input.peek(LitStr) {
                read(Ident::new("template", input.span()), input, errors)
            } else {
                Ident::parse_any(input).and_then(|key| read(key, input, errors))
            };
            if let Err(error) = result {
                errors.push_syn(error);
                skip_to_comma(input);
            } else if !input.is_empty() && !input.peek(Token![,]) {
                errors.push(input.span(), problem::no_comma());
                skip_to_comma(input);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = keys.parse2(tokens) {
        errors.push_syn(error);
    }
}

fn set<T>(
    slot: &mut Option<Keyed<T>>,
    key: &Ident,
    value: T,
    errors: &mut Errors,
) -> syn::Result<()> {
    if slot.is_some() {
        twice(key, errors);
    }
    *slot = Some(Keyed {
        key: key.span(),
        value,
    });
    Ok(())
}

fn twice(key: &Ident, errors: &mut Errors) {
    errors.push(key.span(), problem::twice(&key.to_string()));
}

fn unknown(name: &Ident, what: &str, known: &[&str], errors: &mut Errors) {
    let problem = problem::unknown(what, &name.to_string(), known);
    errors.push(name.span(), problem);
}

pub(crate) fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<proc_macro2::TokenTree>();
    }
}

/// `= "…"`, or the text alone where it comes first.
fn text(input: ParseStream<'_>, key: &Ident) -> syn::Result<Quoted> {
    if key == "template" && input.peek(LitStr) {
        return input.parse();
    }
    equals(input, key, "a text", &format!("{key} = \"…\""))?;
    let at = input.span();
    input.parse::<Quoted>().map_err(|_| {
        let word = input.parse::<Ident>().map(|word| word.to_string());
        let problem = problem::no_text(&key.to_string(), word.ok().as_deref());
        unread(at, problem)
    })
}

/// `= true` or `= false`; the key alone is `true`.
fn flag(input: ParseStream<'_>, key: &Ident) -> syn::Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    input.parse::<Token![=]>()?;
    let at = input.span();
    input
        .parse::<syn::LitBool>()
        .map(|value| value.value)
        .map_err(|_| {
            let key = key.to_string();
            let problem = problem::takes(&key, "`true` or `false`", &format!("{key} = true"));
            unread(at, problem)
        })
}

/// The format in `format = …`.
enum FormatName {
    /// The name of a model family.
    Name(Ident),
    /// The path of a constant `Family`.
    Path(Path),
}

/// A name without quotes, or the path of a constant. The constants of the module `format` have names, whose errors are
/// drawn in the template.
fn format(input: ParseStream<'_>) -> syn::Result<FormatName> {
    let at = input.span();
    if input.peek(Token![::]) || input.peek2(Token![::]) {
        let path = Path::parse_mod_style(input)?;
        let mut names = path.segments.iter().rev().map(|it| it.ident.to_string());
        let (last, module) = (names.next().unwrap_or_default(), names.next());
        return match module.as_deref() {
            Some("format") => Err(unread(at, problem::path_of_format(&last.to_lowercase()))),
            _ => Ok(FormatName::Path(path)),
        };
    }
    let name = Ident::parse_any(input).map_err(|_| {
        let example = input
            .parse::<Quoted>()
            .map_or("llama3".to_owned(), |text| text.value());
        unread(at, problem::quoted_format(&example))
    })?;
    let text = name.to_string();
    let is_constant = !text.contains(char::is_lowercase);
    Ok(match family::by_name(&text.to_lowercase()) {
        None if is_constant => FormatName::Path(name.into()),
        _ => FormatName::Name(name),
    })
}

/// A key that is a word alone.
fn expect_bare(key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Ok(());
    }
    let name = key.to_string();
    let problem = problem::takes(&name, "no value", &format!("#[prompt({name})]"));
    Err(unread(key.span(), problem))
}

/// The `=` behind a key.
fn equals(input: ParseStream<'_>, key: &Ident, what: &str, example: &str) -> syn::Result<()> {
    if input.parse::<Token![=]>().is_ok() {
        return Ok(());
    }
    let problem = problem::takes(&key.to_string(), what, example);
    Err(unread(key.span(), problem))
}

/// What `#[prompt(…)]` says on a field.
#[derive(Default)]
pub(crate) struct FieldKeys {
    pub(crate) keys: Vec<Keyed<&'static str>>,
    /// What stands over an extra field, where it is not the field's name.
    pub(crate) title: Option<Quoted>,
    /// Whether a key could not be read: it may have been any of them.
    pub(crate) broken: bool,
}

impl FieldKeys {
    /// Whether the field has none, as most have.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key.value == name)
    }

    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> FieldKeys {
        let mut keys = FieldKeys::default();
        let before = errors.count();
        each_key(attributes, errors, |key, input, errors| {
            let name = key.to_string();
            let Some(known) = FIELD_KEYS.into_iter().find(|known| *known == name) else {
                if ITEM_KEYS.contains(&name.as_str()) {
                    let problem =
                        problem::misplaced(&name, "a field", "the struct, enum or variant");
                    errors.push(key.span(), problem);
                } else {
                    unknown(&key, "key", &FIELD_KEYS, errors);
                }
                skip_to_comma(input);
                return Ok(());
            };
            if keys.has(known) {
                twice(&key, errors);
            }
            keys.keys.push(Keyed {
                key: key.span(),
                value: known,
            });
            if known == "extra" && input.peek(Token![=]) {
                keys.title = Some(text(input, &key)?);
            } else {
                expect_bare(&key, input)?;
            }
            Ok(())
        });
        keys.broken = errors.count() > before;
        keys
    }
}

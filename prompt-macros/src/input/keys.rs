//! The keys of `#[prompt(…)]` on an item and on its fields, and of the attribute macros.

use proc_macro2::{Span, TokenStream, TokenTree};
use prompt_family::{FAMILIES, Family};
use prompt_syntax::problem::attribute as problem;
use prompt_syntax::{Dialect, Options, Role, XmlTags, open_tag};
use quote::ToTokens as _;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, GenericArgument, Ident, Lit, LitStr, Path, PathArguments, Token, Type, TypeReference,
};

use crate::source::{Quoted, SourceText};
use crate::types::type_name;
use crate::{Errors, front_matter, syn_error};

/// The keys of a struct, an enum or a variant.
pub(crate) const ITEM_KEYS: [&str; 19] = [
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
    "slots",
    "format",
    "from",
    "crate",
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
    KEEP_BLOCK_LINES,
];

/// Keys about white space that are `true` or `false`: the first is of the angle dialect, the others of Jinja.
pub(crate) const WHITESPACE: [&str; 4] = [
    KEEP_BLOCK_LINES,
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
];

pub(crate) const KEEP_BLOCK_LINES: &str = "keep_block_lines";

/// The values of the key `slots`.
pub(crate) use prompt_syntax::front_matter::SLOTS;

/// The keys of a field.
pub(crate) const FIELD_KEYS: [&str; 8] = [
    "trusted", "skip", "history", "examples", "tools", "extra", "media", "answer",
];

/// The keys of `prompt!`; any other name is a variable's.
pub(crate) const INLINE_KEYS: [&str; 11] = [
    "system",
    "user",
    "assistant",
    "template",
    "syntax",
    "slots",
    "crate",
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
    KEEP_BLOCK_LINES,
];

/// A value with the span of its key.
pub(crate) struct AttributeValue<T> {
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

/// A source of the text of a prompt. Sources are kept in the order of the attributes.
pub(crate) enum SourceKey {
    Message(Role, Quoted),
    History,
    Examples,
    /// The examples of a file.
    ExamplesFile(Quoted),
    Template(Quoted),
    File(Quoted),
    Doc,
    Fragment(Quoted),
}

impl SourceKey {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            SourceKey::Message(role, _) => role.name(),
            SourceKey::History => "history",
            SourceKey::Examples | SourceKey::ExamplesFile(..) => "examples",
            SourceKey::Template(..) => "template",
            SourceKey::File(..) => "file",
            SourceKey::Doc => "doc",
            SourceKey::Fragment(..) => "fragment",
        }
    }
}

impl SourceKey {
    /// The literal that contains the text, if there is one.
    pub(crate) fn text(&self) -> Option<&Quoted> {
        match self {
            SourceKey::Message(_, text) | SourceKey::Template(text) | SourceKey::Fragment(text) => {
                Some(text)
            }
            _ => None,
        }
    }
}

/// The keys of `#[prompt(…)]` on a struct, an enum or a variant.
#[derive(Default)]
pub(crate) struct ItemKeys {
    pub(crate) given: Vec<AttributeValue<SourceKey>>,
    pub(crate) output: Option<AttributeValue<Type>>,
    pub(crate) syntax: Option<AttributeValue<Dialect>>,
    /// `slots = "input"`: only `<input:name>` is a slot.
    pub(crate) slots: Option<AttributeValue<()>>,
    pub(crate) format: Option<AttributeValue<Format>>,
    /// The description of the prompt, from its file.
    pub(crate) description: Option<AttributeValue<String>>,
    /// Whether the only field's value converts into the prompt with `From`.
    pub(crate) from: Option<AttributeValue<()>>,
    pub(crate) krate: Option<AttributeValue<Path>>,
    /// The role of the text of a file without role blocks, and its span in the file.
    pub(crate) role: Option<(Role, prompt_base::Span)>,
    /// What happens to white space around the tags of blocks.
    pub(crate) whitespace: Vec<AttributeValue<(&'static str, bool)>>,
    /// Whether a key could not be parsed: it may have been the one that another check would report as missing.
    pub(crate) broken: bool,
}

impl ItemKeys {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> ItemKeys {
        let mut keys = ItemKeys::default();
        let before = errors.count();
        each_key(attributes, errors, |key, input, errors| {
            keys.read_key(&key, input, errors)
        });
        keys.finish_reading(before, errors);
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
            own(&key, input, errors).unwrap_or_else(|| keys.read_key(&key, input, errors))
        });
        keys.finish_reading(before, errors);
        keys
    }

    /// Notes whether a key had an error, and adds what the front matter of a template file defines.
    fn finish_reading(&mut self, errors_before: usize, errors: &mut Errors) {
        self.broken = errors.count() > errors_before;
        let mut given = self.given.iter();
        let file = given.find_map(|given| match &given.value {
            SourceKey::File(path) => Some(path.clone()),
            _ => None,
        });
        if let Some(path) = file {
            front_matter::merge_front_matter(self, &path, errors);
        }
    }

    /// The keys of a variant: keys of the whole enum are errors there.
    pub(crate) fn read_of_variant(attributes: &[Attribute], errors: &mut Errors) -> ItemKeys {
        let keys = ItemKeys::read(attributes, errors);
        let of_the_enum = [
            ("output", keys.output.as_ref().map(|given| given.key)),
            ("format", keys.format.as_ref().map(|given| given.key)),
            (
                "description",
                keys.description.as_ref().map(|given| given.key),
            ),
            ("from", keys.from.as_ref().map(|given| given.key)),
            ("crate", keys.krate.as_ref().map(|given| given.key)),
        ];
        for (name, at) in of_the_enum {
            if let Some(at) = at {
                errors.push(at, problem::misplaced_key(name, "a variant", "the enum"));
            }
        }
        keys
    }

    /// The value of a key about white space, here or on the enclosing enum; `false` by default.
    pub(crate) fn whitespace_key(&self, outer: &ItemKeys, name: &str) -> bool {
        let mut given = self.whitespace.iter().chain(&outer.whitespace);
        given
            .find(|key| key.value.0 == name)
            .is_some_and(|key| key.value.1)
    }

    pub(crate) fn read_key(
        &mut self,
        key: &Ident,
        input: ParseStream<'_>,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        let span = key.span();
        let name = key.to_string();
        if let Some(known) = WHITESPACE.into_iter().find(|known| *known == name) {
            let value = flag_value(input, key)?;
            if self.whitespace.iter().any(|key| key.value.0 == known) {
                report_twice(key, errors);
            }
            self.whitespace.push(AttributeValue {
                key: span,
                value: (known, value),
            });
            return Ok(());
        }
        if let Some(role) = Role::from_name(&name) {
            let text = text_value(input, key)?;
            let value = SourceKey::Message(role, text);
            self.given.push(AttributeValue { key: span, value });
            return Ok(());
        }
        let given = match name.as_str() {
            "history" => {
                expect_bare(key, input)?;
                SourceKey::History
            }
            "examples" if input.peek(Token![=]) => SourceKey::ExamplesFile(text_value(input, key)?),
            "examples" => SourceKey::Examples,
            "doc" => {
                expect_bare(key, input)?;
                SourceKey::Doc
            }
            "template" => SourceKey::Template(text_value(input, key)?),
            "file" => SourceKey::File(text_value(input, key)?),
            "fragment" => SourceKey::Fragment(text_value(input, key)?),
            "output" => {
                expect_equals(input, key, "a type", "output = Answer")?;
                if let Ok(quoted) = input.parse::<Quoted>() {
                    let problem = problem::quoted_type(&quoted.value());
                    return Err(syn_error(quoted.span(), problem));
                }
                let ty = input.parse()?;
                if let Type::Reference(TypeReference { elem, .. }) = &ty {
                    let name = elem.to_token_stream().to_string();
                    let owned = if name == "str" { "String" } else { &name };
                    return Err(syn_error(ty.span(), problem::borrowed_output(owned)));
                }
                if let Some(name) = borrowing_type(&ty) {
                    return Err(syn_error(ty.span(), problem::borrowing_output(&name)));
                }
                return set_once(&mut self.output, key, ty, errors);
            }
            "crate" => {
                let path = crate_path(input, key)?;
                return set_once(&mut self.krate, key, path, errors);
            }
            "from" => {
                expect_bare(key, input)?;
                return set_once(&mut self.from, key, (), errors);
            }
            "syntax" => {
                let text = text_value(input, key)?;
                let Some(dialect) = Dialect::from_name(&text.value()) else {
                    let names = Dialect::ALL.map(Dialect::name);
                    let problem = problem::unknown_key("dialect", &text.value(), &names);
                    return Err(syn_error(text.span(), problem));
                };
                return set_once(&mut self.syntax, key, dialect, errors);
            }
            "slots" => {
                let text = text_value(input, key)?;
                if text.value() == SLOTS[0] {
                    return set_once(&mut self.slots, key, (), errors);
                }
                let problem = problem::unknown_key("value of `slots`", &text.value(), &SLOTS);
                return Err(syn_error(text.span(), problem));
            }
            "format" => {
                expect_equals(input, key, "the name of a format", "format = llama3")?;
                return set_once(&mut self.format, key, format_value(input)?, errors);
            }
            _ => {
                if FIELD_KEYS.contains(&name.as_str()) {
                    let problem = problem::misplaced_key(
                        &name,
                        "a struct, enum or variant",
                        "the field it concerns",
                    );
                    errors.push(span, problem);
                } else {
                    report_unknown(key, "key", &ITEM_KEYS, errors);
                }
                skip_to_comma(input);
                return Ok(());
            }
        };
        // Few-shot examples may have several positions.
        let several = matches!(given, SourceKey::Examples);
        if !several && self.given.iter().any(|other| other.value.name() == name) {
            report_twice(key, errors);
            return Ok(());
        }
        self.given.push(AttributeValue {
            key: span,
            value: given,
        });
        Ok(())
    }
}

/// Calls `read` for each key of each `#[prompt(…)]`. After an error the tokens up to the next comma are skipped.
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
            errors.push(at, problem::empty_attribute(example));
            continue;
        };
        each_key_in(list.tokens.clone(), errors, &mut read);
    }
}

/// The same for the arguments in parentheses.
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

fn set_once<T>(
    slot: &mut Option<AttributeValue<T>>,
    key: &Ident,
    value: T,
    errors: &mut Errors,
) -> syn::Result<()> {
    if slot.is_some() {
        report_twice(key, errors);
    }
    *slot = Some(AttributeValue {
        key: key.span(),
        value,
    });
    Ok(())
}

fn report_twice(key: &Ident, errors: &mut Errors) {
    errors.push(key.span(), problem::duplicate_key(&key.to_string()));
}

fn report_unknown(name: &Ident, what: &str, known: &[&str], errors: &mut Errors) {
    let problem = problem::unknown_key(what, &name.to_string(), known);
    errors.push(name.span(), problem);
}

pub(crate) fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}

/// `= "…"`, or the text alone.
fn text_value(input: ParseStream<'_>, key: &Ident) -> syn::Result<Quoted> {
    if key == "template" && input.peek(LitStr) {
        let text: Quoted = input.parse()?;
        if input.peek(Token![,]) && input.peek2(Lit) && open_tag(&text.value()).is_none() {
            let comma = input.fork();
            comma.parse::<Token![,]>()?;
            return Err(syn_error(comma.span(), problem::argument_by_position()));
        }
        return expect_whole(&text, input).map(|()| text);
    }
    expect_equals(input, key, "a quoted string", &format!("{key} = \"…\""))?;
    let at = input.span();
    let text = input.parse::<Quoted>().map_err(|_| {
        let word = input.parse::<Ident>().map(|word| word.to_string());
        let problem = problem::no_text(&key.to_string(), word.ok().as_deref());
        syn_error(at, problem)
    })?;
    // A name or a path has no quotes inside: a string behind it is the text of the prompt.
    let is_name = key == "syntax" || key == "slots" || key == "examples";
    if is_name && input.peek(Token![,]) && input.peek2(LitStr) {
        return Ok(text);
    }
    expect_whole(&text, input).map(|()| text)
}

/// A quote inside of the text ends the string: `user = "<tags | join(", ")>"`. What follows is then not a key.
fn expect_whole(text: &Quoted, input: ParseStream<'_>) -> syn::Result<()> {
    if text.without_suffix().is_some() && is_key_or_end(input) {
        return Ok(());
    }
    let error = SourceText::from_literal(text, Dialect::default()).cut_off_at_quote();
    while !input.is_empty() && !is_key_or_end(input) {
        input.parse::<TokenTree>()?;
    }
    Err(error)
}

/// The name of a type that borrows from the text that it is made from: `Answer<'a>`.
fn borrowing_type(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let borrows = |argument: &GenericArgument| matches!(argument, GenericArgument::Lifetime(_));
    arguments
        .args
        .iter()
        .any(borrows)
        .then(|| last.ident.to_string())
}

/// Whether the next key follows, perhaps without a comma before it, or nothing.
fn is_key_or_end(input: ParseStream<'_>) -> bool {
    let rest = input.fork();
    let has_comma = rest.parse::<Token![,]>().is_ok();
    let is_key = rest.peek(Ident::peek_any) && (has_comma || rest.peek2(Token![=]));
    rest.is_empty() || is_key
}

/// `= true` or `= false`; the key alone is `true`.
fn flag_value(input: ParseStream<'_>, key: &Ident) -> syn::Result<bool> {
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
            let problem =
                problem::wrong_value_of_key(&key, "`true` or `false`", &format!("{key} = true"));
            syn_error(at, problem)
        })
}

/// A name without quotes, or the path of a constant. The constants of the module `format` have names, whose errors are
/// drawn in the template.
fn format_value(input: ParseStream<'_>) -> syn::Result<Format> {
    let at = input.span();
    if input.peek(Token![::]) || input.peek2(Token![::]) {
        let path = Path::parse_mod_style(input)?;
        let names = path.segments.iter().map(|it| it.ident.to_string());
        let names: Vec<String> = names.collect();
        return match &names[..] {
            [.., module, last] if module == "format" => {
                Err(syn_error(at, problem::path_of_format(&last.to_lowercase())))
            }
            // A constant is in capitals.
            [.., last] if last.contains(char::is_lowercase) => {
                Err(unknown_format(at, &names.join("::")))
            }
            _ => Ok(Format::Path(path)),
        };
    }
    let name = Ident::parse_any(input).map_err(|_| {
        let example = input
            .parse::<Quoted>()
            .map_or("llama3".to_owned(), |text| text.value());
        syn_error(at, problem::quoted_format(&example))
    })?;
    let mut text = name.to_string();
    // `llama3.1`, `gpt-oss`: a model's name, which is not a word of Rust.
    while input.peek(Token![.]) || input.peek(Token![-]) {
        text += &input.parse::<TokenTree>()?.to_string();
        if !input.peek(Token![,]) && !input.is_empty() {
            text += &input.parse::<TokenTree>()?.to_string();
        }
    }
    let is_constant = !text.contains(char::is_lowercase);
    match prompt_family::by_name(&text) {
        Some(family) => Ok(Format::Family(family)),
        None if is_constant && prompt_family::by_name(&text.to_lowercase()).is_none() => {
            Ok(Format::Path(name.into()))
        }
        None => Err(unknown_format(name.span(), &text)),
    }
}

fn unknown_format(at: Span, name: &str) -> syn::Error {
    let known: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    syn_error(at, problem::unknown_format(name, &known))
}

/// `= "path"` as in serde, or `= path`, which can begin with the `$crate` of a `macro_rules!` macro.
pub(crate) fn crate_path(input: ParseStream<'_>, key: &Ident) -> syn::Result<Path> {
    expect_equals(input, key, "a path", "crate = \"my_library::typed_prompt\"")?;
    match input.peek(LitStr) {
        true => input.parse::<LitStr>()?.parse_with(Path::parse_mod_style),
        false => input.call(Path::parse_mod_style),
    }
}

/// Reports a value of a key that takes none.
fn expect_bare(key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Ok(());
    }
    let name = key.to_string();
    let problem = problem::wrong_value_of_key(&name, "no value", &format!("#[prompt({name})]"));
    Err(syn_error(key.span(), problem))
}

/// Parses the `=` after a key.
fn expect_equals(
    input: ParseStream<'_>,
    key: &Ident,
    what: &str,
    example: &str,
) -> syn::Result<()> {
    if input.parse::<Token![=]>().is_ok() {
        return Ok(());
    }
    let problem = problem::wrong_value_of_key(&key.to_string(), what, example);
    Err(syn_error(key.span(), problem))
}

/// The keys of `#[prompt(…)]` on a field.
#[derive(Default)]
pub(crate) struct FieldKeys {
    pub(crate) keys: Vec<AttributeValue<&'static str>>,
    /// The title of an extra field, if it differs from the field's name.
    pub(crate) title: Option<Quoted>,
    /// Whether a key could not be parsed: it may have been any key.
    pub(crate) broken: bool,
    /// The place of `output`, which is a key of the struct.
    pub(crate) output: Option<Span>,
}

impl FieldKeys {
    /// Whether the field has none, as most have.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key.value == name)
    }

    pub(crate) fn read(attributes: &[Attribute], ty: &Type, errors: &mut Errors) -> FieldKeys {
        let mut keys = FieldKeys::default();
        let before = errors.count();
        each_key(attributes, errors, |key, input, errors| {
            let name = key.to_string();
            let Some(known) = FIELD_KEYS.into_iter().find(|known| *known == name) else {
                if name == "output" {
                    keys.output = Some(key.span());
                    errors.push(key.span(), problem::output_field(&type_name(ty)));
                } else if ITEM_KEYS.contains(&name.as_str()) {
                    let problem =
                        problem::misplaced_key(&name, "a field", "the struct, enum or variant");
                    errors.push(key.span(), problem);
                } else {
                    report_unknown(&key, "key", &FIELD_KEYS, errors);
                }
                skip_to_comma(input);
                return Ok(());
            };
            if keys.has(known) {
                report_twice(&key, errors);
            }
            keys.keys.push(AttributeValue {
                key: key.span(),
                value: known,
            });
            if known == "extra" && input.peek(Token![=]) {
                keys.title = Some(text_value(input, &key)?);
            } else {
                expect_bare(&key, input)?;
            }
            Ok(())
        });
        keys.broken = errors.count() > before;
        keys
    }
}

impl ItemKeys {
    /// The dialect of the templates.
    pub(crate) fn dialect(&self) -> Dialect {
        self.syntax
            .as_ref()
            .map_or(Dialect::default(), |syntax| syntax.value)
    }

    /// The path of typed-prompt, if the key `crate` names it.
    pub(crate) fn crate_path(&self) -> Option<&Path> {
        self.krate.as_ref().map(|krate| &krate.value)
    }

    /// How the templates of these keys are parsed, apart from roles.
    pub(crate) fn parse_options(&self) -> Options {
        self.options_in(self)
    }

    /// The same for a variant, whose enum has the keys `outer`.
    pub(crate) fn options_in(&self, outer: &ItemKeys) -> Options {
        let syntax = self.syntax.as_ref().or(outer.syntax.as_ref());
        Options {
            keep_block_lines: self.whitespace_key(outer, KEEP_BLOCK_LINES),
            trim_blocks: self.whitespace_key(outer, "trim_blocks"),
            lstrip_blocks: self.whitespace_key(outer, "lstrip_blocks"),
            keep_trailing_newline: self.whitespace_key(outer, "keep_trailing_newline"),
            input_only: self.slots.is_some() || outer.slots.is_some(),
            ..Options::message(syntax.map_or(Dialect::default(), |syntax| syntax.value))
        }
    }

    /// The XML tags of all messages.
    pub(crate) fn xml_tags(&self) -> XmlTags {
        let texts = self.given.iter().filter_map(|given| given.value.text());
        XmlTags::from_texts(texts.map(Quoted::value))
    }

    /// The model family that `format` names.
    pub(crate) fn family(&self) -> Option<&'static Family> {
        match self.format.as_ref()?.value {
            Format::Family(family) => Some(family),
            Format::Path(_) => None,
        }
    }
}

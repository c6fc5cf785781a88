//! `#[template(…)]`: a struct whose fields are made from the slots.

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::analysis::NameUsage;
use prompt_syntax::problem::{attribute, item};
use prompt_syntax::{KnownNames, Options, parse_in};
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DeriveInput, Fields, Token, Type};

use crate::emit::{self, Runtime, fallback, ident_or_raw};
use crate::input::{
    Case, Field, Input, MacroKind, allow_attributes, doc_lines, expect_lines, named_field,
};
use crate::input::{ItemKeys, SourceKey};
use crate::language::Language;
use crate::source::{SourceText, source_before_call};
use crate::{Errors, syn_error};
use crate::{check, front_matter, lower};

/// Expands to the struct with a field for each slot, and its implementation of `Prompt`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => {
            errors.push(error.span(), item::template_on_no_struct());
            return errors.into_tokens();
        }
    };
    let mut declared = Vec::new();
    let mut keys = ItemKeys::read_arguments(arguments, &mut errors, |key, input, errors| {
        (key == "fields").then(|| parse_fields(key, input, &mut declared, errors))
    });
    expect_no_keys(&item.attrs, &mut keys, &mut errors);
    expect_lines(&item.attrs, &mut keys, &mut errors);
    let is_bare = expect_no_fields(&item, &mut errors);
    // A second implementation would be a second error.
    let is_alone = is_bare || !has_derive(&item.attrs) && !is_below_derive();
    if is_bare && is_below_derive() {
        errors.push(Span::call_site(), item::derive_above_template());
    }
    let docs = doc_lines(&item.attrs);
    let allowed = allow_attributes(&item.attrs.iter().collect::<Vec<_>>());
    let runtime = Runtime::named_after(&item.ident);
    let (fields, lost) = make_fields(&keys, &docs, declared, &runtime, &mut errors);
    if is_bare {
        item.data = with_fields(&item, &fields);
    }
    item.attrs
        .retain(|attribute| !attribute.path().is_ident("prompt"));
    let declaration = item.to_token_stream();
    let input = Input {
        docs,
        allowed,
        cases: vec![Case::of_struct(
            fields.into_iter().map(|made| made.field).collect(),
            lost || !is_bare,
            item.ident.span(),
        )],
        ident: item.ident,
        generics: item.generics,
        is_enum: false,
        form: MacroKind::Template,
        keys,
    };
    let prompt = lower::lower(&input, &mut errors);
    check::check(&prompt, &mut errors);
    let implementation = match errors.finish() {
        Ok(()) => emit::emit_prompt(&prompt),
        Err(errors) if is_alone => fallback(&prompt, &errors),
        Err(errors) => errors.into_tokens(),
    };
    quote! { #declaration #implementation }
}

/// Whether an attribute below this one derives something.
fn has_derive(attributes: &[Attribute]) -> bool {
    let mut paths = attributes.iter().map(Attribute::path);
    paths.any(|path| path.is_ident("derive"))
}

/// Whether an attribute above this one derives something. rustc has expanded it by then, for a struct without fields: no attribute of the item is left that would show it, and
/// its `Debug`, `PartialEq` or `Serialize` leave all fields out without an error.
fn is_below_derive() -> bool {
    source_before_call().is_some_and(|before| ends_with_derive(&before))
}

/// Whether the attributes at the end of a source text contain a derive.
pub(crate) fn ends_with_derive(source: &str) -> bool {
    let mut is_inside = false;
    for line in source.lines().rev().map(str::trim) {
        let opens = line.starts_with("#[");
        if opens && !holds_only_attributes(line) {
            return false;
        }
        if line.starts_with("#[derive(")
            || (line.starts_with("#[cfg_attr(") && line.contains("derive("))
        {
            return true;
        }
        let is_blank = line.is_empty() || line.starts_with("//");
        if !is_inside && !opens && !is_blank && !line.ends_with(']') {
            return false;
        }
        is_inside = !opens && (is_inside || line.ends_with(']'));
    }
    false
}

/// Whether a line that begins with an attribute contains nothing but attributes and comments. The last attribute may continue on the next line.
fn holds_only_attributes(line: &str) -> bool {
    let mut rest = line.trim_start();
    while let Some(inside) = rest.strip_prefix("#[") {
        let (mut depth, mut is_string, mut is_escaped) = (1, false, false);
        let end = inside.find(|c: char| {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' if is_string => is_escaped = true,
                '"' => is_string = !is_string,
                '[' if !is_string => depth += 1,
                ']' if !is_string => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(end) = end else { return true };
        rest = inside[end + 1..].trim_start();
        while let Some(comment) = rest.strip_prefix("/*") {
            rest = comment
                .split_once("*/")
                .map_or("", |(_, rest)| rest.trim_start());
        }
    }
    rest.is_empty() || rest.starts_with("//")
}

/// A field of the generated struct.
struct TemplateField {
    field: Field,
    docs: Vec<Attribute>,
}

/// A field in `fields(…)`.
struct DeclaredField {
    name: Ident,
    ty: Option<Type>,
    attributes: Vec<Attribute>,
}

/// Reads `fields(name: Type, #[prompt(trusted)] name)`.
fn parse_fields(
    key: &Ident,
    input: ParseStream<'_>,
    declared: &mut Vec<DeclaredField>,
    errors: &mut Errors,
) -> syn::Result<()> {
    if !input.peek(syn::token::Paren) {
        let problem =
            attribute::wrong_value_of_key("fields", "names with types", "fields(name: Type)");
        return Err(syn_error(key.span(), problem));
    }
    let content;
    syn::parenthesized!(content in input);
    while !content.is_empty() {
        let attributes = content.call(Attribute::parse_outer)?;
        let name: Ident = content.parse()?;
        let ty = match content.parse::<Token![:]>() {
            Ok(_) => Some(content.parse()?),
            Err(_) => None,
        };
        if declared.iter().any(|other| other.name == name) {
            errors.push(name.span(), attribute::field_twice(&name.to_string()));
        } else {
            declared.push(DeclaredField {
                name,
                ty,
                attributes,
            });
        }
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

/// The fields in the order of their first use, and after them those that are in no slot.
fn make_fields(
    keys: &ItemKeys,
    docs: &[syn::LitStr],
    declared: Vec<DeclaredField>,
    runtime: &Runtime,
    errors: &mut Errors,
) -> (Vec<TemplateField>, bool) {
    let mut declared: Vec<Option<DeclaredField>> = declared.into_iter().map(Some).collect();
    let (mut fields, mut lost) = (Vec::new(), false);
    for (used, place) in names_in_templates(keys, docs) {
        let given = declared
            .iter_mut()
            .find(|declared| {
                declared
                    .as_ref()
                    .is_some_and(|declared| declared.name.unraw() == used.name)
            })
            .and_then(Option::take);
        let (name, ty, attributes) = match given {
            Some(declared) => (declared.name, declared.ty, declared.attributes),
            None => (ident_or_raw(&used.name, place.marked), None, Vec::new()),
        };
        let ty = ty.or_else(|| implied_type(&used, runtime));
        let Some(ty) = ty else {
            lost = true;
            place.source.report(&unclear_type(&used), errors);
            continue;
        };
        fields.push(make_field(name, ty, attributes, errors));
    }
    for declared in declared.into_iter().flatten() {
        let Some(ty) = declared.ty else {
            let names = fields
                .iter()
                .map(|made: &TemplateField| made.field.name.as_str());
            let names: Vec<&str> = names.collect();
            let problem = attribute::field_without_slot(&declared.name.to_string(), &names);
            errors.push(declared.name.span(), problem);
            lost = true;
            continue;
        };
        fields.push(make_field(declared.name, ty, declared.attributes, errors));
    }
    (fields, lost)
}

fn make_field(
    name: Ident,
    ty: Type,
    attributes: Vec<Attribute>,
    errors: &mut Errors,
) -> TemplateField {
    let field = named_field(name, ty, &attributes, errors);
    let is_ours = |attribute: &Attribute| attribute.path().is_ident("prompt");
    let docs = attributes.into_iter().filter(|each| !is_ours(each));
    TemplateField {
        field,
        docs: docs.collect(),
    }
}

/// Where a name is first used.
struct FirstUse {
    source: std::rc::Rc<SourceText>,
    /// For rustc, with the hygiene of the call site.
    marked: Span,
}

/// The names that the templates use, in order.
fn names_in_templates(keys: &ItemKeys, docs: &[syn::LitStr]) -> Vec<(NameUsage, FirstUse)> {
    let (dialect, tags) = (keys.dialect(), keys.xml_tags());
    let mut all: Vec<(NameUsage, FirstUse)> = Vec::new();
    for given in &keys.given {
        // Errors are reported when the template is lowered.
        let source = match &given.value {
            SourceKey::Doc => Some(SourceText::from_doc(docs)),
            SourceKey::File(path) => SourceText::from_file(path, dialect, &mut Errors::default()),
            other => other
                .text()
                .map(|text| SourceText::from_literal(text, dialect)),
        };
        let Some(source) = source else { continue };
        let source = std::rc::Rc::new(source);
        let options = Options {
            roles: matches!(given.value, SourceKey::Template(..) | SourceKey::File(..)),
            role_lines: matches!(&given.value, SourceKey::File(path) if front_matter::is_prompty(path)),
            ..keys.parse_options()
        };
        let parsed = parse_in::<Language>(&source.value, options, &tags, KnownNames::Unknown);
        for used in parsed.names {
            match all.iter_mut().find(|(other, _)| other.name == used.name) {
                Some((other, _)) => other.merge_uses(&used),
                None => {
                    let marked = Span::call_site().located_at(source.span(used.span));
                    let source = source.clone();
                    all.push((used, FirstUse { source, marked }));
                }
            }
        }
    }
    all
}

/// The type that the uses of a name imply.
fn implied_type(used: &NameUsage, p: &Runtime) -> Option<Type> {
    Some(match () {
        () if used.unclear => return None,
        () if used.list => syn::parse_quote!(#p::Vec<#p::String>),
        () if used.defaulted => syn::parse_quote!(#p::Option<#p::String>),
        () if used.shown => syn::parse_quote!(#p::String),
        () if used.guarded => syn::parse_quote!(#p::Option<#p::String>),
        () => syn::parse_quote!(bool),
    })
}

fn unclear_type(used: &NameUsage) -> prompt_syntax::Error {
    attribute::unclear_type(&used.name).at(used.span)
}

fn with_fields(item: &DeriveInput, fields: &[TemplateField]) -> Data {
    let visibility = &item.vis;
    let fields = fields.iter().map(|TemplateField { field, docs }| {
        let (name, ty) = (&field.ident, &field.ty);
        let doc = match field.key_without_slot() {
            Some(key) => format!("Marked `{key}`."),
            None => format!("Fills the slot `{}`.", field.name),
        };
        let doc = docs.is_empty().then(|| quote!(#[doc = #doc]));
        quote!(#doc #(#docs)* #visibility #name: #ty)
    });
    let ident = &item.ident;
    let made: DeriveInput = syn::parse_quote!(struct #ident { #(#fields,)* });
    made.data
}

/// The struct must not declare fields: they come from the slots. Returns whether it declares none.
fn expect_no_fields(item: &DeriveInput, errors: &mut Errors) -> bool {
    let (at, what) = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unit => return true,
            Fields::Named(fields) if fields.named.is_empty() => return true,
            _ => (item.ident.span(), item::UnsupportedItem::Fields),
        },
        Data::Enum(data) => (data.enum_token.span, item::UnsupportedItem::Enum),
        Data::Union(data) => (data.union_token.span, item::UnsupportedItem::Union),
    };
    errors.push(at, item::template_has_fields(&item.ident.to_string(), what));
    false
}

fn expect_no_keys(attributes: &[Attribute], keys: &mut ItemKeys, errors: &mut Errors) {
    for attribute in attributes {
        if let Some(name) = attribute.path().get_ident()
            && name == "prompt"
        {
            errors.push(
                name.span(),
                attribute::keys_beside("this prompt", "template"),
            );
            keys.broken = true;
        }
    }
}

//! `prompt!`: a template filled with the variables in scope.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use prompt_syntax::problem::attribute as problem;
use prompt_syntax::problem::name::no_variable;
use prompt_syntax::problem::template::none_inline;
use prompt_syntax::{Dialect, KnownNames, Options, XmlTags, is_type, open_tag, parse_in};
use quote::{ToTokens as _, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Token};

use crate::input::{
    AttributeValue, FieldKeys, INLINE_KEYS, ITEM_KEYS, ItemKeys, SourceKey, skip_to_comma,
};
use crate::input::{Case, Field, Input, MacroKind};
use crate::language::Language;
use crate::types::TypeKind;
use crate::{Errors, syn_error};
use crate::{check, emit, lower};

/// Expands to an expression of type `Result<Messages>`.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let call = InlineCall::parse(tokens, &mut errors);
    let (input, values) = call.into_input(&mut errors);
    let prompt = lower::lower(&input, &mut errors);
    check::check(&prompt, &mut errors);
    match errors.finish() {
        Ok(()) => emit::emit_inline(&prompt, &values, None),
        Err(errors) => emit::emit_inline(&prompt, &values, Some(&errors)),
    }
}

/// Whether a text may follow.
fn has_literal(input: ParseStream<'_>) -> bool {
    let rest = input.fork().parse::<TokenStream>().unwrap_or_default();
    rest.into_iter()
        .any(|token| matches!(token, TokenTree::Literal(_)))
}

/// Where a value without a name follows the text, as in `format!("… {}", value)`. A text that ends inside of a tag ends at a quote of
/// the tag: `"<tags | join(", ")>"`.
fn argument_by_position(input: ParseStream<'_>) -> Option<Span> {
    let rest = input.fork();
    let text = rest.parse::<LitStr>().ok()?.value();
    rest.parse::<Token![,]>().ok()?;
    let is_value = !rest.is_empty() && !rest.peek(Ident::peek_any);
    (is_value && open_tag(&text).is_none()).then(|| rest.span())
}

/// The arguments of `prompt!`.
#[derive(Default)]
struct InlineCall {
    keys: ItemKeys,
    values: Vec<(Ident, TokenStream)>,
}

impl InlineCall {
    fn parse(tokens: TokenStream, errors: &mut Errors) -> InlineCall {
        let mut call = InlineCall::default();
        let before = errors.count();
        let read = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Err(error) = call.parse_argument(input, errors) {
                    errors.push_syn(error);
                    skip_to_comma(input);
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = read.parse2(tokens) {
            errors.push_syn(error);
        }
        call.keys.broken = errors.count() > before;
        call
    }

    fn parse_argument(&mut self, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<()> {
        if input.peek(LitStr) {
            if let Some(argument) = argument_by_position(input) {
                while !input.is_empty() {
                    input.parse::<TokenTree>()?;
                }
                return Err(syn_error(argument, problem::argument_by_position()));
            }
            return self
                .keys
                .read_key(&Ident::new("template", input.span()), input, errors);
        }
        let name = Ident::parse_any(input)?;
        if INLINE_KEYS.contains(&name.to_string().as_str()) {
            return self.keys.read_key(&name, input, errors);
        }
        if self.values.iter().any(|(other, _)| *other == name) {
            errors.push(name.span(), problem::argument_twice(&name.to_string()));
        }
        if input.peek(Token![:]) && !input.peek(Token![::]) {
            input.parse::<Token![:]>()?;
            errors.push(name.span(), problem::colon_after_key(&name.to_string()));
        } else if !input.peek(Token![=]) {
            skip_to_comma(input);
            let no_text =
                self.keys.given.is_empty() && self.values.is_empty() && !has_literal(input);
            let problem = match no_text {
                true => problem::no_text_inline(),
                false => problem::variable_by_position(&name.to_string()),
            };
            return Err(syn_error(name.span(), problem));
        } else {
            input.parse::<Token![=]>()?;
        }
        let value = parse_expression(input)?;
        if value.is_empty() {
            return Err(syn_error(name.span(), problem::no_value(&name.to_string())));
        }
        self.values.push((name, value));
        Ok(())
    }

    /// The same as the input of a prompt: a field for each variable, and what fills it.
    fn into_input(mut self, errors: &mut Errors) -> (Input, Vec<TokenStream>) {
        let (dialect, options) = (self.keys.dialect(), self.keys.parse_options());
        let tags = self.keys.xml_tags();
        let (mut fields, mut values, mut lost) = (Vec::new(), Vec::new(), false);
        for (name, value) in self.values {
            let span = name.span();
            fields.push(variable_field(&name.unraw().to_string(), span));
            values.push(value);
        }
        for given in &self.keys.given {
            let Some(text) = given.value.text() else {
                continue;
            };
            let at = Span::call_site().located_at(text.span());
            for name in captured_names(&text.value(), options, &tags, &given.value) {
                // Reported with its span, as a name of nothing.
                let is_type = dialect != Dialect::Jinja && is_type(&name);
                if !is_type && fields.iter().all(|field: &Field| field.name != name) {
                    // As in `format!`, a name has the hygiene of the literal, which may come from another macro.
                    let ident = match name.as_str() {
                        "self" => Ident::new("self", text.span()),
                        "Self" | "super" | "crate" | "_" => {
                            errors.push(text.span(), no_variable(&name));
                            lost = true;
                            continue;
                        }
                        _ => crate::emit::ident_or_raw(&name, text.span()),
                    };
                    fields.push(variable_field(&name, at));
                    values.push(ident.into_token_stream());
                }
            }
        }
        if self.keys.given.is_empty() {
            let foreign = fields
                .iter()
                .find(|field| ITEM_KEYS.contains(&field.name.as_str()));
            if let Some(field) = foreign {
                let problem = problem::only_of_the_derive(&field.name);
                errors.push(field.ident.span(), problem);
            } else if !self.keys.broken {
                errors.push(Span::call_site(), none_inline());
            }
            self.keys.broken = true;
        }
        let case = Case::of_struct(fields, lost, Span::call_site());
        let ident = Ident::new("prompt", Span::call_site());
        let input = Input {
            ident,
            generics: syn::Generics::default(),
            keys: self.keys,
            docs: Vec::new(),
            cases: vec![case],
            is_enum: false,
            allowed: None,
            form: MacroKind::Inline,
        };
        (input, values)
    }
}

/// The names of the variables that a template takes from around it, in the order of their first use.
fn captured_names(text: &str, options: Options, tags: &XmlTags, given: &SourceKey) -> Vec<String> {
    let options = Options {
        roles: matches!(given, SourceKey::Template(..)),
        ..options
    };
    let parsed = parse_in::<Language>(text, options, tags, KnownNames::Unknown);
    parsed.names.into_iter().map(|used| used.name).collect()
}

/// The tokens up to the next comma that is not between the `<` and `>` of a path's types.
fn parse_expression(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut value = TokenStream::new();
    let mut depth = 0;
    while !input.is_empty() && (depth > 0 || !input.peek(Token![,])) {
        let opens_types = value.is_empty() && input.peek(Token![<])
            || input.peek(Token![::]) && input.peek3(Token![<]);
        if input.peek(Token![->]) || input.peek(Token![::]) {
            // Two tokens at once: `>` of an arrow closes nothing.
            value.extend([input.parse::<TokenTree>()?, input.parse::<TokenTree>()?]);
            if opens_types {
                depth += 1;
                value.extend([input.parse::<TokenTree>()?]);
            }
            continue;
        }
        if opens_types || depth > 0 && input.peek(Token![<]) {
            depth += 1;
        } else if depth > 0 && input.peek(Token![>]) {
            depth -= 1;
        }
        value.extend([input.parse::<TokenTree>()?]);
    }
    Ok(value)
}

/// A variable is a field of unknown type. Rustc decides whether it may be used in the system message.
fn variable_field(name: &str, at: Span) -> Field {
    let trusted = AttributeValue {
        key: at,
        value: "trusted",
    };
    let ident = crate::emit::ident_or_raw(name, at);
    let ty = syn::Type::Verbatim(quote_spanned!(at=> _));
    Field {
        ident,
        name: name.to_owned(),
        ty,
        of_type: TypeKind::Unknown,
        keys: FieldKeys {
            keys: vec![trusted],
            title: None,
            broken: false,
            output: None,
        },
    }
}

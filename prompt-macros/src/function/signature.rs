//! The function as it was written. syn reads functions only with all of its grammar, which takes longer to compile.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    Attribute, GenericArgument, Generics, LitStr, PathArguments, ReturnType, Token, Type,
    Visibility, token,
};

use super::lifetimes;
use crate::errors::Errors;

pub(super) struct Signature {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) constness: Option<Token![const]>,
    /// Words between the visibility and `fn` that a prompt function cannot have.
    qualifiers: Vec<Ident>,
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) arguments: Vec<Argument>,
    /// What is written where an argument with a name is expected.
    odd: Vec<(Span, &'static str, &'static str)>,
    pub(super) output: ReturnType,
    /// Where a body begins.
    body: Option<Span>,
    /// Whether an argument has no name, so that no slot can be said to name none.
    pub(super) lost: bool,
    pub(super) has_self: bool,
}

pub(super) struct Argument {
    pub(super) attributes: Vec<Attribute>,
    pub(super) name: Ident,
    pub(super) ty: Type,
}

impl Argument {
    /// Its doc comment, which rustc allows on a field and not on an argument.
    pub(super) fn docs(&self) -> impl Iterator<Item = &Attribute> {
        let is_doc = |attribute: &&Attribute| attribute.path().is_ident("doc");
        self.attributes.iter().filter(is_doc)
    }

    /// The attributes that are not for us.
    pub(super) fn passed(&self) -> impl Iterator<Item = &Attribute> {
        let ours =
            |attribute: &Attribute| ["doc", "prompt"].map(|name| attribute.path().is_ident(name));
        self.attributes
            .iter()
            .filter(move |attribute| !ours(attribute).contains(&true))
    }
}

impl Signature {
    pub(super) fn parse(item: TokenStream) -> syn::Result<Signature> {
        syn::parse2(item)
    }

    /// Reports what a function has that makes no prompt.
    pub(super) fn expect_prompt(&self, errors: &mut Errors) {
        for qualifier in &self.qualifiers {
            let message = if qualifier == "async" {
                format!(
                    "`{}` makes a prompt, which takes no time: the model's answer does",
                    self.name
                )
            } else {
                format!("a prompt function is not `{qualifier}`")
            };
            errors.push_help(
                qualifier.span(),
                message,
                format!(
                    "remove `{qualifier}`, and write `llm.call({}(…)).await`",
                    self.name
                ),
            );
        }
        for (at, message, help) in &self.odd {
            errors.push_help(*at, message, help);
        }
        if let Some(at) = self.body {
            let message = format!("`{}` has a body, and the model is what answers", self.name);
            errors.push_help(at, message, "write `;` in its place");
        }
        for attribute in &self.attributes {
            if is_prompt(attribute) {
                errors.push_help(
                    attribute.path().span(),
                    "the keys of a prompt function stand in `function(…)`",
                    "write them as `#[typed_prompt::function(user = \"…\")]`",
                );
            }
        }
        self.expect_output(errors);
    }

    /// Whether keys stand in an attribute of their own, which is reported.
    pub(super) fn has_keys(&self) -> bool {
        self.attributes.iter().any(is_prompt)
    }

    /// The type that the answer is read into, and where it is said. Of one that cannot be, what is nearest to it: no second
    /// error follows from it then.
    pub(super) fn answer(&self) -> Option<(Span, Type)> {
        let ReturnType::Type(arrow, ty) = &self.output else {
            return None;
        };
        let ty = match &**ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => return None,
            Type::ImplTrait(_) | Type::Reference(_) => return None,
            ty => of_result(ty).unwrap_or(ty).clone(),
        };
        Some((arrow.spans[0], ty))
    }

    fn expect_output(&self, errors: &mut Errors) {
        let name = &self.name;
        let missing = "write `-> String` for its text, or the type that it is read into";
        let ty = match &self.output {
            ReturnType::Default => {
                let message = format!("`{name}` does not say what the model answers");
                errors.push_help(name.span(), message, missing);
                return;
            }
            ReturnType::Type(_, ty) => &**ty,
        };
        let at = ty.span();
        match ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => {
                errors.push_help(at, "an answer is not nothing", missing);
            }
            Type::ImplTrait(_) => {
                let message = "`impl …` names no type that an answer can be read into";
                errors.push_help(at, message, "write the type itself");
            }
            Type::Reference(_) => {
                let message = "an answer is read into a value of its own, and is no reference";
                let help = "write the type without `&`: `String` for a text, `Vec<…>` for a list";
                errors.push_help(at, message, help);
            }
            ty if of_result(ty).is_some() => {
                let message = format!(
                    "`{name}` cannot fail: it makes a prompt, and the call is what may fail"
                );
                let help = format!(
                    "write the type of the answer alone: `llm.call({name}(…)).await` gives a `Result` of it"
                );
                errors.push_help(at, message, help);
            }
            _ => {}
        }
    }

    /// Gives each elided lifetime of an argument the argument's name: a field has to have one.
    pub(super) fn name_lifetimes(&mut self) {
        let mut names: Vec<String> = self
            .generics
            .lifetimes()
            .map(|parameter| parameter.lifetime.ident.to_string())
            .collect();
        let mut found = Vec::new();
        for argument in &mut self.arguments {
            argument.ty = lifetimes::named(&argument.ty, &argument.name, &mut names, &mut found);
        }
        for (index, lifetime) in found.into_iter().enumerate() {
            let parameter = syn::LifetimeParam::new(lifetime);
            self.generics
                .params
                .insert(index, syn::GenericParam::Lifetime(parameter));
        }
    }

    /// Reads the arguments in the parentheses.
    fn arguments(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let attributes = input.call(Attribute::parse_outer)?;
            self.argument(attributes, input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn argument(&mut self, attributes: Vec<Attribute>, input: ParseStream<'_>) -> syn::Result<()> {
        let at = input.span();
        let mut pattern = Vec::new();
        while !input.is_empty()
            && !input.peek(Token![,])
            && (!input.peek(Token![:]) || input.peek(Token![::]))
        {
            if input.peek(Token![::]) {
                pattern.push(input.parse()?);
            }
            pattern.push(input.parse::<TokenTree>()?);
        }
        let is = |word: &str| {
            pattern
                .iter()
                .any(|token| matches!(token, TokenTree::Ident(ident) if ident == word))
        };
        if is("self") {
            self.odd.push((
                at,
                "a prompt is made of its arguments, and has no `self`",
                "move the function out of the `impl`, and give it what it needs as arguments",
            ));
            self.has_self = true;
            if input.parse::<Token![:]>().is_ok() {
                input.parse::<Type>()?;
            }
            return Ok(());
        }
        let name = match &pattern[..] {
            [TokenTree::Ident(name)] if name != "_" => Some(name.clone()),
            [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "mut" => {
                let message = "an argument of a prompt is not changed";
                self.odd.push((at, message, "remove `mut`"));
                Some(name.clone())
            }
            _ => None,
        };
        if !input.peek(Token![:]) {
            return Err(syn::Error::new(
                at,
                "an argument needs a name and a type\n  = help: write `name: Type`",
            ));
        }
        input.parse::<Token![:]>()?;
        let ty: Type = input.parse()?;
        if let Some(inner) = impl_trait(&ty) {
            self.odd.push((
                inner,
                "`impl …` has no name, and the prompt's type needs one for each of its parts",
                "write a type parameter: `fn name<T: …>(argument: T)`",
            ));
            self.lost = true;
            return Ok(());
        }
        let Some(name) = name else {
            self.odd.push((
                at,
                "an argument of a prompt needs a name: slots are found by it",
                "write `name: Type`",
            ));
            self.lost = true;
            return Ok(());
        };
        self.arguments.push(Argument {
            attributes,
            name,
            ty,
        });
        Ok(())
    }
}

impl Parse for Signature {
    fn parse(input: ParseStream<'_>) -> syn::Result<Signature> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let constness = input.parse()?;
        let mut qualifiers = Vec::new();
        while !input.peek(Token![fn]) {
            let at = input.span();
            let word = input.call(Ident::parse_any).ok();
            match word {
                Some(word)
                    if ["async", "unsafe", "extern", "safe"]
                        .iter()
                        .any(|known| word == known) =>
                {
                    qualifiers.push(word);
                    if input.peek(LitStr) {
                        input.parse::<LitStr>()?;
                    }
                }
                _ => {
                    return Err(syn::Error::new(
                        at,
                        "`function` stands on a function\n  = help: write `fn name(argument: Type) -> Answer;`, or derive a struct: `#[derive(Prompt)]`",
                    ));
                }
            }
        }
        input.parse::<Token![fn]>()?;
        let mut signature = Signature {
            attributes,
            visibility,
            constness,
            qualifiers,
            name: input.call(Ident::parse_any)?,
            generics: input.parse()?,
            arguments: Vec::new(),
            odd: Vec::new(),
            output: ReturnType::Default,
            body: None,
            lost: false,
            has_self: false,
        };
        let content;
        syn::parenthesized!(content in input);
        signature.arguments(&content)?;
        signature.output = input.parse()?;
        signature.generics.where_clause = input.parse()?;
        if input.peek(token::Brace) {
            signature.body = Some(input.span());
            input.parse::<TokenTree>()?;
        } else if input.parse::<Token![;]>().is_err() {
            return Err(input.error("a prompt function ends with `;`"));
        }
        Ok(signature)
    }
}

fn is_prompt(attribute: &Attribute) -> bool {
    attribute.path().is_ident("prompt")
}

/// What a `Result` holds.
fn of_result(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(ty) if last.ident == "Result" => Some(ty),
        _ => None,
    }
}

/// Where `impl` stands in a type.
fn impl_trait(ty: &Type) -> Option<Span> {
    fn find(tokens: TokenStream) -> Option<Span> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Ident(ident) if ident == "impl" => Some(ident.span()),
            TokenTree::Group(group) => find(group.stream()),
            _ => None,
        })
    }
    find(quote!(#ty).into_token_stream())
}

//! The function as it was written. syn reads functions only with all of its grammar, which takes longer to compile.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use prompt_syntax::problem::attribute::keys_beside;
use prompt_syntax::problem::{Problem, function as problem};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Generics, LitStr, ReturnType, Token, Type, Visibility, token};

use super::lifetimes;
use crate::Errors;
use crate::syn_error;
use crate::types::{TypeTokens, type_arguments};

pub(super) struct Signature {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) constness: Option<Token![const]>,
    /// Words between the visibility and `fn` that a prompt function cannot have.
    qualifiers: Vec<Ident>,
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) arguments: Vec<FnArgument>,
    /// The pattern in place of an argument with a name.
    odd: Vec<(Span, Problem)>,
    pub(super) output: ReturnType,
    /// Where a body begins.
    body: Option<Span>,
    /// Whether an argument has no name, so that unknown slots are not reported.
    pub(super) lost: bool,
    pub(super) has_self: bool,
}

pub(super) struct FnArgument {
    pub(super) attributes: Vec<Attribute>,
    pub(super) name: Ident,
    pub(super) ty: Type,
}

impl FnArgument {
    /// The first line of its doc comment.
    fn doc_comment(&self) -> Option<&Attribute> {
        let is_doc = |attribute: &&Attribute| attribute.path().is_ident("doc");
        self.attributes.iter().find(is_doc)
    }

    /// The attributes other than doc comments and keys.
    pub(super) fn attributes_of_argument(&self) -> impl Iterator<Item = &Attribute> {
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

    /// Reports parts of the function that a prompt cannot have, such as a body.
    pub(super) fn expect_prompt(&self, errors: &mut Errors) {
        let name = self.name.to_string();
        for qualifier in &self.qualifiers {
            let problem = problem::unsupported_qualifier(&name, &qualifier.to_string());
            errors.push(qualifier.span(), problem);
        }
        for (at, problem) in &self.odd {
            errors.push(*at, problem.clone());
        }
        if let Some(at) = self.body {
            errors.push(at, problem::function_with_body(&name));
        }
        for attribute in &self.attributes {
            if is_prompt(attribute) {
                let problem = keys_beside("a prompt function", "function");
                errors.push(attribute.path().span(), problem);
            }
        }
        for argument in &self.arguments {
            if let Some(doc) = argument.doc_comment() {
                let problem = problem::documented_argument(&argument.name.unraw().to_string());
                errors.push(doc.span(), problem);
            }
        }
        self.expect_output(errors);
    }

    /// Whether keys are in an attribute of their own, which is reported.
    pub(super) fn has_keys(&self) -> bool {
        self.attributes.iter().any(is_prompt)
    }

    /// The type that the answer is parsed into, and its span. For an invalid type, the nearest valid one: no second
    /// error follows from it then.
    pub(super) fn answer_type(&self) -> Option<(Span, Type)> {
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
        let name = self.name.to_string();
        let ty = match &self.output {
            ReturnType::Default => {
                errors.push(self.name.span(), problem::no_answer(&name));
                return;
            }
            ReturnType::Type(_, ty) => &**ty,
        };
        let problem = match ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => problem::answers_nothing(),
            Type::ImplTrait(_) => problem::answer_without_name(),
            Type::Reference(_) => problem::borrowed_answer(),
            ty if of_result(ty).is_some() => problem::result_return_type(&name),
            _ => return,
        };
        errors.push(ty.span(), problem);
    }

    /// Names each elided lifetime of an argument after the argument, because a field needs a named lifetime.
    pub(super) fn name_lifetimes(&mut self) {
        let mut names: Vec<String> = self
            .generics
            .lifetimes()
            .map(|parameter| parameter.lifetime.ident.to_string())
            .collect();
        let mut found = Vec::new();
        for argument in &mut self.arguments {
            argument.ty = lifetimes::name_elided_lifetimes(
                &argument.ty,
                &argument.name,
                &mut names,
                &mut found,
            );
        }
        for (index, lifetime) in found.into_iter().enumerate() {
            let parameter = syn::LifetimeParam::new(lifetime);
            self.generics
                .params
                .insert(index, syn::GenericParam::Lifetime(parameter));
        }
    }

    /// Reads the arguments in the parentheses.
    fn parse_arguments(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let attributes = input.call(Attribute::parse_outer)?;
            self.parse_argument(attributes, input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn parse_argument(
        &mut self,
        attributes: Vec<Attribute>,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
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
            self.odd.push((at, problem::self_argument()));
            self.has_self = true;
            if input.parse::<Token![:]>().is_ok() {
                input.parse::<Type>()?;
            }
            return Ok(());
        }
        let name = match &pattern[..] {
            [TokenTree::Ident(name)] if name != "_" => Some(name.clone()),
            [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "mut" => {
                self.odd.push((at, problem::mutable_argument()));
                Some(name.clone())
            }
            _ => None,
        };
        if !input.peek(Token![:]) {
            return Err(syn_error(at, problem::no_type()));
        }
        input.parse::<Token![:]>()?;
        let ty: Type = input.parse()?;
        if let Some(inner) = impl_trait(&ty) {
            self.odd.push((inner, problem::argument_without_type()));
            self.lost = true;
            return Ok(());
        }
        let Some(name) = name else {
            self.odd.push((at, problem::no_name()));
            self.lost = true;
            return Ok(());
        };
        self.arguments.push(FnArgument {
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
                    return Err(syn_error(at, problem::no_function()));
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
        signature.parse_arguments(&content)?;
        signature.output = input.parse()?;
        signature.generics.where_clause = input.parse()?;
        if input.peek(token::Brace) {
            signature.body = Some(input.span());
            input.parse::<TokenTree>()?;
        } else if input.parse::<Token![;]>().is_err() {
            return Err(syn_error(input.span(), problem::no_end()));
        }
        Ok(signature)
    }
}

fn is_prompt(attribute: &Attribute) -> bool {
    attribute.path().is_ident("prompt")
}

/// The type inside of a `Result`.
fn of_result(ty: &Type) -> Option<&Type> {
    match TypeTokens::from_type(ty) {
        TypeTokens::Path(last, name, _) if name == "Result" => type_arguments(last).next(),
        _ => None,
    }
}

/// The position of `impl` in a type.
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

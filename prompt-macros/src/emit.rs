//! Decisions to tokens. Whatever could be wrong was found before.

mod answer;
mod assert;
mod body;
mod frame;
mod from;
mod info;
mod jinja;
mod mask;
mod part;
mod run;
mod shots;
mod tokens;
mod value;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::{Dialect, Role};
use quote::{quote, quote_spanned};
use syn::Generics;

pub(crate) use self::answer::Answer;
pub(crate) use self::from::from;
use self::info::Info;
use self::part::{Part, shown};
pub(crate) use self::part::{is_string, mentions};
use self::tokens::braced;
use self::value::{local, located};
use crate::input::{Form, Input};
use crate::model::{Kind, Prompt, PromptCase, Step};
use crate::runtime::Runtime;
use crate::uses::{answer, messages, used_in};

/// Expands to the implementation of `Prompt`, or of `ToPrompt` for a fragment.
pub(crate) fn emit(prompt: &Prompt<'_>) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let implementation = if prompt.is_fragment() {
        emitter.fragment()
    } else {
        emitter.prompt()
    };
    let parts = [
        Some(implementation),
        emitter.takes_tools(),
        from(prompt.input),
        emitter.tracked(),
        emitter.mask(),
    ];
    parts.into_iter().flatten().collect()
}

/// Expands to a block that binds the variables, fills the template and gives the messages.
pub(crate) fn inline(prompt: &Prompt<'_>, values: &[TokenStream]) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let (p, out) = (&emitter.private, &emitter.out);
    let body = emitter.body(Part::Asked);
    let (mut names, mut given, mut checks) = (Vec::new(), Vec::new(), TokenStream::new());
    for case in &prompt.cases {
        let case_of = CaseEmitter {
            emitter: &emitter,
            case,
            templates: RefCell::default(),
        };
        for (index, (field, value)) in case.case.fields.iter().zip(values).enumerate() {
            let at = Span::mixed_site().located_at(field.ident.span());
            let local = located(&local(field), at);
            given.push(quote_spanned!(at=> &(#value)));
            if let Some((message, place)) = crate::uses::first_in_system(case, index) {
                checks.extend(case_of.asserted_safe(message, place, &local));
            }
            names.push(local);
        }
    }
    let written = Ident::new("written", Span::mixed_site());
    // A `match` and no `let`: what is borrowed from a temporary value lives until the end.
    quote! {
        match (#(#given,)*) {
            (#(#names,)*) => {
                #checks
                let mut #written = #p::Writer::new();
                let #out = &mut #written;
                #body
                #written.finish()
            }
        }
    }
}

/// The tokens of one item.
struct Emitter<'a> {
    prompt: &'a Prompt<'a>,
    private: Runtime,
    out: Ident,
    /// Whether fields are bound to names of their own, and not reached through `self`.
    bound: bool,
    explains: OnceCell<bool>,
    /// Whether a call in the body fills slots.
    fills: Cell<bool>,
}

impl<'a> Emitter<'a> {
    fn new(prompt: &'a Prompt<'a>) -> Emitter<'a> {
        Emitter {
            prompt,
            private: prompt.input.private(),
            out: Ident::new("out", Span::mixed_site()),
            bound: prompt.input.is_enum || prompt.input.form == Form::Inline,
            explains: OnceCell::new(),
            fills: Cell::new(false),
        }
    }

    /// ```text
    /// impl Prompt for Ask {
    ///     type Output = Answer;
    ///     const INFO: … = …;
    ///     fn render(&self, out: &mut Writer) { … }
    ///     fn output_schema() -> … { … }
    ///     fn read(reply: &Reply) -> … { … }
    /// }
    /// impl TakesTools for Ask {}
    /// ```
    fn prompt(&self) -> TokenStream {
        let (p, out, input) = (&self.private, &self.out, self.prompt.input);
        let Input { ident, allowed, .. } = input;
        let generics = self.generics();
        let (parameters, arguments, clause) = generics.split_for_impl();
        let Info {
            known,
            fingerprint,
            arguments: of_info,
            model,
        } = self.info();
        let body = braced(self.body(Part::Asked));
        let (answered, framed) = (self.answered(), self.framed());
        let Answer { ty, schema, read } =
            Answer::of(self.prompt.output().map(|output| &output.value), p);
        quote! {
            #[automatically_derived]
            #allowed
            impl #parameters #p::Prompt for #ident #arguments #clause {
                type Output = #ty;

                const INFO: &'static #p::PromptInfo = {
                    let #known = #fingerprint;
                    &#p::info #of_info #model
                };

                fn render(&self, #out: &mut #p::Writer) #body

                #answered

                #framed

                #schema

                fn read(reply: &#p::Reply) -> #p::Result<#ty> #read
            }
        }
    }

    /// `impl TakesTools for Ask {}`, unless it has tools of its own.
    fn takes_tools(&self) -> Option<TokenStream> {
        let Input {
            ident,
            allowed,
            cases,
            ..
        } = self.prompt.input;
        let mut fields = cases.iter().flat_map(|case| &case.fields);
        if self.prompt.is_fragment() || fields.any(|field| field.keys.has("tools")) {
            return None;
        }
        let p = &self.private;
        let generics = self.generics();
        let (parameters, arguments, clause) = generics.split_for_impl();
        Some(quote! {
            #[automatically_derived]
            #allowed
            impl #parameters #p::TakesTools for #ident #arguments #clause {}
        })
    }

    /// ```text
    /// impl ToPrompt for Passage { fn write(&self, out: &mut Writer) { … } }
    /// impl Truthy for Passage {}
    /// impl ToValue for Passage { fn to_value(&self, source: Source) -> Value<'_> { … } }
    /// ```
    fn fragment(&self) -> TokenStream {
        let (p, out) = (&self.private, &self.out);
        let Input { ident, allowed, .. } = self.prompt.input;
        let generics = self.generics();
        let (parameters, arguments, clause) = generics.split_for_impl();
        let body = braced(self.body(Part::Asked));
        quote! {
            #[automatically_derived]
            #allowed
            impl #parameters #p::ToPrompt for #ident #arguments #clause {
                fn write(&self, #out: &mut #p::Writer) #body
            }

            #[automatically_derived]
            #allowed
            impl #parameters #p::Truthy for #ident #arguments #clause {}

            #[automatically_derived]
            #allowed
            impl #parameters #p::expr::ToValue for #ident #arguments #clause {
                fn to_value(&self, source: #p::Source) -> #p::expr::Value<'_> {
                    #p::expr::written(self, source)
                }
            }
        }
    }

    /// Whether errors about types are given the place in the template.
    fn explains(&self) -> bool {
        let item = self.prompt.input.ident.span();
        *self
            .explains
            .get_or_init(|| crate::prelude::has_tools(item))
    }

    /// The path to the runtime, with errors about it at a place.
    fn private_at(&self, at: Span) -> Runtime {
        self.private.at(at)
    }

    /// The parameters of the implementations: one of a type that fills a slot must be able to.
    fn generics(&self) -> Cow<'a, Generics> {
        let p = &self.private;
        let mut generics = Cow::Borrowed(&self.prompt.input.generics);
        let parameters: Vec<String> = generics
            .type_params()
            .map(|parameter| parameter.ident.to_string())
            .collect();
        if parameters.is_empty() {
            return generics;
        }
        let fields = self
            .prompt
            .cases
            .iter()
            .flat_map(|case| shown(case).into_iter().map(move |field| (case, field)));
        for (case, field) in fields {
            // What stands behind a reference fills a slot as the reference does, and for any lifetime.
            let mut ty = &field.ty;
            while let syn::Type::Reference(reference) = ty {
                ty = &reference.elem;
            }
            if mentions(quote!(#ty), &parameters) {
                let clause = generics.to_mut().make_where_clause();
                clause.predicates.push(match case.dialect {
                    Dialect::Jinja => syn::parse_quote!(#ty: #p::expr::ToValue + #p::Truthy),
                    _ => syn::parse_quote!(#ty: #p::ToPrompt),
                });
            }
        }
        generics
    }

    /// `fn render_answer`, where a prompt has an answer.
    fn answered(&self) -> Option<TokenStream> {
        if self.prompt.cases.iter().all(|case| answer(case).is_none()) {
            return None;
        }
        let (p, out) = (&self.private, &self.out);
        let body = braced(self.body(Part::Answer));
        Some(quote!(fn render_answer(&self, #out: &mut #p::Writer) #body))
    }

    /// The statements of `render`. What fills slots has a short name there: a path costs the compiler more than its words.
    fn body(&self, part: Part) -> TokenStream {
        let body = self.statements(part);
        if !self.fills.take() {
            return body;
        }
        let p = &self.private;
        let mut statements = quote!(use #p::Fill;);
        statements.extend(body);
        statements
    }

    fn statements(&self, part: Part) -> TokenStream {
        if !self.prompt.input.is_enum {
            let mut statements = TokenStream::new();
            for case in &self.prompt.cases {
                statements.extend(self.case(case, part));
            }
            return statements;
        }
        let mut arms = TokenStream::new();
        for case in &self.prompt.cases {
            let variant = &case.case.variant;
            let mut used = TokenStream::new();
            for (index, field) in case.case.fields.iter().enumerate() {
                if self.uses(case, index, part) {
                    let (name, local) = (&field.ident, local(field));
                    used.extend(quote!(#name: #local,));
                }
            }
            let body = self.case(case, part);
            arms.extend(quote! { Self::#variant { #used .. } => { #body } });
        }
        quote! { match self { #arms } }
    }

    fn uses(&self, case: &PromptCase<'_>, index: usize, part: Part) -> bool {
        let apart = case.case.fields[index].stands_apart();
        let in_message = |message| used_in(case, message).contains(&index);
        messages(case)
            .into_iter()
            .filter(|message| part.has(case, message))
            .any(in_message)
            || (part == Part::Asked
                && matches!(apart, Some("history" | "shots" | "tools" | "extra")))
    }

    fn case(&self, case: &PromptCase<'_>, part: Part) -> TokenStream {
        let (p, out) = (&self.private, &self.out);
        let case_of = CaseEmitter {
            emitter: self,
            case,
            templates: RefCell::default(),
        };
        let mut tokens = TokenStream::new();
        if part == Part::Asked {
            for ty in case_of.safe_by_name() {
                let at = Span::call_site().located_at(value::of_type(ty));
                let p = self.private_at(at);
                tokens.extend(quote_spanned!(at=> let _ = #p::system_safe::<#ty>;));
            }
        }
        for step in &case.steps {
            match step {
                Step::Message(message) if part.has(case, message) => {
                    if let Some(role) = message.role {
                        let role = variant(role);
                        self.calls("role", quote!(#p::Role::#role), &mut tokens);
                    }
                    case_of.write(message, &message.body, &mut tokens);
                }
                Step::Shots(shots) if part == Part::Asked => tokens.extend(case_of.shots(shots)),
                Step::History { field, .. } if part == Part::Asked => {
                    let value = case_of.field(&case.case.fields[*field]);
                    self.calls("history", value, &mut tokens);
                }
                _ => {}
            }
        }
        if let Some(templates) = case_of.templates() {
            tokens = quote!(#templates #tokens);
        }
        if part == Part::Answer {
            return tokens;
        }
        for field in case
            .case
            .fields
            .iter()
            .filter(|field| field.keys.has("tools"))
        {
            self.calls("tools", case_of.field(field), &mut tokens);
        }
        for field in case
            .case
            .fields
            .iter()
            .filter(|field| field.keys.has("extra"))
        {
            let (title, value) = (field.title(), case_of.field(field));
            tokens.extend(if field.kind() == Kind::Option {
                quote! {
                    if let #p::Some(value) = #p::optional(#value) {
                        #out.extra(#title, value);
                    }
                }
            } else {
                quote!(#out.extra(#title, #value);)
            });
        }
        tokens
    }
}

/// The variant of the runtime's `Role`.
fn variant(role: Role) -> Ident {
    let name = match role {
        Role::System => "System",
        Role::User => "User",
        Role::Assistant => "Assistant",
    };
    Ident::new(name, Span::call_site())
}

/// The tokens of one template: of a struct, of a variant, or of `prompt!`.
struct CaseEmitter<'a> {
    emitter: &'a Emitter<'a>,
    case: &'a PromptCase<'a>,
    /// The texts that the run time may draw a place in: a source, and one of its tokens.
    templates: RefCell<Vec<(usize, usize)>>,
}

//! Code generation. It cannot fail: all errors are found before.

mod assert;
mod body;
mod code;
mod examples;
mod fallback;
mod from;
mod info;
#[cfg(feature = "jinja")]
mod jinja;
#[cfg(not(feature = "jinja"))]
#[path = "emit/without_jinja.rs"]
mod jinja;
mod mask;
mod output;
mod runtime;

use std::borrow::Cow;
#[cfg(feature = "jinja")]
use std::cell::RefCell;

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::problem::value;
use prompt_syntax::{Dialect, Role};
use quote::{quote, quote_spanned};
use syn::Generics;
use syn::spanned::Spanned as _;

use crate::Errors;
use crate::check::format_needs;
#[cfg(feature = "dynamic")]
pub(crate) use crate::emit::body::of_type;
use crate::emit::body::{at_span, field_variable};
pub(crate) use crate::emit::code::Code;
pub(crate) use crate::emit::fallback::{fallback, unknown_slots};
use crate::emit::from::from;
pub(crate) use crate::emit::output::{OutputType, is_string, is_text};
pub(crate) use crate::emit::runtime::Runtime;
use crate::input::{AttributeValue, Field, Format, Input, MacroKind};
use crate::lower::{
    AnalyzedPrompt, PlaceExpr, PromptCase, PromptStep, ResolvedNode, ResolvedSlot, Root, SlotValue,
    TemplateMessage, answer_message, template_messages, walk,
};
use crate::struct_fields::type_in_constant;
use crate::types::{TypeKind, peel_references};

/// Expands to the conversions that `#[prompt(from)]` asks for.
fn from_conversions(input: &Input) -> Option<TokenStream> {
    input.keys.from.as_ref().and_then(|_| from(input))
}

/// Expands to the implementation of `Prompt`, or of `ToPrompt` for a fragment.
pub(crate) fn emit_prompt(prompt: &AnalyzedPrompt<'_>) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let mut code = Code::new(&emitter.runtime);
    if prompt.is_fragment() {
        emitter.implement_to_prompt(&mut code);
    } else {
        emitter.implement_prompt(&mut code);
    }
    let beside = [
        from_conversions(prompt.input),
        emitter.track_template_files(),
        emitter.editor_mask(),
        emitter.checked_format(),
        emitter.checked_trust(),
    ];
    for tokens in beside.into_iter().flatten() {
        code.tokens(tokens);
    }
    prompt.input.with_runtime(code.into_tokens())
}

/// Expands to a block that binds the variables, renders the template and returns the result with the messages. With errors it contains
/// only the slots whose types the macro cannot determine, so that errors about them are reported in the same build.
pub(crate) fn emit_inline(
    prompt: &AnalyzedPrompt<'_>,
    values: &[TokenStream],
    errors: Option<&Errors>,
) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let (p, out) = (&emitter.runtime, &emitter.out);
    let mut body = Code::new(p);
    let unknown = errors.map(|_| unknown_slots(prompt));
    match &unknown {
        None => emitter.write_part(RenderedPart::Prompt, &mut body),
        Some(slots) => {
            for (_, tokens) in slots {
                body.tokens(tokens);
            }
        }
    }
    let body = body.into_tokens();
    let (mut names, mut given, mut checks) = (Vec::new(), Vec::new(), TokenStream::new());
    for case in &prompt.cases {
        let case_of = CaseEmitter::new(&emitter, case);
        for (index, (field, value)) in case.case.fields.iter().zip(values).enumerate() {
            let is_used = |slots: &Vec<(Vec<usize>, TokenStream)>| slots[0].0.contains(&index);
            if !unknown.as_ref().is_none_or(is_used) {
                continue;
            }
            let at = Span::mixed_site().located_at(field.ident.span());
            let local = at_span(&field_variable(field), at);
            given.push(quote_spanned!(at=> &(#value)));
            if let Some((message, place)) = crate::lower::first_in_system(case, index) {
                checks.extend(case_of.asserted_safe(message, place, &local));
            }
            names.push(local);
        }
    }
    let written = Ident::new("written", Span::mixed_site());
    let import = p.import_from(prompt.input.keys.crate_path());
    // A `match` instead of a `let`, so that temporary values live until the end.
    quote! {{
        #import
        match (#(#given,)*) {
            (#(#names,)*) => {
                #errors
                #checks
                let mut #written = #p::Writer::new();
                let #out = &mut #written;
                #body
                #written.finish()
            }
        }
    }}
}

/// Generates the code of one item.
struct Emitter<'a> {
    prompt: &'a AnalyzedPrompt<'a>,
    runtime: Runtime,
    out: Ident,
    /// Whether fields are bound to local variables instead of accessed through `self`.
    bound: bool,
}

impl<'a> Emitter<'a> {
    fn new(prompt: &'a AnalyzedPrompt<'a>) -> Emitter<'a> {
        Emitter {
            prompt,
            runtime: prompt.input.runtime(),
            out: Ident::new("out", Span::call_site()),
            bound: prompt.input.is_enum || matches!(prompt.input.form, MacroKind::Inline),
        }
    }

    /// ```text
    /// impl Prompt for Ask {
    ///     type Output = Answer;
    ///     const INFO: PromptInfo = PromptInfo::new("Ask")…;
    ///     fn render(&self, out: &mut Writer) { … }
    ///     fn output_schema() -> … { … }
    ///     fn parse_reply(reply: &Reply) -> … { … }
    /// }
    /// impl AcceptsTools for Ask {}
    /// ```
    fn implement_prompt(&self, code: &mut Code<'_>) {
        let input = self.prompt.input;
        let generics = self.bounded_generics();
        let answer = OutputType::from_key(self.prompt.output().map(|output| &output.value));
        write_impl("Prompt", input, &generics, code, |code| {
            answer.write_output_type(code);
            self.write_info(code);
            write_method("render", code, |code| {
                self.write_part(RenderedPart::Prompt, code);
            });
            self.write_render_answer(code);
            answer.write_methods(code);
        });
        let mut fields = input.cases.iter().flat_map(|case| &case.fields);
        if !fields.any(|field| field.keys.has("tools")) {
            write_impl("AcceptsTools", input, &generics, code, |_| {});
        }
    }

    /// ```text
    /// impl ToPrompt for Passage { fn write(&self, out: &mut Writer) { … } }
    /// impl Truthy for Passage {}
    /// impl ToValue for Passage { fn to_value(&self, source: Origin) -> Value<'_> { … } }
    /// ```
    fn implement_to_prompt(&self, code: &mut Code<'_>) {
        write_fragment_impls(self.prompt.input, &self.bounded_generics(), code, |code| {
            self.write_part(RenderedPart::Prompt, code);
        });
    }

    /// Checks the prompt at compile time against a format that is given as the path of a constant.
    fn checked_format(&self) -> Option<TokenStream> {
        let Some(AttributeValue {
            value: Format::Path(path),
            ..
        }) = &self.prompt.input.keys.format
        else {
            return None;
        };
        let at = path.span();
        let p = self.runtime.with_span(at);
        let checks = self.prompt.cases.iter().map(|case| {
            let mut texts = Vec::new();
            for message in template_messages(case) {
                walk(&message.body, &mut |piece| {
                    if let ResolvedNode::Text { text, .. } = piece {
                        texts.push(text.to_string());
                    }
                });
            }
            let needs = format_needs(case);
            quote_spanned! {at=>
                if let #p::Some(problem) = #p::check_format(&#path, [#(#needs),*], &[#(#texts),*]) {
                    #p::core::panic!("{}", problem);
                }
            }
        });
        Some(quote_spanned!(at=> const _: () = { #(#checks)* };))
    }

    /// Checks that no trusted field is `Untrusted` by another name, such as that of an alias.
    fn checked_trust(&self) -> Option<TokenStream> {
        let input = self.prompt.input;
        let fields = self.prompt.cases.iter().flat_map(|case| &case.case.fields);
        let mut fields = fields.filter(|field| {
            field.keys.has("trusted")
                && !field.keys.has("skip")
                && field.kind() == TypeKind::Unknown
        });
        let field = fields.next()?;
        let checks = std::iter::once(field).chain(fields).filter_map(|field| {
            let ty = type_in_constant(peel_references(&field.ty), &input.generics)?;
            let at = field.ident.span();
            let p = self.runtime.with_span(at);
            let message = value::trusted_and_untrusted(input.form, &field.name).to_string();
            Some(quote_spanned! {at=>
                if #p::IsUntrusted::<#ty>::FOUND {
                    #p::core::panic!(#message);
                }
            })
        });
        let checks: TokenStream = checks.collect();
        let p = &self.runtime;
        (!checks.is_empty()).then(|| {
            quote! {
                const _: () = {
                    #[allow(unused_imports)]
                    use #p::NotUntrusted as _;
                    #checks
                };
            }
        })
    }

    /// The path to the runtime with a span for errors.
    fn runtime_at(&self, at: Span) -> Runtime {
        self.runtime.with_span(at)
    }

    /// The generics of the implementations, with a bound for each type parameter that fills a slot.
    fn bounded_generics(&self) -> Cow<'a, Generics> {
        let p = &self.runtime;
        let mut generics = Cow::Borrowed(&self.prompt.input.generics);
        let parameters = type_parameters(&generics);
        if parameters.is_empty() {
            return generics;
        }
        let fields = self.prompt.cases.iter().flat_map(|case| {
            fields_in_slots(case)
                .into_iter()
                .map(move |field| (case, field))
        });
        for (case, field) in fields {
            // The referenced type fills a slot as the reference does, and for any lifetime.
            let mut ty = &field.ty;
            while let syn::Type::Reference(reference) = ty {
                ty = &reference.elem;
            }
            if mentions_any(quote!(#ty), &parameters) {
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
    fn write_render_answer(&self, code: &mut Code<'_>) {
        if self
            .prompt
            .cases
            .iter()
            .any(|case| answer_message(case).is_some())
        {
            write_method("render_answer", code, |code| {
                self.write_part(RenderedPart::Answer, code);
            });
        }
    }

    /// The statements of `render`, or of `render_answer`.
    fn write_part(&self, part: RenderedPart, code: &mut Code<'_>) {
        if !self.prompt.input.is_enum {
            for case in &self.prompt.cases {
                self.write_case(case, part, code);
            }
            return;
        }
        code.add("match self");
        code.braced(|code| {
            for case in &self.prompt.cases {
                code.add("Self::").tokens(&case.case.variant);
                code.braced(|code| {
                    for (index, field) in case.case.fields.iter().enumerate() {
                        if self.uses_field(case, index, part) {
                            let (name, local) = (&field.ident, field_variable(field));
                            code.tokens(quote!(#name: #local,));
                        }
                    }
                    code.add("..");
                });
                code.add("=>");
                code.braced(|code| self.write_case(case, part, code));
            }
        });
    }

    fn uses_field(&self, case: &PromptCase<'_>, index: usize, part: RenderedPart) -> bool {
        let apart = case.case.fields[index].key_without_slot();
        template_messages(case)
            .into_iter()
            .filter(|message| part.includes_message(message))
            .any(|message| message.uses_field(index))
            || (part == RenderedPart::Prompt
                && matches!(apart, Some("history" | "examples" | "tools" | "extra")))
    }

    fn write_case(&self, case: &PromptCase<'_>, part: RenderedPart, code: &mut Code<'_>) {
        let case_of = CaseEmitter::new(self, case);
        let mut statements = Code::new(&self.runtime);
        case_of.write_steps(part, &mut statements);
        if let Some(templates) = case_of.template_constants() {
            code.tokens(templates);
        }
        code.append(statements);
        if part == RenderedPart::Prompt {
            case_of.write_fields_without_slot(code);
        }
    }
}

impl<'a> CaseEmitter<'a> {
    fn new(emitter: &'a Emitter<'a>, case: &'a PromptCase<'a>) -> CaseEmitter<'a> {
        CaseEmitter {
            emitter,
            case,
            #[cfg(feature = "jinja")]
            templates: RefCell::default(),
        }
    }

    /// Adds the statements that write the messages.
    fn write_steps(&self, part: RenderedPart, code: &mut Code<'_>) {
        if part == RenderedPart::Prompt {
            for ty in self.safe_by_name() {
                let at = Span::call_site().located_at(crate::emit::body::of_type(ty));
                let p = self.emitter.runtime_at(at);
                code.tokens(quote_spanned!(at=> let _ = #p::system_safe::<#ty>;));
            }
        }
        for step in &self.case.steps {
            match step {
                PromptStep::Message(message) if part.includes_message(message) => {
                    if let Some(role) = message.role {
                        code.call("role", |code| {
                            _ = code.path("Role::").add(role_variant(role));
                        });
                    }
                    self.write_pieces(message, &message.body, code);
                }
                PromptStep::Examples(examples) if part == RenderedPart::Prompt => {
                    _ = code.tokens(self.write_examples(examples));
                }
                PromptStep::History { field, .. } if part == RenderedPart::Prompt => {
                    let field = &self.case.case.fields[*field];
                    let mut value = self.field_reference(field);
                    if field.keys.has("examples") {
                        let p = &self.emitter.runtime;
                        value = quote!(#p::example_turns(#value));
                    }
                    code.call("history", |code| _ = code.tokens(value));
                }
                _ => {}
            }
        }
    }

    /// Adds the statements for the fields that are not in a message.
    fn write_fields_without_slot(&self, code: &mut Code<'_>) {
        let (p, out) = (&self.emitter.runtime, &self.emitter.out);
        for field in &self.case.case.fields {
            if field.keys.has("tools") {
                code.call("tools", |code| _ = code.tokens(self.field_reference(field)));
            }
        }
        for field in &self.case.case.fields {
            if !field.keys.has("extra") {
                continue;
            }
            let (title, value) = (field.title(), self.field_reference(field));
            code.tokens(if field.kind() == TypeKind::Option {
                quote! {
                    if let #p::Some(value) = #p::optional_value(#value) {
                        #out.extra(#title, value);
                    }
                }
            } else {
                quote!(#out.extra(#title, #value);)
            });
        }
    }
}

/// ```text
/// #[automatically_derived]
/// impl<'a> TRAIT for Ask<'a> { … }
/// ```
pub(crate) fn write_impl(
    name: &str,
    input: &Input,
    generics: &Generics,
    code: &mut Code<'_>,
    body: impl FnOnce(&mut Code<'_>),
) {
    let (parameters, arguments, clause) = generics.split_for_impl();
    code.add("#[automatically_derived]");
    if let Some(allowed) = &input.allowed {
        code.tokens(allowed);
    }
    code.add("impl")
        .tokens(parameters)
        .path(name)
        .add(" for")
        .tokens(&input.ident)
        .tokens(arguments)
        .tokens(clause);
    code.braced(body);
}

/// `fn NAME(&self, out: &mut Writer) { … }`
pub(crate) fn write_method(name: &str, code: &mut Code<'_>, body: impl FnOnce(&mut Code<'_>)) {
    code.add("fn ").add(name);
    code.parenthesized(|code| _ = code.add("&self, out: &mut ").path("Writer"));
    code.braced(body);
}

/// The implementations of a fragment.
pub(crate) fn write_fragment_impls(
    input: &Input,
    generics: &Generics,
    code: &mut Code<'_>,
    body: impl FnOnce(&mut Code<'_>),
) {
    write_impl("ToPrompt", input, generics, code, |code| {
        write_method("write", code, body);
    });
    write_impl("Truthy", input, generics, code, |_| {});
    #[cfg(feature = "jinja")]
    write_impl("expr::ToValue", input, generics, code, |code| {
        code.add("fn kind() ->").path("expr::ValueKind");
        code.braced(|code| _ = code.path("expr::text_kind()"));
        code.add("fn to_value");
        code.parenthesized(|code| _ = code.add("&self, source: ").path("Origin"));
        code.add("->").path("expr::Value<'_>");
        code.braced(|code| _ = code.path("expr::fragment_text(self, source)"));
        write_method("print", code, |code| {
            _ = code.path("ToPrompt::write(self, out)");
        });
    });
}

/// The variant of the runtime's `Role`.
fn role_variant(role: Role) -> &'static str {
    match role {
        Role::System => "System",
        Role::User => "User",
        Role::Assistant => "Assistant",
    }
}

/// Generates the code of one template: of a struct, of a variant, or of `prompt!`.
struct CaseEmitter<'a> {
    emitter: &'a Emitter<'a>,
    case: &'a PromptCase<'a>,
    /// The template sources that errors at run time quote: the index of a source, and of one of its tokens.
    #[cfg(feature = "jinja")]
    templates: RefCell<Vec<(usize, usize)>>,
}

/// The part that is written: the prompt, or the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RenderedPart {
    Prompt,
    Answer,
}

impl RenderedPart {
    fn includes_message(self, message: &TemplateMessage) -> bool {
        message.is_answer == (self == RenderedPart::Answer)
    }
}

/// The fields that fill a slot without a filter.
fn fields_in_slots<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Field> {
    let mut fields = Vec::new();
    for message in template_messages(case) {
        walk(&message.body, &mut |piece| {
            if let ResolvedNode::Slot(ResolvedSlot {
                value:
                    SlotValue::Place(PlaceExpr {
                        root: Root::Field(index),
                        rest,
                        ..
                    }),
                fallback: None,
                ..
            }) = piece
                && rest.is_empty()
            {
                fields.push(&case.case.fields[*index]);
            }
        });
    }
    fields
}

/// Whether the tokens contain one of these names.
pub(crate) fn mentions_any(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions_any(group.stream(), names),
        _ => false,
    })
}

/// The names of the type parameters.
pub(crate) fn type_parameters(generics: &Generics) -> Vec<String> {
    let parameters = generics.type_params();
    parameters.map(|it| it.ident.to_string()).collect()
}

impl Emitter<'_> {
    /// A template file that changes makes its prompt compile again.
    fn track_template_files(&self) -> Option<TokenStream> {
        let p = &self.runtime;
        let mut tokens = None::<TokenStream>;
        for case in &self.prompt.cases {
            for file in case.sources.iter().flat_map(|source| &source.tracked) {
                let file = format!("/{file}");
                tokens.get_or_insert_default().extend(quote! { const _: &[u8] = #p::core::include_bytes!(#p::core::concat!(#p::core::env!("CARGO_MANIFEST_DIR"), #file)); });
            }
        }
        tokens
    }
}

/// Variables and functions of generated code itself.
pub(crate) const OWN_NAMES: [&str; 4] = ["out", "empty", "slot", "written"];

/// An identifier, raw where the name is a keyword.
///
/// A name that cannot be an identifier is not a field either: `__not_a_name` makes rustc report it.
pub(crate) fn ident_or_raw(name: &str, span: Span) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() {
        Ident::new(name, span)
    } else if syn::parse_str::<Ident>(&format!("r#{name}")).is_ok() {
        Ident::new_raw(name, span)
    } else {
        Ident::new("__not_a_name", span)
    }
}

/// A variable that the analysis has named; names in the user's code cannot shadow it.
pub(crate) fn template_variable(name: &str) -> Ident {
    ident_or_raw(name, Span::mixed_site())
}

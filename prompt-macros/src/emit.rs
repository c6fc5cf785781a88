//! Code generation. It cannot fail: all errors are found before.
//!
//! Most of the code is generated as text ([`Code`]): where macros run without optimizations, rustc parses a text much faster than a
//! macro creates tokens one by one. The user's code stays tokens, which have spans.

mod assert;
mod body;
mod examples;
mod from;
#[cfg(feature = "jinja")]
mod jinja;
mod mask;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::fmt::{Debug, Write};
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use prompt_syntax::{Dialect, Role};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, Path, Type};

use crate::Errors;
use crate::check::needs;
use crate::crate_name::crate_name;
#[cfg(feature = "dynamic")]
pub(crate) use crate::emit::body::of_type;
use crate::emit::body::{local, located};
use crate::emit::from::from;
use crate::input::{AttributeValue, Field, Format, Input, MacroKind, SourceKey};
use crate::lower::{
    AnalyzedPrompt, PlaceExpr, PromptCase, PromptStep, ResolvedNode, ResolvedSlot, Root, SlotValue,
    TemplateMessage, answer, messages, used_in, walk,
};
use crate::types::{TypeKind, TypeTokens, inner};

/// Expands to the conversions that `#[prompt(from)]` asks for.
fn conversions(input: &Input) -> Option<TokenStream> {
    input.keys.from.as_ref().and_then(|_| from(input))
}

/// Expands to the implementation of `Prompt`, or of `ToPrompt` for a fragment.
pub(crate) fn emit(prompt: &AnalyzedPrompt<'_>) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let mut code = Code::new(&emitter.private);
    if prompt.is_fragment() {
        emitter.fragment(&mut code);
    } else {
        emitter.prompt(&mut code);
    }
    let format = emitter.checked_format();
    let beside = [
        conversions(prompt.input),
        emitter.tracked(),
        is_read_by_editor().then(|| emitter.mask()).flatten(),
        format,
    ];
    for tokens in beside.into_iter().flatten() {
        code.tokens(tokens);
    }
    code.into_tokens()
}

/// Expands to a block that binds the variables, renders the template and returns the result with the messages. With errors it contains
/// only the slots whose types the macro cannot determine, so that errors about them are reported in the same build.
pub(crate) fn inline(
    prompt: &AnalyzedPrompt<'_>,
    values: &[TokenStream],
    errors: Option<&Errors>,
) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let (p, out) = (&emitter.private, &emitter.out);
    let mut body = Code::new(p);
    let unknown = errors.map(|_| unknown_slots(prompt));
    match &unknown {
        None => emitter.body(RenderedPart::Asked, &mut body),
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
            let local = located(&local(field), at);
            given.push(quote_spanned!(at=> &(#value)));
            if let Some((message, place)) = crate::lower::first_in_system(case, index) {
                checks.extend(case_of.asserted_safe(message, place, &local));
            }
            names.push(local);
        }
    }
    let written = Ident::new("written", Span::mixed_site());
    // A `match` instead of a `let`, so that temporary values live until the end.
    quote! {
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
    }
}

/// Generates the code of one item.
struct Emitter<'a> {
    prompt: &'a AnalyzedPrompt<'a>,
    private: Runtime,
    out: Ident,
    /// Whether fields are bound to local variables instead of accessed through `self`.
    bound: bool,
    explains: OnceCell<bool>,
    /// The types of the runtime that the body imports.
    imports: RefCell<Vec<&'static str>>,
}

impl<'a> Emitter<'a> {
    fn new(prompt: &'a AnalyzedPrompt<'a>) -> Emitter<'a> {
        Emitter {
            prompt,
            private: prompt.input.private(),
            out: Ident::new("out", Span::call_site()),
            bound: prompt.input.is_enum || matches!(prompt.input.form, MacroKind::Inline),
            explains: OnceCell::new(),
            imports: RefCell::default(),
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
    fn prompt(&self, code: &mut Code<'_>) {
        let input = self.prompt.input;
        let generics = self.generics();
        let answer = OutputType::of(self.prompt.output().map(|output| &output.value));
        implement("Prompt", input, &generics, code, |code| {
            answer.ty(code);
            self.info(code);
            writes("render", code, |code| self.body(RenderedPart::Asked, code));
            self.answered(code);
            answer.methods(code);
        });
        let mut fields = input.cases.iter().flat_map(|case| &case.fields);
        if !fields.any(|field| field.keys.has("tools")) {
            implement("AcceptsTools", input, &generics, code, |_| {});
        }
    }

    /// ```text
    /// impl ToPrompt for Passage { fn write(&self, out: &mut Writer) { … } }
    /// impl Truthy for Passage {}
    /// impl ToValue for Passage { fn to_value(&self, source: Origin) -> Value<'_> { … } }
    /// ```
    fn fragment(&self, code: &mut Code<'_>) {
        fragment(self.prompt.input, &self.generics(), code, |code| {
            self.body(RenderedPart::Asked, code);
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
        let p = self.private.at(at);
        let checks = self.prompt.cases.iter().map(|case| {
            let mut texts = Vec::new();
            for message in messages(case) {
                walk(&message.body, &mut |piece| {
                    if let ResolvedNode::Text { text, .. } = piece {
                        texts.push(text.to_string());
                    }
                });
            }
            let needs = needs(case);
            quote_spanned! {at=>
                if let #p::Some(problem) = #p::check_format(&#path, [#(#needs),*], &[#(#texts),*]) {
                    #p::core::panic!("{}", problem);
                }
            }
        });
        Some(quote_spanned!(at=> const _: () = { #(#checks)* };))
    }

    /// Imports a type of the runtime into the body.
    fn import(&self, name: &'static str) {
        let mut imports = self.imports.borrow_mut();
        if !imports.contains(&name) {
            imports.push(name);
        }
    }

    /// Whether errors about types show the position in the template.
    fn explains(&self) -> bool {
        let item = self.prompt.input.ident.span();
        *self
            .explains
            .get_or_init(|| crate::emit::assert::has_tools(item))
    }

    /// The path to the runtime with a span for errors.
    fn private_at(&self, at: Span) -> Runtime {
        self.private.at(at)
    }

    /// The generics of the implementations, with a bound for each type parameter that fills a slot.
    fn generics(&self) -> Cow<'a, Generics> {
        let p = &self.private;
        let mut generics = Cow::Borrowed(&self.prompt.input.generics);
        let parameters = type_parameters(&generics);
        if parameters.is_empty() {
            return generics;
        }
        let fields = self
            .prompt
            .cases
            .iter()
            .flat_map(|case| shown(case).into_iter().map(move |field| (case, field)));
        for (case, field) in fields {
            // The referenced type fills a slot as the reference does, and for any lifetime.
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
    fn answered(&self, code: &mut Code<'_>) {
        if self.prompt.cases.iter().any(|case| answer(case).is_some()) {
            writes("render_answer", code, |code| {
                self.body(RenderedPart::Answer, code);
            });
        }
    }

    /// The statements of `render`, after the imports that they need.
    fn body(&self, part: RenderedPart, code: &mut Code<'_>) {
        let mut statements = Code::new(&self.private);
        self.statements(part, &mut statements);
        let imports = self.imports.take();
        if !imports.is_empty() {
            let names = format!("{{{}}}", imports.join(","));
            code.add("use ").path(&names).add(";");
        }
        code.append(statements);
    }

    fn statements(&self, part: RenderedPart, code: &mut Code<'_>) {
        if !self.prompt.input.is_enum {
            for case in &self.prompt.cases {
                self.case(case, part, code);
            }
            return;
        }
        code.add("match self");
        code.braced(|code| {
            for case in &self.prompt.cases {
                code.add("Self::").tokens(&case.case.variant);
                code.braced(|code| {
                    for (index, field) in case.case.fields.iter().enumerate() {
                        if self.uses(case, index, part) {
                            let (name, local) = (&field.ident, local(field));
                            code.tokens(quote!(#name: #local,));
                        }
                    }
                    code.add("..");
                });
                code.add("=>");
                code.braced(|code| self.case(case, part, code));
            }
        });
    }

    fn uses(&self, case: &PromptCase<'_>, index: usize, part: RenderedPart) -> bool {
        let apart = case.case.fields[index].key_without_slot();
        let in_message = |message| used_in(case, message).contains(&index);
        messages(case)
            .into_iter()
            .filter(|message| part.has(case, message))
            .any(in_message)
            || (part == RenderedPart::Asked
                && matches!(apart, Some("history" | "examples" | "tools" | "extra")))
    }

    fn case(&self, case: &PromptCase<'_>, part: RenderedPart, code: &mut Code<'_>) {
        let case_of = CaseEmitter::new(self, case);
        let mut statements = Code::new(&self.private);
        case_of.steps(part, &mut statements);
        #[cfg(feature = "jinja")]
        if let Some(templates) = case_of.templates() {
            code.tokens(templates);
        }
        code.append(statements);
        if part == RenderedPart::Asked {
            case_of.apart(code);
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
    fn steps(&self, part: RenderedPart, code: &mut Code<'_>) {
        if part == RenderedPart::Asked {
            for ty in self.safe_by_name() {
                let at = Span::call_site().located_at(crate::emit::body::of_type(ty));
                let p = self.emitter.private_at(at);
                code.tokens(quote_spanned!(at=> let _ = #p::system_safe::<#ty>;));
            }
        }
        for step in &self.case.steps {
            match step {
                PromptStep::Message(message) if part.has(self.case, message) => {
                    if let Some(role) = message.role {
                        self.emitter.import("Role");
                        code.call("role", |code| _ = code.add("Role::").add(variant(role)));
                    }
                    self.write(message, &message.body, code);
                }
                PromptStep::Examples(examples) if part == RenderedPart::Asked => {
                    _ = code.tokens(self.examples(examples));
                }
                PromptStep::History { field, .. } if part == RenderedPart::Asked => {
                    let value = self.field(&self.case.case.fields[*field]);
                    code.call("history", |code| _ = code.tokens(value));
                }
                _ => {}
            }
        }
    }

    /// Adds the statements for the fields that are not in a message.
    fn apart(&self, code: &mut Code<'_>) {
        let (p, out) = (&self.emitter.private, &self.emitter.out);
        for field in &self.case.case.fields {
            if field.keys.has("tools") {
                code.call("tools", |code| _ = code.tokens(self.field(field)));
            }
        }
        for field in &self.case.case.fields {
            if !field.keys.has("extra") {
                continue;
            }
            let (title, value) = (field.title(), self.field(field));
            code.tokens(if field.kind() == TypeKind::Option {
                quote! {
                    if let #p::Some(value) = #p::optional(#value) {
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
pub(crate) fn implement(
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
pub(crate) fn writes(name: &str, code: &mut Code<'_>, body: impl FnOnce(&mut Code<'_>)) {
    code.add("fn ").add(name);
    code.parenthesized(|code| _ = code.add("&self, out: &mut ").path("Writer"));
    code.braced(body);
}

/// The implementations of a fragment.
pub(crate) fn fragment(
    input: &Input,
    generics: &Generics,
    code: &mut Code<'_>,
    body: impl FnOnce(&mut Code<'_>),
) {
    implement("ToPrompt", input, generics, code, |code| {
        writes("write", code, body);
    });
    implement("Truthy", input, generics, code, |_| {});
    #[cfg(feature = "jinja")]
    implement("expr::ToValue", input, generics, code, |code| {
        code.add("fn to_value");
        code.parenthesized(|code| _ = code.add("&self, source: ").path("Origin"));
        code.add("->").path("expr::Value<'_>");
        code.braced(|code| _ = code.path("expr::written(self, source)"));
    });
}

/// The variant of the runtime's `Role`.
fn variant(role: Role) -> &'static str {
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
    Asked,
    Answer,
}

impl RenderedPart {
    fn has(self, case: &PromptCase<'_>, message: &TemplateMessage) -> bool {
        let is_answer = answer(case).is_some_and(|answer| std::ptr::eq(answer, message));
        is_answer == (self == RenderedPart::Answer)
    }
}

/// The fields that fill a slot without a filter.
fn shown<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Field> {
    let mut fields = Vec::new();
    for message in messages(case) {
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
pub(crate) fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// The names of the type parameters.
pub(crate) fn type_parameters(generics: &Generics) -> Vec<String> {
    let parameters = generics.type_params();
    parameters.map(|it| it.ident.to_string()).collect()
}

pub(crate) fn is_string(ty: &Type) -> bool {
    TypeKind::of(ty) == TypeKind::Text
        && matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "String"))
}

/// Whether a type is `Untrusted<String>`.
fn is_untrusted_string(ty: &Type) -> bool {
    matches!(TypeTokens::of(ty), TypeTokens::Path(last, name, _)
        if name == "Untrusted" && inner(last).is_some_and(is_string))
}

/// Whether an answer of this type is the text of the reply.
pub(crate) fn is_text(ty: &Type) -> bool {
    is_string(ty) || is_untrusted_string(ty)
}

/// The output of a prompt: text, or a type.
#[derive(Clone, Copy)]
pub(crate) struct OutputType<'a> {
    given: Option<&'a Type>,
    /// Whether it is text as `Untrusted<String>`.
    is_untrusted: bool,
}

impl<'a> OutputType<'a> {
    pub(crate) fn of(output: Option<&'a Type>) -> OutputType<'a> {
        OutputType {
            given: output.filter(|ty| !is_text(ty)),
            is_untrusted: output.is_some_and(is_untrusted_string),
        }
    }

    /// `type Output = …;`
    pub(crate) fn ty(self, code: &mut Code<'_>) {
        code.add("type Output=");
        self.name(code);
        code.add(";");
    }

    /// The methods that return its schema, which text does not have, and that parse it.
    pub(crate) fn methods(self, code: &mut Code<'_>) {
        // Without the feature a typed answer is an error that was reported: the fallback only has to compile.
        let has_reader = cfg!(feature = "schema") || self.given.is_none();
        if has_reader && self.given.is_some() {
            code.add("fn output_schema()->").path("OutputSchema");
            code.braced(|code| self.made(code, ".schema()"));
        }
        code.add("fn parse_reply")
            .parenthesized(|code| _ = code.add("reply: &").path("Reply"));
        code.add("->").path("Result").add("<");
        self.name(code);
        code.add(">").braced(|code| match self.given {
            Some(_) if !has_reader => _ = code.path("core::unreachable!()"),
            Some(_) => self.made(code, ".parse(reply)"),
            None => {
                code.path("parse_text").add("(reply)");
                if self.is_untrusted {
                    code.add(".map(").path("Untrusted::new").add(")");
                }
            }
        });
    }

    fn made(self, code: &mut Code<'_>, call: &str) {
        code.path("answer").add("::<");
        self.name(code);
        code.add(">()").add(call);
    }

    fn name(self, code: &mut Code<'_>) {
        match self.given {
            Some(ty) => code.tokens(ty),
            None if self.is_untrusted => code.path("Untrusted").add("<").path("String").add(">"),
            None => code.path("String"),
        };
    }
}

impl Emitter<'_> {
    /// ```text
    /// const INFO: PromptInfo = PromptInfo::new("Ask")
    ///     .with_slots("user question 1 14\n")
    ///     .with_position("src/lib.rs", 3, 17)
    ///     .with_fingerprint(4332178534338039823);
    /// ```
    fn info(&self, code: &mut Code<'_>) {
        let name = self.prompt.input.ident.to_string();
        let keys = &self.prompt.input.keys;
        let docs = self.prompt.input.docs.iter().map(syn::LitStr::value);
        let docs = docs.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned());
        let docs: Vec<String> = docs.collect();
        let doc = match &keys.description {
            Some(description) if docs.is_empty() => description.value.clone(),
            _ => docs.join("\n"),
        };
        code.add("const INFO: ").path("PromptInfo").add(" = ");
        code.path("PromptInfo::new(").literal(name).add(")");
        if !doc.is_empty() {
            code.add(".with_doc(").literal(doc).add(")");
        }
        if let Some(model) = &keys.model {
            code.add(".with_model(").literal(&model.value).add(")");
        }
        let slots = self.slots();
        if !slots.is_empty() {
            code.add(".with_slots(").literal(slots).add(")");
        }
        let trusted = self.trusted();
        if !trusted.is_empty() {
            code.add(".with_trusted(&[");
            for name in trusted {
                code.literal(name).add(",");
            }
            code.add("])");
        }
        let first = self
            .prompt
            .cases
            .iter()
            .find_map(|case| case.sources.first());
        let position = first.map(|source| source.position(prompt_base::Span::new(0, 0)));
        let (file, line, column) = position.unwrap_or_default();
        code.add(".with_position(").literal(file).add(",");
        code.literal(line).add(",").literal(column).add(")");
        code.add(".with_fingerprint(")
            .literal(fingerprint(self.prompt))
            .add(");");
    }

    /// The lines of `PromptInfo::with_slots`: the first place of each field in each role.
    fn slots(&self) -> String {
        let (mut slots, mut seen) = (String::new(), Vec::new());
        for case in &self.prompt.cases {
            for message in messages(case) {
                walk(&message.body, &mut |piece| {
                    let (name, span) = match piece {
                        ResolvedNode::Slot(slot) => (&slot.name, slot.span),
                        #[cfg(feature = "jinja")]
                        ResolvedNode::Show(show) => (&show.name, show.span),
                        ResolvedNode::Media { place, span, .. } => (&place.name, *span),
                        _ => return,
                    };
                    if seen.contains(&(message.role, name)) {
                        return;
                    }
                    seen.push((message.role, name));
                    let (line, column) = case.sources[message.source].line_and_column(span.start);
                    let role = message.role.map_or("fragment", Role::name);
                    slots.push_str(&format!("{role} {name} {line} {column}\n"));
                });
            }
        }
        slots
    }

    /// The names of `PromptInfo::with_trusted`.
    fn trusted(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for case in &self.prompt.cases {
            let fields = case.case.fields.iter();
            for field in fields.filter(|it| it.keys.has("trusted") && !it.keys.has("skip")) {
                if !names.contains(&field.name) {
                    names.push(field.name.clone());
                }
            }
        }
        names
    }

    /// A template file that changes makes its prompt compile again.
    fn tracked(&self) -> Option<TokenStream> {
        let p = &self.private;
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

/// A number that changes with the texts, the roles, the slots and the output of a prompt, and with nothing else.
///
/// FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>): stable between compilers, and short.
pub(crate) fn fingerprint(prompt: &AnalyzedPrompt<'_>) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for case in &prompt.cases {
        hash.add(
            &case
                .case
                .variant
                .as_ref()
                .map_or(String::new(), ToString::to_string),
        );
        for step in &case.steps {
            match step {
                PromptStep::Message(message) => {
                    hash.add(message.role.map_or("fragment", prompt_syntax::Role::name));
                    hash.add(&case.sources[message.source].value);
                }
                PromptStep::Examples(examples) => {
                    hash.add("examples");
                    hash.add(&case.sources[examples.source].value);
                }
                PromptStep::History { field, .. } => {
                    hash.add("history");
                    hash.add(&case.case.fields[*field].name);
                }
            }
        }
    }
    let keys = &prompt.input.keys;
    hash.add(keys.dialect().name());
    if let Some(output) = &keys.output {
        let ty = &output.value;
        hash.add(&quote!(#ty).to_string());
    }
    hash.0
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, text: &str) {
        // A zero byte keeps two texts from running into each other.
        const PRIME: u64 = 0x0100_0000_01b3;
        // Without an iterator, which is a call for each byte where macros run unoptimised.
        let mut rest = text.as_bytes();
        while let [byte, after @ ..] = rest {
            self.0 = (self.0 ^ *byte as u64).wrapping_mul(PRIME);
            rest = after;
        }
        self.0 = self.0.wrapping_mul(PRIME);
    }
}

/// For each template the fields whose types the macro cannot determine, and a slot of each.
fn unknown_slots(prompt: &AnalyzedPrompt<'_>) -> Vec<(Vec<usize>, TokenStream)> {
    let emitter = Emitter::new(prompt);
    let mut all = Vec::new();
    // The bounds of parameters are those of a right prompt.
    let parameters = type_parameters(&prompt.input.generics);
    for case in &prompt.cases {
        let of_case = CaseEmitter::new(&emitter, case);
        let (mut done, mut tokens) = (Vec::new(), TokenStream::new());
        for message in crate::lower::messages(case) {
            walk(&message.body, &mut |piece| {
                if let ResolvedNode::Slot(slot) = piece
                    && slot.fallback.is_none()
                    && let SlotValue::Place(place) = &slot.value
                    && let Root::Field(index) = place.root
                    && place.rest.is_empty()
                    && case.case.fields[index].kind() == TypeKind::Unknown
                    && !mentions(case.case.fields[index].ty.to_token_stream(), &parameters)
                    && !done.contains(&index)
                {
                    done.push(index);
                    tokens.extend(of_case.filled(message, slot));
                }
            });
        }
        let tokens = match &case.case.variant {
            Some(variant) if !done.is_empty() => {
                let fields = done.iter().map(|index| &case.case.fields[*index]);
                let bound = fields.map(|field| {
                    let (name, local) = (&field.ident, local(field));
                    quote!(#name: #local,)
                });
                quote!(if let Self::#variant { #(#bound)* .. } = self { #tokens })
            }
            _ => tokens,
        };
        all.push((done, tokens));
    }
    all
}

/// The errors, and an implementation without a body: what uses the prompt then adds no error of its own. Without the crate there is
/// nothing to implement.
///
/// The body contains the slots whose types the macro cannot determine, so that their errors are reported in the same build.
pub(crate) fn fallback(prompt: &AnalyzedPrompt<'_>, errors: Errors) -> TokenStream {
    let input = prompt.input;
    if input.keys.is_crate_missing() {
        return errors.into_tokens();
    }
    let p = input.private();
    let mut code = Code::new(&p);
    code.tokens(errors.into_tokens());
    let keys = input.cases.iter().map(|case| &case.keys);
    let mut given = keys.chain([&input.keys]).flat_map(|keys| &keys.given);
    let is_fragment = given.any(|given| matches!(given.value, SourceKey::Fragment(..)));
    let slots = unknown_slots(prompt).into_iter();
    let slots: TokenStream = slots.map(|(_, tokens)| tokens).collect();
    if is_fragment {
        fragment(input, &input.generics, &mut code, |code| {
            code.tokens(slots);
        });
    } else {
        let answer = OutputType::of(input.keys.output.as_ref().map(|output| &output.value));
        implement("Prompt", input, &input.generics, &mut code, |code| {
            answer.ty(code);
            code.add("const INFO: ").path("PromptInfo").add(" = ");
            code.path("PromptInfo::new(")
                .literal(input.ident.to_string())
                .add(");");
            writes("render", code, |code| _ = code.tokens(slots));
            answer.methods(code);
        });
        implement("AcceptsTools", input, &input.generics, &mut code, |_| {});
    }
    code.tokens(conversions(input));
    code.into_tokens()
}

/// Generated code.
pub(crate) struct Code<'a> {
    runtime: &'a Runtime,
    /// The open groups that contain tokens: the tokens before each.
    around: Vec<(Delimiter, TokenStream)>,
    tokens: TokenStream,
    /// The text after the tokens.
    text: String,
    /// The groups that the text opens, and their positions in it.
    open: Vec<(Delimiter, usize)>,
}

impl<'a> Code<'a> {
    pub(crate) fn new(runtime: &'a Runtime) -> Code<'a> {
        Code {
            runtime,
            around: Vec::new(),
            tokens: TokenStream::new(),
            text: String::new(),
            open: Vec::new(),
        }
    }

    /// Adds code as it is written in Rust, with all its brackets closed.
    pub(crate) fn add(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds the path of an item of the runtime.
    pub(crate) fn path(&mut self, item: &str) -> &mut Self {
        let runtime = self.runtime;
        match runtime.name() {
            Some(name) => self.add("::").add(name).add("::__private"),
            None => self.tokens(runtime),
        };
        self.add("::").add(item)
    }

    /// Adds a number or a string literal.
    pub(crate) fn literal(&mut self, value: impl Debug) -> &mut Self {
        // A `String` takes whatever it is given.
        let _ = write!(self.text, "{value:?}");
        self
    }

    /// Adds tokens.
    pub(crate) fn tokens(&mut self, tokens: impl ToTokens) -> &mut Self {
        self.read();
        tokens.to_tokens(&mut self.tokens);
        self
    }

    /// Adds `out.METHOD(ARGUMENTS);`.
    pub(crate) fn call(&mut self, method: &str, arguments: impl FnOnce(&mut Self)) {
        self.add("out.").add(method);
        self.parenthesized(arguments).add(";");
    }

    pub(crate) fn parenthesized(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.group(Delimiter::Parenthesis, inner)
    }

    pub(crate) fn braced(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.group(Delimiter::Brace, inner)
    }

    pub(crate) fn bracketed(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.group(Delimiter::Bracket, inner)
    }

    /// Adds what `inner` writes, between brackets.
    fn group(&mut self, delimiter: Delimiter, inner: impl FnOnce(&mut Self)) -> &mut Self {
        let [open, close] = brackets(delimiter);
        self.open.push((delimiter, self.text.len()));
        self.add(open);
        inner(self);
        if self.open.pop().is_some() {
            return self.add(close);
        }
        self.read();
        if let Some((delimiter, before)) = self.around.pop() {
            let inside = std::mem::replace(&mut self.tokens, before);
            let group = Group::new(delimiter, inside);
            self.tokens.extend([TokenTree::from(group)]);
        }
        self
    }

    /// Adds other code.
    pub(crate) fn append(&mut self, other: Code<'_>) -> &mut Self {
        if !other.tokens.is_empty() {
            self.tokens(other.tokens);
        }
        self.add(&other.text)
    }

    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.read();
        self.tokens
    }

    /// Makes tokens of the text, and of the groups that it opens.
    fn read(&mut self) {
        let mut start = 0;
        for (delimiter, at) in self.open.drain(..) {
            let mut before = std::mem::take(&mut self.tokens);
            before.extend([read(&self.text[start..at])]);
            self.around.push((delimiter, before));
            start = at + brackets(delimiter)[0].len();
        }
        if start < self.text.len() {
            self.tokens.extend([read(&self.text[start..])]);
        }
        self.text.clear();
    }
}

fn brackets(delimiter: Delimiter) -> [&'static str; 2] {
    match delimiter {
        Delimiter::Parenthesis => ["(", ")"],
        Delimiter::Brace => ["{", "}"],
        Delimiter::Bracket => ["[", "]"],
        Delimiter::None => ["", ""],
    }
}

/// The tokens of a text, by rustc alone: proc-macro2 would first read it itself, to be sure that there are some.
fn read(text: &str) -> TokenStream {
    let read = match proc_macro::is_available() {
        true => proc_macro::TokenStream::from_str(text)
            .map(TokenStream::from)
            .ok(),
        false => TokenStream::from_str(text).ok(),
    };
    read.unwrap_or_else(|| unreachable!("the brackets of generated code are closed: {text}"))
}

/// The path of the runtime.
#[derive(Clone)]
pub(crate) struct Runtime {
    /// Its tokens. Each time that a `TokenStream` is put into another one, the compiler is asked thrice: that took a seventh
    /// of an expansion.
    tokens: OnceCell<Vec<TokenTree>>,
    /// The name of the crate, unless the tokens have places of their own.
    name: Option<&'static str>,
}

impl Runtime {
    /// The hidden module of the crate at this path, which is the dependency on typed-prompt unless a prompt sets another one.
    pub(crate) fn of(krate: Option<&Path>) -> Runtime {
        match krate {
            Some(path) => Runtime::made_of(quote!(#path::__private).into_iter().collect()),
            None => Runtime {
                tokens: OnceCell::new(),
                name: Some(crate_name().or_default()),
            },
        }
    }

    fn made_of(tokens: Vec<TokenTree>) -> Runtime {
        Runtime {
            tokens: OnceCell::from(tokens),
            name: None,
        }
    }

    /// The same path, with errors about it at a place.
    pub(crate) fn at(&self, at: Span) -> Runtime {
        let mut tokens = self.tokens().clone();
        for token in &mut tokens {
            token.set_span(at.resolved_at(token.span()));
        }
        Runtime::made_of(tokens)
    }

    /// The name of the crate, unless the tokens of the path have places of their own.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.name
    }

    fn tokens(&self) -> &Vec<TokenTree> {
        let usual = || [segment(self.name.unwrap_or_default()), segment("__private")].concat();
        self.tokens.get_or_init(usual)
    }
}

/// `::name`
fn segment(name: &str) -> [TokenTree; 3] {
    [
        Punct::new(':', Spacing::Joint).into(),
        Punct::new(':', Spacing::Alone).into(),
        Ident::new(name, Span::call_site()).into(),
    ]
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens().iter().cloned());
    }
}

/// Variables and functions of generated code itself.
pub(crate) const OWN_NAMES: [&str; 4] = ["out", "empty", "slot", "written"];

/// An identifier, raw where the name is a keyword.
///
/// A name that cannot be an identifier is not a field either: `__not_a_name` makes rustc report it.
pub(crate) fn identifier(name: &str, span: Span) -> Ident {
    if syn::parse_str::<Ident>(name).is_ok() {
        Ident::new(name, span)
    } else if syn::parse_str::<Ident>(&format!("r#{name}")).is_ok() {
        Ident::new_raw(name, span)
    } else {
        Ident::new("__not_a_name", span)
    }
}

/// A variable that the analysis has named; names in the user's code cannot shadow it.
pub(crate) fn variable(name: &str) -> Ident {
    identifier(name, Span::mixed_site())
}

/// Whether rust-analyzer's own process runs the macro. rustc has no use for the mask.
fn is_read_by_editor() -> bool {
    static IS_EDITOR: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IS_EDITOR.get_or_init(|| {
        let program = std::env::current_exe().unwrap_or_default();
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        cfg!(test) || name.starts_with("rust-analyzer")
    })
}

//! Code generation. It cannot fail: all errors are found before.

mod answer;
mod assert;
mod body;
mod code;
mod examples;
mod from;
mod info;
#[cfg(feature = "jinja")]
mod jinja;
mod mask;
mod part;
mod value;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::{Dialect, Role};
use quote::{quote, quote_spanned};
use syn::Generics;
use syn::spanned::Spanned as _;

pub(crate) use self::answer::Answer;
pub(crate) use self::code::Code;
pub(crate) use self::from::from;
use self::part::{Part, shown};
pub(crate) use self::part::{is_string, mentions};
use self::value::{local, located};
use crate::attribute::{Format, Keyed};
use crate::check::needs;
use crate::input::{Form, Input};
use crate::model::{Kind, Piece, Prompt, PromptCase, Step, walk};
use crate::runtime::Runtime;
use crate::uses::{answer, messages, used_in};

/// Expands to the implementation of `Prompt`, or of `ToPrompt` for a fragment.
pub(crate) fn emit(prompt: &Prompt<'_>) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let mut code = Code::new(&emitter.private);
    if prompt.is_fragment() {
        emitter.fragment(&mut code);
    } else {
        emitter.prompt(&mut code);
    }
    let format = emitter.checked_format();
    let beside = [
        from(prompt.input),
        emitter.tracked(),
        emitter.mask(),
        format,
    ];
    for tokens in beside.into_iter().flatten() {
        code.tokens(tokens);
    }
    code.into_tokens()
}

/// Expands to a block that binds the variables, renders the template and returns the messages.
pub(crate) fn inline(prompt: &Prompt<'_>, values: &[TokenStream]) -> TokenStream {
    let emitter = Emitter::new(prompt);
    let (p, out) = (&emitter.private, &emitter.out);
    let mut body = Code::new(p);
    emitter.body(Part::Asked, &mut body);
    let body = body.into_tokens();
    let (mut names, mut given, mut checks) = (Vec::new(), Vec::new(), TokenStream::new());
    for case in &prompt.cases {
        let case_of = CaseEmitter::new(&emitter, case);
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
    // A `match` instead of a `let`, so that temporary values live until the end.
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

/// Generates the code of one item.
struct Emitter<'a> {
    prompt: &'a Prompt<'a>,
    private: Runtime,
    out: Ident,
    /// Whether fields are bound to local variables instead of accessed through `self`.
    bound: bool,
    explains: OnceCell<bool>,
    /// The types of the runtime that the body imports.
    imports: RefCell<Vec<&'static str>>,
}

impl<'a> Emitter<'a> {
    fn new(prompt: &'a Prompt<'a>) -> Emitter<'a> {
        Emitter {
            prompt,
            private: prompt.input.private(),
            out: Ident::new("out", Span::call_site()),
            bound: prompt.input.is_enum || prompt.input.form == Form::Inline,
            explains: OnceCell::new(),
            imports: RefCell::default(),
        }
    }

    /// ```text
    /// impl Prompt for Ask {
    ///     type Output = Answer;
    ///     const INFO: PromptInfo = info(…);
    ///     fn render(&self, out: &mut Writer) { … }
    ///     fn output_schema() -> … { … }
    ///     fn parse_reply(reply: &Reply) -> … { … }
    /// }
    /// impl AcceptsTools for Ask {}
    /// ```
    fn prompt(&self, code: &mut Code<'_>) {
        let input = self.prompt.input;
        let generics = self.generics();
        let answer = Answer::of(self.prompt.output().map(|output| &output.value));
        implement("Prompt", input, &generics, code, |code| {
            answer.ty(code);
            self.info(code);
            writes("render", code, |code| self.body(Part::Asked, code));
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
            self.body(Part::Asked, code);
        });
    }

    /// Checks the prompt at compile time against a format that is given as the path of a constant.
    fn checked_format(&self) -> Option<TokenStream> {
        let Some(Keyed {
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
                    if let Piece::Text { text, .. } = piece {
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
            .get_or_init(|| crate::prelude::has_tools(item))
    }

    /// The path to the runtime with a span for errors.
    fn private_at(&self, at: Span) -> Runtime {
        self.private.at(at)
    }

    /// The generics of the implementations, with a bound for each type parameter that fills a slot.
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
            writes("render_answer", code, |code| self.body(Part::Answer, code));
        }
    }

    /// The statements of `render`, after the imports that they need.
    fn body(&self, part: Part, code: &mut Code<'_>) {
        let mut statements = Code::new(&self.private);
        self.statements(part, &mut statements);
        let imports = self.imports.take();
        if !imports.is_empty() {
            let names = format!("{{{}}}", imports.join(","));
            code.add("use ").path(&names).add(";");
        }
        code.append(statements);
    }

    fn statements(&self, part: Part, code: &mut Code<'_>) {
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

    fn uses(&self, case: &PromptCase<'_>, index: usize, part: Part) -> bool {
        let apart = case.case.fields[index].stands_apart();
        let in_message = |message| used_in(case, message).contains(&index);
        messages(case)
            .into_iter()
            .filter(|message| part.has(case, message))
            .any(in_message)
            || (part == Part::Asked
                && matches!(apart, Some("history" | "examples" | "tools" | "extra")))
    }

    fn case(&self, case: &PromptCase<'_>, part: Part, code: &mut Code<'_>) {
        let case_of = CaseEmitter::new(self, case);
        let mut statements = Code::new(&self.private);
        case_of.steps(part, &mut statements);
        #[cfg(feature = "jinja")]
        if let Some(templates) = case_of.templates() {
            code.tokens(templates);
        }
        code.append(statements);
        if part == Part::Asked {
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
    fn steps(&self, part: Part, code: &mut Code<'_>) {
        if part == Part::Asked {
            for ty in self.safe_by_name() {
                let at = Span::call_site().located_at(value::of_type(ty));
                let p = self.emitter.private_at(at);
                code.tokens(quote_spanned!(at=> let _ = #p::system_safe::<#ty>;));
            }
        }
        for step in &self.case.steps {
            match step {
                Step::Message(message) if part.has(self.case, message) => {
                    if let Some(role) = message.role {
                        self.emitter.import("Role");
                        code.call("role", |code| _ = code.add("Role::").add(variant(role)));
                    }
                    self.write(message, &message.body, code);
                }
                Step::Examples(examples) if part == Part::Asked => {
                    _ = code.tokens(self.examples(examples));
                }
                Step::History { field, .. } if part == Part::Asked => {
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
            code.tokens(if field.kind() == Kind::Option {
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
    if !cfg!(feature = "jinja") {
        return;
    }
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

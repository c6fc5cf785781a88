//! Decisions to tokens. Whatever could be wrong was found before.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use prompt_syntax::Role;
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use crate::check::is_safe_by_name;
use crate::fingerprint::fingerprint;
use crate::input::Field;
use crate::model::{
    Branch, Fallback, Kind, Message, Piece, Place, Prompt, PromptCase, Root, Slot, Step, Test,
    Value, walk,
};

/// Expands to the implementation of `Prompt`, or of `ToPrompt` for a fragment.
pub(crate) fn emit(prompt: &Prompt<'_>) -> TokenStream {
    let emitter = Emitter::new(prompt, prompt.input.is_enum);
    let implementation = if prompt.is_fragment() {
        emitter.fragment()
    } else {
        emitter.prompt()
    };
    let from = emitter.from();
    let tracked = emitter.tracked();
    let mask = crate::mask::mask(prompt);
    quote! { #implementation #from #tracked #mask }
}

/// Expands to a block that binds the variables, fills the template and gives the messages.
pub(crate) fn inline(prompt: &Prompt<'_>, values: &[TokenStream]) -> TokenStream {
    let emitter = Emitter::new(prompt, true);
    let (p, out) = (&emitter.private, &emitter.out);
    let body = emitter.body();
    let mut bindings = TokenStream::new();
    for case in &prompt.cases {
        let system = crate::check::used_in_system(case);
        for (index, (field, value)) in case.case.fields.iter().zip(values).enumerate() {
            let local = local(field);
            let at = Span::mixed_site().located_at(field.ident.span());
            bindings.extend(quote_spanned!(at=> let #local = &(#value);));
            if system.contains(&index) {
                bindings.extend(quote_spanned!(at=> #p::system_safe(#local);));
            }
        }
    }
    quote! {{
        #bindings
        let mut #out = #p::Writer::new();
        #body
        #out.finish()
    }}
}

struct Emitter<'a> {
    prompt: &'a Prompt<'a>,
    private: TokenStream,
    out: Ident,
    /// Whether fields are bound to names of their own, and not reached through `self`.
    bound: bool,
}

impl<'a> Emitter<'a> {
    fn new(prompt: &'a Prompt<'a>, bound: bool) -> Emitter<'a> {
        Emitter {
            prompt,
            private: prompt.input.private(),
            out: Ident::new("out", Span::mixed_site()),
            bound,
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
    /// ```
    fn prompt(&self) -> TokenStream {
        let (p, out) = (&self.private, &self.out);
        let (header, clause) = self.header(quote!(#p::Prompt));
        let info = self.info();
        let body = self.body();
        let answer = answer(self.prompt.output().map(|output| &output.value), p);
        quote! {
            #[automatically_derived]
            #header #clause {
                #answer
                const INFO: &'static #p::PromptInfo = &#info;

                fn render(&self, #out: &mut #p::Writer) {
                    #body
                }
            }
        }
    }

    /// ```text
    /// impl ToPrompt for Passage { fn write(&self, out: &mut Writer) { … } }
    /// impl Truthy for Passage {}
    /// ```
    fn fragment(&self) -> TokenStream {
        let (p, out) = (&self.private, &self.out);
        let (to_prompt, clause) = self.header(quote!(#p::ToPrompt));
        let (truthy, truthy_clause) = self.header(quote!(#p::Truthy));
        let body = self.body();
        quote! {
            #[automatically_derived]
            #to_prompt #clause {
                fn write(&self, #out: &mut #p::Writer) {
                    #body
                }
            }

            #[automatically_derived]
            #truthy #truthy_clause {}
        }
    }

    /// `impl<…> Trait for Type<…>`, and its `where` clause: a type parameter that fills a slot must be able to.
    fn header(&self, name: TokenStream) -> (TokenStream, TokenStream) {
        let p = &self.private;
        let input = self.prompt.input;
        let mut generics = input.generics.clone();
        let parameters: Vec<String> = generics
            .type_params()
            .map(|parameter| parameter.ident.to_string())
            .collect();
        for field in self.prompt.cases.iter().flat_map(|case| shown(case)) {
            let ty = &field.ty;
            if mentions(quote!(#ty), &parameters) {
                generics
                    .make_where_clause()
                    .predicates
                    .push(syn::parse_quote!(#ty: #p::ToPrompt));
            }
        }
        let ident = &input.ident;
        let (parameters, arguments, clause) = generics.split_for_impl();
        (
            quote!(impl #parameters #name for #ident #arguments),
            quote!(#clause),
        )
    }

    fn body(&self) -> TokenStream {
        if !self.prompt.input.is_enum {
            return self
                .prompt
                .cases
                .iter()
                .map(|case| self.case(case))
                .collect();
        }
        let arms = self.prompt.cases.iter().map(|case| {
            let variant = &case.case.variant;
            let used = case
                .case
                .fields
                .iter()
                .enumerate()
                .filter(|(index, _)| self.uses(case, *index))
                .map(|(_, field)| {
                    let (name, local) = (&field.ident, local(field));
                    quote!(#name: #local,)
                });
            let body = self.case(case);
            quote! { Self::#variant { #(#used)* .. } => { #body } }
        });
        quote! { match self { #(#arms)* } }
    }

    fn uses(&self, case: &PromptCase<'_>, index: usize) -> bool {
        let apart = case.case.fields[index].stands_apart();
        crate::check::uses(case, index) || matches!(apart, Some("history" | "tools" | "extra"))
    }

    fn case(&self, case: &PromptCase<'_>) -> TokenStream {
        let (p, out) = (&self.private, &self.out);
        let case_of = CaseEmitter {
            emitter: self,
            case,
        };
        let mut tokens = TokenStream::new();
        for field in case_of.safe_by_name() {
            let value = case_of.field(field);
            let span = Span::call_site().located_at(field.ty.span());
            tokens.extend(quote_spanned!(span=> #p::system_safe(#value);));
        }
        for step in &case.steps {
            match step {
                Step::Message(message) => {
                    if let Some(role) = message.role {
                        let role = match role {
                            Role::System => quote!(System),
                            Role::User => quote!(User),
                            Role::Assistant => quote!(Assistant),
                        };
                        tokens.extend(quote!(#out.role(#p::Role::#role);));
                    }
                    tokens.extend(case_of.pieces(message, &message.body));
                }
                Step::History { field, .. } => {
                    let value = case_of.field(&case.case.fields[*field]);
                    tokens.extend(quote!(#out.history(#value);));
                }
            }
        }
        for field in case
            .case
            .fields
            .iter()
            .filter(|field| field.keys.has("tools"))
        {
            let value = case_of.field(field);
            tokens.extend(quote!(#out.tools(#value);));
        }
        for field in case
            .case
            .fields
            .iter()
            .filter(|field| field.keys.has("extra"))
        {
            let (name, value) = (&field.name, case_of.field(field));
            tokens.extend(quote!(#out.extra(#name, #value);));
        }
        tokens
    }

    fn info(&self) -> TokenStream {
        let p = &self.private;
        let name = self.prompt.input.ident.to_string();
        let docs: Vec<String> = self
            .prompt
            .input
            .docs
            .iter()
            .map(|line| line.value())
            .collect();
        let doc = docs
            .iter()
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n");
        let mut slots = Vec::new();
        for case in &self.prompt.cases {
            for step in &case.steps {
                let Step::Message(message) = step else {
                    continue;
                };
                walk(&message.body, &mut |piece| {
                    let (name, span) = match piece {
                        Piece::Slot(slot) => (&slot.name, slot.span),
                        Piece::Media { place, span, .. } => (&place.name, *span),
                        _ => return,
                    };
                    let (_, line, column) = case.sources[message.source].place(span);
                    let (line, column) = (
                        Literal::usize_unsuffixed(line),
                        Literal::usize_unsuffixed(column),
                    );
                    let role = match message.role {
                        Some(role) => {
                            let role = format_ident!(
                                "{}",
                                match role {
                                    Role::System => "System",
                                    Role::User => "User",
                                    Role::Assistant => "Assistant",
                                }
                            );
                            quote!(#p::core::option::Option::Some(#p::Role::#role))
                        }
                        None => quote!(#p::core::option::Option::None),
                    };
                    slots.push(quote!(#p::SlotInfo { name: #name, role: #role, line: #line, column: #column }));
                });
            }
        }
        let place = self
            .prompt
            .cases
            .iter()
            .find_map(|case| Some(case.sources.first()?.place(prompt_syntax::Span::new(0, 0))));
        let (file, line, column) = place.unwrap_or_default();
        let (line, column) = (
            Literal::usize_unsuffixed(line),
            Literal::usize_unsuffixed(column),
        );
        let fingerprint = fingerprint(self.prompt);
        quote! {
            #p::PromptInfo {
                name: #name,
                doc: #doc,
                slots: &[#(#slots),*],
                file: #file,
                line: #line,
                column: #column,
                fingerprint: #p::Fingerprint(#fingerprint),
            }
        }
    }

    /// The only field of a struct can be given alone: `Ask::from("text")`.
    fn from(&self) -> TokenStream {
        let input = self.prompt.input;
        let [case] = &self.prompt.cases[..] else {
            return TokenStream::new();
        };
        let [field] = &case.case.fields[..] else {
            return TokenStream::new();
        };
        if input.is_enum || field.stands_apart().is_some() {
            return TokenStream::new();
        }
        let p = &self.private;
        let (ident, name, ty) = (&input.ident, &field.ident, &field.ty);
        let (parameters, arguments, clause) = input.generics.split_for_impl();
        let implementation = |given: TokenStream, value: TokenStream| {
            quote! {
                #[automatically_derived]
                impl #parameters #p::core::convert::From<#given> for #ident #arguments #clause {
                    fn from(value: #given) -> Self {
                        Self { #name: #value }
                    }
                }
            }
        };
        let mut tokens = TokenStream::new();
        if is_string(ty) {
            tokens.extend(implementation(
                quote!(&str),
                quote!(#p::core::convert::Into::into(value)),
            ));
        }
        let parameters: Vec<String> = input
            .generics
            .type_params()
            .map(|parameter| parameter.ident.to_string())
            .collect();
        if !mentions(quote!(#ty), &parameters) {
            tokens.extend(implementation(quote!(#ty), quote!(value)));
        }
        tokens
    }

    /// A template file that changes makes its prompt compile again.
    fn tracked(&self) -> TokenStream {
        let p = &self.private;
        let files = self
            .prompt
            .cases
            .iter()
            .flat_map(|case| &case.sources)
            .filter_map(|source| source.tracked.as_ref());
        files
            .map(|file| {
                let file = format!("/{file}");
                quote! { const _: &[u8] = #p::core::include_bytes!(#p::core::concat!(#p::core::env!("CARGO_MANIFEST_DIR"), #file)); }
            })
            .collect()
    }
}

/// `type Output`, the schema and the reader: of text, or of a type.
pub(crate) fn answer(output: Option<&Type>, p: &TokenStream) -> TokenStream {
    let (ty, schema, read) = match output {
        Some(ty) if !is_string(ty) => (
            quote!(#ty),
            quote!(#p::json_schema::<#ty>()),
            quote!(#p::read_json::<#ty>(reply)),
        ),
        _ => (
            quote!(#p::String),
            quote!(#p::core::option::Option::None),
            quote!(#p::read_text(reply)),
        ),
    };
    quote! {
        type Output = #ty;

        fn output_schema() -> #p::core::option::Option<#p::Value> {
            #schema
        }

        fn read(reply: &#p::Reply) -> #p::Result<Self::Output> {
            #read
        }
    }
}

struct CaseEmitter<'a> {
    emitter: &'a Emitter<'a>,
    case: &'a PromptCase<'a>,
}

impl CaseEmitter<'_> {
    fn pieces(&self, message: &Message, pieces: &[Piece]) -> TokenStream {
        let out = &self.emitter.out;
        let mut tokens = TokenStream::new();
        let mut pieces = pieces.iter().peekable();
        while let Some(piece) = pieces.next() {
            if let Piece::Text { text, .. } = piece {
                let mut text = text.clone();
                while let Some(Piece::Text { text: more, .. }) =
                    pieces.next_if(|piece| matches!(piece, Piece::Text { .. }))
                {
                    text.push_str(more);
                }
                tokens.extend(quote!(#out.text(#text);));
            } else {
                tokens.extend(self.piece(message, piece));
            }
        }
        tokens
    }

    fn piece(&self, message: &Message, piece: &Piece) -> TokenStream {
        let (p, out) = (&self.emitter.private, &self.emitter.out);
        match piece {
            Piece::Text { text, .. } => quote!(#out.text(#text);),
            Piece::Slot(slot) => self.slot(message, slot),
            Piece::Media { place, .. } => {
                let (name, value) = (
                    &place.name,
                    self.sized(message, &Value::Place(place.clone())),
                );
                quote!(#out.media(#name, #value);)
            }
            Piece::If {
                branches,
                otherwise,
            } => {
                let mut tokens = TokenStream::new();
                for (index, branch) in branches.iter().enumerate() {
                    let or = (index > 0).then(|| quote!(else));
                    let (test, body) = (
                        self.test(message, branch),
                        self.pieces(message, &branch.body),
                    );
                    tokens.extend(quote!(#or if #test { #body }));
                }
                if !otherwise.is_empty() && !branches.is_empty() {
                    let body = self.pieces(message, otherwise);
                    tokens.extend(quote!(else { #body }));
                }
                tokens
            }
            Piece::For {
                binding,
                list,
                body,
                otherwise,
            } => {
                let at = self.at(message, list);
                let list = self.value(message, list);
                let items = quote_spanned!(at=> #p::items(#list));
                let body = self.pieces(message, body);
                let Some(otherwise) = otherwise else {
                    return quote!(for #binding in #items { #body });
                };
                let empty = Ident::new("empty", Span::mixed_site());
                let otherwise = self.pieces(message, otherwise);
                quote! {
                    let mut #empty = true;
                    for #binding in #items {
                        #empty = false;
                        #body
                    }
                    if #empty { #otherwise }
                }
            }
        }
    }

    fn slot(&self, message: &Message, slot: &Slot) -> TokenStream {
        let (p, out) = (&self.emitter.private, &self.emitter.out);
        let name = &slot.name;
        let value = self.sized(message, &slot.value);
        let filled = quote!(#out.slot(#name, #value));
        let Some(Fallback {
            option,
            binding,
            default,
        }) = &slot.fallback
        else {
            return quote!(#filled;);
        };
        let option = self.reference(message, option);
        let default = match default {
            Value::Literal(literal) => {
                let text = match literal {
                    prompt_syntax::Literal::Str(text) => text.clone(),
                    prompt_syntax::Literal::Int(number) => number.to_string(),
                    prompt_syntax::Literal::Float(number) => number.to_string(),
                    prompt_syntax::Literal::Bool(value) => value.to_string(),
                };
                quote!(#out.text(#text))
            }
            other => {
                let value = self.sized(message, other);
                quote!(#out.slot(#name, #value))
            }
        };
        quote! {
            match #p::optional(#option) {
                #p::core::option::Option::Some(#binding) => #filled,
                #p::core::option::Option::None => #default,
            }
        }
    }

    /// A condition. What is found in an `Option` is bound by a pattern.
    fn test(&self, message: &Message, branch: &Branch) -> TokenStream {
        let p = &self.emitter.private;
        let (mut bound, mut rest) = (Vec::new(), Vec::new());
        self.conjuncts(message, &branch.test, &mut bound, &mut rest);
        if bound.is_empty() {
            return self.holds(message, &branch.test);
        }
        let patterns = bound
            .iter()
            .map(|(binding, _)| quote!(#p::core::option::Option::Some(#binding)));
        let values = bound.iter().map(|(_, value)| quote!(#p::present(#value)));
        if rest.is_empty() && bound.len() == 1 {
            return quote!(let #(#patterns)* = #(#values)*);
        }
        let trues = rest.iter().map(|_| quote!(true));
        quote!(let (#(#patterns,)* #(#trues,)*) = (#(#values,)* #(#rest,)*))
    }

    fn conjuncts(
        &self,
        message: &Message,
        test: &Test,
        bound: &mut Vec<(Ident, TokenStream)>,
        rest: &mut Vec<TokenStream>,
    ) {
        match test {
            Test::Present {
                value,
                binding: Some(binding),
            } => bound.push((binding.clone(), self.value(message, value))),
            Test::And(sides) => {
                self.conjuncts(message, &sides.0, bound, rest);
                self.conjuncts(message, &sides.1, bound, rest);
            }
            other => rest.push(self.holds(message, other)),
        }
    }

    fn holds(&self, message: &Message, test: &Test) -> TokenStream {
        let p = &self.emitter.private;
        match test {
            Test::Present { value, .. } => {
                let value = self.value(message, value);
                quote!(#p::truthy(#value))
            }
            Test::Not(inner) => {
                let inner = self.holds(message, inner);
                quote!(!#inner)
            }
            Test::And(sides) => {
                let (left, right) = (self.holds(message, &sides.0), self.holds(message, &sides.1));
                quote!((#left && #right))
            }
            Test::Or(sides) => {
                let (left, right) = (self.holds(message, &sides.0), self.holds(message, &sides.1));
                quote!((#left || #right))
            }
        }
    }

    /// A reference to a value that can be a trait object: what a block binds may be a `str`.
    fn sized(&self, message: &Message, value: &Value) -> TokenStream {
        match value {
            Value::Place(Place {
                root: Root::Local(local),
                rest,
                span,
                ..
            }) if rest.is_empty() => {
                let at =
                    Span::call_site().located_at(self.case.sources[message.source].span(*span));
                let local = located(local, at);
                quote_spanned!(at=> &#local)
            }
            other => self.value(message, other),
        }
    }

    /// A reference to a value.
    fn value(&self, message: &Message, value: &Value) -> TokenStream {
        match value {
            Value::Place(place) => self.reference(message, place),
            Value::Literal(literal) => {
                let literal = self::literal(literal);
                quote!(&#literal)
            }
            Value::Filter {
                name,
                value,
                args,
                span,
            } => {
                let p = &self.emitter.private;
                let at =
                    Span::call_site().located_at(self.case.sources[message.source].span(*span));
                let value = self.value(message, value);
                let args = args.iter().map(|arg| match arg {
                    Value::Literal(literal) => self::literal(literal),
                    Value::Place(place) if matches!(name[..], [ref name] if name != "join") => {
                        let reference = self.reference(message, place);
                        quote!(*#reference)
                    }
                    other => self.value(message, other),
                });
                let path = match &name[..] {
                    [name] => {
                        let name = Ident::new(name, at);
                        quote!(#p::filter::#name)
                    }
                    path => {
                        let path = path.iter().map(|segment| match segment.as_str() {
                            "self" | "super" | "crate" | "Self" => Ident::new(segment, at),
                            other => crate::place::identifier(other, at),
                        });
                        quote!(#(#path)::*)
                    }
                };
                quote_spanned!(at=> &#path(#value #(, #args)*))
            }
        }
    }

    fn reference(&self, message: &Message, place: &Place) -> TokenStream {
        let rest = &place.rest;
        match &place.root {
            Root::Field(index) => {
                let field = &self.case.case.fields[*index];
                // An error about the value's type points at the field, where the type stands.
                let at = match rest[..] {
                    [] => field.ty.span(),
                    _ => self.case.sources[message.source].span(place.span),
                };
                let at = Span::call_site().located_at(at);
                if !self.emitter.bound {
                    let this = Ident::new("self", at);
                    let name = located(&field.ident, at);
                    return quote_spanned!(at=> &#this.#name #(.#rest)*);
                }
                let local = local(field);
                if rest.is_empty() {
                    quote!(#local)
                } else {
                    quote_spanned!(at=> &#local #(.#rest)*)
                }
            }
            Root::Local(local) => {
                let at = Span::call_site()
                    .located_at(self.case.sources[message.source].span(place.span));
                let local = located(local, at);
                if rest.is_empty() {
                    quote!(#local)
                } else {
                    quote_spanned!(at=> &#local #(.#rest)*)
                }
            }
        }
    }

    /// Where an error about a value points: at its field's type, else at the template.
    fn at(&self, message: &Message, value: &Value) -> Span {
        let at = match value {
            Value::Place(Place {
                root: Root::Field(index),
                rest,
                ..
            }) if rest.is_empty() => self.case.case.fields[*index].ty.span(),
            _ => message.at,
        };
        Span::call_site().located_at(at)
    }

    /// A reference to a whole field.
    fn field(&self, field: &Field) -> TokenStream {
        if self.emitter.bound {
            let local = local(field);
            return quote!(#local);
        }
        let at = Span::call_site().located_at(field.ty.span());
        let (this, name) = (Ident::new("self", at), located(&field.ident, at));
        quote_spanned!(at=> &#this.#name)
    }

    /// Fields in the system message that only their type's name makes safe.
    fn safe_by_name(&self) -> impl Iterator<Item = &Field> {
        let system = crate::check::used_in_system(self.case);
        let fields = self.case.case.fields.iter().enumerate();
        fields
            .filter(move |(index, field)| {
                system.contains(index)
                    && !field.keys.has("trusted")
                    && is_safe_by_name(field.kind())
            })
            .map(|(_, field)| field)
    }
}

fn literal(literal: &prompt_syntax::Literal) -> TokenStream {
    match literal {
        prompt_syntax::Literal::Str(text) => quote!(#text),
        prompt_syntax::Literal::Int(number) => {
            let number = Literal::i64_unsuffixed(*number);
            quote!(#number)
        }
        prompt_syntax::Literal::Float(number) => {
            let number = Literal::f64_unsuffixed(*number);
            quote!(#number)
        }
        prompt_syntax::Literal::Bool(value) => quote!(#value),
    }
}

/// The name that a variant's field is bound to, which no name of the user's can hide.
fn local(field: &Field) -> Ident {
    crate::place::identifier(&field.name, Span::mixed_site())
}

/// The same name, at the place that an error about it should point at.
fn located(name: &Ident, at: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().located_at(at));
    name
}

/// The fields that fill a slot as they are.
fn shown<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Field> {
    let mut fields = Vec::new();
    for step in &case.steps {
        let Step::Message(message) = step else {
            continue;
        };
        walk(&message.body, &mut |piece| {
            if let Piece::Slot(Slot {
                value:
                    Value::Place(Place {
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

fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

fn is_string(ty: &Type) -> bool {
    Kind::of(ty) == Kind::Text
        && matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "String"))
}

//! The struct or enum as it was written: its fields, and the keys of its attributes.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use prompt_family::{FAMILIES, Family};
pub(crate) use prompt_syntax::problem::field::MacroKind;
use prompt_syntax::problem::{attribute as problem, item, template};
use prompt_syntax::{Dialect, Options, Role, XmlTags};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DataStruct, DeriveInput, Expr, FieldModifiers, Fields, Generics, Ident,
    Lifetime, Lit, LitStr, Meta, Path, Token, Type, TypePath, TypeReference, Visibility,
};

use crate::emit::Runtime;
use crate::source::Quoted;
use crate::types::TypeKind;
use crate::{Errors, front_matter, syn_error};

pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) keys: ItemKeys,
    pub(crate) docs: Vec<LitStr>,
    pub(crate) cases: Vec<Case>,
    pub(crate) is_enum: bool,
    /// The `allow` attributes of the item, which its generated code repeats.
    pub(crate) allowed: Option<TokenStream>,
    pub(crate) form: MacroKind,
}

/// A struct, or one variant of an enum.
pub(crate) struct Case {
    /// The variant's name.
    pub(crate) variant: Option<Ident>,
    pub(crate) keys: ItemKeys,
    pub(crate) docs: Vec<LitStr>,
    pub(crate) fields: Vec<Field>,
    /// Whether the fields could not be read, so that unknown slots are not reported.
    pub(crate) broken: bool,
    pub(crate) span: Span,
}

impl Case {
    /// A struct, whose keys and doc comment are those of the input.
    pub(crate) fn of_struct(fields: Vec<Field>, broken: bool, span: Span) -> Case {
        Case {
            variant: None,
            keys: ItemKeys::default(),
            docs: Vec::new(),
            fields,
            broken,
            span,
        }
    }
}

pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The name that a template uses: a raw identifier without its `r#`.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The kind of the type's values, by its tokens.
    pub(crate) of_type: TypeKind,
    pub(crate) keys: FieldKeys,
}

impl Field {
    /// The title, if it is an extra field.
    pub(crate) fn title(&self) -> String {
        let title = self.keys.title.as_ref();
        title.map_or_else(|| self.name.clone(), Quoted::value)
    }
}

impl Input {
    /// Reads the item. `None` if it has errors and nothing else can be checked.
    pub(crate) fn parse(item: TokenStream, errors: &mut Errors) -> Option<Input> {
        let item = read_item(item, errors)?;
        let mut keys = ItemKeys::read(&item.attrs, errors);
        expect_lines(&item.attrs, &mut keys, errors);
        let docs = doc_lines(&item.attrs);
        let allowed = allow_attributes(&all_attributes(&item));
        let mut cases = Vec::new();
        let mut is_enum = false;
        match item.data {
            Data::Struct(data) => {
                let broken = matches!(data.fields, Fields::Unnamed(_));
                let fields = named_fields(data.fields, item.ident.span(), errors);
                cases.push(Case::of_struct(fields, broken, item.ident.span()));
            }
            Data::Enum(data) => {
                is_enum = true;
                if data.variants.is_empty() {
                    errors.push(item.ident.span(), item::no_variants());
                }
                for variant in data.variants {
                    let mut keys = ItemKeys::read_of_variant(&variant.attrs, errors);
                    expect_lines(&variant.attrs, &mut keys, errors);
                    cases.push(Case {
                        keys,
                        docs: self::doc_lines(&variant.attrs),
                        broken: matches!(variant.fields, Fields::Unnamed(_)),
                        fields: named_fields(variant.fields, variant.ident.span(), errors),
                        span: variant.ident.span(),
                        variant: Some(variant.ident),
                    });
                }
            }
            Data::Union(data) => {
                errors.push(data.union_token.span, item::union_item());
            }
        }
        Some(Input {
            ident: item.ident,
            generics: item.generics,
            keys,
            docs,
            cases,
            is_enum,
            allowed,
            form: MacroKind::Derive,
        })
    }

    /// How generated code names the runtime.
    pub(crate) fn runtime(&self) -> Runtime {
        match self.form {
            // The types of the fields name it too.
            MacroKind::Template => Runtime::named_after(&self.ident),
            _ => Runtime::new(),
        }
    }

    /// Implementations together with the import of the runtime that they use.
    pub(crate) fn with_runtime(&self, items: TokenStream) -> TokenStream {
        let krate = self.keys.crate_path();
        match self.form {
            MacroKind::Template => {
                let import = self.runtime().import_from(krate);
                quote!(#import #items)
            }
            _ => self.runtime().enclose_items(krate, items),
        }
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

/// The attributes of an item and of its fields.
pub(crate) fn all_attributes(item: &DeriveInput) -> Vec<&Attribute> {
    let mut attributes: Vec<&Attribute> = item.attrs.iter().collect();
    let mut fields: Vec<&syn::Field> = Vec::new();
    match &item.data {
        Data::Struct(data) => fields.extend(&data.fields),
        Data::Enum(data) => {
            for variant in &data.variants {
                attributes.extend(&variant.attrs);
                fields.extend(&variant.fields);
            }
        }
        Data::Union(_) => {}
    }
    for field in fields {
        attributes.extend(&field.attrs);
    }
    attributes
}

/// `#[allow(…)]` with the lints that these attributes allow, and with `deprecated` if one of them is `#[deprecated]`.
pub(crate) fn allow_attributes(attributes: &[&Attribute]) -> Option<TokenStream> {
    let mut allowed = None::<TokenStream>;
    for attribute in attributes {
        let path = attribute.path();
        if path.is_ident("deprecated") {
            allowed
                .get_or_insert_default()
                .extend(quote!(#[allow(deprecated)]));
        } else if let Meta::List(list) = &attribute.meta
            && (path.is_ident("allow") || path.is_ident("expect"))
        {
            let lints = &list.tokens;
            allowed
                .get_or_insert_default()
                .extend(quote!(#[allow(#lints)]));
        }
    }
    allowed
}

fn named_fields(fields: Fields, span: Span, errors: &mut Errors) -> Vec<Field> {
    match fields {
        Fields::Named(fields) => fields
            .named
            .into_iter()
            .filter_map(|field| Some(named_field(field.ident?, field.ty, &field.attrs, errors)))
            .collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(_) => {
            errors.push(span, item::unnamed_fields());
            Vec::new()
        }
    }
}

pub(crate) fn named_field(
    ident: Ident,
    ty: Type,
    attributes: &[syn::Attribute],
    errors: &mut Errors,
) -> Field {
    Field {
        name: ident.unraw().to_string(),
        ident,
        of_type: TypeKind::from_type(&ty),
        ty,
        keys: FieldKeys::read(attributes, errors),
    }
}

/// Reports a template in a doc comment that is not written in `///` lines: in a block comment, the stars and the indentation could be text or not.
pub(crate) fn expect_lines(attributes: &[Attribute], keys: &mut ItemKeys, errors: &mut Errors) {
    let is_doc = |given: &AttributeValue<SourceKey>| matches!(given.value, SourceKey::Doc);
    if !keys.given.iter().any(is_doc) {
        return;
    }
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        let problem = match &pair.value {
            _ if !attribute.path().is_ident("doc") => continue,
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) if is_long_block(text) => template::block_comment(),
                _ => continue,
            },
            _ => template::computed_doc(),
        };
        errors.push(pair.value.span(), problem);
        keys.broken = true;
    }
}

/// Whether a doc comment is a `/** … */` of several lines.
fn is_long_block(text: &LitStr) -> bool {
    let written = text.span().source_text();
    text.value().contains('\n') && written.is_some_and(|written| written.starts_with("/*"))
}

pub(crate) fn doc_lines(attributes: &[syn::Attribute]) -> Vec<LitStr> {
    let docs = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"));
    docs.filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
    .collect()
}

/// Parses the item of a derive.
pub(crate) fn read_item(item: TokenStream, errors: &mut Errors) -> Option<DeriveInput> {
    match parse_item(item) {
        Ok(item) => Some(item),
        Err(error) => {
            errors.push_syn(error);
            None
        }
    }
}

fn parse_item(item: TokenStream) -> syn::Result<DeriveInput> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let fields = take_fields(&mut tokens);
    let mut item: DeriveInput = syn::parse2(tokens.into_iter().collect())?;
    if let Some(fields) = fields
        && let Data::Struct(DataStruct {
            fields: Fields::Named(named),
            ..
        }) = &mut item.data
    {
        for tokens in split_fields(&fields) {
            named.named.push(parse_field(tokens)?);
        }
    }
    Ok(item)
}

/// Parses the fields between the braces of a struct.
fn take_fields(tokens: &mut [TokenTree]) -> Option<Vec<TokenTree>> {
    let [before @ .., TokenTree::Group(last)] = tokens else {
        return None;
    };
    let is_struct = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "struct");
    if last.delimiter() != Delimiter::Brace || !before.iter().any(is_struct) {
        return None;
    }
    let fields = last.stream().into_iter().collect();
    let span = last.span();
    *last = proc_macro2::Group::new(Delimiter::Brace, TokenStream::new());
    last.set_span(span);
    Some(fields)
}

/// Splits the tokens of fields at their commas, except those between `<` and `>`.
fn split_fields(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let (mut fields, mut start) = (Vec::new(), 0);
    let (mut depth, mut before) = (0usize, ' ');
    for (at, token) in tokens.iter().enumerate() {
        let sign = match token {
            TokenTree::Punct(sign) => sign.as_char(),
            _ => ' ',
        };
        match sign {
            '<' => depth += 1,
            // The `>` of an arrow does not close a `<`.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                fields.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = sign;
    }
    if start < tokens.len() {
        fields.push(&tokens[start..]);
    }
    fields
}

fn parse_field(tokens: &[TokenTree]) -> syn::Result<syn::Field> {
    let attributes = count_attribute_tokens(tokens);
    let (visibility, name, colon, ty) = match &tokens[attributes..] {
        [TokenTree::Ident(name), TokenTree::Punct(colon), ty @ ..] => {
            (Visibility::Inherited, name, colon, ty)
        }
        // The only single identifier that can precede a name is `pub`.
        [
            TokenTree::Ident(word),
            TokenTree::Ident(name),
            TokenTree::Punct(colon),
            ty @ ..,
        ] => (
            Visibility::Public(Token![pub](word.span())),
            name,
            colon,
            ty,
        ),
        _ => return syn::Field::parse_named.parse2(to_stream(tokens)),
    };
    Ok(syn::Field {
        attrs: match attributes {
            0 => Vec::new(),
            _ => Attribute::parse_outer.parse2(to_stream(&tokens[..attributes]))?,
        },
        vis: visibility,
        modifiers: FieldModifiers::default(),
        ident: Some(name.clone()),
        colon_token: Some(Token![:](colon.span())),
        ty: match simple_type(ty) {
            Some(ty) => ty,
            None => syn::parse2(to_stream(ty))?,
        },
        default: None,
    })
}

/// The number of tokens of the attributes before a field.
fn count_attribute_tokens(tokens: &[TokenTree]) -> usize {
    let mut length = 0;
    while let [TokenTree::Punct(_), TokenTree::Group(_), ..] = &tokens[length..] {
        length += 2;
    }
    length
}

/// A type that is a name, or a reference to one.
fn simple_type(tokens: &[TokenTree]) -> Option<Type> {
    match tokens {
        [TokenTree::Ident(name)] => Some(Type::Path(TypePath {
            attrs: Vec::new(),
            qself: None,
            path: name.clone().into(),
        })),
        [TokenTree::Punct(and), rest @ ..] if and.as_char() == '&' => {
            let (lifetime, rest) = match rest {
                [TokenTree::Punct(quote), TokenTree::Ident(name), rest @ ..]
                    if quote.as_char() == '\'' =>
                {
                    let lifetime = Lifetime {
                        apostrophe: quote.span(),
                        ident: name.clone(),
                    };
                    (Some(lifetime), rest)
                }
                rest => (None, rest),
            };
            Some(Type::Reference(TypeReference {
                attrs: Vec::new(),
                and_token: Token![&](and.span()),
                lifetime,
                mutability: None,
                elem: Box::new(simple_type(rest)?),
            }))
        }
        _ => None,
    }
}

fn to_stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// The keys of a struct, an enum or a variant.
pub(crate) const ITEM_KEYS: [&str; 20] = [
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
    "model",
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
    /// The model that the prompt is written for.
    pub(crate) model: Option<AttributeValue<String>>,
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
            ("model", keys.model.as_ref().map(|given| given.key)),
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
            "model" => {
                let model = text_value(input, key)?.value();
                return set_once(&mut self.model, key, model, errors);
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
        let _ = input.parse::<proc_macro2::TokenTree>();
    }
}

/// `= "…"`, or the text alone where it comes first.
fn text_value(input: ParseStream<'_>, key: &Ident) -> syn::Result<Quoted> {
    if key == "template" && input.peek(LitStr) {
        return input.parse();
    }
    expect_equals(input, key, "a quoted string", &format!("{key} = \"…\""))?;
    let at = input.span();
    input.parse::<Quoted>().map_err(|_| {
        let word = input.parse::<Ident>().map(|word| word.to_string());
        let problem = problem::no_text(&key.to_string(), word.ok().as_deref());
        syn_error(at, problem)
    })
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
        let mut names = path.segments.iter().rev().map(|it| it.ident.to_string());
        let (last, module) = (names.next().unwrap_or_default(), names.next());
        return match module.as_deref() {
            Some("format") => Err(syn_error(at, problem::path_of_format(&last.to_lowercase()))),
            _ => Ok(Format::Path(path)),
        };
    }
    let name = Ident::parse_any(input).map_err(|_| {
        let example = input
            .parse::<Quoted>()
            .map_or("llama3".to_owned(), |text| text.value());
        syn_error(at, problem::quoted_format(&example))
    })?;
    let text = name.to_string();
    let is_constant = !text.contains(char::is_lowercase);
    match prompt_family::by_name(&text) {
        Some(family) => Ok(Format::Family(family)),
        None if is_constant && prompt_family::by_name(&text.to_lowercase()).is_none() => {
            Ok(Format::Path(name.into()))
        }
        None => {
            let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
            Err(syn_error(
                name.span(),
                problem::unknown_format(&text, &names),
            ))
        }
    }
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
}

impl FieldKeys {
    /// Whether the field has none, as most have.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key.value == name)
    }

    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> FieldKeys {
        let mut keys = FieldKeys::default();
        let before = errors.count();
        each_key(attributes, errors, |key, input, errors| {
            let name = key.to_string();
            let Some(known) = FIELD_KEYS.into_iter().find(|known| *known == name) else {
                if ITEM_KEYS.contains(&name.as_str()) {
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

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    /// The input parser accepts the same items as syn.
    #[track_caller]
    fn check(item: &str) {
        let by_syn = syn::parse_str::<DeriveInput>(item).expect("an item");
        let tokens: TokenStream = item.parse().expect("tokens");
        let read = parse_item(tokens).expect("an item");
        let shown = |item: &DeriveInput| item.to_token_stream().to_string();
        assert_eq!(shown(&read), shown(&by_syn));
        let (Data::Struct(read), Data::Struct(by_syn)) = (&read.data, &by_syn.data) else {
            return;
        };
        for (read, by_syn) in read.fields.iter().zip(&by_syn.fields) {
            let kinds = [&read.ty, &by_syn.ty].map(std::mem::discriminant);
            assert_eq!(kinds[0], kinds[1], "{item}");
        }
    }

    #[test]
    fn items_are_those_of_syn() {
        for field in [
            "a: u8",
            "pub a: &str",
            "pub(crate) a: &'a str",
            "pub(in crate::b) a: &&mut String",
            "/// Words.\n#[prompt(trusted)] pub r#type: &&'a r#type",
            "#[cfg(all())] a: Option<(u8, [u8; { 1 > 0 } as usize])>",
            "a: BTreeMap<String, Vec<&'a str>>",
            "a: for<'b> fn(&'b str, u8) -> Vec<u8>",
            "a: Box<dyn Fn(u8) -> Option<u8> + 'a>",
            "a: <Vec<u8> as IntoIterator>::Item",
            "a: ::std::string::String",
            "a: (u8,)",
            "a: Self",
            "a: !",
            "a: m![,]",
        ] {
            check(&format!("struct Ask {{ {field} }}"));
            check(&format!(
                "#[x] pub struct Ask<'a, T: Into<u8>, const N: usize = {{ 3 }}> where T: 'a {{ b: u8, {field}, pub c: T }}"
            ));
        }
        for item in [
            "struct Ask {}",
            "struct Ask;",
            "struct Ask(u8, pub Vec<u8>);",
            "enum Ask { A { a: u8, b: &'static str }, B(u8), C }",
            "union Ask { a: u8 }",
        ] {
            check(item);
        }
    }
}

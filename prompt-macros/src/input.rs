//! The struct or enum as it was written, with its attributes read.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
pub(crate) use prompt_syntax::problem::field::Form;
use prompt_syntax::problem::{item, template};
use quote::quote;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DataStruct, DeriveInput, Expr, FieldModifiers, Fields, Generics, Ident,
    Lifetime, Lit, LitStr, Meta, Token, Type, TypePath, TypeReference, Visibility,
};

use crate::attribute::{FieldKeys, Given, ItemKeys, Keyed};
use crate::emit::Runtime;
use crate::errors::Errors;
use crate::model::Kind;
use crate::source::Quoted;

pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) keys: ItemKeys,
    pub(crate) docs: Vec<LitStr>,
    pub(crate) cases: Vec<Case>,
    pub(crate) is_enum: bool,
    /// Lints that the item allows itself, and so what is generated for it.
    pub(crate) allowed: Option<TokenStream>,
    pub(crate) form: Form,
}

/// A struct, or one variant of an enum.
pub(crate) struct Case {
    /// The variant's name.
    pub(crate) variant: Option<Ident>,
    pub(crate) keys: ItemKeys,
    pub(crate) docs: Vec<LitStr>,
    pub(crate) fields: Vec<Field>,
    /// Whether the fields could not be read, so that no slot can be said to name none.
    pub(crate) broken: bool,
    pub(crate) span: Span,
}

pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The name that a template uses: a raw identifier without its `r#`.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// What the tokens of the type say of its values.
    pub(crate) of_type: Kind,
    pub(crate) keys: FieldKeys,
}

impl Field {
    /// What stands over it, if it is an extra field.
    pub(crate) fn title(&self) -> String {
        let title = self.keys.title.as_ref();
        title.map_or_else(|| self.name.clone(), Quoted::value)
    }
}

impl Input {
    /// Reads the item. `None` if nothing can be said about it but its errors.
    pub(crate) fn parse(item: TokenStream, errors: &mut Errors) -> Option<Input> {
        let item = match read(item) {
            Ok(item) => item,
            Err(error) => {
                errors.push_syn(error);
                return None;
            }
        };
        let mut keys = ItemKeys::read(&item.attrs, errors);
        expect_lines(&item.attrs, &mut keys, errors);
        let docs = docs(&item.attrs);
        let allowed = allowed(&all_attributes(&item));
        let mut cases = Vec::new();
        let mut is_enum = false;
        match item.data {
            Data::Struct(data) => {
                let case = Case {
                    variant: None,
                    keys: ItemKeys::default(),
                    docs: Vec::new(),
                    broken: matches!(data.fields, Fields::Unnamed(_)),
                    fields: fields(data.fields, item.ident.span(), errors),
                    span: item.ident.span(),
                };
                cases.push(case);
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
                        docs: self::docs(&variant.attrs),
                        broken: matches!(variant.fields, Fields::Unnamed(_)),
                        fields: fields(variant.fields, variant.ident.span(), errors),
                        span: variant.ident.span(),
                        variant: Some(variant.ident),
                    });
                }
            }
            Data::Union(data) => {
                errors.push(data.union_token.span, item::union());
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
            form: Form::Derive,
        })
    }

    /// Where generated code finds the runtime.
    pub(crate) fn private(&self) -> Runtime {
        self.keys.private()
    }
}

impl ItemKeys {
    /// Where generated code finds the runtime.
    pub(crate) fn private(&self) -> Runtime {
        Runtime::of(self.krate.as_ref().map(|krate| &krate.value))
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

/// `#[allow(…)]` for all that these attributes allow, and for whatever of it is deprecated.
pub(crate) fn allowed(attributes: &[&Attribute]) -> Option<TokenStream> {
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

fn fields(fields: Fields, span: Span, errors: &mut Errors) -> Vec<Field> {
    match fields {
        Fields::Named(fields) => fields
            .named
            .into_iter()
            .filter_map(|field| Some(named(field.ident?, field.ty, &field.attrs, errors)))
            .collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(_) => {
            errors.push(span, item::unnamed_fields());
            Vec::new()
        }
    }
}

pub(crate) fn named(
    ident: Ident,
    ty: Type,
    attributes: &[syn::Attribute],
    errors: &mut Errors,
) -> Field {
    let name = ident.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
    Field {
        name,
        ident,
        of_type: Kind::of(&ty),
        ty,
        keys: FieldKeys::read(attributes, errors),
    }
}

/// A prompt that is a doc comment is written in `///` lines: of other forms it is not clear which characters are its text.
pub(crate) fn expect_lines(attributes: &[Attribute], keys: &mut ItemKeys, errors: &mut Errors) {
    let is_doc = |given: &Keyed<Given>| matches!(given.value, Given::Doc);
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

pub(crate) fn docs(attributes: &[syn::Attribute]) -> Vec<LitStr> {
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

/// Reads what a derive is given.
pub(crate) fn read(item: TokenStream) -> syn::Result<DeriveInput> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let fields = take_fields(&mut tokens);
    let mut item: DeriveInput = syn::parse2(tokens.into_iter().collect())?;
    if let Some(fields) = fields
        && let Data::Struct(DataStruct {
            fields: Fields::Named(named),
            ..
        }) = &mut item.data
    {
        for tokens in separate(&fields) {
            named.named.push(field(tokens)?);
        }
    }
    Ok(item)
}

/// Takes what stands between the braces of a struct.
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

/// Parts the tokens of fields at their commas, and not at those between `<` and `>`.
fn separate(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let (mut fields, mut start) = (Vec::new(), 0);
    let (mut depth, mut before) = (0usize, ' ');
    for (at, token) in tokens.iter().enumerate() {
        let sign = match token {
            TokenTree::Punct(sign) => sign.as_char(),
            _ => ' ',
        };
        match sign {
            '<' => depth += 1,
            // The arrow of a function's type closes nothing.
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

fn field(tokens: &[TokenTree]) -> syn::Result<syn::Field> {
    let attributes = attributes(tokens);
    let (visibility, name, colon, ty) = match &tokens[attributes..] {
        [TokenTree::Ident(name), TokenTree::Punct(colon), ty @ ..] => {
            (Visibility::Inherited, name, colon, ty)
        }
        // Nothing else than `pub` is a word before a name.
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
        _ => return syn::Field::parse_named.parse2(stream(tokens)),
    };
    Ok(syn::Field {
        attrs: match attributes {
            0 => Vec::new(),
            _ => Attribute::parse_outer.parse2(stream(&tokens[..attributes]))?,
        },
        vis: visibility,
        modifiers: FieldModifiers::default(),
        ident: Some(name.clone()),
        colon_token: Some(Token![:](colon.span())),
        ty: match simple(ty) {
            Some(ty) => ty,
            None => syn::parse2(stream(ty))?,
        },
        default: None,
    })
}

/// How many tokens the attributes are that come first.
fn attributes(tokens: &[TokenTree]) -> usize {
    let mut length = 0;
    while let [TokenTree::Punct(_), TokenTree::Group(_), ..] = &tokens[length..] {
        length += 2;
    }
    length
}

/// A type that is a name, or a reference to one.
fn simple(tokens: &[TokenTree]) -> Option<Type> {
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
                elem: Box::new(simple(rest)?),
            }))
        }
        _ => None,
    }
}

fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    /// What is read is what syn reads.
    #[track_caller]
    fn check(item: &str) {
        let by_syn = syn::parse_str::<DeriveInput>(item).expect("an item");
        let tokens: TokenStream = item.parse().expect("tokens");
        let read = read(tokens).expect("an item");
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

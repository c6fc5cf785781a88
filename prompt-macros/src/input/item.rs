//! Parsing of the item of a derive. The fields of a struct are split at their commas, and types that are a name or a reference to one
//! are built here: syn parses each type with its whole grammar, which is slow where macros run without optimizations. All else is
//! left to syn, and a test compares the results.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::{
    Attribute, Data, DataStruct, DeriveInput, FieldModifiers, Fields, Lifetime, Token, Type,
    TypePath, TypeReference, Visibility,
};

use crate::Errors;

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

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use proc_macro2::TokenStream;
    use syn::{Data, DeriveInput};

    use super::parse_item;

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

//! The output of a prompt: its type, its schema, and how a reply is parsed.

use syn::Type;

use super::Code;
use crate::types::{TypeKind, TypeTokens, last_type_argument};

pub(crate) fn is_string(ty: &Type) -> bool {
    TypeKind::from_type(ty) == TypeKind::Text
        && matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "String"))
}

/// Whether a type is `Untrusted<String>`.
fn is_untrusted_string(ty: &Type) -> bool {
    matches!(TypeTokens::from_type(ty), TypeTokens::Path(last, name, _)
        if name == "Untrusted" && last_type_argument(last).is_some_and(is_string))
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
    pub(crate) fn from_key(output: Option<&'a Type>) -> OutputType<'a> {
        OutputType {
            given: output.filter(|ty| !is_text(ty)),
            is_untrusted: output.is_some_and(is_untrusted_string),
        }
    }

    /// `type Output = …;`
    pub(crate) fn write_output_type(self, code: &mut Code<'_>) {
        code.add("type Output=");
        self.write_type_name(code);
        code.add(";");
    }

    /// The methods that return its schema, which text does not have, and that parse it.
    pub(crate) fn write_methods(self, code: &mut Code<'_>) {
        // Without the feature a typed answer is an error that was reported: the fallback only has to compile.
        let has_reader = cfg!(feature = "schema") || self.given.is_none();
        if has_reader && self.given.is_some() {
            code.add("fn output_schema()->").path("OutputSchema");
            code.braced(|code| self.write_reader_call(code, ".schema()"));
        }
        code.add("fn parse_reply")
            .parenthesized(|code| _ = code.add("reply: &").path("Reply"));
        code.add("->").path("Result").add("<");
        self.write_type_name(code);
        code.add(">").braced(|code| match self.given {
            Some(_) if !has_reader => _ = code.path("core::unreachable!()"),
            Some(_) => self.write_reader_call(code, ".parse(reply)"),
            None => {
                code.path("parse_text").add("(reply)");
                if self.is_untrusted {
                    code.add(".map(").path("Untrusted::new").add(")");
                }
            }
        });
    }

    fn write_reader_call(self, code: &mut Code<'_>, call: &str) {
        code.path("answer").add("::<");
        self.write_type_name(code);
        code.add(">()").add(call);
    }

    fn write_type_name(self, code: &mut Code<'_>) {
        match self.given {
            Some(ty) => code.tokens(ty),
            None if self.is_untrusted => code.path("Untrusted").add("<").path("String").add(">"),
            None => code.path("String"),
        };
    }
}

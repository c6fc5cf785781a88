//! What a model's answer is read into.

use syn::Type;

use super::code::Code;
use super::is_string;

/// What an answer is: text, or a type.
#[derive(Clone, Copy)]
pub(crate) struct Answer<'a> {
    given: Option<&'a Type>,
}

impl<'a> Answer<'a> {
    pub(crate) fn of(output: Option<&'a Type>) -> Answer<'a> {
        Answer {
            given: output.filter(|ty| !is_string(ty)),
        }
    }

    /// `type Output = …;`
    pub(crate) fn ty(self, code: &mut Code<'_>) {
        code.add("type Output=");
        self.name(code);
        code.add(";");
    }

    /// The methods that give its schema, which text has none of, and that read it.
    pub(crate) fn methods(self, code: &mut Code<'_>) {
        // Without the feature a typed answer is an error that was reported: the fallback only has to compile.
        let has_reader = cfg!(feature = "schema") || self.given.is_none();
        if has_reader && self.given.is_some() {
            code.add("fn output_schema()->").path("Schema");
            code.braced(|code| self.made(code, ".schema()"));
        }
        code.add("fn parse_reply")
            .parenthesized(|code| _ = code.add("reply: &").path("Reply"));
        code.add("->").path("Result").add("<");
        self.name(code);
        code.add(">").braced(|code| match self.given {
            Some(_) if !has_reader => _ = code.path("core::unreachable!()"),
            Some(_) => self.made(code, ".read(reply)"),
            None => _ = code.path("read_text").add("(reply)"),
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
            None => code.path("String"),
        };
    }
}

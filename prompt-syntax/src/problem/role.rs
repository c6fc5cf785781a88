//! Roles of messages (numbers 3 and 6).

use super::Problem;
use crate::{Dialect, Options, Role};
use prompt_base::Span;

/// Text around tags of roles that are not its structure, such as XML with `<user>`.
pub fn around_text(options: Options, tag: &str, is_field: bool) -> Problem {
    let dialect = options.dialect;
    let pasted = match dialect {
        Dialect::Angle | Dialect::Brace => {
            "; or, if the text was pasted, add `slots = \"input\"`, so that it is one message"
        }
        _ => "",
    };
    let slot = match is_field {
        true => {
            let name = tag.trim_matches(['<', '>']);
            format!("write `<input:{name}>` for the field `{name}`; or ")
        }
        false => String::new(),
    };
    Problem::new("text is outside of the roles")
        .with_label("not part of a message")
        .with_help(format!(
            "{slot}move all text into {}; or write `{}` to keep a tag as text{pasted}",
            dialect.role_tags(),
            dialect.as_text(tag),
        ))
}

/// `<examples/>` beside the role blocks. `field` is the field that is marked so, if it has no slot.
pub(crate) fn place_outside(
    dialect: Dialect,
    written: &str,
    name: &str,
    field: Option<&str>,
) -> Problem {
    let place = match field {
        Some(field) => format!("write `{}`", dialect.slot(field)),
        None => format!(
            "write a slot for a `#[prompt(history)]` or `#[prompt(examples)]` field, such as `{}` for the field `{name}`",
            dialect.slot(name)
        ),
    };
    Problem::new(format!("`{written}` is outside of the roles"))
        .with_label("not part of a message")
        .with_help(format!("{place}; or move it into {}", dialect.role_tags()))
}

/// The beginning of a message in the notation of another tool or dialect, in a text that is one message.
pub(crate) fn of_another_notation(options: Options, written: &str, role: Role) -> Problem {
    let dialect = options.dialect;
    let one_message = format!("`{}…{}`", dialect.tag("user"), dialect.end("user"));
    let name = role.name();
    let right = match options.has_role_lines() {
        true => format!(
            "write `{name}:` on a line of its own: a file `.prompty` is in the Jinja dialect; or add `syntax: angle` to the front matter, with `<{name}>…</{name}>` and slots `<name>`"
        ),
        false => format!("write `{}…{}`", dialect.tag(name), dialect.end(name)),
    };
    let problem = Problem::new(format!("`{written}` does not begin a message"))
        .with_label("sent as text of one message");
    match options.has_role_lines() {
        true => problem.with_help(right),
        false => problem.with_help(format!(
            "{right}; or, if the whole text is one message, write it in {one_message}"
        )),
    }
}

/// The methods of `_` that begin a message in BAML.
pub const BAML_METHODS: [&str; 2] = ["role", "chat"];

/// The beginning of a message in BAML, `_.role("system")`, in the Jinja dialect.
pub fn call_of_baml(method: &str, role: Role) -> Problem {
    let name = role.name();
    Problem::new(format!("`_.{method}(\"{name}\")` does not begin a message"))
        .with_label("a call of BAML")
        .with_help(format!(
            "begin the message with `{}` and end it with `{}`, in the only text of the prompt, `#[prompt(\"…\")]`, or in a file",
            Dialect::Jinja.tag(name),
            Dialect::Jinja.end(name)
        ))
}

/// A line `developer:` or `tool:` in a Prompty file: it begins a message there, of a role that a template does not have.
pub fn line_of_another_role(name: &str) -> Option<Problem> {
    let keep = format!("or write `{{{{ \"{name}:\" }}}}` to keep it as text");
    let help = match (name, Role::from_any_library(name)) {
        (_, Some(role)) if role.name() != name => {
            format!("write `{}:`; {keep}", role.name())
        }
        ("tool" | "function", _) => format!(
            "results of tools are not part of a template: they are in a `#[prompt(history)]` field; {keep}"
        ),
        _ => return None,
    };
    let problem = Problem::new(format!("unknown role `{name}`"));
    Some(problem.with_label("not a role").with_help(help))
}

problems! {
    /// `<System>`
    pub(crate) fn role_in_capitals(dialect: Dialect, written: &str, role: Role) = "the tag of a role is lowercase",
        label "not a role",
        help "write `{right}`, or write `{text}` to keep it as text",
        where right = match written.strip_prefix("</") {
            Some(_) => written.to_lowercase(),
            None => format!("{0}…{1}", dialect.tag(role.name()), dialect.end(role.name())),
        },
        where text = dialect.as_text(written);

    /// A Prompty file without a line that begins a message.
    pub(crate) fn no_role_line() = "the text has no role",
        label "no line `system:` or `user:` is before it",
        help "write a line `user:` before it, or add `role: user` to the front matter: a file `.prompty` is in the Jinja dialect, with a line for each role";

    /// `<system></system>`
    pub fn empty_message(role: Role) = "the `{role}` message is empty",
        label "empty", help "write its text, or leave the block out", where role = role.name();

    /// Text or a block beside the role blocks.
    pub fn outside_of_roles(dialect: Dialect, what: &str) = "{what} is outside of the roles",
        label "not part of a message", help "move it into {roles}", where roles = dialect.role_tags();

    /// A comment of HTML beside the role blocks.
    pub(crate) fn comment_outside_of_roles(dialect: Dialect) = "a comment of HTML is text, and it is outside of the roles",
        label "not part of a message",
        help "{right}remove it", where right = match dialect {
            Dialect::Jinja => "write `{# … #}`, or ",
            Dialect::Fstring => "",
            _ => "write `<!--# … -->`, or ",
        };

    /// `<user name="Ann">`
    pub(crate) fn role_with_attributes(written: &str, role: &str) = "`{written}` does not begin a message",
        label "a role has no attributes", help "write `<{role}>`; or write `\\{written}` and `\\</{role}>` to keep both tags as text";

    /// `user = "<system>…</system>…"`
    pub(crate) fn in_one_message() = "the role `system` is used in the text of one message",
        label "sent as text",
        help "give each message its key, `system = \"…\", user = \"…\"`, or the whole text as `template = \"…\"`; or write `\\<system>` to keep it as text";

    /// `user, history`
    pub fn history_after_question() = "the history follows the user message",
        label "no question follows it",
        help "write it before the user message, or leave it out: it is inserted there";

    /// A slot beside the role blocks.
    pub fn slot_outside(dialect: Dialect) = "this slot is outside of the roles",
        label "not part of a message",
        help "move it into {roles}; only a `#[prompt(history)]` or `#[prompt(examples)]` field is allowed between them",
        where roles = dialect.role_tags();

    /// Number 4: `<sytem>`
    pub fn unknown_role(dialect: Dialect, name: &str, role: &str) = "unknown role `{name}`",
        label "not a role", help "write `{tag}…{end}`", where tag = dialect.tag(role), where end = dialect.end(role);

    /// Number 3: a role inside of a condition or loop.
    pub fn in_a_block(dialect: Dialect, role: Role, block: &str, open: Span) = "the role `{role}` is opened inside another block",
        label "roles are written at the top level", related open "this block is open",
        help "write the block inside of `{tag}…{role_end}`, or add `{end}` before it; messages that are not always sent are a `#[prompt(history)]` or `#[prompt(examples)]` field, or the template of an enum's variant",
        where tag = dialect.tag(role.name()), where role_end = dialect.end(role.name()), where role = role.name(), where end = dialect.end(block);

    /// Number 6: two system messages.
    pub fn two_systems() = "there are two system messages",
        label "the second one", help "make one `system` text of them";

    /// Number 6: the system message after another one.
    pub fn late_system() = "the system message comes after another message",
        label "too late", help "write `system` first";

    /// Number 6: the last message is the assistant's, and an answer is requested.
    pub fn nothing_to_answer() = "the last message is the assistant's, and an answer is expected",
        label "nothing is left to answer", help "end with a `user` text; for the beginning of an answer, take `output` away and render with a continued format: `.to_text(CHATML.continued())`";
}

//! Text that is not an expression: the text, the expected construct, and the probable meaning.

use super::Problem;
use prompt_base::Span;

/// The probable meaning of text that cannot be parsed, or its missing part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntendedExpr<'a> {
    /// This text.
    Written(&'a str),
    /// This text, in a tag.
    Tag(&'a str),
    /// Only the expected construct.
    Expected,
    /// A method or function, called in a condition or elsewhere: this value was meant, if one was.
    Called(&'a str, bool),
    /// A bracket's end.
    End(&'a str),
    /// A value whose name is a word of the language.
    Word(&'a str),
    /// One of the constants: the help as it is.
    Help(&'static str),
}

/// The help for a loop with what no loop can do by itself: `for item in list limit 3`, `for item in list[:3]`.
pub(super) const LOOP_HELP: &str = "remove it, and select or sort the items in Rust; text between items is `<if not loop.last>, </if>`, and a filter begins with `|`";

macro_rules! fixed_help {
    ($($(#[$doc:meta])* $name:ident = $help:literal;)*) => {
        impl IntendedExpr<'_> {
            $($(#[$doc])* pub const $name: IntendedExpr<'static> = IntendedExpr::Help($help);)*
        }
    };
}

fixed_help! {
    /// A second condition.
    CONDITION = "remove it, or join conditions with `and` or `or`";
    /// `tags contains 'x'`
    COMPUTED = "compute it in Rust: give a field `found: bool`, and write `found` as the condition";
    /// A filter.
    FILTER = "remove it, or write `|` before a filter";
    /// The name of a filter.
    FILTER_NAME = "write a filter like `trim`, `upper` or `join(\", \")` after `|`";
    /// `<if name is none>`
    PRESENCE = "write the value alone to ask whether it is there, `not` before it to ask whether it is not";
    /// `enumerate(list)`
    NUMBERED = "write the list alone, and `<loop.index>` for the number of the item";
    /// A second default.
    SECOND_DEFAULT = "give one default, after the filters";
    /// The end of parentheses that were never opened.
    PARENTHESIS = "remove it, or add the `(` that it closes";
    /// The name of an item, before `in`.
    ITEM = "write a name before `in`";
    /// Several names of an item.
    ITEMS = "name the item, `for item in list`, or the two parts of a pair, `for key, value in map`";
    /// Another argument.
    ARGUMENT = "write `,` before it";
    /// A text, whose quotes are missing.
    QUOTED = "write a quoted string: `\", \"`";
}

impl IntendedExpr<'_> {
    /// More than a list in a loop.
    pub const LOOP: IntendedExpr<'static> = IntendedExpr::Help(LOOP_HELP);

    fn expected_help(self, expected: &str) -> String {
        match self {
            IntendedExpr::Written(words) => format!("write `{words}`"),
            IntendedExpr::Tag(words) => format!("write `{{% {words} %}}` for a tag"),
            IntendedExpr::Expected => format!("write {expected} here"),
            IntendedExpr::End(sign) => format!("add `{sign}`"),
            IntendedExpr::Word(name) => format!(
                "write a value; `{name}` is a word of the language, and a field of that name has to be renamed"
            ),
            IntendedExpr::Called("", _) => {
                "write a field, and a function of yours as its filter: `field | crate::function`"
                    .to_owned()
            }
            IntendedExpr::Called(value, true) => format!(
                "write `{value}` for what is there, `not {value}` for what is not: a template calls no methods or functions, a computed value is a field of its own"
            ),
            IntendedExpr::Called(value, false) => {
                format!("write `{value}`: a template calls no methods")
            }
            IntendedExpr::Help(help) => help.to_owned(),
        }
    }
}

/// The end of a bracket is missing.
pub fn with_opening(problem: Problem, open: Span) -> Problem {
    problem.related_to(open, "opened here")
}

problems! {
    /// Another token than the expected one.
    pub fn unexpected_token(found: &str, expected: &str, meant: IntendedExpr<'_>) = "expected {expected}, found {found}",
        label "{expected} expected", help "{help}", where help = meant.expected_help(expected);

    /// Text is left over where the end is expected.
    pub fn left_over(found: &str, expected: &str, meant: IntendedExpr<'_>) = "expected {expected}, found {found}",
        label "not expected", help "{help}", where help = meant.expected_help(expected);

    /// More operators than are read.
    pub fn too_many_operators(most: usize) = "more than {most} operators in one tag",
        label "too deep", help "compute the value in Rust and give it as a field";

    /// `<user .name>`
    pub fn unexpected_space(between: &str, joined: &str) = "there is a space between {between}",
        label "not expected", help "write `{joined}`";

    /// `<if plan == Plan::Pro>`
    pub fn path_in_condition(right: &str) = "a condition has no paths of Rust",
        label "a label is compared as a string", help "write `{right}`: the variant's name, or the one that serde gives it";

    /// `<for i in 0..n>`
    pub fn range_of_a_loop() = "a loop has no ranges",
        label "not a list", help "fill a field with the numbers, such as `numbers: Vec<u32>`, and write `<for i in numbers>`";

    /// `<for a in b ?? c>`
    pub fn default_of_a_loop() = "a loop takes no default",
        label "not expected", help "write the text for an empty list after an `else`";

    /// `{% for loop in items %}`
    pub fn item_named_loop() = "`loop` is the loop itself",
        label "not a name for an item", help "give it another name";

    /// `{% for a, a in items %}`
    pub fn named_twice(name: &str) = "`{name}` is named twice",
        label "named before", help "give one of them another name";
}

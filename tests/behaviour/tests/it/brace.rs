//! The brace dialect: `{name}` is a slot, every other brace is text.

use typed_prompt::Prompt;

use crate::{turns, user};

/// A prompt with one slot `x`, and its text for `x = 1`.
macro_rules! cases {
    ($($test:ident: $template:literal => $expected:literal;)*) => {$(
        #[test]
        fn $test() {
            #[derive(Prompt)]
            #[prompt(user = $template, syntax = "brace")]
            struct Case {
                x: u8,
            }
            assert_eq!(user(&Case { x: 1 }), $expected);
        }
    )*};
}

cases! {
    a_slot: "a {x} b" => "a 1 b";
    a_slot_with_input: "{input:x}{x}" => "11";
    json_needs_no_escape: r#"{"a": {"b": [1, {}]}, "x": {x}}"# => r#"{"a": {"b": [1, {}]}, "x": 1}"#;
    doubled_json_is_verbatim: r#"<raw>{{"a": 1}}</raw> {x}"# => r#"{{"a": 1}} 1"#;
    doubled_braces_escape_a_slot: "{{x}} {{input:x}} {x}" => "{x} {input:x} 1";
    lone_braces: "{ } { y } {} {0} {x y} <raw>{x.y} {x!r}</raw> \\{x:>3} }{ {x} {" => "{ } { y } {} {0} {x y} {x.y} {x!r} {x:>3} }{ 1 {";
    tags_are_text: "<x> \\<if x> </x> {x}" => "<x> <if x> </x> 1";
    code: "fn main() { println!(\"{}\", {x}); }" => "fn main() { println!(\"{}\", 1); }";
    touching: "{x}{x}}<raw>{</raw>{x}" => "11}{1";
    lines: "{
x}
{x}\
   {x}" => "{\nx}\n11";
    raw: r##"\n "#" {x}"## => r##"\n "#" 1"##;
    escapes: "\u{1F980}\t\x41\\{x}\0" => "🦀\tA\\1\0";
    latex: r"$\alpha_{1} \sqrt{ 2 } {x}$" => r"$\alpha_{1} \sqrt{ 2 } 1$";
}

#[derive(Prompt)]
#[prompt(system = "In {language}.", user = "{问题} {type}", syntax = "brace")]
struct Keywords<'a> {
    #[prompt(trusted)]
    language: &'a str,
    问题: &'a str,
    r#type: u8,
}

#[test]
fn any_field_name_can_be_a_slot() {
    let prompt = Keywords {
        language: "French",
        问题: "什么?",
        r#type: 7,
    };
    assert_eq!(
        turns(&prompt),
        [
            ("system", "In French.".to_owned()),
            ("user", "什么? 7".to_owned())
        ]
    );
}

/// The text without a key may follow the keys.
#[test]
fn text_behind_a_key() {
    #[derive(Prompt)]
    #[prompt(syntax = "brace", "a {x}")]
    struct Last {
        x: u8,
    }
    assert_eq!(user(&Last { x: 1 }), "a 1");
    let x = 2;
    let messages = typed_prompt::prompt!(syntax = "brace", "b {x}").unwrap();
    assert_eq!(messages[0].text(), "b 2");
}

//! Run-time templates are rejected with the messages of the compile errors.

use std::fs;

use typed_prompt::dynamic::{Contract, Field, FieldKind, FieldValue};
use typed_prompt::jinja::ToValue;
use typed_prompt::{
    Dynamic, Fields, Label, Prompt, Reply, Result,
    write::{PromptInfo, Writer},
};

use crate::dynamic::{Ask, Live, Order};

/// The compile-time errors.
const CASES: &str = "../compile-fail/tests/ui";

/// A file of the compile-time errors has the same error at run time: rustc's output contains each of its lines.
fn check_words<P: Fields>(case: &str, file: &str) {
    let said = fs::read_to_string(format!("{CASES}/{case}.stderr")).unwrap();
    let error = Dynamic::<P>::load(format!("{CASES}/prompts/{file}.prompt")).unwrap_err();
    let shown = format!("{error:#}").replace(&format!("{CASES}/"), "");
    for line in shown.lines() {
        let words = line
            .split_once(" |")
            .map_or(line, |(_, words)| words)
            .trim();
        assert!(said.contains(words), "{case}: {words}\n{shown}\n{said}");
    }
}

const TEXT: FieldKind = FieldKind::Value(String::kind);
const LIST: FieldKind = FieldKind::Value(Vec::<String>::kind);
const OPTIONAL: FieldKind = FieldKind::Value(Option::<String>::kind);
const MEDIA: FieldKind = FieldKind::Media;

macro_rules! words {
    ($($name:ident $case:literal $file:literal [$($field:ident $kind:ident),*] $($key:ident = $value:expr)?;)*) => {$(
        #[test]
        fn $name() {
            struct Ask;
            impl Prompt for Ask {
                type Output = String;
                const INFO: PromptInfo = PromptInfo::new("Ask");
                fn render(&self, _: &mut Writer) {}
                fn output_schema() -> Option<serde_json::Value> { None }
                fn parse_reply(reply: &Reply) -> Result<String> { Ok(reply.text.clone()) }
            }
            impl Fields for Ask {
                const CONTRACT: &'static Contract = &Contract {
                    fields: &[$(Field::new(stringify!($field), $kind)),*],
                    $($key: $value,)?
                    ..Contract::NONE
                };
                fn field(&self, _: usize) -> FieldValue<'_> { FieldValue::Nothing }
            }
            check_words::<Ask>($case, $file);
        }
    )*};
}

words! {
    unknown "slots/unknown_file" "unknown" [context TEXT];
    unknown_after_windows "slots/crlf_file" "crlf" [context TEXT];
    unknown_brace "slots/unknown_brace_file" "unknown_brace" [context TEXT] syntax = "brace";
    only_tags "slots/only_tags_file" "only_tags" [context TEXT];
    missing_argument "filters/missing_argument_file" "missing_argument" [context TEXT];
    too_many_arguments "filters/too_many_arguments_file" "too_many_arguments" [context TEXT];
    wrong_argument "filters/wrong_argument_file" "wrong_argument" [context TEXT];
    unknown_filter "filters/unknown_filter_file" "unknown_filter" [context TEXT];
    control_token "format/control_token_file" "control_token" [context TEXT] format = Some("llama3");
    shadowing "loops/shadowing_file" "shadowing" [context TEXT, passages LIST];
    unused "loops/unused_file" "unused" [passages LIST];
    filtered_media "media/filtered_file" "filtered" [picture MEDIA];
    media_in_system "media/in_system_file" "in_system" [picture MEDIA];
    needless_default "options/needless_default_file" "needless_default" [context TEXT];
    option "options/plain_slot_file" "plain_slot" [context OPTIONAL];
    crossed "syntax/crossed_file" "crossed" [context TEXT, passages LIST];
    stray_end "syntax/stray_end_file" "stray_end" [context TEXT];
    unclosed_block "syntax/unclosed_block_file" "unclosed_block" [context TEXT];
    unclosed_role "syntax/unclosed_role_in_file" "unclosed_role" [question TEXT];
    unclosed_slot "syntax/unclosed_slot_file" "unclosed_slot" [context TEXT];
    unknown_role "syntax/unknown_role_file" "unknown_role" [question TEXT];
    unread_slot "syntax/unread_slot_file" "unread_slot" [context TEXT];
    untrusted "system/untrusted_file" "untrusted" [context TEXT];
    assistant_last "turns/assistant_last_in_file" "assistant_last" [question TEXT] answered = true;
    system_after_user "turns/system_after_user_in_file" "system_after_user" [question TEXT];
    two_systems "turns/two_systems_in_file" "two_systems" [question TEXT];
    list "values/list_file" "list" [passages LIST];
}

/// The error with which a template is rejected.
fn refused<P: Fields>(template: &str, expected: &expect_test::Expect) {
    let error = Dynamic::<P>::parse(template).unwrap_err();
    expected.assert_eq(&format!("{error:#}"));
}

#[test]
fn the_path_of_a_template_is_no_template() {
    for (template, is_path) in [("prompts/ask.prompt", true), ("<note.txt>", false)] {
        let error = Dynamic::<Ask>::parse(template).unwrap_err();
        let loads = error.help()
            == Some("read the file with `Dynamic::load`; a line break behind it keeps it as text");
        assert_eq!(loads, is_path, "{error:#}");
    }
}

#[test]
fn mistakes() {
    use expect_test::expect;
    refused::<Ask>(
        "<system><product></system><user><qestion><for p in passages><p></for><note ?? ''></user>",
        &expect![[r#"
            unknown slot `qestion`
             --> 1:34
              |
            1 | <system><product></system><user><qestion><for p in passages><p></for><note ?? ''></user>
              |                                  ^^^^^^^ not a field of `Ask`
              = help: did you mean `question`? If not, write `\<qestion>` to keep it as text"#]],
    );
    refused::<Ask>(
        "<system><product></system><user><for p in passages><p></for><note ?? ''></user>",
        &expect![[r#"
            no slot uses the field `question`
             --> 1:80
              |
            1 | <system><product></system><user><for p in passages><p></for><note ?? ''></user>
              |                                                                                ^ the template ends here
              = help: write `<question>` in the template, or mark the field `#[prompt(skip)]`"#]],
    );
    refused::<Ask>(
        "<system><product></system><user>{question}<for p in passages><p></for><note ?? ''></user>",
        &expect![[r#"
            `{question}` is not a slot in the angle dialect
             --> 1:33
              |
            1 | <system><product></system><user>{question}<for p in passages><p></for><note ?? ''></user>
              |                                 ^^^^^^^^^^ `question` is in scope
              = help: write `<question>`, or `\{question}` to keep it as text; or, if all slots are written so, add `syntax = "brace"`"#]],
    );
    refused::<Ask>(
        "<product><for p in passages><p></for><note><question>",
        &expect![[r#"
            `note` can be `None`: it is an `Option`
             --> 1:38
              |
            1 | <product><for p in passages><p></for><note><question>
              |                                      ^^^^^^ not in a condition
              = help: write `<if note>…<note>…</if>` or `<note ?? "none">`"#]],
    );
    refused::<Ask>(
        "<system><question></system><user><product><passages><note ?? 'x'></user>",
        &expect![[r#"
            the untrusted field `question` is used in the system message
             --> 1:9
              |
            1 | <system><question></system><user><product><passages><note ?? 'x'></user>
              |         ^^^^^^^^^^ its value could instruct the model
              = help: write `\<question>` to keep it as text; or move the slot into `user`, as `<input:question>`; or, if `question` never contains a user's text, mark the field `#[prompt(trusted)]`

            `passages` is a list
             --> 1:43
              |
            1 | <system><question></system><user><product><passages><note ?? 'x'></user>
              |                                           ^^^^^^^^^^ a slot shows one value
              = help: write `<for item in passages>…<item>…</for>` or `<passages | join(", ")>`"#]],
    );
    refused::<Ask>(
        "<system>a</system><user><|im_start|> <if <product></user><system>b</system>",
        &expect![[r#"
            this tag is never closed
             --> 1:38
              |
            1 | <system>a</system><user><|im_start|> <if <product></user><system>b</system>
              |                                      ^^^ opened here
              = help: add `>`, or write `\<if` to keep it as text"#]],
    );
    refused::<Ask>(
        "<user><|im_start|><product><question><note ?? 'x'><passages | join(1, 2) | shout></user><system>b</system>",
        &expect![[r#"
            `<|im_start|>` is structure in the format ChatML
             --> 1:7
              |
            1 | <user><|im_start|><product><question><note ?? 'x'><passages | join(1, 2) | shout></user><system>b</system>
              |       ^^^^^^^^^^^^ a control token
              = help: remove it: the format writes it where it belongs

            filter `join` takes one argument, the separator
             --> 1:63
              |
            1 | <user><|im_start|><product><question><note ?? 'x'><passages | join(1, 2) | shout></user><system>b</system>
              |                                                               ^^^^ 2 given
              = help: write `join(", ")`

            unknown filter `shout`
             --> 1:76
              |
            1 | <user><|im_start|><product><question><note ?? 'x'><passages | join(1, 2) | shout></user><system>b</system>
              |                                                                            ^^^^^ not a filter
              = help: write one of `debug`, `display`, `indent`, `join`, `json`, `lines`, `lower`, `sort`, `trim`, `truncate`, `upper`

            the system message comes after another message
             --> 1:89
              |
            1 | <user><|im_start|><product><question><note ?? 'x'><passages | join(1, 2) | shout></user><system>b</system>
              |                                                                                         ^^^^^^^^ too late
              = help: write `system` first"#]],
    );
    refused::<Ask>(
        "<for product in question><note ?? 'x'></for><for p in passages>-</for>",
        &expect![[r#"
            the loop variable `product` has the name of a field
             --> 1:6
              |
            1 | <for product in question><note ?? 'x'></for><for p in passages>-</for>
              |      ^^^^^^^ hides the field inside the loop
              = help: give it another name

            `question` is a string, not a list
             --> 1:17
              |
            1 | <for product in question><note ?? 'x'></for><for p in passages>-</for>
              |                 ^^^^^^^^ a loop needs a list
              = help: write `<question>`, or `<for product in question | lines>` for its lines"#]],
    );
    refused::<Ask>(
        "",
        &expect![[r#"
        the template is empty
          = help: write its text"#]],
    );
}

#[test]
fn mistakes_in_jinja() {
    use expect_test::expect;
    let rest = "{{ people }}{{ data }}{{ note | default('') }}";
    for (template, expected) in [
        (
            "{{ note | upper }}{{ poeple }}",
            expect![[r#"
                `note` can be `None`: it is an `Option`
                 --> 1:4
                  |
                1 | {{ note | upper }}{{ poeple }}{{ people }}{{ data }}{{ note | default('') }}
                  |    ^^^^ not in a condition
                  = help: write `{% if note %}…{{ note }}…{% endif %}` or `{{ note | default("none") }}`

                unknown slot `poeple`
                 --> 1:22
                  |
                1 | {{ note | upper }}{{ poeple }}{{ people }}{{ data }}{{ note | default('') }}
                  |                      ^^^^^^ not a field of `Live`
                  = help: did you mean `people`?"#]],
        ),
        (
            "{{ note | uper }}{{ people | random }}{{ data | join(1, 2, 3) }}{{ data | join(c=1) }}{{ data is odder }}{{ data.shout() }}",
            expect![[r#"
                unknown test `odder`
                 --> 1:98
                  |
                1 | …people | random }}{{ data | join(1, 2, 3) }}{{ data | join(c=1) }}{{ data is odder }}{{ data.shout() }}{{ people }}{{ data }}{{ note | default('') }}
                  |                                                                               ^^^^^ not a test
                  = help: write `== odder` to compare, or a test like `none`, `defined`, `string`"#]],
        ),
        (
            "{{ data | crate::shout }}{% for p in people %}{{ loop.previtem.name }}{{ p.name }}{% endfor %}{% for a, b in [(1, 2)] %}{{ loop.nextitem | default(a + b) }}{% endfor %}{{ loop.cycle() }}",
            expect![[r#"
                a run-time template cannot call a function of yours
                 --> 1:11
                  |
                1 | {{ data | crate::shout }}{% for p in people %}{{ loop.previtem.name }}{{ p.name }}{% endfor %}{% for a, b in [(1, 2)] %}{{ loop.nextitem | default(a + b) }}{% e…
                  |           ^^^^^^^^^^^^ known to the compiler alone
                  = help: fill a field with what it gives

                `loop.previtem` can be `None`: it is an `Option`
                 --> 1:50
                  |
                1 | {{ data | crate::shout }}{% for p in people %}{{ loop.previtem.name }}{{ p.name }}{% endfor %}{% for a, b in [(1, 2)] %}{{ loop.nextitem | default(a + b) }}{% e…
                  |                                                  ^^^^^^^^^^^^^^^^^^ not in a condition
                  = help: write `{% if loop.previtem %}…{{ loop.previtem.name }}…{% endif %}`

                `loop.nextitem` has no one name for its item
                 --> 1:129
                  |
                1 | …p.previtem.name }}{{ p.name }}{% endfor %}{% for a, b in [(1, 2)] %}{{ loop.nextitem | default(a + b) }}{% endfor %}{{ loop.cycle() }}{{ people }}{{ data }}{{ n…
                  |                                                                              ^^^^^^^^ an item is taken apart here
                  = help: write `{% for item in … %}`, and take it apart with `{% set a, b = item %}`

                unknown slot `loop`
                 --> 1:172
                  |
                1 | …}{% for a, b in [(1, 2)] %}{{ loop.nextitem | default(a + b) }}{% endfor %}{{ loop.cycle() }}{{ people }}{{ data }}{{ note | default('') }}
                  |                                                                                ^^^^ not a field of `Live`
                  = help: write `loop.index` and the like inside of a `{% for … %}` block

                unknown method `cycle`
                 --> 1:177
                  |
                1 | …r a, b in [(1, 2)] %}{{ loop.nextitem | default(a + b) }}{% endfor %}{{ loop.cycle() }}{{ people }}{{ data }}{{ note | default('') }}
                  |                                                                               ^^^^^ not a method
                  = help: write a method of Python's strings and dicts, such as `upper`, `split` or `items`, or a filter, `… | join(", ")`; or compute the value in Rust and give it as a field"#]],
        ),
        (
            "{% for p in people %}{{ loop.idx }}{% endfor %}{% set x = 1 %}{% macro m() %}{% endmacro %}",
            expect![[r#"
                `loop` has no `idx`
                 --> 1:30
                  |
                1 | {% for p in people %}{{ loop.idx }}{% endfor %}{% set x = 1 %}{% macro m() %}{% endmacro %}{{ people }}{{ data }}{{ note | default('') }}
                  |                              ^^^ not a property of `loop`
                  = help: it has `index`, `index0`, `revindex`, `revindex0`, `first`, `last`, `length`, `depth`, `depth0`, `previtem`, `nextitem`, `changed`, `cycle`"#]],
        ),
        (
            "{% system %}{{ data ~ 'x' }}{% for p in people %}{{ p.name }}{% endfor %}{% endsystem %}{% user %}x{% enduser %}",
            expect![[r#"
                the untrusted field `data` is used in the system message
                 --> 1:16
                  |
                1 | {% system %}{{ data ~ 'x' }}{% for p in people %}{{ p.name }}{% endfor %}{% endsystem %}{% user %}x{% enduser %}
                  |                ^^^^ its value could instruct the model
                  = help: move the slot into `user`; or, if `data` never contains a user's text, mark the field `#[prompt(trusted)]`

                the untrusted field `people` is used in the system message
                 --> 1:50
                  |
                1 | {% system %}{{ data ~ 'x' }}{% for p in people %}{{ p.name }}{% endfor %}{% endsystem %}{% user %}x{% enduser %}
                  |                                                  ^^^^^^^^^^^^ its value could instruct the model
                  = help: move the slot into `user`; or, if `people` never contains a user's text, mark the field `#[prompt(trusted)]`"#]],
        ),
        (
            "{% if note %}{{ note }}{% else %}{{ note }}{% endif %}{% if note is none %}{{ note }}{% endif %}",
            expect![[r#"
                `note` can be `None`: it is an `Option`
                 --> 1:34
                  |
                1 | {% if note %}{{ note }}{% else %}{{ note }}{% endif %}{% if note is none %}{{ note }}{% endif %}{{ people }}{{ data }}{{ note | default('') }}
                  |                                  ^^^^^^^^^^ not in a condition
                  = help: write `{% if note %}…{{ note }}…{% endif %}` or `{{ note | default("none") }}`

                `note` can be `None`: it is an `Option`
                 --> 1:76
                  |
                1 | {% if note %}{{ note }}{% else %}{{ note }}{% endif %}{% if note is none %}{{ note }}{% endif %}{{ people }}{{ data }}{{ note | default('') }}
                  |                                                                            ^^^^^^^^^^ not in a condition
                  = help: write `{% if note %}…{{ note }}…{% endif %}` or `{{ note | default("none") }}`"#]],
        ),
        (
            "{% block x %}{% endblock %}",
            expect![[r#"
            `{% block %}` is outside the subset of Jinja
             --> 1:4
              |
            1 | {% block x %}{% endblock %}{{ people }}{{ data }}{{ note | default('') }}
              |    ^^^^^ not in the subset
              = help: write the whole template here, and `{% include "…" %}` for parts that others share"#]],
        ),
    ] {
        let template = if template.contains("{% system") {
            template.to_owned()
        } else {
            format!("{template}{rest}")
        };
        let error = Dynamic::<Live>::parse(&template).unwrap_err();
        expected.assert_eq(&format!("{error:#}"));
    }
}

/// The text that a block captures is still data.
#[test]
fn nothing_untrusted_reaches_the_system_message() {
    let rest = "{% user %}{{ people }}{{ note | default('') }}{{ data }}{% enduser %}";
    for (before, system) in [
        ("{% set x = note | default('') %}", "{{ x }}"),
        ("{% set x %}{{ data }}{% endset %}", "{{ x | upper }}"),
        (
            "{% set x %}{% for p in people %}{{ p.name }}{% endfor %}{% endset %}",
            "{{ x }}",
        ),
        (
            "{% set y = data %}{% set x %}{{ y }}{% endset %}",
            "{{ x }}",
        ),
        ("{% macro m() %}{{ data }}{% endmacro %}", "{{ m() }}"),
        ("{% macro m(a) %}{{ a }}{% endmacro %}", "{{ m(data) }}"),
        ("", "{% with a = data %}{{ a }}{% endwith %}"),
        ("", "{% for p in people %}{{ p.name }}{% endfor %}"),
        ("", "{% filter upper %}{{ data }}{% endfilter %}"),
        ("", "{{ 'a' if data else data.x }}"),
    ] {
        let template = format!("{before}{{% system %}}{system}{{% endsystem %}}{rest}");
        let error = Dynamic::<Live>::parse(&template).unwrap_err();
        assert!(
            error.message().starts_with("the untrusted field"),
            "{template}\n{error:#}"
        );
    }
}

/// A part of a field's text or number is refused, also inside of a list or an `Option`.
#[test]
fn parts_of_text_and_numbers() {
    #[derive(Prompt, Fields)]
    #[prompt(user = "<if order><order></if><for name in names><name></for><flag><letter ?? 'x'>")]
    struct Ask {
        order: Option<u64>,
        names: Vec<String>,
        flag: bool,
        letter: Option<char>,
    }
    let rest = "<order ?? 0><names | join(',')><flag><letter ?? 'x'>";
    for (template, expected) in [
        ("<flag.id>", "`flag` is a number and has no field `id`"),
        (
            "<if order><order.id></if>",
            "`order` is a number and has no field `id`",
        ),
        (
            "<if order.id>x</if>",
            "`order` is a number and has no field `id`",
        ),
        (
            "<order.id ?? 0>",
            "`order` is a number and has no field `id`",
        ),
        (
            "<if letter><letter.id></if>",
            "`letter` is a string and has no field `id`",
        ),
        (
            "<for name in names><name.first></for>",
            "`name` is a string and has no field `first`",
        ),
        (
            "<if names><names.first></if>",
            "`names` is a list, and a list has no field `first`",
        ),
    ] {
        let error = Dynamic::<Ask>::parse(&format!("{template}{rest}")).expect_err(template);
        assert_eq!(error.message(), expected, "{template}");
    }
}

#[derive(Label)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Brief,
    Full,
}

/// The labels of a field's type limit what a template compares it with, in both dialects with conditions.
#[test]
fn labels_are_checked() {
    #[derive(Prompt, Fields)]
    #[prompt(
        user = "<if mode == \"full\">Explain.</if><for one in modes><if one == \"brief\">-</if></for>"
    )]
    struct Angle {
        mode: Mode,
        modes: Vec<Mode>,
    }
    #[derive(Prompt, Fields)]
    #[prompt(syntax = "jinja", user = "{% if mode == 'full' %}Explain.{% endif %}")]
    struct Jinja {
        mode: Mode,
    }
    for (text, wrong) in [
        (
            "<if mode == \"brief\">a</if><for one in modes><one></for>",
            None,
        ),
        (
            "<if mode == \"breif\">a</if><for one in modes><one></for>",
            Some("breif"),
        ),
        (
            "<mode><for one in modes><if one != \"Full\">a</if></for>",
            Some("Full"),
        ),
    ] {
        let error = Dynamic::<Angle>::parse(text).err();
        let message = error.map(|error| error.to_string());
        match (message, wrong) {
            (None, None) => {}
            (Some(message), Some(wrong)) => {
                assert!(
                    message.contains(&format!("`{wrong}` is not a label of `mo")),
                    "{message}"
                );
                assert!(message.contains("did you mean `"), "{message}");
            }
            (message, _) => panic!("{text}: {message:?}"),
        }
    }
    for (text, is_right) in [
        ("{% if mode == 'brief' %}a{% endif %}", true),
        ("{% if mode in ['brief', 'full'] %}a{% endif %}", true),
        ("{% if 'breif' != mode %}a{% endif %}", false),
        ("{% if mode in ['brief', 'ful'] %}a{% endif %}", false),
        ("{{ 'a' if mode == 'long' else 'b' }}", false),
    ] {
        assert_eq!(Dynamic::<Jinja>::parse(text).is_ok(), is_right, "{text}");
    }
}

/// A template is refused with one error at the first place of `at` in it.
fn check_refusal<P: Fields>(text: &str, rest: &str, at: &str, message: &str, help: &str) {
    let template = format!("Hi {text} {rest}");
    let error = Dynamic::<P>::parse(&template).map(drop).expect_err(text);
    assert_eq!(
        (error.message(), error.help()),
        (message, Some(help)),
        "{text}"
    );
    let column = template.find(at).expect("it is in the text") + 1;
    let shown = format!("{error:#}");
    assert!(
        shown.contains(&format!(" --> 1:{column}\n")),
        "{text}\n{shown}"
    );
    assert_eq!(shown.matches(" --> ").count(), 1, "{text}\n{shown}");
}

/// Fields of fields are checked when a template is loaded, as those of the prompt are.
#[test]
fn nested_fields() {
    #[derive(ToValue)]
    struct Person {
        name: &'static str,
        age: u8,
        nick: Option<&'static str>,
        tags: Vec<&'static str>,
    }
    #[derive(Prompt, Fields)]
    #[prompt(user = "<chief.name><if boss><boss.name></if><for p in people><p.name></for>")]
    struct Team {
        chief: Person,
        boss: Option<Person>,
        people: Vec<Person>,
    }
    let person = || Person {
        name: "Ada",
        age: 36,
        nick: None,
        tags: vec!["a"],
    };
    let team = Team {
        chief: person(),
        boss: None,
        people: vec![person()],
    };
    assert_eq!(team.chief.age, 36);
    for (text, at, message, help) in [
        (
            "<chief.nme>",
            "nme",
            "`chief` has no field `nme`",
            "did you mean `name`?",
        ),
        (
            "<chief.x>",
            "x>",
            "`chief` has no field `x`",
            "write one of `name`, `age`, `nick`, `tags`",
        ),
        (
            "<chief.name.first>",
            "chief.name.first",
            "`chief.name` is a string and has no field `first`",
            "write `<chief.name>`, or `\\<chief.name.first>` to keep it as text",
        ),
        (
            "<chief.tags.first>",
            "chief.tags.first",
            "`chief.tags` is a list, and a list has no field `first`",
            "write `<for item in chief.tags><item.first></for>`",
        ),
        (
            "<boss.name>",
            "boss.name",
            "`boss` can be `None`: it is an `Option`",
            "write `<if boss>…<boss.name>…</if>`",
        ),
        (
            "<chief>",
            "<chief>",
            "`chief` is a struct or a map",
            "write a field of it, `<chief.field>`, or `<chief | json>`",
        ),
        (
            "<chief.tags>",
            "<chief.tags>",
            "`chief.tags` is a list",
            "write `<for item in chief.tags>…<item>…</for>` or `<chief.tags | join(\", \")>`",
        ),
        (
            "<chief.nick>",
            "<chief.nick>",
            "`chief.nick` can be `None`: it is an `Option`",
            "write `<if chief.nick>…<chief.nick>…</if>` or `<chief.nick ?? \"none\">`",
        ),
        (
            "<chief.nick | upper>",
            "chief.nick | upper",
            "`chief.nick` can be `None`: it is an `Option`",
            "write `<if chief.nick>…<chief.nick>…</if>` or `<chief.nick ?? \"none\">`",
        ),
        (
            "<people | join(', ')>",
            "people | join(', ')",
            "the items of `people` are structs or maps",
            "write `<for item in people>…<item.field>…</for>`",
        ),
        (
            "<if chief.nick == \"x\">a</if>",
            "chief.nick",
            "`chief.nick` can be `None`: it is an `Option`",
            "write `chief.nick and chief.nick == \"x\"`",
        ),
        (
            "<if \"x\" == chief.nick>a</if>",
            "chief.nick",
            "`chief.nick` can be `None`: it is an `Option`",
            "write `chief.nick and \"x\" == chief.nick`",
        ),
        (
            "<if chief.age == \"x\">a</if>",
            "\"x\"",
            "`chief.age` is a number and cannot be compared with a string",
            "write a number, `true` or `false`",
        ),
        (
            "<for z in chief.name><z></for>",
            "chief.name",
            "`chief.name` is a string, not a list",
            "write `<chief.name>`, or `<for z in chief.name | lines>` for its lines",
        ),
        (
            "<for z in chief.nick><z></for>",
            "chief.nick",
            "`chief.nick` is an `Option`, not a list",
            "write `<if chief.nick><for z in chief.nick>…</for></if>`",
        ),
        (
            "<for q in people><for t in q.tgs><t></for></for>",
            "tgs",
            "`q` has no field `tgs`",
            "did you mean `tags`?",
        ),
    ] {
        let rest = "<for p in people><p.name></for><chief.name><if boss>x</if>";
        check_refusal::<Team>(text, rest, at, message, help);
    }
}

/// A prompt of one order, in the dialect of that number.
struct Shop<const DIALECT: usize>;

impl<const DIALECT: usize> Prompt for Shop<DIALECT> {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Shop");
    fn render(&self, _: &mut Writer) {}
    fn output_schema() -> Option<serde_json::Value> {
        None
    }
    fn parse_reply(reply: &Reply) -> Result<String> {
        Ok(reply.text.clone())
    }
}

impl<const DIALECT: usize> Fields for Shop<DIALECT> {
    const CONTRACT: &'static Contract = &Contract {
        fields: &[Field::new("order", FieldKind::Value(Order::kind))],
        syntax: ["angle", "brace", "fstring", "jinja"][DIALECT],
        ..Contract::NONE
    };
    fn field(&self, _: usize) -> FieldValue<'_> {
        FieldValue::Nothing
    }
}

/// Each mistake in a field of a field, in each dialect that has paths.
#[test]
fn nested_fields_in_every_dialect() {
    let unknown = "`order` has no field `nummer`";
    let near = "did you mean `number`?";
    let number = "<order.number>";
    for (text, at, message, help) in [
        ("<order.nummer>", "nummer", unknown, near),
        ("<if order.nummer>a</if>", "nummer", unknown, near),
        ("<if order.nummer == 1>a</if>", "nummer", unknown, near),
        ("<order.nummer ?? 'none'>", "nummer", unknown, near),
        ("<order.nummer | json>", "nummer", unknown, near),
        (
            "<for i in order.itmes>a</for>",
            "itmes",
            "`order` has no field `itmes`",
            "did you mean `items`?",
        ),
        (
            "<for i in order.items><i.nmae></for>",
            "nmae",
            "`i` has no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "<if order.discuont>a</if>",
            "discuont",
            "`order` has no field `discuont`",
            "did you mean `discount`?",
        ),
        (
            "<if order.discount><order.discount.precent></if>",
            "precent",
            "`order.discount` has no field `precent`",
            "did you mean `percent`?",
        ),
        (
            "<order.discount.percent>",
            "order.discount.percent",
            "`order.discount` can be `None`: it is an `Option`",
            "write `<if order.discount>…<order.discount.percent>…</if>`",
        ),
        (
            "<if order.discount><order.discount></if>",
            "<order.discount></if>",
            "`order.discount` is a struct or a map",
            "write a field of it, `<order.discount.field>`, or `<order.discount | json>`",
        ),
        (
            "<order>",
            "<order>",
            "`order` is a struct or a map",
            "write a field of it, `<order.field>`, or `<order | json>`",
        ),
        (
            "<order | upper>",
            "order |",
            "`order` is a struct or a map",
            "write a field of it, `<order.field>`, or `<order | json>`",
        ),
        (
            "<if order == 1>a</if>",
            "1>",
            "`order` is a struct and cannot be compared with a number",
            "compare a field of it",
        ),
        (
            "<for i in order>a</for>",
            "order>",
            "`order` is a struct, not a list",
            "write a field of it that is a list: `<for i in order.field>`",
        ),
        (
            "<for i, j in order.items><i><j></for>",
            "order.items",
            "the items of `order.items` are not pairs",
            "write `<for j in order.items>`, and `<loop.index>` instead of `<i>`: the number of the item, counted from 1",
        ),
        (
            "<for t in order.tree.children><for u in t.children><u.nmae></for></for>",
            "nmae",
            "`u` has no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "<if order.tree.parent><order.tree.parent.children></if>",
            "<order.tree.parent.children>",
            "`order.tree.parent.children` is a list",
            "write `<for item in order.tree.parent.children>…<item.name>…</for>`",
        ),
    ] {
        check_refusal::<Shop<0>>(text, number, at, message, help);
    }
    let number = "{{ order.number }}";
    for (text, at, message, help) in [
        ("{{ order.nummer }}", "nummer", unknown, near),
        ("{{ order.nummer | default(1) }}", "nummer", unknown, near),
        (
            "{% if order.nummer is defined %}a{% endif %}",
            "nummer",
            unknown,
            near,
        ),
        ("{% if order.nummer %}a{% endif %}", "nummer", unknown, near),
        (
            "{% set o = order %}{{ o.nummer }}",
            "nummer",
            "`o` has no field `nummer`",
            near,
        ),
        (
            "{% macro m(o) %}{{ o.nummer }}{% endmacro %}{{ m(order) }}",
            "nummer",
            "`o` has no field `nummer`",
            near,
        ),
        (
            "{% for i in order.itmes %}a{% endfor %}",
            "itmes",
            "`order` has no field `itmes`",
            "did you mean `items`?",
        ),
        (
            "{% for i in order.items %}{{ i.nmae }}{% endfor %}",
            "nmae",
            "`i` has no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "{% for i in order.items | sort(attribute='name') %}{{ i.nmae }}{% endfor %}",
            "nmae",
            "`i` has no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "{{ (order.items | first).nmae }}",
            "nmae",
            "`order.items` has no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "{{ order.items[0].nmae }}",
            "nmae",
            "`order.items` has no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "{% for i in order.items | selectattr('nmae') %}a{{ i.name }}{% endfor %}",
            "'nmae'",
            "the items of `order.items` have no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "{{ order.items | map(attribute='nmae') | join }}",
            "'nmae'",
            "the items of `order.items` have no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "{{ order.items | sum(attribute='nmae') }}",
            "'nmae'",
            "the items of `order.items` have no field `nmae`",
            "did you mean `name`?",
        ),
        (
            "{{ order.discount }}",
            "{{ order.discount }}",
            "`order.discount` can be `None`: it is an `Option`",
            "write `{% if order.discount %}…{{ order.discount }}…{% endif %}` or `{{ order.discount | default(\"none\") }}`",
        ),
        (
            "{{ order.discount.percent }}",
            "order.discount.percent",
            "`order.discount` can be `None`: it is an `Option`",
            "write `{% if order.discount %}…{{ order.discount.percent }}…{% endif %}`",
        ),
        (
            "{% if order.discount %}{{ order.discount.precent }}{% endif %}",
            "precent",
            "`order.discount` has no field `precent`",
            "did you mean `percent`?",
        ),
        (
            "{% for t in order.tree.children %}{{ t.parent.name if t.parent }}{{ t.nmae }}{% endfor %}",
            "nmae",
            "`t` has no field `nmae`",
            "did you mean `name`?",
        ),
    ] {
        check_refusal::<Shop<3>>(text, number, at, message, help);
    }
    // These have no paths.
    for error in [
        Dynamic::<Shop<1>>::parse("a {order}")
            .map(drop)
            .unwrap_err(),
        Dynamic::<Shop<2>>::parse("a {order}")
            .map(drop)
            .unwrap_err(),
    ] {
        assert_eq!(error.message(), "`order` is a struct or a map");
        assert!(format!("{error:#}").contains(" --> 1:3\n"), "{error:#}");
    }
}

/// What conditions, filters and Python's dicts allow is not a mistake.
#[test]
fn nested_fields_that_may_be_used() {
    for text in [
        "<order | json><order.items | json>",
        "<if order>a</if><if order.items>b</if>",
        "<if order.code and order.code == 'x'><order.code></if>",
        "<if not order.discount>a<else><order.discount.percent></if>",
        "<if order.code><order.code><else if order.discount><order.discount.percent></if>",
        "<for i in order.items><if i.note><i.note | upper></if><for t in i.tags><t></for></for>",
        "<for i in order.tree.children><if i.parent><i.parent.children | json></if></for>",
    ] {
        let live = Dynamic::<Shop<0>>::parse(text);
        assert!(live.is_ok(), "{text}: {:#}", live.err().unwrap());
    }
    for text in [
        "{{ order }}{{ order.items }}{{ order | tojson }}{{ order | length }}",
        "{{ order.get('number') }}{{ order['number'] }}{{ order['code'] is none }}{{ 'number' in order }}",
        "{% for key, value in order | dictsort %}{{ key }}{{ value }}{% endfor %}",
        "{% for key in order %}{{ key }}{% endfor %}{{ order is mapping }}",
        "{{ order.discount.percent if order.discount else 0 }}{{ order.code or 'none' }}",
        "{{ order.code | default('none') }}{{ order.number | default(0) }}",
        "{% if order.discount is not none and order.discount.percent > 1 %}a{% endif %}",
        "{% if order.code is defined %}{{ order.code }}{% endif %}",
        "{% set d = order.discount %}{% if d %}{{ d.percent }}{% endif %}",
        "{% for i in order.items | rejectattr('note') %}{{ i.note is none }}{% endfor %}",
        "{{ order.items | map(attribute='note', default='-') | join }}",
        "{{ order.items | groupby('name') | length }}{{ order.items | map(attribute='tags.0') | list }}",
        "{% if order.tree.parent %}{{ order.tree.parent.name }}{% endif %}",
        "{% macro show(v) %}{% if v is string %}{{ v | upper }}{% elif v is mapping %}{{ v.name }}{% elif v is number %}{{ v }}{% else %}{% for x in v %}{{ x.name }}{% endfor %}{% endif %}{% endmacro %}{{ show(order.number) }}{{ show(order.tree.name) }}{{ show(order.items) }}{{ show(order.tree) }}",
    ] {
        let live = Dynamic::<Shop<3>>::parse(text);
        assert!(live.is_ok(), "{text}: {:#}", live.err().unwrap());
    }
}

/// A template that lacks the slot of the answer, or has a mistake in it, has one error.
#[test]
fn the_slot_of_an_answer() {
    #[derive(Prompt, Fields)]
    #[prompt(user = "<q>", assistant = "<a>")]
    struct Quiz {
        q: String,
        #[prompt(answer)]
        a: String,
    }
    for (text, message, help) in [
        (
            "<user><q></user>",
            "no slot uses the field `a`, the answer",
            "end with the turn that a model is to write: `<assistant><a></assistant>`; a request is sent without it",
        ),
        (
            "<user><q></user><assistant><aa></assistant>",
            "unknown slot `aa`",
            "use one of `q`, `a`; or add a field `aa`; or write `\\<aa>` to keep it as text",
        ),
        (
            "<user><q> <a></user>",
            "the answer `a` is used in the user's message",
            "end with an `assistant` text, and write the slot there",
        ),
    ] {
        let error = Dynamic::<Quiz>::parse(text).unwrap_err();
        assert_eq!((error.message(), error.help()), (message, Some(help)));
        assert_eq!(
            format!("{error:#}").matches("help: ").count(),
            1,
            "{error:#}"
        );
    }
}

/// The fields of a value of JSON are known when it is rendered.
#[test]
fn values_that_are_known_when_they_are_rendered() {
    #[derive(Prompt, Fields)]
    #[prompt(user = "<order | json>")]
    struct Given {
        order: serde_json::Value,
    }
    let order = serde_json::json!({"number": 1, "items": ["a"], "code": null});
    let given = Given { order };
    for (text, message) in [
        ("<order.nummer>", "`order` has no field `nummer`"),
        (
            "<order.code.x>",
            "`order.code` is `None`: it is an `Option`",
        ),
        ("<order.items>", "`order.items` is a list"),
        ("<order>", "`order` is a struct or a map"),
        (
            "<order.number.x>",
            "`order.number` is a whole number and has no field `x`",
        ),
        (
            "<for i in order.number><i></for>",
            "`order.number` is a single value, not a list",
        ),
    ] {
        let live =
            Dynamic::<Given>::parse(text).unwrap_or_else(|error| panic!("{text}: {error:#}"));
        assert_eq!(
            live.messages(&given).unwrap_err().message(),
            message,
            "{text}"
        );
    }
}

/// A name that a condition has found is one name.
#[test]
fn names_are_listed_once() {
    let error = Dynamic::<Ask>::parse(
        "<product><question><passages | join(', ')><if note><note><xyzzy></if>",
    );
    let help = error
        .map(drop)
        .unwrap_err()
        .help()
        .map(str::to_owned)
        .unwrap();
    assert_eq!(help.matches("`note`").count(), 1, "{help}");
}

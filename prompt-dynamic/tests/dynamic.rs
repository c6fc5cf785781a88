//! Templates that are loaded at run time are read in linear time, however odd they are.

use prompt_core::{Origin, Prompt, PromptInfo, Reply, Result, Writer};
use prompt_dynamic::{Contract, Dynamic, Field, FieldKind, FieldValue, Fields};
use prompt_jinja::ToValue;

#[path = "../../prompt-core/tests/it/linear.rs"]
mod linear;

use linear::assert_linear;

struct Ask {
    a: String,
    xs: Vec<String>,
}

impl Prompt for Ask {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Ask");
    fn render(&self, _: &mut Writer) {}
    fn output_schema() -> Option<serde_json::Value> {
        None
    }
    fn parse_reply(reply: &Reply) -> Result<String> {
        Ok(reply.text.clone())
    }
}

impl Fields for Ask {
    const CONTRACT: &'static Contract = &Contract {
        fields: &[
            Field::new("a", FieldKind::Value(String::kind)),
            Field::new("xs", FieldKind::Value(Vec::<String>::kind)),
        ],
        ..Contract::NONE
    };
    fn field(&self, index: usize) -> FieldValue<'_> {
        let source = Origin::Data(None);
        FieldValue::Value(match index {
            0 => self.a.to_value(source),
            _ => self.xs.to_value(source),
        })
    }
}

/// The same in the Jinja dialect.
struct Jinja(Ask);

impl Prompt for Jinja {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Jinja");
    fn render(&self, _: &mut Writer) {}
    fn output_schema() -> Option<serde_json::Value> {
        None
    }
    fn parse_reply(reply: &Reply) -> Result<String> {
        Ok(reply.text.clone())
    }
}

impl Fields for Jinja {
    const CONTRACT: &'static Contract = &Contract {
        syntax: "jinja",
        ..*Ask::CONTRACT
    };
    fn field(&self, index: usize) -> FieldValue<'_> {
        self.0.field(index)
    }
}

#[test]
fn templates_of_run_time_are_read_in_time() {
    let ask = Ask {
        a: "<a> {a}".to_owned(),
        xs: vec!["x".to_owned()],
    };
    for unit in [
        "<a>",
        "<b>",
        "<input:a>",
        "<a",
        "</a>",
        "<a></a>",
        "<if a>",
        "</if>",
        "<if a>x</if>",
        "<else>",
        "<for p in xs>",
        "<for p in xs><p></for>",
        "</for>",
        "<user>",
        "<user>x</user>",
        "<system>",
        "\\<a>",
        "\\",
        "<a | join(",
        "<a | join(\"",
        "<a ?? ",
        "<a.b.c",
        "<xs | join(\", \")>",
        "<if not ",
        "<if a and ",
        "\r\n",
        "\u{feff}",
        "\u{202e}",
        "<\u{301}a>",
        "x\n",
        "é<a>",
        "<if a>\n</if>\n",
        "<a>\0",
    ] {
        assert_linear(unit, 200, |size| {
            let text = unit.repeat(size / unit.len() + 1) + "<a><xs | join(\"\")>";
            match Dynamic::<Ask>::parse(&text) {
                Ok(live) => drop(live.messages(&ask).unwrap()),
                Err(error) => drop(format!("{error} {error:#}")),
            }
        });
    }
}

/// Reading a list goes through it to mark its strings: that of a field once, that of a variable each time.
#[test]
fn reading_a_list_is_counted() {
    let ask = Jinja(Ask {
        a: "a".to_owned(),
        xs: (0..2000).map(|at| at.to_string()).collect(),
    });
    for (list, is_field) in [("xs", true), ("ys", false), ("d.a", false)] {
        let text = format!(
            "{{% set ys = xs | list %}}{{% set d = {{'a': xs}} %}}{{% for _i in range(500) %}}{{% if {list} %}}{{% endif %}}{{% endfor %}}\
             {{{{ a }}}}{{{{ ys | length }}}}{{{{ d | length }}}}"
        );
        let template = Dynamic::<Jinja>::parse(&text).unwrap_or_else(|error| panic!("{error:#}"));
        let written = template.max_bytes(2 << 20).messages(&ask);
        assert_eq!(written.is_ok(), is_field, "{list}: {written:?}");
    }
}

/// Operations that go through long values, some without a long result, each a thousand times.
#[test]
fn each_operation_on_a_long_value_is_counted() {
    let ask = Jinja(Ask {
        a: "x".repeat(100_000),
        xs: (0..10_000).map(|at| at.to_string()).collect(),
    });
    for operation in [
        "a | length",
        "a | lower | first",
        "a | replace('x', '')",
        "a | wordcount",
        "a | list | first",
        "a[0]",
        "a[1:2]",
        "a.count('x')",
        "a.find('y')",
        "a.isalpha()",
        "a is lower",
        "','.join(a)",
        "',' | replace(a, 'y')",
        "',' | trim(a)",
        "','.replace(a, 'y')",
        "','.split(a) | length",
        "','.strip(a)",
        "','.startswith(a)",
        "xs | sort | length",
        "xs | map('trim', a) | first",
        "xs | map(attribute=a, default=1) | first",
        "xs | groupby(a, 1) | first",
        "xs | max",
        "xs.index('9999')",
        "loop.changed(a)",
        "loop.changed(xs)",
    ] {
        let text = format!(
            "{{% for _i in range(1000) %}}{{% if {operation} %}}{{% endif %}}{{% endfor %}}{{{{ a }}}}{{{{ xs | length }}}}"
        );
        let template =
            Dynamic::<Jinja>::parse(&text).unwrap_or_else(|error| panic!("{operation}: {error:#}"));
        let error = template.max_bytes(16 << 20).messages(&ask);
        let error = error.map(drop).unwrap_err().to_string();
        assert!(error.contains("max_bytes"), "{operation}: {error}");
    }
}

/// The limit grows with the fields: filters of a large document are not refused.
#[test]
fn large_fields_are_not_refused() {
    let ask = Jinja(Ask {
        a: "word ".repeat(8_000_000),
        xs: Vec::new(),
    });
    let text = "{{ a | trim | replace('words', 'w') | upper }}{{ xs | length }}";
    let template = Dynamic::<Jinja>::parse(text).unwrap();
    assert!(template.messages(&ask).is_ok());
    assert!(template.max_bytes(256 << 20).messages(&ask).is_err());
}

/// A part of a string that is only partly data is taken without a copy of the whole string, and lines are cut without a count
/// of the rest of a word.
#[test]
fn parts_of_long_strings_take_linear_time() {
    for operation in [
        "m.split('x') | length",
        "m.splitlines() | length",
        "m | list | length",
        "m | replace('x', 'y') | length",
        "m | indent | length",
        "m | wordwrap(1) | length",
        "(a | replace(' ', '')) | wordwrap(1) | length",
        "('b' * (a | length)).strip('a' * (a | length) ~ 'b')",
    ] {
        let text = format!(
            "{{% set m = 'x\\n' ~ a %}}{{% if {operation} %}}{{% endif %}}{{{{ m | length }}}}{{{{ xs | length }}}}"
        );
        let template =
            Dynamic::<Jinja>::parse(&text).unwrap_or_else(|error| panic!("{operation}: {error:#}"));
        let template = template.max_bytes(usize::MAX);
        assert_linear(operation, 200, |size| {
            let ask = Jinja(Ask {
                a: "x \n".repeat(size / 3),
                xs: Vec::new(),
            });
            drop(template.messages(&ask).unwrap());
        });
    }
}

/// A field of text that only a condition uses, because its slot is a tag.
#[test]
fn a_field_is_tested_and_its_slot_is_a_tag() {
    let message = |text: &str| {
        let parsed = Dynamic::<Ask>::parse(text);
        parsed.err().map(|error| error.message().to_owned())
    };
    for text in [
        "<if a>A: <a></if> Write <a></a>. <xs | join(' ')>",
        "<system>Write <b></b> and <a></a>.</system><user><if a>A: <a></if> <xs | join(' ')></user>",
        "<if a><a><a></a></if> <xs | join(' ')>",
    ] {
        let found = message(text).unwrap_or_default();
        assert!(found.contains("is tested and not shown"), "{text}: {found}");
    }
    for text in [
        "<if a == 'formal'><a>Write formally.</a></if> <xs | join(' ')>",
        "<if a and a != 'formal'><a>Write briefly.</a></if> <xs | join(' ')>",
        "<if xs><xs>some</xs></if> <input:a>",
        "<if a>A: \\<a></if></a> <xs | join(' ')>",
        "<if a><a><input:a></a></if> <xs | join(' ')>",
        "<if xs><xs><for x in xs><x></for></xs></if> <input:a>",
    ] {
        assert_eq!(message(text), None, "{text}");
    }
}

/// A prompt with a history.
struct Talk;

impl Prompt for Talk {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Talk");
    fn render(&self, _: &mut Writer) {}
    fn output_schema() -> Option<serde_json::Value> {
        None
    }
    fn parse_reply(reply: &Reply) -> Result<String> {
        Ok(reply.text.clone())
    }
}

impl Fields for Talk {
    const CONTRACT: &'static Contract = &Contract {
        fields: &[
            Field::new("q", FieldKind::Value(String::kind)),
            Field::new("turns", FieldKind::History),
        ],
        ..Contract::NONE
    };
    fn field(&self, _: usize) -> FieldValue<'_> {
        FieldValue::Nothing
    }
}

/// A template places the history where it is written.
#[test]
fn the_history_is_where_a_template_writes_it() {
    for text in [
        "<turns>\n<user><q></user>",
        "<user><q></user>",
        "<user><q></user>\n<turns>",
        "<user>Hi</user><assistant>Hello <q></assistant><turns>",
    ] {
        let error = Dynamic::<Talk>::parse(text).err();
        assert!(error.is_none(), "{text}: {error:?}");
    }
}

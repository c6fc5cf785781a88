//! Templates of run time: they do what the same text does in the source, and are refused with the same words.

use std::fs;

use typed_prompt::{Dynamic, Fields, History, Media, Prompt, ToValue, Tool, Trusted};

/// The messages of a compiled prompt are those of its own template read at run time.
fn check<P: Fields>(template: &str, prompt: &P) {
    let live =
        Dynamic::<P>::parse(template).unwrap_or_else(|error| panic!("{template}\n{error:#}"));
    let (compiled, dynamic) = (prompt.messages(), live.messages(prompt));
    compiled.check().unwrap();
    dynamic
        .check()
        .unwrap_or_else(|error| panic!("{template}\n{error:#}"));
    assert_eq!(compiled, dynamic, "{template}");
    assert_eq!(
        prompt.with_answer(),
        live.fill(prompt).with_answer(),
        "{template}"
    );
}

/// A prompt of a template, and the same template at run time.
macro_rules! same {
    ($($name:ident $syntax:literal $template:literal { $($(#[$key:meta])* $field:ident: $ty:ty = $value:expr),* $(,)? })*) => {$(
        #[test]
        fn $name() {
            #[derive(Prompt, Fields)]
            #[allow(dead_code)] // What is skipped is never read.
            #[prompt(template = $template, syntax = $syntax)]
            struct Ask { $($(#[$key])* $field: $ty),* }

            check($template, &Ask { $($field: $value),* });
        }
    )*};
}

#[derive(ToValue)]
struct Person {
    name: &'static str,
    age: u8,
    nick: Option<&'static str>,
}

fn people() -> Vec<Person> {
    vec![
        Person {
            name: "Ada",
            age: 36,
            nick: None,
        },
        Person {
            name: "bo",
            age: 7,
            nick: Some("B"),
        },
    ]
}

fn turns() -> History {
    use typed_prompt::ToHistory;
    History::from([("Hi", "Hello")].to_history().unwrap().into_owned())
}

same! {
    angle_words "angle" "Only words. <b>bold</b> \\<x>" {}
    angle_slot "angle" "Say <input:word> and <word>." { word: &'static str = "<word>" }
    angle_numbers "angle" "<a> <b> <c> <d>" { a: u64 = u64::MAX, b: f64 = 1.0, c: bool = true, d: char = 'é' }
    angle_roles "angle" "<system>For <product>.</system>\n<user>Q: <q></user><assistant>A</assistant><user>More</user>" {
        #[prompt(trusted)] product: &'static str = "Acme",
        q: String = "Why?".into(),
    }
    angle_loop "angle" "<for p in passages>- <p>\n<else>none</for>." { passages: Vec<&'static str> = vec!["a", "<b>"] }
    angle_empty_loop "angle" "<for p in passages>- <p>\n<else>none</for>." { passages: Vec<&'static str> = vec![] }
    angle_loop_of_structs "angle" "<for p in people><p.name> is <p.age>. </for>" { people: Vec<Person> = people() }
    angle_condition "angle" "<if context>With <context>.<else if not n>No n.<else>Neither.</if>" {
        context: Option<&'static str> = None,
        n: u8 = 0,
    }
    angle_and "angle" "<if a and b><a><b></if><if a or c>or</if>" {
        a: Option<&'static str> = Some("A"),
        b: Option<String> = Some("B".into()),
        c: bool = false,
    }
    angle_default "angle" "<a ?? \"none\"> <b ?? 'none'> <c | upper ?? 'no'>" {
        a: Option<&'static str> = None,
        b: Option<&'static str> = Some("b"),
        c: Option<&'static str> = None,
    }
    angle_filters "angle" "<docs | join(', ') | upper> <t | trim | truncate(4)> <t | indent(2)> <docs | json> <t | lines>" {
        docs: Vec<&'static str> = vec!["a", "b"],
        t: &'static str = "  one\ntwo  ",
    }
    angle_lines "angle" "<for line in t | lines>> <line>\n</for>" { t: &'static str = "one\ntwo" }
    angle_trusted "angle" "<system><a></system><user><b></user>" { a: Trusted<&'static str> = Trusted("x"), b: u8 = 1 }
    brace_slots "brace" "{a} {input:b} {{a}} { not } {\"json\": 1}" { a: &'static str = "{b}", b: i32 = -1 }
    history_before_the_question "angle" "<system>S</system><user><q></user>" {
        #[prompt(history)] history: History = turns(),
        q: &'static str = "Q",
    }
    history_where_it_is_named "angle" "<system>S</system><history><user>one</user><user><q></user>" {
        #[prompt(history)] history: History = turns(),
        q: &'static str = "Q",
    }
    tools_and_extra "angle" "<user><q></user>" {
        #[prompt(tools)] tools: Vec<Tool> = vec![Tool::new("add")],
        #[prompt(extra = "Notes")] notes: Option<&'static str> = Some("n"),
        #[prompt(skip)] id: u8 = 1,
        q: &'static str = "Q",
    }
    media "angle" "<user>Look: <photo> <q></user>" { photo: Media = Media::image_url("https://example.com/a.png"), q: &'static str = "Q" }
    media_or_none "angle" "<user><if photo><photo><else>no photo</if></user>" { #[prompt(media)] photo: Option<Media> = None }
    answer "angle" "<user><q></user><assistant><a></assistant>" { q: &'static str = "Q", #[prompt(answer)] a: &'static str = "A" }
    jinja_slots "jinja" "{{ a }} {{ b }} {{ c }} {{ d }} {{ e }} {# no #}{% raw %}{{ a }}{% endraw %}\n" {
        a: &'static str = "{{ b }}", b: u32 = 7, c: bool = true, d: f64 = 1e16, e: Vec<&'static str> = vec!["it's", "b"],
    }
    jinja_literals "jinja" "{{ 'a' }}{{ 1 }}{{ 1.0 }}{{ true }}{{ none }}{{ [1, 'a'] }}{{ (1,) }}{{ {'k': 1} }}" {}
    jinja_operators "jinja" "{{ n + 1 }} {{ n / 2 }} {{ n // 2 }} {{ -n % 5 }} {{ n ** 2 }} {{ 'n=' ~ n ~ t }} {{ n == 7 and t != 'x' }}" {
        n: i64 = 7, t: &'static str = "T",
    }
    jinja_chains "jinja" "{{ 1 < n <= 7 }} {{ 'e' in t }} {{ 3 not in [1, 2] }} {{ not t }} {{ t or 'x' }} {{ t and n }}" {
        n: i64 = 7, t: &'static str = "Te",
    }
    jinja_tests "jinja" "{{ n is odd }} {{ n is divisibleby(7) }} {{ o is none }} {{ o is defined }} {{ t is string }} {{ n is not even }}" {
        n: i64 = 7, t: &'static str = "Te", o: Option<&'static str> = None,
    }
    jinja_filters "jinja" "{{ t | upper | replace('T', 'L') }} {{ l | join(', ') }} {{ l | sort(reverse=true) | first }} {{ l | length }} {{ t | truncate(4, true, '~', 0) }} {{ l | tojson }}" {
        t: &'static str = "test words", l: Vec<&'static str> = vec!["b", "A", "c"],
    }
    jinja_default "jinja" "{{ o | default('none') }} {{ p | default('none') | upper }} {{ o | default(t) }}" {
        t: &'static str = "T", o: Option<&'static str> = None, p: Option<&'static str> = Some("p"),
    }
    jinja_slices "jinja" "{{ t[1:3] }} {{ t[::-1] }} {{ l[0] }} {{ l[-1] }} {{ l[1:] }} {{ t.upper() }} {{ t.split('e') }}" {
        t: &'static str = "tést words", l: Vec<&'static str> = vec!["b", "A", "c"],
    }
    jinja_conditions "jinja" "{% if o %}{{ o }}{% elif n > 5 %}big{% else %}none{% endif %}{% if not p %}x{% else %}{{ p }}{% endif %}{{ p if p else '-' }}" {
        n: i64 = 7, o: Option<&'static str> = None, p: Option<&'static str> = Some("p"),
    }
    jinja_loops "jinja" "{% for p in people if p.age > 6 %}{{ loop.index }}/{{ loop.length }} {{ p.name }}{{ ', ' if not loop.last }}{% else %}none{% endfor %}" {
        people: Vec<Person> = people(),
    }
    jinja_pairs "jinja" "{% for k, v in m.items() %}{{ k }}={{ v }};{% endfor %}{% for k, v in m | dictsort(reverse=true) %}{{ k ~ v }}{% endfor %}" {
        m: std::collections::BTreeMap<&'static str, i32> = [("a", 1), ("b", 2)].into(),
    }
    jinja_structs "jinja" "{{ people | map(attribute='name') | join(' ') }} {% for p in people | sort(attribute='name') %}{{ p.name }}{% endfor %} {% for p in people | selectattr('nick') %}{{ p.name }}{% endfor %}" {
        people: Vec<Person> = people(),
    }
    jinja_set "jinja" "{% set x = t | upper %}{{ x }}{% set y %}<{{ t }}>{% endset %}{{ y | lower }}{% if n %}{% set x = 'new' %}{% endif %}{{ x }}{% for i in range(2) %}{% set x = i %}{{ x }}{% endfor %}{{ x }}" {
        t: &'static str = "Te", n: i64 = 7,
    }
    jinja_with "jinja" "{% with a = t, b = 2 %}{{ a }}{{ b }}{% endwith %}{% filter upper %}x{{ t }}{% endfilter %}" { t: &'static str = "Te" }
    jinja_macros "jinja" "{% macro card(a, b='B', c=none) %}[{{ a }}|{{ b }}{% if c %}|{{ c }}{% endif %}]{% endmacro %}{{ card(t) }}{{ card('x', b=t, c=1) | lower }}" {
        t: &'static str = "Te",
    }
    jinja_white_space "jinja" "a  {%- if n %}\n  b {{- n -}}  \n{% endif %}  c\n\n" { n: i64 = 7 }
    jinja_roles "jinja" "{% set who = product | upper %}{% system %}You are {{ who }}.{% endsystem %}\n{% user %}{{ q }} to {{ who }}{% enduser %}" {
        #[prompt(trusted)] product: &'static str = "Acme", q: &'static str = "Q",
    }
    jinja_json "jinja" "{{ j.a.b[0] }} {{ j | tojson }} {{ j.missing | default('-') }}" {
        j: serde_json::Value = serde_json::json!({"a": {"b": ["x", 2]}}),
    }
}

/// What a template is refused with.
fn refused<P: Fields>(template: &str, expected: &expect_test::Expect) {
    let error = Dynamic::<P>::parse(template).unwrap_err();
    expected.assert_eq(&format!("{error:#}"));
}

#[derive(Prompt, Fields)]
#[prompt(
    template = "<system><product></system><user><for p in passages><p></for><if note><note></if><question></user>",
    format = chatml
)]
struct Ask {
    #[prompt(trusted)]
    product: &'static str,
    passages: Vec<String>,
    note: Option<String>,
    question: String,
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
        "<product><for p in passages><p></for><note><question>",
        &expect![[r#"
            `note` may not be there: it is an `Option`
             --> 1:38
              |
            1 | <product><for p in passages><p></for><note><question>
              |                                      ^^^^^^ stands in no condition
              = help: write `<if note>…<note>…</if>` or `<note ?? "none">`"#]],
    );
    refused::<Ask>(
        "<system><question></system><user><product><passages><note ?? 'x'></user>",
        &expect![[r#"
            the untrusted field `question` stands in the system message
             --> 1:9
              |
            1 | <system><question></system><user><product><passages><note ?? 'x'></user>
              |         ^^^^^^^^^^ what it holds could instruct the model
              = help: move the slot into `user`; or, if `question` never holds a user's text, mark the field `#[prompt(trusted)]`

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
              = help: write one of `indent`, `join`, `json`, `lines`, `lower`, `trim`, `truncate`, `upper`

            the system message comes after a turn
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

            `question` is text, no list
             --> 1:17
              |
            1 | <for product in question><note ?? 'x'></for><for p in passages>-</for>
              |                 ^^^^^^^^ a loop needs a list
              = help: loop over a list"#]],
    );
    refused::<Ask>(
        "",
        &expect![[r#"
        the template is empty
          = help: write its text"#]],
    );
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("typed-prompt-dynamic-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("ask.prompt");
    let ask = Ask {
        product: "Acme",
        passages: vec!["a".into()],
        note: None,
        question: "Why?".into(),
    };
    let right = "\u{feff}<system><product></system>\r\n<user>\r\n<for p in passages><p> </for><note ?? 'no'> <question>\r\n</user>\r\n";
    fs::write(&path, right).unwrap();
    let mut live = Dynamic::<Ask>::load(&path).unwrap();
    let before = live.messages(&ask);
    assert_eq!(before[1].text(), "a no Why?");

    // A wrong template leaves the old one in place.
    let wrong: [(&[u8], &str); 4] = [
        (b"<user><question", "this block is never closed"),
        (b"a\n\xff", "is not UTF-8: line 2, byte 2 of the file"),
        (b" \n", "the template is empty"),
        (b"<other>", "unknown slot `other`"),
    ];
    for (text, message) in wrong {
        fs::write(&path, text).unwrap();
        let error = live.reload().unwrap_err();
        assert!(error.message().contains(message), "{error:#}");
        assert_eq!(live.messages(&ask), before);
    }
    fs::write(&path, right.replace("'no'", "'none'")).unwrap();
    live.reload().unwrap();
    assert_eq!(live.messages(&ask)[1].text(), "a none Why?");

    fs::rename(&path, folder.join("ask.prmpt")).unwrap();
    let error = live.reload().unwrap_err();
    assert!(
        error.message().starts_with("there is no template file"),
        "{error:#}"
    );
    assert!(error.help().unwrap().ends_with("ask.prmpt`?"), "{error:#}");
    assert!(
        Dynamic::<Ask>::load(&folder)
            .unwrap_err()
            .message()
            .ends_with("is a folder, no template file")
    );
    assert_eq!(live.messages(&ask)[1].text(), "a none Why?");
    fs::remove_dir_all(&folder).unwrap();
}

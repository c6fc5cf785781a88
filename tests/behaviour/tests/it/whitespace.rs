//! White space around the tags of blocks: the examples of `docs/whitespace.md`, and the same rule in compiled prompts.

use typed_prompt::{Dynamic, Fields, Prompt, prompt};

use crate::{check, user};

#[derive(Prompt, Fields)]
#[prompt(user = "<if strict>strict</if> <passages | join(\" \")> <question>")]
struct Ask {
    strict: bool,
    passages: Vec<String>,
    question: String,
}

#[derive(Prompt, Fields)]
#[prompt(user = "<question> <passages>")]
struct AskText {
    question: &'static str,
    passages: &'static str,
}

/// The fenced blocks of a page, each with the word after its backticks.
fn fences(page: &str) -> Vec<(&str, &str)> {
    let mut fences = Vec::new();
    let mut rest = page;
    while let Some((_, block)) = rest.split_once("\n```") {
        let (kind, block) = block.split_once('\n').unwrap();
        let (text, after) = block.split_once("\n```\n").unwrap();
        fences.push((kind, text));
        // The next fence may follow at once.
        rest = &rest[rest.len() - after.len() - 1..];
    }
    fences
}

#[test]
fn the_examples_of_the_page() {
    let page = std::fs::read_to_string("../../docs/whitespace.md").unwrap();
    let fences = fences(&page);
    assert!(fences.len() >= 14);
    let ask = Ask {
        strict: true,
        passages: vec!["First.".into(), "Second.".into()],
        question: "Why?".into(),
    };
    let ask_text = AskText {
        question: "Why?",
        passages: "First. Second.",
    };
    for (index, pair) in fences.chunks(2).enumerate() {
        let [("prompt", template), ("output", output)] = pair else {
            panic!("a template and its output expected, got {pair:?}");
        };
        // Each template of the page uses some fields; a branch that is never taken uses the others.
        let others = match template {
            text if text.contains("syntax: brace") => "",
            text if text.contains("syntax: jinja") => {
                "{% if not strict %}{{ passages ~ question }}{% endif %}"
            }
            _ => "<if not strict><passages | join(\"\")><question></if>",
        };
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "typed-prompt-whitespace-{}-{index}.prompt",
            std::process::id()
        ));
        std::fs::write(&file, format!("{template}{others}")).unwrap();
        let messages = match others {
            "" => Dynamic::<AskText>::load(&file).and_then(|live| live.messages(&ask_text)),
            _ => Dynamic::<Ask>::load(&file).and_then(|live| live.messages(&ask)),
        };
        let messages = messages.unwrap_or_else(|error| panic!("{error:#}"));
        assert_eq!(
            messages.iter().next().unwrap().text(),
            *output,
            "{template}"
        );
    }
}

#[derive(Prompt)]
#[prompt(
    user = "A\n  <if on>\n  B\n  <else>\n  C\n  </if>\nD\r\n\t<for x in xs> <if x>\r\n<x>\r\n</if> </for> \r\nE"
)]
struct Removed {
    on: bool,
    xs: Vec<u8>,
}

#[derive(Prompt)]
#[prompt(user = "<if on>\nB\n</if>\n", keep_block_lines)]
struct Kept {
    on: bool,
}

#[test]
fn compiled_prompts() {
    let removed = |on, xs: &[u8]| {
        user(&Removed {
            on,
            xs: xs.to_vec(),
        })
    };
    assert_eq!(removed(true, &[1, 0, 2]), "A\n  B\nD\r\n1\r\n2\r\nE");
    assert_eq!(removed(false, &[]), "A\n  C\nD\r\nE");
    assert_eq!(user(&Kept { on: true }), "\nB\n\n");
    assert_eq!(user(&Kept { on: false }), "\n");
    let on = true;
    check([
        (prompt!("<if on>\nyes\n</if>\nend"), "yes\nend"),
        (prompt!("<if on>\nyes\n</if>"), "yes\n"),
        (prompt!("<if on>\nyes\n</if>", keep_block_lines), "\nyes\n"),
    ]);
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    system = "
        Be brief.
          Be kind.
        ",
    user = r#"
        {% for x in xs -%}
        {{ x }};
        {%- endfor %}
        {{ ' ' ~ on }}
    "#
)]
struct LaidOut {
    on: bool,
    xs: Vec<u8>,
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
{{ question }}
  {{ question }}
"
)]
struct AtMargin {
    question: &'static str,
}

/// Literals of the Jinja dialect are laid out if all their lines are indented; others are those of Jinja2.
#[test]
fn literals_of_jinja() {
    let laid_out = LaidOut {
        on: true,
        xs: vec![1, 2],
    };
    let messages = laid_out.messages().unwrap();
    let texts: Vec<_> = messages.iter().map(|message| message.text()).collect();
    assert_eq!(texts, ["Be brief.\n  Be kind.", "1;2;\n True"]);
    assert_eq!(user(&AtMargin { question: "a" }), "\na\n  a");
}

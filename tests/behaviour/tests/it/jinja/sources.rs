//! Sources of Jinja templates: files with roles, doc comments, variants, macros.

use typed_prompt::{Prompt, Role, prompt};

use super::check;

#[derive(Prompt)]
#[prompt(syntax = "jinja", file = "tests/it/prompts/roles.jinja")]
struct Lesson {
    #[prompt(trusted)]
    subject: String,
    name: String,
    day: String,
}

#[test]
fn role_blocks_and_shared_parts() {
    let lesson = Lesson {
        subject: "music".into(),
        name: "Bo".into(),
        day: "Monday".into(),
    };
    let messages = lesson.messages().unwrap();
    let said: Vec<_> = messages
        .iter()
        .map(|message| (message.role, message.text().to_string()))
        .collect();
    assert_eq!(
        said,
        [
            (Role::System, "You teach Music.".to_owned()),
            (Role::User, "Hi Bo, it is Monday. What is Music?".to_owned()),
        ]
    );
}

/// Plan for {{ goal }}.
///
/// {% for step in steps %}{{ loop.index }}. {{ step }} {% endfor %}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Plan {
    goal: String,
    steps: Vec<String>,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", trim_blocks)]
enum Step {
    #[prompt(user = "{% if hot %}\nAct on {{ goal }}!{% endif %}")]
    Act { goal: String, hot: bool },
    #[prompt(user = "{% if true %}\nGo on.{% endif %}", trim_blocks = false)]
    Go,
}

#[test]
fn sources() {
    check(
        &Plan {
            goal: "tea".into(),
            steps: vec!["boil".into(), "pour".into()],
        },
        "Plan for tea.\n\n1. boil 2. pour ",
    );
    check(
        &Step::Act {
            goal: "tea".into(),
            hot: true,
        },
        "Act on tea!",
    );
    check(&Step::Go, "\nGo on.");
    let (name, tags) = ("Ada", ["x", "y"]);
    let messages = prompt!(
        "{% set n = tags | length %}{{ name }}: {{ tags | join(',') }} {{ n + more }}",
        syntax = "jinja",
        more = 1
    )
    .unwrap();
    assert_eq!(messages[0].text(), "Ada: x,y 3");
}

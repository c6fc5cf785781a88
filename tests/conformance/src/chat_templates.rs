//! Models' chat templates, rendered by `ChatTemplate` and compared with the output of transformers.
//!
//! The folder `chat_templates` of the golden files contains `chat_templates.json`, whose cases consist of a template, a conversation
//! and options, `conversations.json` and the folder `templates`. The project does not have it, because the templates belong to their models:
//! `GOLDENS=folder cargo test -p conformance chat_templates -- --ignored`. Everything is rendered with `Guard::Allow`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use typed_prompt::format::{Date, FormatOption, FormatOptions};
use typed_prompt::{ChatFormat, ChatTemplate, Guard, Result};

use crate::chat_formats::{Object, folder, get, read};
use crate::diff;

/// The time at which the golden files were recorded.
const DAY: Date = Date {
    year: 2025,
    month: 7,
    day: 26,
};

#[test]
#[ignore = "needs a folder in GOLDENS with the templates of models"]
fn chat_templates() {
    let folder = folder().join("chat_templates");
    let goldens: Object = read(&folder.join("chat_templates.json"));
    let cases: Vec<Object> = get(&goldens, "cases").expect("the file holds cases");
    let conversations: Vec<Object> = read(&folder.join("conversations.json"));
    let conversations: BTreeMap<_, _> = conversations
        .iter()
        .map(|one| (get::<String>(one, "id"), one))
        .collect();
    let mut sources: BTreeMap<String, Result<ChatTemplate>> = BTreeMap::new();
    let (mut passed, mut crashed, mut report) = (0, [0; 2], String::new());
    for case in &cases {
        let name: String = get(case, "file").expect("a case names its template");
        let template = sources
            .entry(name.clone())
            .or_insert_with(|| load(&folder, &name));
        let conversation: Option<String> = get(case, "conversation");
        let result = match conversations.get(&conversation) {
            Some(conversation) => check(template, case, conversation, &mut crashed),
            None => Err("    there is no such conversation".to_owned()),
        };
        match result {
            Ok(()) => passed += 1,
            Err(why) => {
                let conversation = conversation.unwrap_or_default();
                let _ = writeln!(
                    report,
                    "chat_templates: {name} {conversation} failed\n{why}"
                );
            }
        }
    }
    let failed = cases.len() - passed;
    let [rendered, refused] = crashed;
    println!(
        "{report}chat_templates: where the template crashes, {rendered} are rendered and {refused} refused"
    );
    println!("chat_templates: {passed} passed, {failed} failed");
    assert_eq!(failed, 0, "{failed} cases of chat_templates failed");
}

fn load(folder: &Path, name: &str) -> Result<ChatTemplate> {
    let inside = folder.join("templates").join(name);
    let path = if inside.is_file() {
        inside
    } else {
        folder.join(name)
    };
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    ChatTemplate::from_bytes(&bytes)
}

fn check(
    template: &Result<ChatTemplate>,
    case: &Object,
    conversation: &Object,
    crashed: &mut [usize; 2],
) -> Result<(), String> {
    let got = template
        .clone()
        .and_then(|template| render(template, case, conversation));
    let error = case.get("expect_error");
    let kind = error
        .and_then(|error| error.deserialize_as::<String>().ok())
        .or_else(|| {
            let object: Object = error?.deserialize_as().ok()?;
            get(&object, "kind")
        });
    match (get::<String>(case, "expect"), kind.as_deref(), got) {
        (Some(wanted), _, Ok(got)) if wanted == got => Ok(()),
        (Some(wanted), _, Ok(got)) => Err(diff::texts(&wanted, &got)),
        (Some(_), _, Err(error)) => Err(format!("    error: {error:#}")),
        // A failure of the template is not a rule: a text, or an error with a reason, is better.
        (None, Some(kind), got) if kind.ends_with("Error") && kind != "TemplateError" => {
            crashed[usize::from(got.is_err())] += 1;
            Ok(())
        }
        (None, _, Err(_)) => Ok(()),
        (None, _, Ok(got)) => Err(format!("    expected an error, got:\n    {got:?}")),
    }
}

fn render(mut template: ChatTemplate, case: &Object, conversation: &Object) -> Result<String> {
    let mut options = FormatOptions::new()
        .guard(Guard::Allow)
        .lenient()
        .generation_prompt(get(case, "add_generation_prompt").unwrap_or(false));
    if template.supports(FormatOption::Date) {
        template = template.time(12, 34, 56);
        options = options.date(DAY);
    }
    for name in ["bos_token", "eos_token"] {
        if let Some(token) = get::<String>(case, name) {
            template = template.token(name, token);
        }
    }
    for (name, value) in get::<Object>(case, "kwargs").unwrap_or_default() {
        // A variable that the template does not read is an error here.
        if template.variables().contains(&&*name) {
            template = template.variable(name, value);
        }
    }
    if get(case, "continue_final_message") == Some(true) {
        options = options.continued();
    }
    let text = template.format_json(
        &conversation["messages"],
        conversation.get("tools"),
        &options,
    )?;
    Ok(text.into_string())
}

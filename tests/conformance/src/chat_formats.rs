//! The chat formats of model families, compared with the output of the models' chat templates.
//!
//! The folder `chat_formats` of the golden files contains `conversations.json` and files of cases, each of which consists of a family,
//! a conversation and options. Everything is rendered with `lenient()` and `Guard::Allow`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::de::DeserializeOwned;
use typed_prompt::format::{ChatInput, Date, FormatOption, FormatOptions, check_options};
use typed_prompt::{ChatFormat, Guard, Result, format, message::Json};

/// The date on which the golden files were recorded.
const DAY: Date = Date {
    year: 2025,
    month: 7,
    day: 26,
};

/// The entries of a JSON object, without keys that only describe the origin of a case.
pub(crate) type Object = BTreeMap<String, Json>;

/// The results of one family.
#[derive(Default)]
struct Score {
    passed: usize,
    cases: usize,
    /// Cases in which the template itself fails: rendered here, and refused here.
    crashed: [usize; 2],
}

#[test]
fn chat_formats() {
    let folder = folder().join("chat_formats");
    if has_other_goldens() && !folder.is_dir() {
        return;
    }
    let goldens = case_files(&folder);
    let list = |key: &str| {
        let lists = goldens
            .iter()
            .filter_map(|file| get::<Vec<Object>>(file, key));
        lists.flatten().collect::<Vec<_>>()
    };
    let mut conversations: Vec<Object> = read(&folder.join("conversations.json"));
    conversations.extend(list("prefill_conversations"));
    let conversations: BTreeMap<_, _> = conversations
        .iter()
        .map(|one| (get::<String>(one, "id"), one))
        .collect();

    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut report = String::new();
    for case in ["cases", "kwargs_cases", "prefill_cases"]
        .into_iter()
        .flat_map(list)
    {
        let family: String = get(&case, "family").expect("a case names its family");
        let name: Option<String> = get(&case, "conversation");
        let score = scores.entry(family.clone()).or_default();
        score.cases += 1;
        let conversation = conversations
            .get(&name)
            .ok_or("    there is no such conversation".to_owned());
        match conversation.and_then(|conversation| check(&family, &case, conversation, score)) {
            Ok(()) => score.passed += 1,
            Err(why) => {
                report += &format!(
                    "chat_formats: {family} {} failed\n{why}\n",
                    name.unwrap_or_default()
                );
            }
        }
    }
    for (family, score) in &scores {
        let [rendered, refused] = score.crashed;
        let crashed = match rendered + refused {
            0 => String::new(),
            _ => format!(" (the template crashes: {rendered} rendered, {refused} refused)"),
        };
        println!("{family}: {} of {}{crashed}", score.passed, score.cases);
    }
    let passed: usize = scores.values().map(|score| score.passed).sum();
    let failed = scores.values().map(|score| score.cases).sum::<usize>() - passed;
    println!("{report}chat_formats: {passed} passed, {failed} failed");
    assert_eq!(failed, 0, "{failed} cases of chat_formats failed");
}

/// The files of cases in a folder, by name.
fn case_files(folder: &Path) -> Vec<Object> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        is_json && !path.ends_with("conversations.json")
    });
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn other_goldens() -> Option<OsString> {
    env::var_os("GOLDENS").filter(|named| !named.is_empty())
}

/// Whether the cases are of another folder than the project's own, which may lack some systems.
pub(crate) fn has_other_goldens() -> bool {
    other_goldens().is_some()
}

/// The folder that `GOLDENS` names, else the project's own copy.
pub(crate) fn folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../goldens");
    let named = other_goldens();
    named.map_or(own, |named| {
        // cargo runs tests in the folder of the package; a relative path is relative to it or to the workspace.
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(&named);
        if workspace.is_dir() {
            workspace
        } else {
            PathBuf::from(named)
        }
    })
}

pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> T {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn get<T: DeserializeOwned>(object: &Object, key: &str) -> Option<T> {
    object.get(key)?.deserialize_as().ok()
}

fn check(
    family: &str,
    case: &Object,
    conversation: &Object,
    score: &mut Score,
) -> Result<(), String> {
    let got = render(family, case, conversation);
    let kind = get::<Object>(case, "expect_error").and_then(|error| get::<String>(&error, "kind"));
    match (get::<String>(case, "expect"), kind.as_deref(), got) {
        (Some(wanted), _, Ok(got)) if wanted == got => Ok(()),
        (Some(wanted), _, Ok(got)) => Err(crate::diff::texts(&wanted, &got)),
        (Some(_), _, Err(error)) => Err(format!("    error: {error}")),
        (None, Some("raise"), Err(_)) => Ok(()),
        (None, Some("raise"), Ok(got)) => Err(format!("    expected an error, got:\n    {got:?}")),
        (None, Some(_), got) => {
            // A failure of the template is not a rule: a text, or an error with a reason, is better.
            score.crashed[usize::from(got.is_err())] += 1;
            Ok(())
        }
        (None, None, _) => Err("    the case expects nothing".to_owned()),
    }
}

fn render(family: &str, case: &Object, conversation: &Object) -> Result<String> {
    // The name of Alpaca's original layout here.
    let name = if family == "alpaca" {
        "alpaca-chat"
    } else {
        family
    };
    let format = format::model_format(name)?;
    let mut options = FormatOptions::new()
        .lenient()
        .guard(Guard::Allow)
        .generation_prompt(get(case, "add_generation_prompt").unwrap_or(false));
    // The template of Llama 3.1 contains a fixed date.
    if family != "llama-3.1" && format.supports(FormatOption::Date) {
        options = options.date(DAY);
    }
    if get(case, "continue_final_message") == Some(true) {
        options = options.continued();
    }
    let mut tools = conversation.get("tools").cloned();
    for (key, value) in get::<Object>(case, "kwargs").unwrap_or_default() {
        let changed = switch(options.clone(), &key, &value, &mut tools)?;
        // A template does not read the variable of an option that its family does not support, which is an error here.
        let is_supported = |option| format.supports(option);
        match changed.special_options().all(is_supported) {
            true => options = changed,
            false => assert!(check_options(&format, &changed).is_err(), "{family}: {key}"),
        }
    }
    let chat = ChatInput::from_json(&conversation["messages"], tools.as_ref())?;
    Ok(format.format_chat(&chat, &options)?.into_string())
}

fn switch(
    mut options: FormatOptions,
    key: &str,
    value: &Json,
    tools: &mut Option<Json>,
) -> Result<FormatOptions> {
    let is_on = value.as_str() == "true";
    Ok(match key {
        "enable_thinking" | "thinking" => options.thinking(is_on),
        "thinking_mode" => match value.as_str() {
            "\"adaptive\"" => options,
            mode => options.thinking(mode == "\"enabled\""),
        },
        "preserved_thinking" => options.keep_reasoning(is_on),
        "low_effort" if is_on => options.effort("low"),
        "medium_effort" if is_on => options.effort("medium"),
        "clear_thinking" | "truncate_history_thinking" => options.keep_reasoning(!is_on),
        // The budget of Seed-OSS for reasoning, in tokens.
        "thinking_budget" => options.thinking(value.as_str() != "0"),
        "date_string" => {
            options.date = None;
            options.date_text(value.deserialize_as::<String>()?)
        }
        "tools_in_user_message" => options.tools_in_user(is_on),
        "builtin_tools" => options.builtin_tools(value.deserialize_as::<Vec<String>>()?),
        "documents" => options.documents(value.deserialize_as::<Vec<Json>>()?),
        "controls" => options.controls(value.clone()),
        "reasoning_effort" | "reasoning_strength" | "thinking_effort" => {
            options.effort(value.deserialize_as::<String>()?)
        }
        "model_identity" => options.identity(value.deserialize_as::<String>()?),
        "python_tools" => options.python_tools(value.deserialize_as::<Vec<Json>>()?),
        // SmolLM 3 uses `xml_tools` if there are no `tools`.
        "xml_tools"
            if tools
                .as_ref()
                .is_some_and(|tools| !matches!(tools.as_str(), "null" | "[]")) =>
        {
            options
        }
        "tools" | "xml_tools" | "custom_tools" => {
            *tools = Some(value.clone());
            options
        }
        key => panic!("the goldens give a switch `{key}`, which this driver does not know"),
    })
}

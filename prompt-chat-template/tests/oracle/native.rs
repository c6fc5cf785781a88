//! The native formats beside transformers: each case of a template that has a native format, with `lenient()`.

use std::collections::BTreeSet;

use prompt_core::format::{
    self, ChatInput, ConversationTemplate, FormatOption, FormatOptions, NativeFormat, SystemDate,
};
use prompt_core::{ChatFormat, Error, Guard, Json};
use serde_json::Value;

use crate::conversations::{Conversation, conversations, for_each_case, is_set, templates};
use crate::{DAY, Differences, bound, text};

/// The native format of each template. A template without one is read by `ChatTemplate` alone.
const NATIVE: &[(&str, Option<NativeFormat>)] = &[
    ("cohere", Some(format::COMMAND_R)),
    ("cohere2", None),
    ("deepseek_r1_distill", None),
    // It opens the reasoning: this is R1's template under V3's name.
    ("deepseekv3", Some(format::DEEPSEEK_R1)),
    ("diffusion_gemma", Some(format::DIFFUSION_GEMMA)),
    ("gemma", Some(format::GEMMA2)),
    ("gemma3", Some(format::GEMMA3)),
    // The native format of Gemma 4, and that of LFM2, is that of the last revision.
    ("gemma4", None),
    ("gemma4_v2", None),
    ("gemma4_v3", None),
    ("gemma4_v4", None),
    ("gemma4_v5", Some(format::GEMMA4)),
    ("glm4moe", Some(format::GLM4_5)),
    ("gptoss", Some(format::GPT_OSS)),
    ("idefics3", Some(format::IDEFICS3)),
    ("lfm2", None),
    ("lfm2_2_5", None),
    ("lfm2_2_5_v2", None),
    ("lfm2_2_5_vl", None),
    ("lfm2_v2", Some(format::LFM2)),
    ("llama3", Some(format::LLAMA3)),
    ("llama3_1", Some(format::LLAMA3_1)),
    ("llama3_2", Some(format::LLAMA3_2)),
    ("llava_next", None),
    ("muse_glimmer", None),
    (
        "nemotron_3_5_lightning",
        Some(format::NEMOTRON3_5_LIGHTNING),
    ),
    ("nemotron_3_nano", Some(format::NEMOTRON3_NANO)),
    ("nemotron_3_super", Some(format::NEMOTRON3_SUPER)),
    ("nemotron_3_ultra", Some(format::NEMOTRON3_ULTRA)),
    ("phi3", Some(format::PHI3)),
    ("phi3_5", Some(format::PHI3_5)),
    ("qwen2_5", Some(format::QWEN2_5)),
    ("qwen2_5_vl", Some(format::QWEN2_5_VL)),
    ("qwen3", Some(format::QWEN3)),
    ("qwen3_5_nothink", Some(format::QWEN3_5_SMALL)),
    ("qwen3_5_think", Some(format::QWEN3_5)),
    ("qwen3_6", Some(format::QWEN3_6)),
    ("qwen3_8", Some(format::QWEN3_8)),
    ("qwen3_instruct_2507", Some(format::QWEN3_INSTRUCT)),
    ("qwen3_vl", Some(format::QWEN3_VL)),
    ("smolvlm", Some(format::SMOLVLM)),
];

/// Cases that may differ, and why.
const DECLARED: &[Difference] = &[
    Difference {
        template: "gemma3",
        conversations: &["image_url"],
        variable: "",
        why: "the processor renames the part, which the tokenizer, and `lenient()`, leave out",
    },
    Difference {
        template: "glm4moe",
        conversations: &["call_result_object"],
        variable: ANY,
        why: "the template writes the keys of an object and drops its values, which is an error here",
    },
    Difference {
        template: "diffusion_gemma",
        conversations: &["reasoning_several"],
        variable: ANY,
        why: "the template takes another one of several reasonings; `Messages` have one",
    },
    Difference {
        template: "gemma4_v5",
        conversations: &["reasoning_several"],
        variable: ANY,
        why: "the template takes another one of several reasonings; `Messages` have one",
    },
    Difference {
        template: "idefics3",
        conversations: &[],
        variable: "",
        why: "the template writes nothing for a content that is a text and not a list, which is written here",
    },
    Difference {
        template: "qwen2_5_vl",
        conversations: &["call_result_object"],
        variable: "",
        why: "the template writes nothing for a result that is an object, which is an error here",
    },
    Difference {
        template: "qwen3_vl",
        conversations: &["call_result_object"],
        variable: "",
        why: "the template writes nothing for a result that is an object, which is an error here",
    },
    Difference {
        template: "smolvlm",
        conversations: &[],
        variable: "",
        why: "the template writes nothing for a content that is a text and not a list, which is written here",
    },
];

/// With any variable, and with none.
const ANY: &str = "any";

/// Cases whose texts differ for a reason.
struct Difference {
    template: &'static str,
    /// The names of conversations. Empty for all of them.
    conversations: &'static [&'static str],
    /// The variable that the case sets, empty if it sets none, or [`ANY`].
    variable: &'static str,
    why: &'static str,
}

impl Difference {
    fn covers(&self, template: &str, case: &Value) -> bool {
        let conversation = text(case, "conversation");
        let variables = text(case, "variables");
        let sets = match self.variable {
            ANY => true,
            "" => variables == "{}",
            name => variables.contains(&format!("{name:?}")),
        };
        let names = self.conversations;
        self.template == template && sets && (names.is_empty() || names.contains(&conversation))
    }
}

#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn as_in_transformers() {
    let conversations = conversations();
    let known: BTreeSet<&str> = NATIVE.iter().map(|row| row.0).collect();
    let templates = templates();
    let models = templates.keys().filter(|name| !name.ends_with("_training"));
    let models: BTreeSet<&str> = models.map(String::as_str).collect();
    assert_eq!(models, known, "the templates that have a row");
    let mut differences = Differences::default();
    let mut seen = vec![0; DECLARED.len()];
    for_each_case("cases.jsonl", |name, case| {
        let template = text(case, "template");
        let mut rows = NATIVE.iter().filter(|row| row.0 == template);
        let Some(native) = rows.find_map(|row| row.1) else {
            return;
        };
        let got = render(native, case, &conversations[text(case, "conversation")]);
        let got = match got {
            Err(Unrendered::Variable(name)) => {
                differences.leave_out(&format!("{template}: no option is the variable `{name}`"));
                return;
            }
            Err(Unrendered::Refused(error)) => Err(error.to_string()),
            Ok(text) => Ok(text),
        };
        let family = native.family();
        // The templates are rendered with the names of other tokens.
        let expected = case["text"].as_str().map(|text| {
            let text = text.replace("</s>", family.eos);
            text.replace("<s>", family.bos)
        });
        // A failure of the template is not a rule: a text, or an error with a reason, is better.
        let is_crash = expected.is_none() && !text(case, "error").starts_with("TemplateError");
        let expected = expected.as_deref().ok_or_else(|| text(case, "error"));
        let got = got.as_deref().map_err(String::as_str);
        let is_same = is_crash || expected.is_err() && got.is_err() || expected == got;
        let declared = DECLARED.iter().position(|row| row.covers(template, case));
        match declared {
            Some(at) if !is_same => {
                seen[at] += 1;
                differences.leave_out(&format!("{template}: {}", DECLARED[at].why));
            }
            _ if is_crash => differences.compare(template, name, Ok(""), Ok("")),
            _ => differences.compare(template, name, expected, got),
        }
    });
    for (row, seen) in DECLARED.iter().zip(seen) {
        assert!(seen > 0, "{}: no case differs: {}", row.template, row.why);
    }
    differences.finish("native formats", bound("NATIVE_BOUND"));
}

/// Why a case has no text in a native format.
enum Unrendered {
    /// The template reads a variable that is not an option here.
    Variable(String),
    Refused(Error),
}

impl From<Error> for Unrendered {
    fn from(error: Error) -> Unrendered {
        Unrendered::Refused(error)
    }
}

fn render(
    native: NativeFormat,
    case: &Value,
    (messages, tools): &Conversation,
) -> Result<String, Unrendered> {
    let mut options = FormatOptions::new()
        .guard(Guard::Allow)
        .lenient()
        .generation_prompt(is_set(case, "add_generation_prompt"));
    let template = native.family().template;
    let is_fixed = matches!(template, ConversationTemplate::Llama(SystemDate::Fixed(_)));
    if native.supports(FormatOption::Date) && !is_fixed {
        options = options.date(DAY);
    }
    if is_set(case, "continue_final_message") {
        options = options.continued();
    }
    let mut tools = tools.clone();
    let variables = Json::parse(text(case, "variables"))?;
    for (name, value) in variables.entries().unwrap_or_default() {
        options = set(options, &name, &value, &mut tools)?;
    }
    let chat = ChatInput::from_json(messages, Some(&tools))?;
    Ok(native.format_chat(&chat, &options)?.into_string())
}

/// Sets the option that a template's variable is here.
fn set(
    mut options: FormatOptions,
    name: &str,
    value: &Json,
    tools: &mut Json,
) -> Result<FormatOptions, Unrendered> {
    let is_on = value.as_str() == "true";
    let text = || value.as_string().unwrap_or_default();
    let list = || value.items().unwrap_or_default();
    Ok(match name {
        "enable_thinking" => options.thinking(is_on),
        "preserve_thinking" => options.keep_reasoning(is_on),
        "truncate_history_thinking" => options.keep_reasoning(!is_on),
        "low_effort" if is_on => options.effort("low"),
        "medium_effort" if is_on => options.effort("medium"),
        "reasoning_effort" | "reasoning_strength" => options.effort(text()),
        "model_identity" => options.identity(text()),
        "tools_in_user_message" => options.tools_in_user(is_on),
        "builtin_tools" => options.builtin_tools(list().iter().filter_map(Json::as_string)),
        "documents" => options.documents(list()),
        "date_string" => {
            options.date = None;
            options.date_text(text())
        }
        "custom_tools" => {
            *tools = value.clone();
            options
        }
        name => return Err(Unrendered::Variable(name.to_owned())),
    })
}

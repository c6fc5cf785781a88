//! The native formats beside transformers: each case of a template that has a native format, with `lenient()`.

use std::collections::BTreeSet;

use prompt_core::format::{
    self, ChatInput, ConversationTemplate, FormatOption, FormatOptions, NativeFormat, SystemDate,
};
use prompt_core::{ChatFormat, Error, Guard, Json};
use serde_json::Value;

use crate::conversations::{conversations, for_each_case, is_set, templates};
use crate::{DAY, Differences, bound, text};

/// The native format of each template, or why it has none: `ChatTemplate` alone reads it.
pub(crate) const NATIVE: &[(&str, Result<NativeFormat, &str>)] = &[
    ("cohere", Ok(format::COMMAND_R)),
    ("cohere2", Ok(format::COHERE2)),
    ("deepseek_r1_distill", Err(DISTILLED)),
    // It opens the reasoning: this is R1's template under V3's name.
    ("deepseekv3", Ok(format::DEEPSEEK_R1)),
    ("diffusion_gemma", Ok(format::DIFFUSION_GEMMA)),
    ("gemma", Ok(format::GEMMA2)),
    ("gemma3", Ok(format::GEMMA3)),
    ("gemma4", Err(EARLIER)),
    ("gemma4_v2", Err(EARLIER)),
    ("gemma4_v3", Err(EARLIER)),
    ("gemma4_v4", Err(EARLIER)),
    ("gemma4_v5", Ok(format::GEMMA4)),
    ("glm4moe", Ok(format::GLM4_5)),
    ("gptoss", Ok(format::GPT_OSS)),
    ("idefics3", Ok(format::IDEFICS3)),
    ("lfm2", Err(EARLIER)),
    // It reads fewer names of the reasoning, which transformers gives all of them.
    ("lfm2_2_5", Ok(format::LFM2_5)),
    ("lfm2_2_5_v2", Ok(format::LFM2_5)),
    ("lfm2_2_5_vl", Ok(format::LFM2_5_VL)),
    ("lfm2_v2", Ok(format::LFM2)),
    ("llama3", Ok(format::LLAMA3)),
    ("llama3_1", Ok(format::LLAMA3_1)),
    ("llama3_2", Ok(format::LLAMA3_2)),
    ("llava_next", Err(UNSUPPORTED)),
    ("muse_glimmer", Ok(format::MUSE_GLIMMER)),
    ("nemotron_3_5_lightning", Ok(format::NEMOTRON3_5_LIGHTNING)),
    ("nemotron_3_nano", Ok(format::NEMOTRON3_NANO)),
    ("nemotron_3_super", Ok(format::NEMOTRON3_SUPER)),
    ("nemotron_3_ultra", Ok(format::NEMOTRON3_ULTRA)),
    ("phi3", Ok(format::PHI3)),
    ("phi3_5", Ok(format::PHI3_5)),
    ("qwen2_5", Ok(format::QWEN2_5)),
    ("qwen2_5_vl", Ok(format::QWEN2_5_VL)),
    ("qwen3", Ok(format::QWEN3)),
    ("qwen3_5_nothink", Ok(format::QWEN3_5_SMALL)),
    ("qwen3_5_think", Ok(format::QWEN3_5)),
    ("qwen3_6", Ok(format::QWEN3_6)),
    ("qwen3_8", Ok(format::QWEN3_8)),
    ("qwen3_instruct_2507", Ok(format::QWEN3_INSTRUCT)),
    ("qwen3_vl", Ok(format::QWEN3_VL)),
    ("smolvlm", Ok(format::SMOLVLM)),
];

pub(crate) const DISTILLED: &str =
    "models of Qwen and Llama, with the tokens of these, have R1's template";
const EARLIER: &str = "the native format is that of the last revision";
pub(crate) const UNSUPPORTED: &str = "a model of `format::UNSUPPORTED`";

/// Templates that write nothing for a content that is a text and not a list. The native formats write it, and are compared with empty texts.
const OF_LISTS: [&str; 2] = ["idefics3", "smolvlm"];

/// Cases that may differ, and why.
const DECLARED: &[Difference] = &[
    Difference {
        template: "gemma3",
        conversations: &["image_url"],
        variable: "",
        why: PROCESSOR,
    },
    Difference {
        template: "idefics3",
        conversations: &["image_url"],
        variable: "",
        why: PROCESSOR,
    },
    Difference {
        template: "lfm2_2_5_vl",
        conversations: &["image_url"],
        variable: ANY,
        why: PROCESSOR,
    },
    Difference {
        template: "muse_glimmer",
        conversations: &["image_url"],
        variable: ANY,
        why: PROCESSOR,
    },
    Difference {
        template: "smolvlm",
        conversations: &["image_url"],
        variable: "",
        why: PROCESSOR,
    },
    Difference {
        template: "glm4moe",
        conversations: &["call_result_object"],
        variable: ANY,
        why: KEYS,
    },
    Difference {
        template: "lfm2_2_5",
        conversations: &["call_result_object"],
        variable: ANY,
        why: KEYS,
    },
    Difference {
        template: "lfm2_2_5_v2",
        conversations: &["call_result_object"],
        variable: ANY,
        why: KEYS,
    },
    Difference {
        template: "lfm2_2_5",
        conversations: &["image", "image_url", "images", "audio_video"],
        variable: ANY,
        why: NO_MEDIA,
    },
    Difference {
        template: "lfm2_2_5_v2",
        conversations: &["image", "image_url", "images", "audio_video"],
        variable: ANY,
        why: NO_MEDIA,
    },
    Difference {
        template: "lfm2_2_5",
        conversations: &["reasoning_empty"],
        variable: ANY,
        why: "this revision writes an empty reasoning, which the last one leaves out",
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
];

const PROCESSOR: &str =
    "the processor renames the part, which the tokenizer, and `lenient()`, leave out";
const KEYS: &str =
    "the template writes the keys of an object and drops its values, which is an error here";
const NO_MEDIA: &str =
    "the models take no media, which their template writes; they are an error here";

/// With any variable, and with none.
const ANY: &str = "any";

/// Cases whose texts differ for a reason.
struct Difference {
    template: &'static str,
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
        self.template == template && sets && self.conversations.contains(&conversation)
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
        let row = NATIVE.iter().find(|row| row.0 == template);
        let native = match row.map(|row| row.1) {
            Some(Ok(native)) => native,
            Some(Err(why)) => {
                differences.leave_out(&format!("{template}: {why}"));
                return;
            }
            None => return,
        };
        let (messages, tools) = &conversations[text(case, "conversation")];
        let got = match OF_LISTS.contains(&template) {
            true => render(native, case, &without_texts(messages), tools),
            false => render(native, case, messages, tools),
        };
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

/// The messages with empty contents in place of texts. Lists are the same.
fn without_texts(messages: &Json) -> Json {
    let mut messages: Value = serde_json::from_str(messages.as_str()).unwrap();
    let contents = messages.as_array_mut().unwrap().iter_mut();
    for content in contents.filter_map(|message| message.get_mut("content")) {
        if content.is_string() {
            *content = "".into();
        }
    }
    Json::parse(&messages.to_string()).unwrap()
}

fn render(
    native: NativeFormat,
    case: &Value,
    messages: &Json,
    tools: &Json,
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

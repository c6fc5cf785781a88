//! The bytes that the model generates, as transformers marks them with `return_assistant_tokens_mask`.

use std::collections::BTreeMap;
use std::ops::Range;

use prompt_chat_template::ChatTemplate;
use prompt_core::format::{self, ChatInput, FormatOption, FormatOptions, NativeFormat};
use prompt_core::{AnnotatedText, ChatFormat, Error, Guard};
use serde_json::Value;

use crate::conversations::{
    Conversation, conversations, for_each_case, prepare, sources, templates,
};
use crate::native::{DISTILLED, UNSUPPORTED};
use crate::{DAY, Differences, bound, text};

#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn as_in_transformers() {
    let templates = templates();
    let conversations = conversations();
    let mut differences = Differences::default();
    for_each_case("masks.jsonl", |name, case| {
        let template = text(case, "template");
        let conversation = &conversations[text(case, "conversation")];
        let got = templates[template]
            .clone()
            .and_then(|template| mark(template, case, conversation));
        let got = got.map_err(|error| error.to_string());
        let expected: Vec<[usize; 2]> = serde_json::from_value(case["generated"].clone()).unwrap();
        let expected = marked(
            text(case, "text"),
            expected.into_iter().map(|[start, end]| start..end),
        );
        differences.compare(
            template,
            name,
            Ok(&expected),
            got.as_deref().map_err(String::as_str),
        );
    });
    differences.finish("masks", bound("MASKS_BOUND"));
}

fn mark(
    template: ChatTemplate,
    case: &Value,
    (messages, tools): &Conversation,
) -> Result<String, Error> {
    let (template, options) = prepare(template, case, Guard::Allow)?;
    let text = template.format_json(messages, Some(tools), &options)?;
    Ok(marked(text.as_str(), text.generated()?.iter().cloned()))
}

/// The native format of each template that marks what the model generates, and the text that it marks before the format's range: the
/// part of the header that the model's chat template writes together with the answer. Or why there is none.
const NATIVE: &[(&str, Row)] = &[
    ("cohere2_training", Ok((format::COHERE2, &[]))),
    ("cohere_training", Ok((format::COMMAND_R, &[]))),
    ("deepseek_r1_distill_training", Err(DISTILLED)),
    (
        "deepseekv3_training",
        Ok((format::DEEPSEEK_V3, DISTILLED_HEADERS)),
    ),
    (
        "diffusion_gemma_training",
        Ok((format::DIFFUSION_GEMMA, &[])),
    ),
    ("gemma3_training", Ok((format::GEMMA3, &[]))),
    ("gemma_training", Ok((format::GEMMA2, &[]))),
    ("glm4moe_training", Ok((format::GLM4_5, &[]))),
    (
        "gptoss_training",
        Ok((format::GPT_OSS, &["<|start|>assistant"])),
    ),
    ("idefics3_training", Ok((format::IDEFICS3, &[]))),
    ("lfm2_2_5", Ok((format::LFM2_5, &[]))),
    ("lfm2_2_5_v2", Ok((format::LFM2_5, &[]))),
    ("lfm2_2_5_vl", Ok((format::LFM2_5_VL, &[]))),
    ("lfm2_training", Ok((format::LFM2, &[]))),
    ("lfm2_v2_training", Ok((format::LFM2, &[]))),
    ("llama3_training", Ok((format::LLAMA3, &[]))),
    ("llava_next_training", Err(UNSUPPORTED)),
    (
        "muse_glimmer_training",
        Ok((format::MUSE_GLIMMER, &["<|start|>assistant"])),
    ),
    (
        "nemotron_3_5_lightning_training",
        Ok((format::NEMOTRON3_5_LIGHTNING, &[])),
    ),
    (
        "nemotron_3_nano_training",
        Ok((format::NEMOTRON3_NANO, &[])),
    ),
    (
        "nemotron_3_super_training",
        Ok((format::NEMOTRON3_SUPER, &[])),
    ),
    (
        "nemotron_3_ultra_training",
        Ok((format::NEMOTRON3_ULTRA, &[])),
    ),
    ("phi3_5_training", Ok((format::PHI3_5, &[]))),
    ("phi3_training", Ok((format::PHI3, &[]))),
    ("qwen2_5_training", Ok((format::QWEN2_5, &["\n"]))),
    ("qwen2_5_vl_training", Ok((format::QWEN2_5_VL, &[]))),
    ("qwen3_5_nothink_training", Ok((format::QWEN3_5_SMALL, &[]))),
    ("qwen3_5_think_training", Ok((format::QWEN3_5, &[]))),
    ("qwen3_6_training", Ok((format::QWEN3_6, &[]))),
    ("qwen3_8_training", Ok((format::QWEN3_8, &[]))),
    (
        "qwen3_instruct_2507_training",
        Ok((format::QWEN3_INSTRUCT, &[])),
    ),
    ("qwen3_training", Ok((format::QWEN3, &[]))),
    ("qwen3_vl_training", Ok((format::QWEN3_VL, &[]))),
    ("smolvlm_training", Ok((format::SMOLVLM, &[]))),
];

/// As those of DeepSeek V3.
const DISTILLED_HEADERS: &[&str] = &["<｜Assistant｜>", "<｜tool▁outputs▁end｜>"];

type Row = Result<(NativeFormat, &'static [&'static str]), &'static str>;

/// Each case whose text a native format writes too.
#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn native_formats_mark_the_same_bytes() {
    let conversations = conversations();
    let mut differences = Differences::default();
    let mut seen = [0; NATIVE.len()];
    for_each_case("masks.jsonl", |name, case| {
        let template = text(case, "template");
        let Some(at) = NATIVE.iter().position(|row| row.0 == template) else {
            panic!("{template}: no row");
        };
        let (native, headers) = match NATIVE[at].1 {
            Ok(row) => row,
            Err(why) => {
                differences.leave_out(&format!("{template}: {why}"));
                return;
            }
        };
        let (messages, tools) = &conversations[text(case, "conversation")];
        let mut options = FormatOptions::new()
            .guard(Guard::Allow)
            .lenient()
            .generation_prompt(false);
        if native.supports(FormatOption::Date) {
            options = options.date(DAY);
        }
        let chat = ChatInput::from_json(messages, Some(tools));
        let Ok(got) = chat.and_then(|chat| native.format_chat(&chat, &options)) else {
            return;
        };
        // The templates of the test have the names of other tokens.
        let family = native.family();
        let with_tokens = |text: &str| {
            let (bos, rest) = match text.strip_prefix("<s>") {
                Some(rest) => (family.bos, rest),
                None => ("", text),
            };
            match rest.strip_suffix("</s>") {
                Some(rest) => [bos, rest, family.eos].concat(),
                None => [bos, rest].concat(),
            }
        };
        let whole = text(case, "text");
        if got.as_str() != with_tokens(whole) {
            return;
        }
        seen[at] += 1;
        let expected: Vec<[usize; 2]> = serde_json::from_value(case["generated"].clone()).unwrap();
        let expected = expected.into_iter().map(|[start, end]| {
            let range = after_header(whole, headers, start..end);
            with_tokens(&whole[..range.start]).len()..with_tokens(&whole[..end]).len()
        });
        let expected = marked(got.as_str(), expected);
        let got = marked(got.as_str(), got.generated().unwrap().iter().cloned());
        differences.compare(template, name, Ok(&expected), Ok(&got));
    });
    for ((template, row), seen) in NATIVE.iter().zip(seen) {
        println!("{seen:6} {template}");
        assert!(
            seen > 0 || row.is_err(),
            "{template}: no case has the text of the native format"
        );
    }
    differences.finish("masks of native formats", bound("NATIVE_MASKS_BOUND"));
}

/// Without `{% generation %}` tags, a template marks the same bytes: as with the tags, or as the native format of the template's model
/// where both write the same text. What it cannot mark is an error.
#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn turns_without_tags() {
    let conversations = conversations();
    let mut differences = Differences::default();
    let mut seen = BTreeMap::new();
    for (name, source) in sources() {
        let untagged = without_tags(&source);
        let is_tagged = untagged != source;
        let native = match crate::native::NATIVE.iter().find(|row| row.0 == name) {
            Some((_, Ok(native))) => Some(*native),
            _ => None,
        };
        let case = serde_json::json!({ "variables": "{}" });
        let tagged = ChatTemplate::parse(&source).unwrap();
        let untagged = ChatTemplate::parse(&untagged).unwrap();
        for (conversation, input) in &conversations {
            let marks = |template: &ChatTemplate| {
                let (template, options) = prepare(template.clone(), &case, Guard::Allow)?;
                template.format_json(&input.0, Some(&input.1), &options)
            };
            let Ok(text) = marks(&untagged) else {
                continue;
            };
            let expected = match (is_tagged, native) {
                (true, _) => marks(&tagged),
                (false, Some(native)) => mark_native(native, input),
                (false, None) => continue,
            };
            let Ok(expected) = expected else {
                continue;
            };
            if with_tokens_of(native, text.as_str()) != expected.as_str() {
                continue;
            }
            *seen.entry(name.clone()).or_insert(0) += 1;
            let headers = match NATIVE.iter().find(|row| row.0 == name) {
                _ if !is_tagged => &[][..],
                Some((_, Ok((_, headers)))) => headers,
                Some((_, Err(DISTILLED))) => DISTILLED_HEADERS,
                _ => &[],
            };
            let ranges = expected.generated().unwrap().iter().cloned();
            let ranges = ranges.map(|range| after_header(expected.as_str(), headers, range));
            let expected = marked(expected.as_str(), ranges);
            match text.generated() {
                Ok(ranges) => {
                    let got = marked(text.as_str(), ranges.iter().cloned());
                    let got = with_tokens_of(native, &got);
                    differences.compare(&name, conversation, Ok(&expected), Ok(&got));
                }
                Err(error) => {
                    let message = error.message();
                    let why = message
                        .rsplit_once("unknown: ")
                        .map_or(message, |parts| parts.1);
                    differences.leave_out(&format!("{name}: {why}"));
                }
            }
        }
    }
    for (name, seen) in seen {
        println!("{seen:6} {name}");
    }
    differences.finish("turns without tags", bound("TURNS_BOUND"));
}

fn mark_native(
    native: NativeFormat,
    (messages, tools): &Conversation,
) -> Result<AnnotatedText, Error> {
    let mut options = FormatOptions::new()
        .guard(Guard::Allow)
        .lenient()
        .generation_prompt(false);
    if native.supports(FormatOption::Date) {
        options = options.date(DAY);
    }
    native.format_chat(&ChatInput::from_json(messages, Some(tools))?, &options)
}

/// A range without the part of a header that it begins with.
fn after_header(text: &str, headers: &[&str], range: Range<usize>) -> Range<usize> {
    let mut headers = headers.iter();
    let header = headers.find(|header| text[range.start..].starts_with(**header));
    range.start + header.map_or(0, |header| header.len())..range.end
}

/// The text with the tokens of a model in place of those of the cases.
fn with_tokens_of(native: Option<NativeFormat>, text: &str) -> String {
    let Some(native) = native else {
        return text.to_owned();
    };
    let family = native.family();
    text.replace("</s>", family.eos).replace("<s>", family.bos)
}

/// The template without its tags around what the model generates.
fn without_tags(source: &str) -> String {
    let tag = |name: &str, other: &str, source: String| {
        [" ", "- "].iter().fold(source, |source, open| {
            source
                .replace(&format!("{{%{open}{name} "), &format!("{{%{open}{other} "))
                .replace(&format!("{{%{open}{name}-"), &format!("{{%{open}{other} -"))
        })
    };
    let source = tag("generation", "if true", source.to_owned());
    tag("endgeneration", "endif", source)
}

/// The text with each range in brackets; ranges that touch are one.
fn marked(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> String {
    let (mut out, mut at, mut is_open) = (String::new(), 0, false);
    for range in ranges.filter(|range| !range.is_empty()) {
        if is_open && range.start > at {
            out.push('⟧');
        }
        if !is_open || range.start > at {
            out.push_str(&text[at..range.start]);
            out.push('⟦');
        }
        out.push_str(&text[range.clone()]);
        (at, is_open) = (range.end, true);
    }
    if is_open {
        out.push('⟧');
    }
    out + &text[at..]
}

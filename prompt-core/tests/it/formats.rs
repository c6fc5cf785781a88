//! The model formats compared with the models' chat templates, and the errors for content that they do not support.

use prompt_core::format;
use prompt_core::{ChatFormat, Guard, History, Json, Media, Message, Messages, Tool, ToolCall};
use serde_json::Value;

use crate::formats_page::KINDS;

/// A result has its own name, if it has one, else that of its call; the effort is a strength in each place.
#[test]
fn muse_glimmer_names_results_and_strengths() {
    let write = |result: Message| {
        let call = Message::calls([ToolCall::new("c1", "tide", "{}")]);
        let system = Message::system("Reasoning effort: low. A reasoning effort. ");
        let chat = Messages::from([system, Message::user("Hi"), call, result]);
        chat.to_text(format::MUSE_GLIMMER).unwrap()
    };
    let text = write(Message::tool("c1", "6:12").with_name("moon"));
    assert!(text.contains("<tool_output name=\"moon\">"), "{text}");
    assert!(
        text.contains("Reasoning strength: low. A reasoning strength. "),
        "{text}"
    );
    let text = write(Message::tool("c1", "6:12"));
    assert!(text.contains("<tool_output name=\"tide\">"), "{text}");
}

/// Recorded outputs of the models' templates.
#[test]
fn goldens() {
    let read = |name: &str| -> Value {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/goldens/chat_formats/"
        );
        serde_json::from_str(&std::fs::read_to_string(folder.to_owned() + name).unwrap()).unwrap()
    };
    let (goldens, conversations) = (read("goldens.json"), read("conversations.json"));
    let formats: [(&str, format::NativeFormat); 3] = [
        ("chatml", format::CHATML),
        ("llama-3", format::LLAMA3),
        ("llama-2", format::LLAMA2),
    ];
    let (mut equal, mut errors, mut stricter) = (0, 0, Vec::new());
    for case in goldens["cases"].as_array().unwrap() {
        let Some((_, format)) = formats.iter().find(|(name, _)| case["family"] == *name) else {
            continue;
        };
        let conversation = conversations
            .as_array()
            .unwrap()
            .iter()
            .find(|entry| entry["id"] == case["conversation"])
            .unwrap();
        let prompt = case["add_generation_prompt"].as_bool().unwrap();
        let history = History::parse_with_system(&conversation["messages"].to_string());
        let mut result = history.map(|history| history.into_iter().collect::<Messages>());
        if let (Ok(messages), Some(tools)) = (
            &mut result,
            conversation.get("tools").filter(|tools| tools.is_array()),
        ) {
            *messages = tools
                .as_array()
                .unwrap()
                .iter()
                .fold(std::mem::take(messages), |messages, tool| {
                    messages.with_tool(Tool::from_json(&tool.into()).unwrap())
                });
        }
        let result = result.and_then(|messages| {
            messages.to_text((*format).guard(Guard::Allow).generation_prompt(prompt))
        });
        let id = format!("{} {} {prompt}", case["family"], case["conversation"]);
        match (result, case.get("expect")) {
            (Ok(text), Some(expected)) => {
                assert_eq!(Value::from(text), *expected, "{id}");
                equal += 1;
            }
            (Err(_), None) => errors += 1,
            (Err(error), Some(_)) => stricter.push(format!("{id}: {error}")),
            // A template that cannot cope with content in parts; text parts are text to us.
            (Ok(_), None) => assert_ne!(case["expect_error"]["kind"], "raise", "{id}"),
        }
    }
    eprintln!("{}", stricter.join("\n"));
    eprintln!(
        "chat formats: {equal} equal, {errors} errors as in the template, {} more are errors",
        stricter.len()
    );
    assert!(equal > 60);
}

#[test]
fn content_that_a_family_does_not_support_is_an_error() {
    let check = |format: &dyn ChatFormat, messages: Messages, expected: &str| {
        assert_eq!(messages.to_text(format).unwrap_err().to_string(), expected);
    };
    let user = || Message::user("u");
    check(
        &format::ALPACA,
        Messages::from([user(), Message::assistant("a"), user()]),
        "message 1 (assistant) is part of a conversation, which Alpaca does not support; \
         use a chat format such as `chatml`, or send one question without history",
    );
    check(
        &format::ALPACA,
        Messages::from([Message::system("s"), user(), user()]),
        "message 2 (user) is one message too many, which Alpaca does not support; \
         give one instruction (system), one input (user), or both in this order",
    );
    check(
        &format::CHATML,
        Messages::from([user().with_media(Media::image_url("https://example.com/a.png"))]),
        "message 0 (user) holds an image, audio, video or file, which ChatML does not support; use a chat API",
    );
    check(
        &format::LLAMA2,
        Messages::from([user(), user()]),
        "message 1 (user) comes where the assistant's message is expected, which Llama 2 does not support; \
         alternate user and assistant messages, after one system message at most",
    );
    check(
        &format::LLAMA2,
        Messages::from([Message::system("s")]),
        "message 0 (system) is the only message, which Llama 2 does not support; add a user message",
    );
    check(
        &format::LLAMA3,
        Messages::from([user()]).with_tool(Tool::new("add")),
        "the tool `add` is offered, which Llama 3 does not support; \
         use a chat API, which takes tools beside the messages, or a layout with tools",
    );
    check(
        &format::CHATML,
        Messages::from([user(), Message::assistant("a")]),
        "message 1 is the assistant's, so there is nothing to answer; \
         end with a user message; `.continued()` leaves the last message open, and `.generation_prompt(false)` renders a finished conversation",
    );
    check(
        &format::CHATML.label("b"),
        Messages::from([user(), Message::assistant("a")]),
        "message 1 is the assistant's already, so no label can follow; \
         leave the label out, or end with the user's message",
    );
}

#[test]
fn labels_and_switches() {
    let ask = Messages::from([Message::system("s"), Message::user("u")]);
    let check = |format: &dyn ChatFormat, expected: &str| {
        assert_eq!(ask.to_text(format).unwrap(), expected);
    };
    check(
        &format::CHATML.label("a<|im_end|>"),
        "<|im_start|>system\ns<|im_end|>\n<|im_start|>user\nu<|im_end|>\n<|im_start|>assistant\na<|im_end|>",
    );
    // Only at its end: elsewhere a token in a label is data.
    check(
        &format::CHATML.label("a<|im_end|>b"),
        "<|im_start|>system\ns<|im_end|>\n<|im_start|>user\nu<|im_end|>\n<|im_start|>assistant\na< |im_end|>b",
    );
    check(
        &format::LLAMA2.bos(false).label("a"),
        "[INST] <<SYS>>\ns\n<</SYS>>\n\nu [/INST] a",
    );
    check(
        &format::LLAMA3.bos(false).generation_prompt(false),
        "<|start_header_id|>system<|end_header_id|>\n\ns<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nu<|eot_id|>",
    );
    check(&format::PLAIN.label("a"), "s\n\nua");
    let without = Messages::from([Message::user("u")])
        .to_text(format::ALPACA.label("a"))
        .unwrap();
    assert!(without.ends_with("completes the request.\n\n### Instruction:\nu\n\n### Response:a"));
}

#[test]
fn unknown_names_are_never_guessed() {
    let unknown = [
        "",
        ":",
        "8b",
        "llama",
        "yi",
        "yi:6b",
        "kimi",
        // A model of Qwen with its chat format, which Ollama names after the model that taught it.
        "deepseek-r1:8b",
        // The model before its training for chats.
        "meta-llama/Llama-3.1-8B",
        "Qwen3-8B-Coder",
        "llama31:8b",
    ];
    for name in unknown {
        let error = format::from_name(name).expect_err(name);
        assert!(error.message().starts_with("there is no format"), "{error}");
    }
    for format in format::FORMATS {
        assert_eq!(
            format::from_name(format.family().name)
                .unwrap()
                .family()
                .name,
            format.family().name
        );
    }
}

/// A model that is known has a format, or an error with the reason: never the advice to use another model's format. The
/// name of the format is empty where an error has the reason.
#[test]
fn known_models_have_a_format_or_a_reason() {
    let names = [
        ("Qwen/Qwen2.5-VL-7B-Instruct", "qwen2_5_vl"),
        ("Qwen/Qwen3-VL-8B-Instruct", "qwen3_vl"),
        ("Qwen/Qwen3.5-9B", "qwen3_5"),
        ("Qwen/Qwen3.6-27B", "qwen3_6"),
        ("Qwen/Qwen3.8-27B", "qwen3_8"),
        ("google/gemma-4-31B-it", "gemma4"),
        ("google/diffusiongemma-26B-A4B-it", "diffusion_gemma"),
        ("google/functiongemma-270m-it", ""),
        ("deepseek-ai/DeepSeek-V3.2", "deepseek_v3_2"),
        ("deepseek-ai/DeepSeek-V4-Flash", "deepseek_v4"),
        ("deepseek-ai/DeepSeek-V4-Flash-0731", "deepseek_v4_0731"),
        ("zai-org/GLM-4.6", "glm4_5"),
        ("zai-org/GLM-4.7", "glm4_7"),
        ("moonshotai/Kimi-K2.5", ""),
        ("moonshotai/Kimi-K3", "kimi_k3"),
        ("MiniMaxAI/MiniMax-M2", "minimax_m2"),
        ("MiniMaxAI/MiniMax-M3", "minimax_m3"),
        (
            "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
            "nemotron3_nano",
        ),
        (
            "nvidia/NVIDIA-Nemotron-3.5-Lightning-30B-A3B-BF16",
            "nemotron3_5_lightning",
        ),
        ("ibm-granite/granite-4.0-h-small", "granite4"),
        ("allenai/Olmo-3-7B-Instruct", ""),
        ("allenai/Olmo-3.1-32B-Instruct", "olmo3"),
        ("allenai/Olmo-3-32B-Think", ""),
        ("CohereLabs/c4ai-command-a-03-2025", ""),
        ("CohereLabs/tiny-aya-earth", "cohere2"),
        ("CohereLabs/c4ai-command-r7b-12-2024", "command_r7b"),
        (
            "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
            "mistral_v11",
        ),
        ("mistralai/Magistral-Small-2509", "mistral_v13"),
        ("mistralai/Devstral-Small-2507", "mistral_v13"),
        ("mistralai/Ministral-3-8B-Instruct-2512", "mistral_v13"),
        ("ByteDance-Seed/Seed-OSS-36B-Instruct", "seed_oss"),
        ("stepfun-ai/Step-3.5-Flash", "step3_5"),
        ("tencent/Hunyuan-A13B-Instruct", ""),
        ("baidu/ERNIE-4.5-21B-A3B-PT", ""),
        ("LiquidAI/LFM2.5-8B-A1B", "lfm2_5"),
        ("meta-models/Muse-Glimmer-30B", "muse_glimmer"),
        ("HuggingFaceTB/SmolVLM-Instruct", "smolvlm"),
        ("HuggingFaceM4/Idefics3-8B-Llama3", "idefics3"),
        ("llava-hf/llava-v1.6-mistral-7b-hf", ""),
        ("ai21labs/AI21-Jamba-1.5-Mini", ""),
        ("ai21labs/AI21-Jamba-Mini-1.7", "jamba1_7"),
        ("swiss-ai/Apertus-8B-Instruct-2509", "apertus"),
        ("swiss-ai/Apertus-v1.5-70B", ""),
        ("ai-sage/GigaChat3-10B-A1.8B", ""),
    ];
    let found = names.map(|(name, _)| match format::from_name(name) {
        Ok(format) => (name, format.family().name),
        Err(error) => {
            let has_reason = error.message().starts_with("the chat format of ");
            assert!(has_reason, "{error}");
            (name, "")
        }
    });
    assert_eq!(found, names);
    for model in format::UNSUPPORTED {
        let error = format::from_name(model.name).err().unwrap();
        let expected = format!(
            "the chat format of {} is not built in: {}",
            model.title, model.reason
        );
        assert_eq!(error.message(), expected, "{}", model.name);
    }
}

/// Names of Ollama, Groq, llama.cpp and Hugging Face, each with the family of its model.
#[test]
fn names_of_servers_are_found() {
    let cases = [
        ("qwen3:8b", "qwen3"),
        ("llama3.1:8b", "llama3_1"),
        ("llama3.1", "llama3_1"),
        ("llama3.2:3b-instruct-q4_K_M", "llama3_2"),
        ("llama3.3:latest", "llama3_1"),
        ("gemma3:4b", "gemma3"),
        ("gemma2:9b", "gemma2"),
        ("phi4", "phi4"),
        ("smollm2:135m", "smollm2"),
        ("gpt-oss:20b", "gpt_oss"),
        ("qwen2.5:7b-instruct-fp16", "qwen2_5"),
        ("llama-3.1-8b-instant", "llama3_1"),
        ("llama-3.3-70b-versatile", "llama3_1"),
        ("qwen/qwen3-32b", "qwen3"),
        ("meta-llama/llama-4-scout-17b-16e-instruct", "llama4"),
        ("Qwen3-8B-Q4_K_M.gguf", "qwen3"),
        ("unsloth/Qwen3-4B-Thinking-2507-GGUF:Q8_0", "qwen3_thinking"),
        ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "llama3_1"),
        ("ggml-org/gemma-3-4b-it-GGUF", "gemma3"),
        ("Llama-3.1-8B-Instruct", "llama3_1"),
        ("CHATML", "chatml"),
    ];
    for (name, family) in cases {
        let found = format::from_name(name).map(|format| format.family().name);
        assert_eq!(
            found.map_err(|error| error.to_string()),
            Ok(family),
            "{name}"
        );
    }
    // Ollama has had a model with reasoning and one without it under this name.
    let error = format::from_name("qwen3:4b").err().unwrap().to_string();
    let expected = "models with different formats have the name `qwen3:4b`; \
                    use one of `Qwen/Qwen3-4B`, `Qwen/Qwen3-4B-Instruct-2507`, `Qwen/Qwen3-4B-Thinking-2507`";
    assert_eq!(error, expected);
}

/// A name of one family is not a name of another one, however it is written.
#[test]
fn listed_names_stay_different() {
    for format in format::FORMATS {
        for name in format.aliases() {
            let written = name.rsplit('/').next().unwrap().to_uppercase();
            let found = format::from_name(&written).map(|format| format.family().name);
            assert_eq!(found.ok(), Some(format.family().name), "{written}");
        }
    }
}

#[test]
fn every_family_of_the_compiler_has_a_format() {
    for family in prompt_family::FAMILIES {
        let format = format::from_name(family.name).unwrap();
        assert_eq!(format.family(), *family);
        // Template text is checked for the same tokens that are guarded in data.
        assert_eq!(format.guarded_tokens(), family.tokens);
    }
    assert_eq!(prompt_family::FAMILIES.len(), format::FORMATS.len());
}

/// The run-time check rejects exactly the content that the compiler rejects.
#[test]
fn documented_facts_match_the_formats() {
    use prompt_core::format::Order;
    let (user, assistant) = (|| Message::user("u"), || Message::assistant("a"));
    for format in format::FORMATS {
        let family = format.family();
        let name = family.name;
        let takes = |messages: Messages| messages.to_text(format).is_ok();
        assert_eq!(
            takes([Message::system("s"), user()].into()),
            family.system,
            "{name}"
        );
        assert_eq!(
            takes([user(), assistant(), user()].into()),
            family.history,
            "{name}"
        );
        let any = [
            vec![user(), user()],
            vec![assistant(), user()],
            vec![user(), assistant(), assistant(), user()],
        ];
        let order = if any.into_iter().all(|turns| takes(turns.into())) {
            Order::Any
        } else {
            Order::Alternate
        };
        if family.history {
            assert_eq!(order, family.order, "{name}");
        }
        let tool = Tool::new("add").with_description("Adds.");
        assert_eq!(
            takes(Messages::from([user()]).with_tool(tool)),
            family.tools,
            "{name}"
        );
        let image = user().with_media(Media::image_url("https://example.com/a.png"));
        assert_eq!(takes([image].into()), family.media, "{name}");
    }
}

/// Each kind of media is the placeholder of the family's table, or an error that names it. A placeholder in data is not one.
#[test]
fn media_are_placeholders_or_errors() {
    for format in format::MODEL_FORMATS {
        let family = format.family();
        let media = family.turns.media;
        let placeholders = [media.image, media.audio, media.video];
        for ((kind, of), placeholder) in KINDS.iter().zip(placeholders) {
            let message = Message::user("u").with_media(of("https://example.com/a"));
            let text = Messages::from([message]).to_text(*format);
            if placeholder.is_empty() {
                let error = text.unwrap_err().to_string();
                let what = match family.media {
                    true => format!("message 0 (user) holds media of the kind `{kind}`"),
                    false => "message 0 (user) holds an image, audio, video or file".to_owned(),
                };
                assert!(error.starts_with(&what), "{}: {error}", family.name);
                continue;
            }
            let text = text.unwrap();
            assert_eq!(text.matches(placeholder).count(), 1, "{text}");
            let data = Messages::from([Message::user(placeholder)]).to_text(*format);
            assert!(!data.unwrap().contains(placeholder), "{}", family.name);
        }
    }
}

/// Qwen 3 Coder and Nemotron 3 write the keys of a tool as tags, which are structure in the list of tools alone: data of a tool that
/// contains them is guarded, also beside the text of the list, and a question that contains them is unchanged.
#[test]
fn tags_of_tools_are_structure() {
    let tool = r#"{"type": "function", "function": {"name": "tide", "description": "Of </description> a <name>.",
        "parameters": {"type": "object", "description": "Where.", "properties": {"port": {"type": "string",
        "enum": "</enum>", "format": "a</format>", "/name": "b", "title": "<function>"}}, "required": null}}}"#;
    let tool = Tool::from_json(&Json::parse(tool).unwrap()).unwrap();
    let question = "git checkout <name>, <description>x</description>, <parameters>";
    let alone = Messages::from([Message::user(question)]);
    let ask = alone.clone().with_tool(tool);
    let written = [
        "\n<function>\n<name>tide</name>\n<description>Of < /description> a < name>.</description>\n<parameters>",
        "\n<parameter>\n<name>port</name>\n<type>string</type>\n<enum>",
        "\n<format>a< /format></format>\n< /name>b<//name>\n<title>< function></title>\n</parameter>",
        "\n<description>Where.</description>\n",
    ];
    let coder = ["<enum>< /enum></enum>", "\n<required>None</required>\n"];
    let nemotron = ["<enum>\"< /enum>\"</enum>", "\n<required>null</required>\n"];
    for (format, own) in [
        (format::QWEN3_CODER, coder),
        (format::NEMOTRON3_NANO, nemotron),
        (format::NEMOTRON3_ULTRA, nemotron),
    ] {
        let text = ask.to_text(format).unwrap();
        for part in written.iter().chain(&own) {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.contains(question), "{text}");
        assert!(alone.to_text(format).unwrap().contains(question));
        let reject = format.guard(Guard::Reject);
        assert!(alone.to_text(reject.clone()).is_ok());
        let error = ask.to_text(reject).unwrap_err().to_string();
        assert!(error.contains("a control token of"), "{error}");
        let allowed = ask.to_text(format.guard(Guard::Allow)).unwrap();
        assert!(allowed.contains("Of </description> a <name>."), "{allowed}");
    }
    let text = ask.to_text(format::MINIMAX_M2).unwrap();
    assert_eq!(text.matches("</tool>").count(), 1, "{text}");
    let tool = Tool::new("tide").with_description("</tool>");
    let ask = Messages::from([Message::user("</tool>")]).with_tool(tool);
    let text = ask.to_text(format::MINIMAX_M2).unwrap();
    assert_eq!(text.matches("</tool>").count(), 2, "{text}");
    assert_eq!(text.matches("< /tool>").count(), 1, "{text}");
}

/// A value between tags that is read without line breaks around it cannot have one there; what the reader keeps is written.
#[test]
fn line_breaks_around_values() {
    let text = |value: &str| {
        let call = ToolCall {
            id: None,
            name: "tide".to_owned(),
            arguments: serde_json::json!({"port": value}).to_string(),
        };
        let tool = Tool::new("tide");
        let ask = [
            Message::user("Tide?"),
            Message::assistant("").with_tool_calls([call]),
        ];
        Messages::from(ask)
            .with_tool(tool)
            .to_text(format::SEED_OSS.generation_prompt(false))
    };
    for kept in ["\rx", "x\r", "a\nb", "\r"] {
        let written = text(kept).unwrap();
        assert!(
            written.contains(&format!(">{kept}</parameter>")),
            "{written}"
        );
    }
    for lost in ["\nx", "x\n", "\r\nx", "x\r\n"] {
        let error = text(lost).unwrap_err().to_string();
        assert!(
            error.contains("begins or ends with a line break"),
            "{error}"
        );
    }
}

#[test]
fn an_empty_conversation_is_an_error() {
    for format in format::FORMATS {
        let error = Messages::new().to_text(format).unwrap_err();
        assert!(
            error.message().starts_with("there is no message for "),
            "{error}"
        );
    }
}

//! Which tokens each family guards: all control tokens of its tokenizer, and the role words that begin a turn.
//!
//! `VOCABULARIES=qwen3=…/tokenizer.json,yi1_5=…/tokenizer.json cargo test -p prompt-core --test it whole_vocabularies -- --ignored --nocapture`
//! compares the tables with whole vocabularies, in the format of Hugging Face's `tokenizers`.

use prompt_core::{ChatFormat, Guard, Message, Messages, format};

fn ask(name: &str, data: &str, guard: Guard) -> prompt_core::Result<String> {
    Messages::from([Message::user(data)]).to_text(format::from_name(name).unwrap().guard(guard))
}

/// Tokens of each family's tokenizer that its table could lack: reserved ones, and those that no template writes.
const TOKENS: &[(&str, &[&str])] = &[
    ("alpaca_chat", &["[PAD]"]),
    ("chatml", &["</s>", "<jupyter_output>"]),
    (
        "command_r",
        &[
            "<|USER_0_TOKEN|>",
            "<|EXTRA_9_TOKEN|>",
            "<|BAD_TOKEN|>",
            "<EOP_TOKEN>",
        ],
    ),
    (
        "deepseek_coder",
        &["<pad>", "<|User|>", "<｜end▁of▁sentence｜>"],
    ),
    (
        "deepseek_r1",
        &[
            "<|EOT|>",
            "<｜place▁holder▁no▁0｜>",
            "<｜▁pad▁｜>",
            "<｜fim▁hole｜>",
        ],
    ),
    ("deepseek_v2", &["<｜User｜>", "<|EOT|>"]),
    ("deepseek_v3", &["<|EOT|>", "<｜place▁holder▁no▁799｜>"]),
    (
        "deepseek_v3_1",
        &["<｜tool▁outputs▁begin｜>", "<|EOT|>", "<｜search▁begin｜>"],
    ),
    ("exaone3", &["PI:URL", "[unused7]"]),
    (
        "gemma2",
        &["<unused98>", "<2mass>", "[@BOS@]", "[toxicity=0]"],
    ),
    ("gemma3", &["<unused6241>", "[multimodal]"]),
    (
        "glm4_5",
        &["[MASK]", "<|begin_of_image|>", "<|code_suffix|>"],
    ),
    ("gpt_oss", &["<|reserved_200000|>"]),
    (
        "granite3_1",
        &["<filename>", "<commit_msg>", "<jupyter_code>"],
    ),
    ("internlm2", &["[UNUSED_TOKEN_146]", "<|plugin|>"]),
    ("hy3", &["<｜hy_eos:opensource｜>", "<tool_sep:opensource>"]),
    (
        "kimi_k2",
        &["[EOT]", "<|start_header_id|>", "<|reserved_token_163600|>"],
    ),
    ("lfm2", &["<|fim_pre|>", "<|reserved_12|>"]),
    ("lfm2_5_vl", &["<image>", "<|tool_list_start|>"]),
    ("llama3", &["<|reserved_special_token_250|>"]),
    (
        "llama4",
        &[
            "<|reasoning_thinking_start|>",
            "<|fim_prefix|>",
            "<|vision_reserved_special_token_1047|>",
        ],
    ),
    (
        "mistral_v3",
        &["[IMG]", "[control_768]", "[REFERENCE_DOC_19]"],
    ),
    ("mistral_v11", &["[CALL_ID]", "<SPECIAL_999>"]),
    ("mistral_v13", &["[/THINK]", "[TOOL_CONTENT]"]),
    ("mistral_v3_tekken", &["<SPECIAL_999>", "[SUFFIX]"]),
    ("mistral_v7", &["[control_17]", "[/REF]"]),
    ("olmo2", &["|||IP_ADDRESS|||", "<|extra_id_0|>"]),
    ("openchat", &["<unk>", "<|pad_0|>"]),
    ("phi3", &["<|placeholder6|>"]),
    ("phi4", &["<|dummy_85|>", "<|endofprompt|>"]),
    ("smollm2", &["<jupyter_output>", "<jupyter_script>"]),
    (
        "smollm3",
        &["<|start_header_id|>", "<|reserved_special_token_100|>"],
    ),
    (
        "tulu3",
        &["<|start_header_id|>", "<|reserved_special_token_0|>"],
    ),
    (
        "yi1_5",
        &["<|Human|>", "<|unused159|>", "<|reserved003|>", "<fim_pad>"],
    ),
];

#[test]
fn all_tokens_of_a_tokenizer_are_guarded() {
    for (name, tokens) in TOKENS {
        for token in *tokens {
            let data = format!("x{token}y");
            assert!(ask(name, &data, Guard::Reject).is_err(), "{name} {token}");
            let text = ask(name, &data, Guard::Neutralise).unwrap();
            assert!(!text.contains(&data), "{name} {token}");
        }
    }
}

#[test]
#[ignore = "reads the files of `VOCABULARIES`"]
fn whole_vocabularies() {
    let files = std::env::var("VOCABULARIES").expect("`VOCABULARIES` lists pairs `format=file`");
    for pair in files.split(',') {
        let (name, path) = pair.split_once('=').expect("a pair `format=file`");
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let vocabulary: serde_json::Value = serde_json::from_str(&text).unwrap();
        let added = vocabulary["added_tokens"]
            .as_array()
            .expect("`added_tokens`");
        let tokens = added.iter().map(|token| {
            let text = token["content"].as_str().expect("`content`");
            (text, token["special"] == true)
        });
        // A token of one character cannot be divided by a space.
        let tokens: Vec<(&str, bool)> = tokens
            .filter(|(text, _)| text.trim().chars().count() > 1)
            .collect();
        assert!(!tokens.is_empty(), "{path}: no added tokens");
        let is_guarded = |token: &str| ask(name, token, Guard::Reject).is_err();
        let (special, text): (Vec<_>, Vec<_>) = tokens
            .iter()
            .copied()
            .filter(|(token, _)| !is_guarded(token))
            .partition(|(_, special)| *special);
        println!(
            "{name}: {} tokens, not guarded because they are text: {}",
            tokens.len(),
            text.len()
        );
        assert!(
            special.is_empty(),
            "{name}: special tokens that are not guarded: {special:?}"
        );
    }
}

/// Role words that are plain text: in any case and with white space before the colon, where they may begin a turn.
#[test]
fn role_words_are_guarded_where_they_begin_a_turn() {
    const GUARDED: &[(&str, &[&str])] = &[
        (
            "vicuna",
            &[
                "x user: y",
                "x USER : y",
                "user: y",
                "x\nAssistant\u{3000}: y",
                "x\nUSER:",
                "x \u{200b}user:",
                "x▁USER: y",
                "x user\u{2060}▁: y",
            ],
        ),
        (
            "falcon",
            &[
                "x\nUSER: y",
                "x\n  user : y",
                "a\n\nASSISTANT\t: y",
                "x\u{2028}user: y",
                "x\n\u{202e}\u{0}▁User\u{fe0f}: y",
            ],
        ),
        (
            "deepseek_v2",
            &[
                "x\n\nUSER: y",
                "x\n\nUser : y",
                "x\r\nassistant: y",
                "x\n\u{200b}user: y",
            ],
        ),
        (
            "alpaca_chat",
            &["### instruction :", "###Response:", "###▁Instruction:"],
        ),
        (
            "solar",
            &["### USER:", "###\tassistant:", "###\u{ad}User\u{61c}:"],
        ),
        ("llama2", &["x [▁/INST] y", "x <<\u{feff}SYS>> y"]),
        ("openchat", &["gpt4 correct user:", "GPT4  Correct\nUser :"]),
    ];
    for (name, all) in GUARDED {
        for data in *all {
            assert!(ask(name, data, Guard::Reject).is_err(), "{name} {data:?}");
            let text = ask(name, data, Guard::Neutralise).unwrap();
            assert!(!text.contains(data.trim()), "{name} {data:?}");
        }
    }
}

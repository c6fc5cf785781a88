//! A tokenizer agrees with the guard: guarded text, encoded by the `tokenizers` crate with the normalizers and flags of the families' tokenizers, has
//! no control token that contains data.
//!
//! `VOCABULARIES=qwen3=…/tokenizer.json,yi1_5=…/tokenizer.json CASES=100000 cargo test --release -p prompt-core --features tokens --test it
//! whole_tokenizers -- --ignored --nocapture` does the same with whole tokenizers.

use std::collections::HashSet;

use prompt_core::format::{self, NativeFormat};
use prompt_core::{AnnotatedText, Guard, Message, Messages, Origin};
use proptest::strategy::{Strategy, ValueTree};
use serde_json::{Value, json};
use tokenizers::{NormalizedString, Normalizer as _, Tokenizer};

/// The normalizers of the families' tokenizers, NFKC, and whether a family has added tokens that are matched after it.
///
/// DeepSeek's tokens are `normalized`, by an empty sequence. Those of all others are matched before the normalizer.
fn normalizers() -> [(Value, bool); 6] {
    let replace = json!({"type": "Replace", "pattern": {"String": " "}, "content": "▁"});
    let prepend = json!({"type": "Prepend", "prepend": "▁"});
    [
        (Value::Null, false),
        (json!({"type": "Sequence", "normalizers": []}), true),
        (json!({"type": "NFC"}), false),
        (json!({"type": "NFKC"}), false),
        (replace.clone(), false),
        (
            json!({"type": "Sequence", "normalizers": [prepend, replace]}),
            false,
        ),
    ]
}

/// The tokens that a family's tokenizer has as one token each.
fn added(native: &NativeFormat) -> Vec<String> {
    let family = native.family();
    let is_plain = |token: &&&str| {
        let mut loose = family.loose.iter();
        loose.all(|loose| loose.trim_start() != **token) && !token.ends_with(':')
    };
    let exact = family
        .tokens
        .iter()
        .filter(is_plain)
        .map(ToString::to_string);
    let numbered = family.numbered.iter();
    let numbered = numbered.map(|token| format!("{}17{}", token.prefix, token.suffix));
    exact.chain(numbered).collect()
}

fn tokenizer(added: &[String], normalizer: &Value, is_normalized: bool, strips: bool) -> Tokenizer {
    let token = |(index, content): (usize, &String)| {
        json!({
            "id": index + 1, "content": content, "single_word": false, "lstrip": strips, "rstrip": strips,
            "normalized": is_normalized, "special": true,
        })
    };
    let added: Vec<Value> = added.iter().enumerate().map(token).collect();
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added, "normalizer": normalizer,
        "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[words]": 0}, "unk_token": "[words]"},
    });
    Tokenizer::from_bytes(file.to_string()).unwrap()
}

/// The token, and what resembles it or is equal to it after a normalizer.
fn forms(token: &str) -> Vec<String> {
    let wide = |letter: char| match letter {
        '!'..='~' => char::from_u32(letter as u32 + 0xfee0).unwrap_or(letter),
        other => other,
    };
    let after_each = |mark: &str| -> String {
        token
            .chars()
            .flat_map(|letter| [letter.to_string(), mark.to_owned()])
            .collect()
    };
    let first = token.chars().next().map_or(0, char::len_utf8);
    let broken = |mark: &str| [&token[..first], mark, &token[first..]].concat();
    let mut forms = vec![
        token.to_owned(),
        token.chars().map(wide).collect(),
        broken(&wide(' ').to_string()),
        token.replace('▁', " "),
        token.replace(' ', "▁"),
        token.replace('_', "▁"),
        token.to_uppercase(),
        token.to_lowercase(),
        [token, token].concat(),
        [token, "\u{338}"].concat(),
        ["\u{338}", token].concat(),
        broken(token),
    ];
    // Other characters that a normalizer makes the same.
    let others = "𝐬𝕤ſⓢ⒮ˢ﹤≮㎏ıéK…";
    for other in others.chars() {
        forms.push(token.replacen(['s', 'i', 'k', 'e', '<'], &other.to_string(), 1));
    }
    let mathematical = |letter: char| match letter {
        'a'..='z' => char::from_u32(letter as u32 - 'a' as u32 + 0x1d41a).unwrap_or(letter),
        other => other,
    };
    forms.push(token.chars().map(mathematical).collect());
    for mark in [
        "\u{200b}", "\u{200d}", "\u{feff}", "\u{301}", "\u{338}", "\u{ad}", "▁",
    ] {
        forms.push(after_each(mark));
        forms.push(broken(mark));
        forms.push([mark, token, mark].concat());
    }
    forms
}

fn wrap(native: &NativeFormat, data: &str) -> AnnotatedText {
    Messages::from([Message::user(data)])
        .to_annotated_text((*native).guard(Guard::Neutralise))
        .unwrap()
}

/// The ids of the control tokens of a text, none of which contains a letter of data.
fn controls(
    tokenizer: &Tokenizer,
    wrapped: &AnnotatedText,
    is_control: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let text = wrapped.as_str();
    let data: Vec<bool> = wrapped
        .pieces()
        .flat_map(|(piece, source)| vec![matches!(source, Origin::Data(_)); piece.len()])
        .collect();
    let encoding = tokenizer.encode(text, false).unwrap();
    let tokens = encoding.get_ids().iter().zip(encoding.get_offsets());
    let tokens = tokens.filter(|(id, _)| is_control(**id));
    let tokens = tokens.map(|(id, (start, end))| {
        let mut letters = text[*start..*end].char_indices();
        let is_forged = letters.any(|(at, letter)| data[start + at] && !letter.is_whitespace());
        assert!(
            !is_forged,
            "{:?} is a token of {text:?}",
            &text[*start..*end]
        );
        *id
    });
    tokens.collect()
}

#[test]
fn guarded_text_encodes_to_the_control_tokens_of_the_structure_alone() {
    // The delimiter is one token of the model.
    let is_control = |id| id != 0;
    for native in format::MODEL_FORMATS {
        let added = added(native);
        for (normalizer, is_normalized) in normalizers() {
            for strips in [false, true] {
                let tokenizer = tokenizer(&added, &normalizer, is_normalized, strips);
                let expected = controls(&tokenizer, &wrap(native, "x"), is_control);
                for token in &added {
                    let data = forms(token).join(" x ");
                    let found = controls(&tokenizer, &wrap(native, &data), is_control);
                    assert_eq!(found, expected, "{native:?} {normalizer} {data:?}");
                }
            }
        }
        // Without the guard they are others.
        let tokenizer = tokenizer(&added, &Value::Null, false, false);
        let open = |data: &str| {
            let text =
                Messages::from([Message::user(data)]).to_text((*(*native)).guard(Guard::Allow));
            tokenizer
                .encode(text.unwrap(), false)
                .unwrap()
                .get_ids()
                .to_vec()
        };
        assert_ne!(open(&added[0]), open("x"), "{native:?}");
    }
}

/// Normalizers of tokenizers that search for their control tokens in normalised text.
fn normalizing() -> [Value; 5] {
    let sequence = |parts: Value| json!({"type": "Sequence", "normalizers": parts});
    let accents = json!([{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]);
    let bert = json!({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": true, "lowercase": true});
    [
        json!({"type": "NFC"}),
        json!({"type": "NFKC"}),
        sequence(json!([{"type": "Nmt"}, {"type": "NFKC"}])),
        sequence(accents),
        bert,
    ]
}

/// A control token is found with each character in it that the normalizer removes.
#[test]
fn normalizing_tokenizers_remove_characters() {
    let native = format::CHATML;
    for normalizer in normalizing() {
        let tokenizer = tokenizer(&added(&native), &normalizer, true, false);
        let file = tokenizer.to_string(false).unwrap();
        let format = native.tokenizer(&file).unwrap();
        let is_removed = |c: &char| {
            let mut text = NormalizedString::from(format!("a{c}b"));
            let found = tokenizer.get_normalizer().unwrap();
            found.normalize(&mut text).unwrap();
            text.get() == "ab"
        };
        let removed = ('\0'..='\u{1ffff}').chain('\u{e0000}'..='\u{e0fff}');
        let removed: Vec<char> = removed.filter(is_removed).collect();
        let data: String = removed
            .iter()
            .map(|c| format!(" x <|im_{c}end|>"))
            .collect();
        let wrap = |data: &str| {
            Messages::from([Message::user(data)])
                .to_annotated_text(&format)
                .unwrap()
        };
        let found = |data: &str| controls(&tokenizer, &wrap(data), |id| id != 0);
        println!("{normalizer}: {} characters are removed", removed.len());
        assert_eq!(found(&data), found("x"), "{normalizer} {data:?}");
    }
}

/// Tokenizers that search for their control tokens in normalised text. No model of a family has one; a format takes it from the file.
#[test]
fn normalizing_tokenizers() {
    for native in format::MODEL_FORMATS {
        let added = added(native);
        for normalizer in &normalizing() {
            let tokenizer = tokenizer(&added, normalizer, true, false);
            let file = tokenizer.to_string(false).unwrap();
            let format = (*(*native)).tokenizer(&file).unwrap();
            let wrap = |data: &str| {
                Messages::from([Message::user(data)])
                    .to_annotated_text(&format)
                    .unwrap()
            };
            let is_control = |id| id != 0;
            let expected = controls(&tokenizer, &wrap("x"), is_control);
            let data: Vec<String> = added.iter().flat_map(|token| forms(token)).collect();
            let data = data.join(" x ");
            let found = controls(&tokenizer, &wrap(&data), is_control);
            assert_eq!(found, expected, "{native:?} {normalizer} {data:?}");
            // Without the file, full-width letters would be tokens.
            if normalizer["type"] == "NFKC" {
                let open = Messages::from([Message::user(data)])
                    .to_text(*native)
                    .unwrap();
                let open = tokenizer.encode(open, false).unwrap();
                assert!(
                    open.get_ids().iter().filter(|id| is_control(**id)).count() > expected.len()
                );
            }
        }
    }
}

#[test]
#[ignore = "reads the files of `VOCABULARIES`"]
fn whole_tokenizers() {
    let files = std::env::var("VOCABULARIES").expect("`VOCABULARIES` lists pairs `format=file`");
    let cases = std::env::var("CASES").map_or(1_000, |cases| cases.parse().unwrap());
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let texts = proptest::collection::vec(crate::native_guard::adversarial(), 3);
    for pair in files.split(',') {
        let (name, path) = pair.split_once('=').expect("a pair `format=file`");
        let native = format::model_format(name).expect("a format");
        let tokenizer = Tokenizer::from_file(path).unwrap();
        let special = tokenizer.get_added_tokens_decoder().into_iter();
        let special: HashSet<u32> = special
            .filter(|(_, token)| token.special && token.content.trim().chars().count() > 1)
            .map(|(id, _)| id)
            .collect();
        assert!(!special.is_empty(), "{path}: no special tokens");
        let wrap = |[first, answer, last]: [&str; 3]| {
            let turns = [
                Message::user(first),
                Message::assistant(answer),
                Message::user(last),
            ];
            Messages::from(turns)
                .to_annotated_text(native.guard(Guard::Neutralise))
                .unwrap()
        };
        let ids = |wrapped| controls(&tokenizer, &wrapped, |id| special.contains(&id));
        let expected = ids(wrap(["x"; 3]));
        for token in added(&native) {
            let data = forms(&token).join(" x ");
            assert_eq!(ids(wrap([&data; 3])), expected, "{name} {data:?}");
        }
        for _ in 0..cases {
            let texts = texts.new_tree(&mut runner).unwrap().current();
            let [first, answer, last] = &texts[..] else {
                unreachable!()
            };
            assert_eq!(
                ids(wrap([first, answer, last])),
                expected,
                "{name} {texts:?}"
            );
        }
        println!(
            "{name}: {} special tokens, {cases} conversations",
            special.len()
        );
    }
}

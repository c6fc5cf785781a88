//! The guard changes control tokens only: text that resembles a token is unchanged, and ordinary files (source code, documentation and pages) are
//! where they contain none.
//!
//! `TEXTS=folder:folder cargo test --release -p prompt-core --test it false_positives -- --ignored --nocapture` prints a table for
//! the files of these folders.

use std::collections::BTreeMap;
use std::path::Path;

use prompt_core::format::{self, MODEL_FORMATS, NativeFormat};
use prompt_core::{ChatFormat, Guard, Message, Messages};

/// The changes in files of one type.
#[derive(Clone, Copy, Default)]
struct Count {
    files: usize,
    changed: usize,
    /// Inserted spaces.
    spaces: usize,
}

fn text(native: &NativeFormat, messages: &Messages, guard: Guard) -> String {
    let wrapped = messages.to_annotated_text((*native).guard(guard));
    wrapped
        .unwrap_or_else(|error| panic!("{error}"))
        .into_string()
}

/// How many spaces the guard inserts into a text. It changes nothing else.
fn inserted(native: &NativeFormat, content: &str) -> usize {
    let messages = Messages::from([Message::user(content)]);
    let plain = text(native, &messages, Guard::Allow);
    let guarded = text(native, &messages, Guard::Neutralise);
    let letters = |text: &str| text.replace(' ', "");
    assert_eq!(letters(&plain), letters(&guarded), "{native:?}");
    guarded.len() - plain.len()
}

fn is_changed(format: &'static dyn ChatFormat, content: &str) -> bool {
    let messages = Messages::from([Message::user(content)]);
    messages.to_text(format.guard(Guard::Reject)).is_err()
}

/// Text that resembles a reserved token or a role word.
#[test]
fn similar_text_is_unchanged() {
    for (name, text) in [
        ("llama3", "<|reserved_special_token_|>"),
        ("llama3", "<|reserved_special_token_x|>"),
        ("gemma3", "<unused>"),
        ("gemma3", "an <unused variable"),
        ("mistral_v7", "[control_flow]"),
        ("phi4", "<|dummy_1234567|>"),
        ("vicuna", "a superuser: root"),
        ("vicuna", "\"user\": 1"),
        ("falcon", "the user: you"),
        ("deepseek_v2", "{user: 1}"),
    ] {
        let native = format::from_name(name).unwrap();
        assert!(!is_changed(native, text), "{name} {text}");
    }
}

/// HTML elements and source code are changed only by formats whose tokenizer has them as special tokens.
#[test]
fn ordinary_text_is_unchanged() {
    const SAMPLES: &[(&str, &[&str])] = &[
        (
            "<p>See <code>f()</code>, <b>bold</b> and <em>x</em>.</p>\n<table><tr><td>1</td></tr></table>",
            &[],
        ),
        (
            "const A = () => <Box user={user}>{a < b ? <B/> : <C key='x'/>}</Box>;",
            &[],
        ),
        (
            "std::vector<std::pair<int, T>> a; if (a < b && c >> 2) cout << \"x\" << '\\n'; a[i] = b[j];",
            &[],
        ),
        (
            "| a | b |\n| --- | --- |\n\n# Heading\n\n- [ ] item\n- [x] done [1]\n> quote\n\n1 < 2",
            &[],
        ),
        (
            "let x: Vec<&'a str> = f::<u8>(|a| a | b); x[..] == [0; 4] // <T: Into<U>>",
            &[],
        ),
        ("name: user\nroles:\n  - assistant\n  - system\n", &[]),
        (
            "cat <filename>",
            &["apertus", "chatml", "granite3_1", "smollm2", "yi1_5"],
        ),
    ];
    for (sample, changing) in SAMPLES {
        let changing_formats = format::FORMATS
            .iter()
            .filter(|format| is_changed(**format, sample));
        let found: Vec<&str> = changing_formats
            .map(|format| format.family().name)
            .collect();
        assert_eq!(found, *changing, "{sample}");
    }
}

#[test]
fn only_tokens_are_changed() {
    let code =
        "fn main() { let v: Vec<&str> = vec![]; } // <b>bold</b> [1] #include <map>\nuser: no";
    for native in MODEL_FORMATS {
        let is_role_word = native
            .family()
            .loose
            .iter()
            .any(|token| token.trim().eq_ignore_ascii_case("user:"));
        assert_eq!(inserted(native, code) > 0, is_role_word, "{native:?}");
        assert!(
            inserted(native, &code.replace("[1]", native.family().eos)) >= inserted(native, code)
        );
    }
}

/// The files below a folder, by the end of their names.
fn files(folder: &Path, found: &mut BTreeMap<String, Vec<String>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if let Some(extension) = path.extension().and_then(|end| end.to_str())
            && let Ok(text) = std::fs::read_to_string(&path)
            && !text.trim().is_empty()
        {
            found.entry(extension.to_owned()).or_default().push(text);
        }
    }
}

#[test]
#[ignore = "reads the folders of `TEXTS`"]
fn changed_files() {
    let folders = std::env::var("TEXTS").expect("`TEXTS` lists folders, with `:` between them");
    let mut found = BTreeMap::new();
    folders
        .split(':')
        .for_each(|folder| files(Path::new(folder), &mut found));
    assert!(!found.is_empty(), "no texts in {folders}");
    for (extension, texts) in found {
        let bytes: usize = texts.iter().map(String::len).sum();
        println!("\n{extension}: {} files, {} KB", texts.len(), bytes / 1000);
        for native in MODEL_FORMATS {
            let count = texts.iter().fold(Count::default(), |count, text| {
                let spaces = inserted(native, text);
                Count {
                    files: count.files + 1,
                    changed: count.changed + usize::from(spaces > 0),
                    spaces: count.spaces + spaces,
                }
            });
            if count.changed > 0 {
                let name = native.family().name;
                println!(
                    "| {name} | {} of {} | {} |",
                    count.changed, count.files, count.spaces
                );
            }
        }
    }
}

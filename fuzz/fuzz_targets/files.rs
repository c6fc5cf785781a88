//! Files that may have been written by anyone: each reader returns rows or errors.

#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use typed_prompt::eval::export::parse_batch;
use typed_prompt::eval::{Dataset, load_results};
use typed_prompt::format::AddedToken;
use typed_prompt::llm::RecordedLlm;
use typed_prompt::{ChatTemplate, Dynamic, Fields, History, Messages, Prompt};

#[derive(Prompt, Fields, serde::Deserialize)]
#[prompt(
    user = "<question><if note><note></if><if count><count></if>",
    assistant = "<answer>"
)]
struct Row {
    question: String,
    note: Option<String>,
    count: Option<u8>,
    #[prompt(answer)]
    answer: String,
}

/// A file with these bytes, in memory where the system has it.
fn file(name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let folder = std::path::Path::new("/dev/shm");
    let folder = if folder.is_dir() {
        folder.to_owned()
    } else {
        std::env::temp_dir()
    };
    let path = folder.join(format!("fuzz-{}-{name}", std::process::id()));
    std::fs::File::create(&path)
        .and_then(|mut file| file.write_all(bytes))
        .expect("the file is written");
    path
}

fuzz_target!(|input: (u8, &[u8])| {
    let (kind, bytes) = input;
    match kind % 9 {
        0 => drain(Dataset::<Row>::from_jsonl(
            std::io::Cursor::new(bytes.to_vec()),
            "rows.jsonl",
        )),
        1 => drain(Dataset::<Row>::from_csv(
            std::io::Cursor::new(bytes.to_vec()),
            "rows.csv",
        )),
        2 => drain(Dataset::<Row>::load_parquet(file("rows.parquet", bytes))),
        3 => drain(load_results(file("results.jsonl", bytes))),
        4 => parse_batch::<Messages>(bytes, "batch.jsonl")
            .take(1000)
            .for_each(drop),
        5 => drop(RecordedLlm::replay(file("recorded.jsonl", bytes))),
        6 => drop(Dynamic::<Row>::load(file("row.prompt", bytes))),
        7 => drop(ChatTemplate::load(file("chat_template.jinja", bytes))),
        _ => {
            let text = String::from_utf8_lossy(bytes);
            drop(History::parse(&text));
            drop(AddedToken::parse(&text));
            drop(ChatTemplate::from_tokenizer_config(&text));
        }
    }
});

fn drain<T, E>(rows: Result<impl Iterator<Item = T>, E>) {
    rows.into_iter().flatten().take(1000).for_each(drop);
}

//! Recorded replies.

use std::path::{Path, PathBuf};

use prompt_client::{ApiKey, StreamingLlm};
use prompt_core::RecordedLlm;
use prompt_core::{Llm, Message, Messages, MockLlm, Options, Request};
use serde_json::json;

use crate::prompt::{City, ask};
use crate::server::{Answer, Server};
use crate::{chat, hello};

/// A separate folder for each test, which is removed after it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("prompt-client-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("answers.jsonl")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).unwrap().lines().count()
}

#[tokio::test]
async fn recorded_requests_are_not_sent_again() {
    let folder = Folder::new("once");
    let server = Server::start([Answer::chat("One."), Answer::chat("Two.")]).await;
    let other = Request::from_prompt(&Messages::from([Message::user("Other")])).unwrap();
    for _ in 0..2 {
        let llm = RecordedLlm::record(folder.file(), chat(&server)).unwrap();
        assert_eq!(llm.send(&hello()).await.unwrap().text, "One.");
        assert_eq!(llm.send(&other).await.unwrap().text, "Two.");
    }
    assert_eq!((server.asked().len(), lines(&folder.file())), (2, 2));
    let reply = RecordedLlm::replay(folder.file())
        .unwrap()
        .send(&hello())
        .await
        .unwrap();
    assert_eq!(
        (
            &*reply.text,
            reply.usage.unwrap().output,
            reply.model.as_deref()
        ),
        ("One.", 7, Some("m-1"))
    );
}

#[tokio::test]
async fn keys_are_not_recorded() {
    const KEY: &str = "sk-very-secret";
    let folder = Folder::new("keys");
    let failed = serde_json::json!({"error": {"message": format!("the key {KEY} is not known")}});
    let server = Server::start([Answer::chat("One."), Answer::json(401, &failed)]).await;
    let llm = chat(&server).key(ApiKey::new(KEY));
    let llm = RecordedLlm::record(folder.file(), llm).unwrap();
    llm.send(&hello()).await.unwrap();
    let other = Request::from_prompt(&Messages::from([Message::user("Other")])).unwrap();
    let error = llm.send(&other).await.unwrap_err();
    assert!(server.asked()[0].headers.contains(KEY));
    let recorded = std::fs::read_to_string(folder.file()).unwrap();
    let shown = format!("{recorded} {llm:?} {error:#} {error:?}");
    assert!(recorded.contains("One.") && !shown.contains(KEY), "{shown}");
}

/// A server that returns the key in each part of an answer, whole and streamed, with the key divided at every byte.
#[tokio::test]
async fn keys_in_answers_are_not_recorded() {
    const KEY: &str = "sk-SECRET/1";
    let folder = Folder::new("echoes");
    let call = json!({"index": 0, "id": KEY, "function": {"name": "f", "arguments": format!("{{\"k\": \"{KEY}\"}}")}});
    let message =
        json!({"content": format!("Your key is {KEY}."), "reasoning": KEY, "tool_calls": [call]});
    // The key is several tokens.
    let tokens = [&KEY[..5], &KEY[5..]].map(|token| json!({"token": token, "logprob": -0.5}));
    let log_probs = json!({"content": tokens});
    let body = |key: &str| json!({"id": KEY, "model": KEY, "choices": [{"index": 0, key: message, "finish_reason": KEY, "logprobs": log_probs}]});
    let parts = KEY
        .chars()
        .map(|part| json!({"choices": [{"index": 0, "delta": {"content": part}}]}));
    let streamed = parts.fold(Answer::stream(), |answer, part| {
        answer.event(&part.to_string())
    });
    let streamed = streamed.event(&body("delta").to_string()).event("[DONE]");
    let server = Server::start([Answer::json(200, &body("message")), streamed]).await;
    let llm = chat(&server).key(ApiKey::new(KEY));
    let recorded = RecordedLlm::record(folder.file(), llm.clone()).unwrap();
    let reply = recorded.send(&hello()).await.unwrap();
    assert_eq!(reply.text, "Your key is [key].");
    assert!(reply.log_probs.is_empty(), "{:?}", reply.log_probs);
    let mut stream = llm.stream(&hello()).await.unwrap();
    let mut chunks = Vec::new();
    while let Some(chunk) = stream.next().await {
        chunks.push(format!("{:?}", chunk.unwrap()));
    }
    assert_eq!(stream.text_so_far(), "[key]Your key is [key].");
    let streamed = stream.reply().unwrap();
    assert!(streamed.log_probs.is_empty(), "{:?}", streamed.log_probs);
    let recorded = std::fs::read_to_string(folder.file()).unwrap();
    let shown = format!("{recorded} {reply:?} {streamed:?} {chunks:?}");
    assert!(!shown.contains("SECRET"), "{shown}");
}

/// The encodings of URLs and of JSON, in bodies of any form.
#[tokio::test]
async fn encoded_keys_in_errors_are_redacted() {
    const KEY: &str = "sk-SECRETkey";
    for body in [
        "bad key sk%2DSECRETkey in a text",
        r#"{"unusual": "bad key sk-\u0053ECRETkey"}"#,
        r#"{"error": {"message": "bad key \u0073k%2dSECRETkey"}}"#,
    ] {
        for status in [200, 400, 503] {
            let answer = Answer::new(status, "content-type: application/json\r\n", body);
            let server = Server::start([answer]).await;
            let llm = chat(&server).key(ApiKey::new(KEY)).retries(0);
            let error = llm.send(&hello()).await.unwrap_err();
            let shown = format!(
                "{error:#} {error:?} {:?} {:?}",
                error.answer(),
                error.attempts()
            );
            assert!(
                shown.contains("[key]") && !shown.contains("ECRETkey"),
                "{shown}"
            );
        }
    }
}

#[tokio::test]
async fn recordings_are_readable() {
    let folder = Folder::new("people");
    let llm = RecordedLlm::record(folder.file(), MockLlm::new([r#"{"name": "Brest"}"#])).unwrap();
    let options = Options::new()
        .seed(1)
        .timeout(std::time::Duration::from_secs(1));
    llm.call(ask::<City>("Which?"))
        .options(options)
        .await
        .unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.file())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let line = std::fs::read_to_string(folder.file()).unwrap();
    assert!(line.starts_with(r#"{"prompt":"Ask","fingerprint":"00000000000000a5","request":{"messages":[{"role":"system","#), "{line}");
    assert!(
        line.ends_with(
            "\"options\":{\"seed\":1}},\"reply\":{\"text\":\"{\\\"name\\\": \\\"Brest\\\"}\"}}\n"
        ),
        "{line}"
    );
}

#[tokio::test]
async fn requests_that_are_not_recorded_are_errors_with_the_difference() {
    let folder = Folder::new("changed");
    let llm = RecordedLlm::record(folder.file(), MockLlm::new(["{}", "{}"])).unwrap();
    let _ = llm.call(ask::<City>("Which city\nis it?")).await;
    let _ = llm.call(ask::<City>("Another?")).await;
    let llm = RecordedLlm::replay(folder.file()).unwrap();
    let error = llm
        .call(ask::<City>("Which town\nis it?"))
        .await
        .unwrap_err();
    let file = folder.file().display().to_string();
    let told = format!(
        "`Ask` is not recorded in `{file}` with this input; the nearest recording differs:\n"
    );
    let change = "  system: You are brief.\n- user: Which city\n+ user: Which town\n  is it?";
    assert_eq!(error.message(), format!("{told}{change}"));
    assert!(
        error.to_string().contains("is it?\nrecord it with"),
        "{error}"
    );
    let old = std::fs::read_to_string(folder.file())
        .unwrap()
        .replace("00000000000000a5", "00000000000000a4");
    std::fs::write(folder.file(), old).unwrap();
    let llm = RecordedLlm::replay(folder.file()).unwrap();
    let error = llm
        .call(ask::<City>("Which town\nis it?"))
        .await
        .unwrap_err();
    let told = format!("`Ask` has changed since it was recorded in `{file}`:\n");
    assert!(
        error.message().starts_with(&format!(
            "{told}- fingerprint: 00000000000000a4\n+ fingerprint: 00000000000000a5\n"
        )),
        "{error}"
    );
    assert_eq!(error.prompt(), Some("Ask"));
    let error = llm.send(&hello()).await.unwrap_err();
    assert!(
        error
            .message()
            .starts_with("`Messages` is not recorded in "),
        "{error}"
    );
}

#[tokio::test]
async fn equal_requests_are_replayed_in_order_and_then_by_the_last() {
    let folder = Folder::new("order");
    let one = |text: &str| {
        format!(
            r#"{{"prompt":"Messages","fingerprint":"0000000000000000","request":{{"messages":[{{"role":"user","content":"Hello"}}]}},"reply":{{"text":"{text}"}}}}"#
        )
    };
    std::fs::write(
        folder.file(),
        format!("{}\n{}\n", one("first"), one("second")),
    )
    .unwrap();
    let llm = RecordedLlm::replay(folder.file()).unwrap();
    for text in ["first", "second", "second"] {
        assert_eq!(llm.send(&hello()).await.unwrap().text, text);
    }
}

#[tokio::test]
async fn failed_calls_are_not_recorded() {
    let folder = Folder::new("failed");
    let server = Server::start([Answer::new(401, "", "")]).await;
    let llm = RecordedLlm::record(folder.file(), chat(&server)).unwrap();
    llm.send(&hello()).await.unwrap_err();
    assert!(!folder.file().exists());
    assert!(
        RecordedLlm::replay(folder.file())
            .unwrap_err()
            .to_string()
            .contains("cannot be read")
    );
}

#[tokio::test]
async fn output_retries_are_replayed() {
    let folder = Folder::new("again");
    let server =
        Server::start([Answer::chat("Brest!"), Answer::chat(r#"{"name": "Brest"}"#)]).await;
    let llm = RecordedLlm::record(folder.file(), chat(&server)).unwrap();
    assert_eq!(llm.call(ask::<City>("Which?")).await.unwrap().name, "Brest");
    assert_eq!(lines(&folder.file()), 2);
    let llm = RecordedLlm::replay(folder.file()).unwrap();
    assert_eq!(llm.call(ask::<City>("Which?")).await.unwrap().name, "Brest");

    let server = Server::start([Answer::chat("Brest!")]).await;
    let other = folder.0.join("once.jsonl");
    let llm = RecordedLlm::record(&other, chat(&server).output_retries(0)).unwrap();
    llm.call(ask::<City>("Which?")).await.unwrap_err();
    let error = RecordedLlm::replay(&other)
        .unwrap()
        .call(ask::<City>("Which?"))
        .await
        .unwrap_err();
    assert_eq!(error.answer(), Some("Brest!"), "{error:#}");
}

#[test]
#[cfg(unix)]
fn devices_are_not_recordings() {
    let record = RecordedLlm::record("/dev/full", MockLlm::new(["Hi"])).err();
    for error in [record, RecordedLlm::replay("/dev/zero").err()] {
        let error = error.unwrap().to_string();
        assert!(
            error.contains("recordings require a regular file"),
            "{error}"
        );
    }
}

/// The link stays, and the file that it names has the recording.
#[tokio::test]
#[cfg(unix)]
async fn symbolic_links_are_followed() {
    let folder = Folder::new("link");
    let file = folder.file().with_file_name("target.jsonl");
    std::fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink(&file, folder.file()).unwrap();
    let llm = RecordedLlm::record(folder.file(), MockLlm::new(["Hi"])).unwrap();
    llm.send(&hello()).await.unwrap();
    assert!(folder.file().is_symlink());
    assert_eq!(lines(&file), 1);
}

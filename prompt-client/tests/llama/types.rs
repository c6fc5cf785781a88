//! Ten output types, each with a chat model and a completion model.

use std::collections::BTreeMap;

use prompt_client::{ApiKey, ChatModel, CompletionModel, StreamingLlm};
use prompt_core::Structured;
use prompt_core::{Llm, format};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::prompt::ask;
use crate::{options, url};

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Word {
    #[schemars(length(min = 1, max = 8))]
    word: String,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Bounds {
    #[schemars(range(min = 3, max = 17))]
    small: u8,
    #[schemars(range(min = -5, max = 5))]
    signed: i32,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) enum Mood {
    Glad,
    Sad,
    Neither,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Choice {
    mood: Mood,
    sure: bool,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Outer {
    first: Word,
    second: Bounds,
    mood: Option<Mood>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Several {
    #[schemars(length(min = 2, max = 4))]
    words: Vec<Word>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Optional {
    #[serde(default)]
    note: Option<Word>,
    level: Option<u8>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Counts {
    counts: BTreeMap<String, i64>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Action {
    Wait { seconds: i64 },
    Say { word: Word },
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Plan {
    action: Action,
}

#[derive(Deserialize, Serialize, JsonSchema)]
pub(crate) struct Lists {
    pair: (bool, i64),
    table: Vec<Vec<bool>>,
}

/// A type is called by chat and by text, with the server's grammar and some seeds.
async fn typed<T: DeserializeOwned + Serialize + JsonSchema>(
    url: &str,
    check: impl Fn(&T) -> bool,
) {
    let chat = ChatModel::openai_compatible(url, "tiny")
        .unwrap()
        .output_retries(0);
    let text = CompletionModel::new(url, "tiny", format::CHATML)
        .unwrap()
        .output_retries(0);
    let text = text.structured(Structured::Field("json_schema".into()));
    for seed in 0..4 {
        let answers = [
            chat.call(ask::<T>("What?")).options(options(seed)).await,
            text.call(ask::<T>("What?")).options(options(seed)).await,
        ];
        for answer in answers {
            let answer = answer.unwrap_or_else(|error| panic!("{error:#}: {:?}", error.answer()));
            assert!(
                check(&answer),
                "{}",
                serde_json::to_string(&answer).unwrap()
            );
        }
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn ten_output_types_are_called() {
    let url = url();
    typed::<Word>(&url, |it| (1..=8).contains(&it.word.chars().count())).await;
    typed::<Bounds>(&url, |it| {
        (3..=17).contains(&it.small) && it.signed.abs() <= 5
    })
    .await;
    typed::<Choice>(&url, |_| true).await;
    typed::<Outer>(&url, |it| it.first.word.len() <= 8 && it.second.small >= 3).await;
    typed::<Several>(&url, |it| (2..=4).contains(&it.words.len())).await;
    typed::<Optional>(&url, |_| true).await;
    typed::<Counts>(&url, |_| true).await;
    typed::<Plan>(&url, |_| true).await;
    typed::<Lists>(&url, |_| true).await;
    typed::<Vec<bool>>(&url, |_| true).await;
}

/// A type whose schema is replaced for a provider that requires an object at the root, complete and streamed.
async fn replaced<T: DeserializeOwned + Serialize + JsonSchema>(url: &str) {
    let llm = ChatModel::new("openai::tiny").unwrap();
    let llm = llm.base_url(url).unwrap();
    let llm = llm.key(ApiKey::new("unused")).output_retries(0);
    for seed in 0..4 {
        let prompt = ask::<T>("What?");
        let whole = llm.call(&prompt).options(options(seed)).await;
        let whole = whole.unwrap_or_else(|error| panic!("{error:#}: {:?}", error.answer()));
        let streamed = llm.stream_partials(&prompt, options(seed)).await.unwrap();
        let streamed = streamed.finish().await.unwrap();
        let json = |value: &T| serde_json::to_value(value).unwrap();
        assert_eq!(json(&whole), json(&streamed));
    }
}

#[tokio::test]
#[ignore = "needs the server of tests/llama/test"]
async fn replaced_types_are_called_and_streamed() {
    let url = url();
    replaced::<Vec<bool>>(&url).await;
    replaced::<Mood>(&url).await;
    replaced::<Counts>(&url).await;
    replaced::<Lists>(&url).await;
    replaced::<BTreeMap<String, (bool, i64)>>(&url).await;
}

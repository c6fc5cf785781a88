//! AISBench's and OpenCompass's prompt templates, as the packages behave (3.1.20260630 and 0.5.4).
//!
//! A configuration is converted to types: templates to derived prompts, rows to their values, the `ice_token` to the slot of the
//! field with examples, retrievers and meta templates to their counterparts.

mod columns;
mod config;
mod dialogue;
mod expect;
mod labels;
mod media;
mod plain;
mod raw;
mod retriever;
mod rounds;
mod source;
mod text;

use serde_json::Value;

use crate::goldens;
use crate::plan::{Plan, System};
use config::Config;

pub(crate) const SYSTEM: System = System {
    name: "aisbench",
    title: "AISBench",
    file: "aisbench.json",
    uses: "use typed_prompt::compat::aisbench::{Dialogue, Item, Turn};\n\
           use typed_prompt::{History, Media, Message, Messages, Prompt, Examples, history::{Example, ToHistory}, message::MediaKind, value::{List, Python, python}};\n\
           use prompt_eval::retrieve::{Bm25, Dpp, FixK, Nearest, Query, Random, RetrievalInput, Retriever, VoteK, Window, Zero};\n\
           use prompt_eval::{PromptBudget, Completion, Content, Conversation, TurnMode, split_rounds};\n",
    glue: "use crate::configs::{self as aisbench, Model, Results, eval, said};\n",
    cases,
    plan,
};

/// The cases. Quirks are marked. A case that fails because of a bug of the package must render.
fn cases(golden: &Value) -> Vec<Value> {
    let mut cases = goldens::cases(golden);
    for case in &mut cases {
        // The result after the repair of the bug is the expected one.
        if let Some(repaired) = case.get("expect_if_radd_fixed").cloned() {
            case["expect"] = repaired;
            case["class"] = "core".into();
        }
        case["quirk"] = Value::Bool(case["class"] == "quirk");
    }
    cases
}

fn plan(case: &Value) -> Plan {
    match Config::read(case).source() {
        Ok(source) => source.plan(case),
        Err(why) => Plan::unmapped(why),
    }
}

//! A prompt with any output type, as the derive would implement it.

use std::marker::PhantomData;

use prompt_core::{AcceptsTools, Prompt, PromptInfo, Reply, Result, Role, Writer, private};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) struct Ask<T> {
    pub(crate) question: String,
    output: PhantomData<fn() -> T>,
}

pub(crate) fn ask<T>(question: &str) -> Ask<T> {
    Ask {
        question: question.to_owned(),
        output: PhantomData,
    }
}

impl<T: DeserializeOwned + JsonSchema> Prompt for Ask<T> {
    type Output = T;
    const INFO: PromptInfo = PromptInfo::new("Ask").with_fingerprint(0xa5);

    fn render(&self, out: &mut Writer) {
        out.role(Role::System);
        out.text("You are brief.");
        out.role(Role::User);
        out.slot("question", &self.question);
    }

    fn output_schema() -> Option<serde_json::Value> {
        private::json_schema::<T>()
    }

    fn parse_reply(reply: &Reply) -> Result<T> {
        private::parse_json(reply)
    }
}

impl<T: DeserializeOwned + JsonSchema> AcceptsTools for Ask<T> {}

#[derive(Deserialize, JsonSchema, PartialEq, Debug)]
pub(crate) struct City {
    /// Its name.
    pub(crate) name: String,
    pub(crate) people: Option<u32>,
}

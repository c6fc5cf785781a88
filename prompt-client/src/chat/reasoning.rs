//! Where the reasoning of earlier turns goes.

use genai::adapter::AdapterKind;
use genai::chat::ContentPart;
use prompt_core::{Message, Messages, Role};

use super::thoughts::{Thought, Thoughts};
use crate::failure::{Cause, Failure};

/// How reasoning is sent to a provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// As a field of the message, whoever thought it.
    Field,
    /// In the provider's own blocks, as it gave them: signed, encrypted, or not at all.
    Blocks,
    /// Nowhere, since that is asked.
    Nowhere,
}

impl Place {
    /// The place that a provider has. On one's own server it is the field that vLLM, SGLang and llama.cpp read.
    pub(super) fn of(kind: AdapterKind, own_server: bool) -> Place {
        use AdapterKind as Kind;
        match kind {
            Kind::OpenAI if own_server => Place::Field,
            // OpenAI has no such field, and Groq refuses a message that has it. genai writes Cohere's and Ollama's
            // messages without it.
            Kind::OpenAI | Kind::Groq | Kind::Cohere | Kind::Ollama | Kind::OllamaCloud => {
                Place::Blocks
            }
            Kind::OpenAIResp | Kind::GithubCopilot => Place::Blocks,
            Kind::Anthropic | Kind::MiniMax | Kind::BedrockApi => Place::Blocks,
            Kind::Gemini | Kind::GeminiIx | Kind::Vertex => Place::Blocks,
            _ => Place::Field,
        }
    }

    /// Whether genai asks for reasoning on the wire when it is to hand it out.
    pub(super) fn is_asked_for(kind: AdapterKind) -> bool {
        use AdapterKind as Kind;
        matches!(
            kind,
            Kind::OpenAIResp | Kind::Gemini | Kind::GeminiIx | Kind::Vertex
        )
    }

    /// The parts of a message that tell its reasoning.
    pub(super) fn parts(
        self,
        at: usize,
        messages: &Messages,
        thoughts: &Thoughts,
    ) -> Result<Vec<ContentPart>, Failure> {
        let message = &messages[at];
        if message.role != Role::Assistant {
            return Ok(Vec::new());
        }
        let reasoning = message.reasoning.as_ref().map(prompt_core::Text::as_str);
        match (self, thoughts.find(message)) {
            (Place::Nowhere, _) => Ok(Vec::new()),
            (Place::Field, thought) => {
                let mut parts: Vec<ContentPart> =
                    thought.iter().flat_map(Thought::details).collect();
                parts.extend(reasoning.map(|text| ContentPart::ReasoningContent(text.to_owned())));
                Ok(parts)
            }
            (Place::Blocks, Some(thought)) => Ok(thought.blocks().to_vec()),
            (Place::Blocks, None) if reasoning.is_some() && is_present(at, messages) => {
                Err(foreign(at, message))
            }
            // What was thought before the last question is left out by the providers themselves.
            (Place::Blocks, None) => Ok(Vec::new()),
        }
    }
}

/// Whether a message belongs to the turn that is being answered.
fn is_present(at: usize, messages: &Messages) -> bool {
    let mut rest = messages.iter().skip(at);
    !rest.any(|message| message.role == Role::User)
}

fn foreign(at: usize, message: &Message) -> Failure {
    let whose = match message.tool_calls.first() {
        Some(call) => format!(" beside the call of `{}`", call.name),
        None => String::new(),
    };
    let message = format!(
        "message {at} holds reasoning{whose} that this model did not write: the provider takes back only its own"
    );
    Failure::new(Cause::Setup, message).with_help("leave it out with `with_reasoning_sent(false)`")
}

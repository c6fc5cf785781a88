//! The providers: their addresses, their protocols, and the parts of a request that each of them accepts.
//!
//! This table is the only place that defines what a provider accepts. The check of requests, the page `docs/providers.md`
//! and the test that compares each cell with the request that is sent derive from it.

use std::time::Duration;

use prompt_core::{Options, ReasoningEffort, Role};

use super::protocol::Protocol;
use super::protocol::anthropic::AnthropicMessages;
use super::protocol::chat_completions::ChatCompletions;
use super::protocol::cohere::CohereChat;
use super::protocol::gemini::GenerateContent;
use super::protocol::ollama::OllamaChat;
use super::protocol::responses::Responses;
use super::support::MediaForm::{
    self, AudioBytes, AudioUrl, FileBytes, FileUrl, ImageBytes, ImageUrl, OtherAudioBytes,
    VideoBytes, VideoUrl,
};
use super::support::{CacheSupport, ReasoningFormat, SchemaSupport, ToolChoices};
use crate::schema::{FORMATS, Subset};

/// A provider of chat models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Provider {
    pub(crate) name: &'static str,
    pub(crate) protocol: &'static dyn Protocol,
    pub(crate) base_url: &'static str,
    /// The variable with the API key, if the provider requires one.
    pub(crate) key_variable: Option<&'static str>,
    /// Beginnings of model names that belong to this provider.
    pub(crate) models: &'static [&'static str],
    /// The media that it accepts in user messages.
    pub(crate) user: &'static [MediaForm],
    /// The media that it accepts in messages of the assistant.
    pub(crate) assistant: &'static [MediaForm],
    pub(crate) system: &'static [MediaForm],
    /// The media that it accepts in the results of tools.
    pub(crate) tool: &'static [MediaForm],
    /// Whether messages have the name of their speaker.
    pub(crate) names: bool,
    /// The field for the seed.
    pub(crate) seed: Option<&'static str>,
    /// The field for the greatest length of an answer, in OpenAI's chat completions.
    pub(crate) max_tokens_field: &'static str,
    /// Whether it accepts stop sequences.
    pub(crate) stop: bool,
    pub(crate) tool_choice: ToolChoices,
    pub(crate) parallel_tool_calls: bool,
    /// The levels of reasoning effort that its API has.
    pub(crate) efforts: &'static [ReasoningEffort],
    /// Whether it returns log-probabilities.
    pub(crate) log_probs: bool,
    pub(crate) prompt_cache: CacheSupport,
    /// The times for which it keeps what it writes to its cache, as its API writes them, in seconds.
    pub(crate) cache_ttls: &'static [(&'static str, u64)],
    pub(crate) schema: SchemaSupport,
    /// Whether a request may have tools or a schema, but not both: llama.cpp rejects both together, and vLLM and older
    /// models of Gemini then never call a tool. The answer is a tool then.
    pub(crate) schema_excludes_tools: bool,
    pub(crate) reasoning: ReasoningFormat,
}

/// The media that OpenAI's protocol supports, in the version of vLLM.
const WRITABLE: &[MediaForm] = &[
    ImageUrl,
    ImageBytes,
    AudioUrl,
    AudioBytes,
    OtherAudioBytes,
    VideoUrl,
    VideoBytes,
    FileBytes,
];
const MULTIMODAL: &[MediaForm] = &[
    ImageUrl, ImageBytes, AudioBytes, VideoUrl, VideoBytes, FileBytes,
];
const IMAGES_AND_VIDEO: &[MediaForm] = &[ImageUrl, ImageBytes, VideoUrl, VideoBytes];
const NONE: &[MediaForm] = &[];
const IMAGES: &[MediaForm] = &[ImageUrl, ImageBytes];
const DOCUMENTS: &[MediaForm] = &[ImageUrl, ImageBytes, FileUrl, FileBytes];
const BYTES: &[MediaForm] = &[
    ImageBytes,
    AudioBytes,
    OtherAudioBytes,
    VideoBytes,
    FileBytes,
];

const fn schema_subset(bounds: bool, recursion: bool) -> SchemaSupport {
    SchemaSupport::Subset(Subset {
        bounds,
        recursion,
        containers: false,
        empty_objects: true,
        formats: FORMATS,
    })
}

/// OpenRouter forwards requests to any of the others.
const NARROW: SchemaSupport = schema_subset(false, false);

const UP_TO_HIGH: &[ReasoningEffort] = &[
    ReasoningEffort::None,
    ReasoningEffort::Low,
    ReasoningEffort::Medium,
    ReasoningEffort::High,
];

/// The base of providers with OpenAI's protocol.
const COMPATIBLE: Provider = Provider {
    name: "",
    protocol: &ChatCompletions,
    base_url: "",
    key_variable: None,
    models: &[],
    user: IMAGES,
    assistant: &[],
    system: &[],
    tool: &[],
    names: true,
    seed: Some("seed"),
    max_tokens_field: "max_tokens",
    stop: true,
    tool_choice: ToolChoices::All,
    parallel_tool_calls: false,
    efforts: &[],
    log_probs: false,
    prompt_cache: CacheSupport::Unsupported,
    cache_ttls: &[],
    schema: SchemaSupport::Unsupported,
    schema_excludes_tools: false,
    reasoning: ReasoningFormat::Field,
};

/// A server by its URL, with OpenAI's protocol. The server decides what it accepts.
pub(crate) static OWN_SERVER: Provider = Provider {
    name: "openai",
    user: WRITABLE,
    assistant: WRITABLE,
    system: WRITABLE,
    tool: WRITABLE,
    parallel_tool_calls: true,
    efforts: ReasoningEffort::ALL,
    log_probs: true,
    prompt_cache: CacheSupport::Key,
    schema: SchemaSupport::Full,
    schema_excludes_tools: true,
    ..COMPATIBLE
};

const OPENAI: Provider = Provider {
    name: "openai",
    base_url: "https://api.openai.com/v1/",
    key_variable: Some("OPENAI_API_KEY"),
    models: &["gpt-", "chatgpt-", "o1", "o3", "o4"],
    // Models with reasoning reject the older field, and all others accept this one.
    max_tokens_field: "max_completion_tokens",
    user: &[ImageUrl, ImageBytes, AudioBytes, FileBytes],
    parallel_tool_calls: true,
    efforts: ReasoningEffort::ALL,
    log_probs: true,
    prompt_cache: CacheSupport::KeyAndBreakpoints,
    cache_ttls: &[("30m", 1800)],
    schema: schema_subset(true, true),
    // The API has no field for reasoning.
    reasoning: ReasoningFormat::Omitted,
    ..COMPATIBLE
};

const ANTHROPIC: Provider = Provider {
    name: "anthropic",
    protocol: &AnthropicMessages,
    base_url: "https://api.anthropic.com/v1/",
    key_variable: Some("ANTHROPIC_API_KEY"),
    models: &["claude"],
    user: DOCUMENTS,
    tool: DOCUMENTS,
    names: false,
    seed: None,
    parallel_tool_calls: true,
    efforts: &[
        ReasoningEffort::Low,
        ReasoningEffort::Medium,
        ReasoningEffort::High,
        ReasoningEffort::ExtraHigh,
        ReasoningEffort::Max,
    ],
    prompt_cache: CacheSupport::Breakpoints,
    cache_ttls: &[("5m", 300), ("1h", 3600)],
    schema: NARROW,
    reasoning: ReasoningFormat::Blocks,
    ..COMPATIBLE
};

const OLLAMA: Provider = Provider {
    name: "ollama",
    protocol: &OllamaChat,
    base_url: "http://localhost:11434/",
    user: &[ImageBytes],
    names: false,
    tool_choice: ToolChoices::Unsupported,
    efforts: UP_TO_HIGH,
    log_probs: true,
    schema: SchemaSupport::Full,
    // The schema is a grammar, with which a model cannot write calls.
    schema_excludes_tools: true,
    ..COMPATIBLE
};

static PROVIDERS: &[Provider] = &[
    Provider {
        name: "openai_resp",
        protocol: &Responses,
        // OpenAI recommends the Responses API for these.
        models: &["gpt-5", "gpt-6"],
        user: DOCUMENTS,
        tool: DOCUMENTS,
        names: false,
        seed: None,
        stop: false,
        reasoning: ReasoningFormat::Blocks,
        ..OPENAI
    },
    OPENAI,
    ANTHROPIC,
    Provider {
        name: "gemini",
        protocol: &GenerateContent,
        base_url: "https://generativelanguage.googleapis.com/v1beta/",
        key_variable: Some("GEMINI_API_KEY"),
        models: &["gemini"],
        user: MediaForm::ALL,
        assistant: MediaForm::ALL,
        tool: BYTES,
        names: false,
        efforts: &[
            ReasoningEffort::Minimal,
            ReasoningEffort::Low,
            ReasoningEffort::Medium,
            ReasoningEffort::High,
        ],
        log_probs: true,
        prompt_cache: CacheSupport::Stored,
        schema: SchemaSupport::Subset(Subset {
            bounds: true,
            recursion: false,
            containers: true,
            empty_objects: true,
            formats: FORMATS,
        }),
        schema_excludes_tools: true,
        reasoning: ReasoningFormat::Blocks,
        ..COMPATIBLE
    },
    OLLAMA,
    Provider {
        name: "ollama_cloud",
        base_url: "https://ollama.com/",
        key_variable: Some("OLLAMA_API_KEY"),
        ..OLLAMA
    },
    Provider {
        name: "cohere",
        protocol: &CohereChat,
        base_url: "https://api.cohere.com/v2/",
        key_variable: Some("COHERE_API_KEY"),
        models: &["command"],
        names: false,
        tool_choice: ToolChoices::Modes,
        efforts: &[ReasoningEffort::None, ReasoningEffort::High],
        schema: SchemaSupport::Subset(Subset {
            bounds: false,
            recursion: false,
            containers: false,
            empty_objects: false,
            formats: &["date-time", "date", "time", "uuid"],
        }),
        schema_excludes_tools: true,
        reasoning: ReasoningFormat::ContentPart,
        ..COMPATIBLE
    },
    Provider {
        models: &["MiniMax-", "minimax-"],
        user: &[],
        tool: &[],
        efforts: &[],
        prompt_cache: CacheSupport::Unsupported,
        cache_ttls: &[],
        schema: SchemaSupport::Unsupported,
        name: "minimax",
        base_url: "https://api.minimax.io/anthropic/v1/",
        key_variable: Some("MINIMAX_API_KEY"),
        ..ANTHROPIC
    },
];

/// Providers with OpenAI's protocol: name, base URL, variable of the key, media of the user, and what differs otherwise.
macro_rules! compatible {
    ($($name:literal $base_url:literal $key:literal $user:ident { $($field:ident: $value:expr),* })*) => {
        &[$(Provider {
            name: $name,
            base_url: $base_url,
            key_variable: Some($key),
            user: $user,
            $($field: $value,)*
            ..COMPATIBLE
        }),*]
    };
}

static COMPATIBLE_PROVIDERS: &[Provider] = compatible! {
    "mistral" "https://api.mistral.ai/v1/" "MISTRAL_API_KEY" IMAGES { parallel_tool_calls: true, efforts: &[ReasoningEffort::None, ReasoningEffort::High], models: &["mistral-", "magistral-", "codestral-", "ministral-", "pixtral-"],
        names: false, seed: Some("random_seed"), schema: schema_subset(true, true), reasoning: ReasoningFormat::ContentPart
    }
    // It rejects messages with reasoning.
    "groq" "https://api.groq.com/openai/v1/" "GROQ_API_KEY" IMAGES { parallel_tool_calls: true, efforts: UP_TO_HIGH, schema: NARROW, reasoning: ReasoningFormat::Omitted }
    "deepseek" "https://api.deepseek.com/v1/" "DEEPSEEK_API_KEY" NONE { log_probs: true, models: &["deepseek-"] }
    "open_router" "https://openrouter.ai/api/v1/" "OPEN_ROUTER_API_KEY" MULTIMODAL { parallel_tool_calls: true, efforts: ReasoningEffort::ALL, log_probs: true, schema: NARROW }
    "xai" "https://api.x.ai/v1/" "XAI_API_KEY" IMAGES { parallel_tool_calls: true, efforts: UP_TO_HIGH, log_probs: true, models: &["grok"], schema: NARROW }
    "fireworks" "https://api.fireworks.ai/inference/v1/" "FIREWORKS_API_KEY" IMAGES { parallel_tool_calls: true, efforts: UP_TO_HIGH, log_probs: true, schema: schema_subset(false, true) }
    "together" "https://api.together.xyz/v1/" "TOGETHER_API_KEY" IMAGES_AND_VIDEO { efforts: &[ReasoningEffort::Low, ReasoningEffort::Medium, ReasoningEffort::High], schema: schema_subset(false, true) }
    "zai" "https://api.z.ai/api/paas/v4/" "ZAI_API_KEY" IMAGES_AND_VIDEO { tool_choice: ToolChoices::Unsupported, models: &["glm"] }
    "zai_coding" "https://api.z.ai/api/coding/paas/v4/" "ZAI_API_KEY" IMAGES_AND_VIDEO { tool_choice: ToolChoices::Unsupported }
    "bigmodel" "https://open.bigmodel.cn/api/paas/v4/" "BIGMODEL_API_KEY" IMAGES_AND_VIDEO { tool_choice: ToolChoices::Unsupported }
    "kimi" "https://api.moonshot.ai/v1/" "KIMI_API_KEY" IMAGES_AND_VIDEO { models: &["kimi-"] }
    "moonshot" "https://api.moonshot.cn/v1/" "MOONSHOT_API_KEY" IMAGES { models: &["moonshot-"] }
    "aliyun" "https://dashscope.aliyuncs.com/compatible-mode/v1/" "ALIYUN_API_KEY" MULTIMODAL { parallel_tool_calls: true, log_probs: true }
    "qwen_cloud" "https://dashscope-intl.aliyuncs.com/compatible-mode/v1/" "QWEN_CLOUD_API_KEY" MULTIMODAL { parallel_tool_calls: true, log_probs: true }
    "baidu" "https://qianfan.baidubce.com/v2/" "BAIDU_API_KEY" IMAGES {}
    "nebius" "https://api.studio.nebius.ai/v1/" "NEBIUS_API_KEY" IMAGES { parallel_tool_calls: true, log_probs: true, schema: NARROW }
    "mimo" "https://api.mimo.com/openai/v1/" "MIMO_API_KEY" IMAGES { models: &["mimo-"] }
    "github_copilot" "https://models.github.ai/inference/" "GITHUB_TOKEN" IMAGES {}
    "requesty" "https://router.requesty.ai/v1/" "REQUESTY_API_KEY" MULTIMODAL { parallel_tool_calls: true, efforts: ReasoningEffort::ALL, log_probs: true }
    "aihubmix" "https://aihubmix.com/v1/" "AIHUBMIX_API_KEY" MULTIMODAL { parallel_tool_calls: true, efforts: ReasoningEffort::ALL, log_probs: true }
};

/// All providers.
pub(crate) fn all_providers() -> impl Iterator<Item = &'static Provider> {
    PROVIDERS.iter().chain(COMPATIBLE_PROVIDERS)
}

impl Provider {
    /// The provider of a model, and the name of the model without its prefix.
    pub(crate) fn from_model(model: &str) -> Option<(&'static Provider, &str)> {
        if let Some((prefix, name)) = model.split_once("::") {
            let provider = all_providers().find(|provider| provider.name == prefix)?;
            return Some((provider, name));
        }
        let owns = |provider: &&Provider| {
            let mut starts = provider.models.iter();
            // `gpt-oss` models are open, and no provider owns them.
            starts.any(|start| model.starts_with(start)) && !model.starts_with("gpt-oss")
        };
        Some((all_providers().find(owns)?, model))
    }

    /// The name of a model as it should be written, if another sign than `::` separates it from its provider, as in the names of other
    /// libraries: `openai/gpt-4o`, `openai:gpt-4o`.
    pub(crate) fn corrected_name(model: &str) -> Option<String> {
        let letters = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
        let (prefix, name) = model.split_once([':', '/'])?;
        let name = name.trim_start_matches([':', '/']);
        let prefix = letters(prefix);
        let provider = all_providers().find(|provider| letters(provider.name) == prefix)?;
        (!name.is_empty()).then(|| format!("{}::{name}", provider.name))
    }

    /// Whether it is a server by its address.
    pub(crate) fn is_own_server(&self) -> bool {
        self.base_url.is_empty()
    }

    /// The time for which a cache is kept, as the API writes it.
    pub(crate) fn cache_ttl(&self, options: &Options) -> Option<&'static str> {
        let wanted = options.prompt_cache_ttl?;
        let mut known = self.cache_ttls.iter();
        let known = known.find(|(_, seconds)| Duration::from_secs(*seconds) == wanted)?;
        Some(known.0)
    }

    /// The media that it accepts in messages of a role.
    pub(crate) fn accepted_media(&self, role: Role) -> &'static [MediaForm] {
        match role {
            Role::User => self.user,
            Role::Assistant => self.assistant,
            Role::Tool => self.tool,
            _ => self.system,
        }
    }
}

//! The parts of requests that a provider may accept: media, tool choices, prompt caches, schemas and reasoning.

use std::fmt;

use prompt_core::{Media, MediaKind, MediaSource, PromptCache, ToolChoice};
use serde_json::Value;

use crate::schema::{Narrowed, Subset};

/// The tool choices that a provider accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ToolChoices {
    Unsupported,
    /// Every choice except a tool by its name.
    Modes,
    All,
}

/// How a provider accepts the option for prompt caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CacheSupport {
    Unsupported,
    /// The ends of the cached parts are marked.
    Breakpoints,
    Key,
    /// A key, or marks at the ends of the cached parts.
    KeyAndBreakpoints,
    /// The beginning of a prompt is kept under a name.
    Stored,
}

impl CacheSupport {
    pub(crate) fn accepts(self, cache: &PromptCache) -> bool {
        match self {
            CacheSupport::Unsupported => false,
            CacheSupport::Breakpoints => {
                !matches!(cache, PromptCache::Key(_) | PromptCache::Stored(_))
            }
            CacheSupport::Key => matches!(cache, PromptCache::Key(_)),
            CacheSupport::KeyAndBreakpoints => !matches!(cache, PromptCache::Stored(_)),
            CacheSupport::Stored => matches!(cache, PromptCache::Stored(_)),
        }
    }
}

impl ToolChoices {
    pub(crate) fn accepts(self, choice: &ToolChoice) -> bool {
        match self {
            ToolChoices::Unsupported => false,
            ToolChoices::Modes => !matches!(choice, ToolChoice::Tool(_)),
            ToolChoices::All => true,
        }
    }
}

/// Defines the media forms, the list of them, and their names in errors and in `docs/providers.md`.
macro_rules! media_forms {
    ($($(#[$doc:meta])* $form:ident $name:literal)*) => {
        /// A kind of media, and how it is given.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum MediaForm {
            $($(#[$doc])* $form,)*
        }

        impl MediaForm {
            pub(crate) const ALL: &[MediaForm] = &[$(MediaForm::$form),*];
        }

        impl fmt::Display for MediaForm {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(MediaForm::$form => $name,)*
                })
            }
        }
    };
}

media_forms! {
    ImageUrl "image by URL"
    ImageBytes "image"
    AudioUrl "audio by URL"
    /// WAV and MP3, which have a name in OpenAI's protocol.
    AudioBytes "audio (WAV, MP3)"
    OtherAudioBytes "other audio"
    VideoUrl "video by URL"
    VideoBytes "video"
    FileUrl "file by URL"
    FileBytes "file"
}

/// Whether a provider constrains its answers to a JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SchemaSupport {
    Unsupported,
    Full,
    Subset(Subset),
}

/// How the reasoning of earlier turns is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReasoningFormat {
    /// As a field of the message, `reasoning_content` or `thinking`, whichever model produced it.
    Field,
    /// As a part of the message's content, whichever model produced it.
    ContentPart,
    /// In the provider's own blocks, as it returned them: signed or encrypted.
    Blocks,
    /// It is not sent: the provider does not support it, or the user requested it.
    Omitted,
}

impl SchemaSupport {
    /// The schema in the provider's subset of JSON Schema, or `None` if there is no subset or it cannot express the schema.
    pub(crate) fn narrow_schema(self, schema: &Value) -> Option<Narrowed> {
        match self {
            SchemaSupport::Subset(subset) => subset.narrow_schema(schema),
            _ => None,
        }
    }
}

impl MediaForm {
    pub(crate) fn from_media(media: &Media) -> MediaForm {
        match (media.kind(), media.source()) {
            (MediaKind::Image, MediaSource::Url(_)) => MediaForm::ImageUrl,
            (MediaKind::Image, _) => MediaForm::ImageBytes,
            (MediaKind::Audio, MediaSource::Url(_)) => MediaForm::AudioUrl,
            (MediaKind::Audio, MediaSource::Base64 { mime, .. })
                if prompt_core::openai::audio_format(mime).is_some() =>
            {
                MediaForm::AudioBytes
            }
            (MediaKind::Audio, _) => MediaForm::OtherAudioBytes,
            (MediaKind::Video, MediaSource::Url(_)) => MediaForm::VideoUrl,
            (MediaKind::Video, _) => MediaForm::VideoBytes,
            (_, MediaSource::Url(_)) => MediaForm::FileUrl,
            _ => MediaForm::FileBytes,
        }
    }
}

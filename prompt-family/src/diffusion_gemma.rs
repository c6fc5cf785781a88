//! DiffusionGemma.

use super::*;

/// DiffusionGemma: Gemma 4 that opens the assistant's turn again after the results of tools.
pub const DIFFUSION_GEMMA: Family = Family {
    name: "diffusion_gemma",
    title: "DiffusionGemma",
    source: Source::new("trl/chat_templates/diffusion_gemma.jinja of trl 1.16.0", "2026-11"),
    aliases: &["diffusiongemma", "google/diffusiongemma-26B-A4B-it"],
    template: ConversationTemplate::DiffusionGemma,
    ..GEMMA4
};

//! Muse Glimmer.

use super::*;

const BOS: &str = "<|begin_of_text|>";
const START: &str = "<|start|>";
const MESSAGE: &str = "<|message|>";
/// The end of the assistant's turn.
const EOT: &str = "<|eot|>";
/// The end of a message that another one of the same role follows.
pub const EOM: &str = "<|eom|>";
const ASSISTANT: &str = join!(START, "assistant");
/// Before the assistant's reasoning.
pub const REASONING: &str = join!(ASSISTANT, SELF);
const SELF: &str = join!(" to=self", MESSAGE);
const ANSWER: &str = join!(ASSISTANT, " to=user", MESSAGE);
/// Before the recipient of a message of the assistant.
pub const TO: &str = join!(ASSISTANT, " to=");
/// Before the name of a tool in the header of its result.
pub const RESULT: &str = join!(START, "tool ");
/// After the header of a message.
pub const HEADER_END: &str = MESSAGE;
const CALLS: &str = "<atem:function_calls>";
const CALLS_END: &str = "</atem:function_calls>";
const INVOKE: &str = "<atem:invoke ";
const INVOKE_END: &str = "</atem:invoke>";
const PARAMETER: &str = "<atem:parameter name=\"";
const PARAMETER_END: &str = "</atem:parameter>";
const IMAGE: &str = "<|patch|>";
const VIDEO: &str = "<|video|>";

/// Muse Glimmer: messages with recipients, tools and the reasoning effort in system messages, and the arguments of calls between tags. Its
/// tokens are those of its template and of its tokenizer, as listed in public descriptions.
pub const MUSE_GLIMMER: Family = Family {
    name: "muse_glimmer",
    title: "Muse Glimmer",
    source: Source::new("trl/chat_templates/muse_glimmer.jinja of trl 1.16.0", "2026-11"),
    aliases: &["muse-glimmer", "meta-models/Muse-Glimmer-30B"],
    bos: BOS,
    eos: EOT,
    tokens: &[
        BOS, "<|end_of_text|>", START, MESSAGE, EOT, EOM, IMAGE, VIDEO, CALLS, CALLS_END, INVOKE, INVOKE_END, PARAMETER, PARAMETER_END,
        "<tool_output", "</tool_output>",
    ],
    numbered: &[Numbered::new("<|reserved_special_token_", "|>")],
    system: true,
    history: true,
    tools: true,
    media: true,
    reasoning: true,
    options: &[FormatOption::Effort, FormatOption::Date],
    turns: Turns {
        start: TextStart::Bos,
        system: System::in_turn(Delimiters::new(join!(START, "system", MESSAGE), EOT)).default(DefaultSystem::UnlessAny(
            "You are a helpful AI assistant.\nKnowledge cutoff: 2026-01-04.\nCurrent date: ",
        )),
        user: Delimiters::new(join!(START, "user", MESSAGE), EOT),
        assistant: Delimiters::new(ANSWER, EOT),
        other: OtherRoles::Named { open: START, middle: MESSAGE, close: EOT, capitalized: false },
        answer: Some(ASSISTANT),
        reasoning: Some((SELF, join!(EOM, ANSWER))),
        keeps_reasoning: true,
        calls: Calls {
            open: join!(CALLS, "\n", INVOKE, "name=\""),
            middle: "\">\n",
            close: join!(INVOKE_END, "\n", CALLS_END),
            arguments: Some(TaggedArguments {
                open: PARAMETER,
                middle: "\">",
                other_middle: None,
                close: join!(PARAMETER_END, "\n"),
                between: "",
                values: TagValues::Json,
            }),
            ..Calls::NONE
        },
        // A message to a tool contains its call between tags.
        answer_calls: &[
            CallSyntax::new(MESSAGE, EOT, CallBody::Channel).in_section("", EOM),
            CallSyntax::new(
                INVOKE,
                INVOKE_END,
                CallBody::Tags {
                    name: ("name=\"", "\">"),
                    key: (PARAMETER, "\""),
                    value: (">", PARAMETER_END),
                    end: "",
                },
            )
            .in_section(CALLS, CALLS_END),
        ],
        media: Placeholders { image: IMAGE, audio: "", video: VIDEO, image_urls: false },
        closes: &[EOM],
        ..Turns::NONE
    },
    template: ConversationTemplate::MuseGlimmer,
    ..Family::BARE
};

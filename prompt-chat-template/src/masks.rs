//! The bytes of a text that the model generates, for training.

use std::collections::BTreeSet;
use std::ops::Range;

use prompt_core::format::{FormatOptions, check_options};
use prompt_core::{AnnotatedText, ChatFormat as _, Json, Messages, Result, Role};

use crate::ChatTemplate;
use crate::node::{InputNode, RequestPart};
use crate::render::Rendered;

impl ChatTemplate {
    /// Formats a conversation, and returns with the text the ranges of its bytes that the model generates: what the template writes
    /// in `{% generation %}` blocks, as `return_assistant_tokens_mask` of transformers. A template without such blocks has the text of
    /// each assistant message, from its first byte up to its end token.
    ///
    /// # Errors
    /// As [`to_text`](Messages::to_text).
    ///
    /// ```
    /// use typed_prompt::{ChatTemplate, Message, Messages, format::FormatOptions};
    ///
    /// let template = ChatTemplate::parse(
    ///     "{% for m in messages %}<|{{ m.role }}|>{% if m.role == 'assistant' %}\
    ///      {% generation %}{{ m.content }}<|end|>{% endgeneration %}{% else %}{{ m.content }}<|end|>{% endif %}{% endfor %}",
    /// )?;
    /// let chat = Messages::from([Message::user("2+2?"), Message::assistant("4")]);
    /// let options = FormatOptions::new().generation_prompt(false);
    /// let (text, generated) = template.format_masked(&chat, &options)?;
    /// assert_eq!(text.as_str(), "<|user|>2+2?<|end|><|assistant|>4<|end|>");
    /// assert_eq!(&text.as_str()[generated[0].clone()], "4<|end|>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn format_masked(
        &self,
        messages: &Messages,
        options: &FormatOptions,
    ) -> Result<(AnnotatedText, Vec<Range<usize>>)> {
        check_options(self, options)?;
        let rendered = self.try_shapes(messages, options)?;
        let roles = messages.iter().map(|message| message.role);
        let assistants = positions(roles.map(|role| role == Role::Assistant));
        self.write_masked(&rendered, &assistants, options)
    }

    /// The same for a conversation as chat APIs send it.
    ///
    /// # Errors
    /// As [`format_json`](ChatTemplate::format_json).
    ///
    /// ```
    /// use typed_prompt::{ChatTemplate, format::FormatOptions, message::Json};
    ///
    /// let template = ChatTemplate::parse("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}")?;
    /// let chat = Json::parse(r#"[{"role": "assistant", "content": "4"}]"#)?;
    /// let (text, generated) = template.format_json_masked(&chat, None, &FormatOptions::new())?;
    /// assert_eq!(&text.as_str()[generated[0].clone()], "4<|end|>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn format_json_masked(
        &self,
        messages: &Json,
        tools: Option<&Json>,
        options: &FormatOptions,
    ) -> Result<(AnnotatedText, Vec<Range<usize>>)> {
        let conversation = self.read_conversation(messages, tools, options)?;
        let roles = conversation.messages.iter().map(|message| {
            let role = message.get("role").and_then(InputNode::as_str);
            role == Some(Role::Assistant.name())
        });
        let assistants = positions(roles);
        let rendered = self.render_whole(conversation, options)?;
        self.write_masked(&rendered, &assistants, options)
    }

    fn write_masked(
        &self,
        rendered: &Rendered,
        assistants: &BTreeSet<usize>,
        options: &FormatOptions,
    ) -> Result<(AnnotatedText, Vec<Range<usize>>)> {
        let ranges = match self.has_generation() {
            true => rendered.generated(),
            false => self.assistant_ranges(rendered, assistants),
        };
        let mut out = AnnotatedText::new();
        self.write_rendered(rendered, options, &mut out);
        let out = self.apply_guard(out, options)?;
        let is_bos_left_out = !options.bos && rendered.text.starts_with(&self.bos);
        let skipped = if is_bos_left_out { self.bos.len() } else { 0 };
        let ranges = move_ranges(&rendered.text, skipped, out.as_str(), ranges);
        Ok((out, ranges))
    }

    /// The text of each assistant message with what is written between its parts, and the token after it.
    fn assistant_ranges(
        &self,
        rendered: &Rendered,
        assistants: &BTreeSet<usize>,
    ) -> Vec<Range<usize>> {
        let mut ranges: Vec<(usize, Range<usize>)> = Vec::new();
        let mut at = 0;
        for segment in &rendered.segments {
            let start = std::mem::replace(&mut at, segment.end);
            let (RequestPart::Message(index) | RequestPart::Calls(index)) = segment.part else {
                continue;
            };
            if !assistants.contains(&index) {
                continue;
            }
            match ranges.last_mut() {
                Some(last) if last.0 == index => last.1.end = segment.end,
                _ => ranges.push((index, start..segment.end)),
            }
        }
        let with_token = |(_, range): (usize, Range<usize>)| {
            // The text after the message begins with what closes its parts, such as `</tool_call>`, and its end token.
            let after = self.tokens.end_of_turn(&rendered.text[range.end..]);
            range.start..range.end + after.unwrap_or(0)
        };
        ranges.into_iter().map(with_token).collect()
    }
}

fn positions(are: impl Iterator<Item = bool>) -> BTreeSet<usize> {
    let indices = are.enumerate().filter(|(_, is)| *is);
    indices.map(|(index, _)| index).collect()
}

/// Ranges of a text as those of the text that the guard made of it, which has characters more and nothing else.
fn move_ranges(
    text: &str,
    skipped: usize,
    guarded: &str,
    ranges: Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let mut positions = vec![0; text.len() + 1];
    let mut written = guarded.bytes().enumerate();
    let mut end = 0;
    for (at, byte) in text.bytes().enumerate().skip(skipped) {
        let found = written.find(|(_, other)| *other == byte);
        positions[at] = found.map_or(guarded.len(), |(at, _)| at);
        end = found.map_or(guarded.len(), |(at, _)| at + 1);
    }
    positions[text.len()] = end;
    let moved = ranges.into_iter().map(|range| {
        // What the guard inserts before a byte is not part of the range that ends there.
        let end = match range.end.checked_sub(1) {
            Some(last) if last >= skipped => (positions[last] + 1).min(guarded.len()),
            _ => 0,
        };
        positions[range.start]..end
    });
    moved.filter(|range| range.start < range.end).collect()
}

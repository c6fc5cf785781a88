//! The bytes of a text that the model generates, for training.

use std::ops::Range;

use prompt_core::Origin;

use crate::ChatTemplate;
use crate::node::RequestPart;
use crate::render::Rendered;

impl ChatTemplate {
    /// The bytes that the model generates: what `{% generation %}` blocks wrote, or else the assistant's turns.
    pub(crate) fn generated_ranges(&self, rendered: &Rendered) -> Vec<Range<usize>> {
        match self.has_generation() {
            true => rendered.generated(),
            false => self.assistant_ranges(rendered),
        }
    }

    /// The text of each assistant message with what is written between its parts, the token after it, and a line break after that.
    fn assistant_ranges(&self, rendered: &Rendered) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        // The message of the text before, where no other text is between.
        let mut before = None;
        let mut at = 0;
        for segment in &rendered.segments {
            let start = std::mem::replace(&mut at, segment.end);
            if segment.origin == Origin::Structure {
                continue;
            }
            // A name is written in the header, which the model does not generate.
            let message = match segment.part {
                RequestPart::Header(_) => None,
                part => part.message(),
            };
            let is_answer =
                message.is_some_and(|index| rendered.assistants.get(index) == Some(&true));
            match ranges.last_mut() {
                _ if !is_answer => {}
                Some(last) if before == message => last.end = segment.end,
                _ => ranges.push(start..segment.end),
            }
            before = message;
        }
        let with_token = |range: Range<usize>| {
            // The text after the message begins with what closes its parts, such as `</tool_call>`, and its end token.
            let after = template_text_after(rendered, range.end);
            let end = self.tokens.end_of_turn(after).unwrap_or(0);
            let line = usize::from(end > 0 && after[end..].starts_with('\n'));
            range.start..range.end + end + line
        };
        ranges.into_iter().map(with_token).collect()
    }
}

/// The template's own text from a position up to the next data.
fn template_text_after(rendered: &Rendered, start: usize) -> &str {
    let segments = &rendered.segments;
    let first = segments.partition_point(|segment| segment.end <= start);
    let own = segments[first..].iter();
    let own = own.take_while(|segment| segment.origin == Origin::Structure);
    &rendered.text[start..own.last().map_or(start, |segment| segment.end)]
}

//! The contents of messages as the models' own templates read them: as text, printed as in Python, or as JSON.

use std::borrow::Cow;

use super::chat::{Call, Content, Item, Turn};
use super::python::{display, dumps, list_to_text};
use super::text_slice::TextSlice;
use super::writer::{FieldOrigin, FormatWriter};
use crate::{Json, MediaKind, Result, Text};

impl FormatWriter<'_> {
    /// A content where the family takes a text: lists of text are joined.
    pub(crate) fn text<'t>(&self, at: usize, turn: &'t Turn<'_>) -> Result<Cow<'t, Text>> {
        match &turn.content {
            Content::Text(text) => return Ok(Cow::Borrowed(text)),
            Content::Absent => return Ok(Cow::Owned(Text::new())),
            Content::Parts(_) | Content::Json(_) => {}
        }
        let Some(items) = turn.items() else {
            let what = "has a content that is neither text nor a list";
            return Err(self.unsupported_message(at, turn, what, "give it as text"));
        };
        let mut whole = Text::new();
        for item in items {
            match item {
                Item::Text(text) => whole.push(&text),
                Item::Media(kind, _) => return Err(self.media_error(at, turn, kind)),
                Item::Other(_) => return Err(self.part_error(at, turn)),
            }
        }
        Ok(Cow::Owned(whole))
    }

    /// A content that the model's own template prints whatever it is: a list as Python shows it.
    pub(crate) fn printed_text<'t>(&self, at: usize, turn: &'t Turn<'_>) -> Result<Cow<'t, Text>> {
        match &turn.content {
            Content::Json(json) if !self.is_strict() => {
                let open = self.open_list(at, json, false);
                Ok(Cow::Owned(open.unwrap_or_else(|| display(json)).into()))
            }
            _ => self.text(at, turn),
        }
    }

    /// A content that the model's own template takes for empty unless it is a text.
    pub(crate) fn only_text<'t>(&self, at: usize, turn: &'t Turn<'_>) -> Result<Cow<'t, Text>> {
        match &turn.content {
            Content::Text(text) => Ok(Cow::Borrowed(text)),
            _ if !self.is_strict() => {
                self.dropped.set(self.dropped.get() || self.is_open(at));
                Ok(Cow::Owned(Text::new()))
            }
            _ => self.text(at, turn),
        }
    }

    /// Writes a content as JSON, where the model's own template prints that.
    pub(crate) fn json(&mut self, at: usize, turn: &Turn<'_>) -> Result<()> {
        match &turn.content {
            Content::Json(json) if !self.is_strict() => {
                let open = self.open_list(at, json, true);
                let is_open = open.is_some();
                let text = open.unwrap_or_else(|| dumps(json, None));
                self.data(FieldOrigin::Content(at), &text);
                if is_open {
                    self.seal(at);
                }
            }
            _ => {
                let text = self.text(at, turn)?;
                self.finish_content_as_json(at, TextSlice::from(&text));
            }
        }
        Ok(())
    }

    /// A list that stays open at the end of its last text.
    fn open_list(&self, at: usize, list: &Json, as_json: bool) -> Option<String> {
        let open = list_to_text(list, as_json).filter(|_| self.is_open(at))?;
        self.inside.set(true);
        Some(open)
    }

    /// Writes a content that is a list, with the image token for every image.
    pub(crate) fn items(
        &mut self,
        at: usize,
        turn: &Turn<'_>,
        image: &str,
        strips: bool,
    ) -> Result<()> {
        let items = turn.items().unwrap_or_default();
        let trim = |text| match TextSlice::new(text) {
            text if strips => text.strip(),
            text => text,
        };
        let last = items.iter().rposition(|item| matches!(item, Item::Text(_)));
        for (index, item) in items.iter().enumerate() {
            match item {
                Item::Text(text) if Some(index) == last => self.finish_content(at, trim(text)),
                Item::Text(text) => self.slice(FieldOrigin::Content(at), trim(text)),
                // The models' own templates know images by this one name.
                Item::Media(MediaKind::Image, plain) if *plain || self.is_strict() => {
                    self.image(at, image);
                }
                Item::Media(kind, _) if self.is_strict() => {
                    return Err(self.media_error(at, turn, *kind));
                }
                Item::Other(_) if self.is_strict() => return Err(self.part_error(at, turn)),
                _ => {}
            }
        }
        Ok(())
    }

    /// A call's arguments. Some clients send the JSON as a string, which many templates would quote once more.
    pub(crate) fn arguments<'c>(&self, call: &'c Call) -> Cow<'c, Json> {
        let inner = || Json::parse(&call.arguments.as_string()?).ok();
        match self.is_strict().then(inner).flatten() {
            Some(json) => Cow::Owned(json),
            None => Cow::Borrowed(&call.arguments),
        }
    }
}

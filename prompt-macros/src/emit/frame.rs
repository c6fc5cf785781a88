//! Where the family is known when the program is compiled: the prompt's own words, joined with the family's marks.

use proc_macro2::TokenStream;
use prompt_syntax::Role;
use prompt_syntax::family::{Ends, Family, Frame};
use quote::quote;

use super::run::Run;
use super::{CaseEmitter, Code, Emitter};
use crate::model::{Message, Piece, PromptCase};
use crate::uses::{answer, messages};

impl Emitter<'_> {
    /// ```text
    /// fn framed(&self, joint: &Joint) -> Option<String> {
    ///     framed(joint, "llama3", &[0], false)?.fill("<|begin_of_text|>…<question><|eot_id|>…", b"…", &[self.question], &[])
    /// }
    /// ```
    ///
    /// Only for an ordinary conversation of words and slots: what else a prompt holds is known when it is rendered.
    pub(super) fn framed(&self) -> Option<TokenStream> {
        let (Some(format), [case], false) = (
            &self.prompt.input.keys.format,
            &self.prompt.cases[..],
            self.bound,
        ) else {
            return None;
        };
        let case_of = CaseEmitter::new(self, case);
        let joined = case_of.joined(format.value);
        let p = &self.private;
        let uses_fill = self.fills.take().then(|| quote!(use #p::Fill;));
        let (joined, templates) = (joined?, case_of.templates());
        Some(quote! {
            fn framed(&self, joint: &#p::Joint) -> #p::Option<#p::String> {
                #uses_fill
                #templates
                #joined
            }
        })
    }
}

impl CaseEmitter<'_> {
    /// The call that writes the whole conversation, if it is an ordinary one.
    fn joined(&self, family: &Family) -> Option<TokenStream> {
        let frame = &family.frame?;
        let stands_apart = |field: &crate::input::Field| field.stands_apart().is_some();
        if answer(self.case).is_some() || self.case.case.fields.iter().any(stands_apart) {
            return None;
        }
        let p = &self.emitter.private;
        let (mut run, mut borders, mut before) = (Run::new(p), Vec::new(), None);
        for message in turns(self.case)? {
            run.text(mark(frame, before, message.role?)?);
            self.words(frame, message, &mut run, &mut borders)?;
            before = message.role;
        }
        if before != Some(Role::User) {
            return None;
        }
        run.text(frame.answer);
        let is_open = run.before_slots().any(|words| family.leaves_open(words));
        let mut code = Code::new(p);
        code.path("framed").parenthesized(|code| {
            code.add("joint,").literal(family.name).add(",&");
            code.literal(borders).add(",").literal(is_open);
        });
        code.add("?.fill")
            .parenthesized(|code| run.write(|words| format!("{words:?}"), code));
        Some(code.into_tokens())
    }

    /// Adds the words of a message, less the white space that the family takes off. Where a slot stands at their border, its
    /// value is known only when it is rendered: `borders` tells which are to be looked at then.
    fn words<'a>(
        &'a self,
        frame: &Frame,
        message: &'a Message,
        run: &mut Run<'a>,
        borders: &mut Vec<usize>,
    ) -> Option<()> {
        let mut own = Run::new(&self.emitter.private);
        // What rustc is asked about a slot is asked where the prompt is rendered.
        let is_known =
            |piece: &Piece| !matches!(piece, Piece::Slot(slot) if self.is_asserted(&slot.value));
        let mut pieces = message.body.iter();
        let joins = pieces.all(|piece| is_known(piece) && self.joins(message, piece, &mut own));
        let texts = own.texts();
        let switched = |text: &String| frame.switches.iter().any(|switch| text.contains(switch));
        if !joins || texts.iter().any(switched) {
            return None;
        }
        let (first, slots) = (run.slots(), own.slots());
        if frame.ends == Ends::Kept {
            if texts.iter().all(String::is_empty) {
                borders.push((slots > 0).then_some(first)?);
            }
            run.append(own);
            return Some(());
        }
        let is_bare = |text: &str| text == text.trim_matches(is_space);
        if frame.ends == Ends::Varying && !own.ends().into_iter().all(is_bare) {
            return None;
        }
        own.strip(is_space);
        let [start, end] = own.ends();
        match slots {
            0 if start.is_empty() => return None,
            0 => {}
            _ => {
                borders.extend(start.is_empty().then_some(first));
                borders.extend(end.is_empty().then_some(first + slots - 1));
            }
        }
        run.append(own);
        Some(())
    }
}

/// The messages, if there is nothing else.
fn turns<'a>(case: &'a PromptCase<'_>) -> Option<Vec<&'a Message>> {
    let turns = messages(case);
    (turns.len() == case.steps.len()).then_some(turns)
}

/// What the family writes before the words of a role.
fn mark(frame: &Frame, before: Option<Role>, role: Role) -> Option<&'static str> {
    match (before, role) {
        (None, Role::System) => Some(frame.system?.0),
        (None, Role::User) => frame.user,
        (Some(Role::System), Role::User) => Some(frame.system?.1),
        (Some(Role::User), Role::Assistant) => Some(frame.reply),
        (Some(Role::Assistant), Role::User) => Some(frame.next),
        _ => None,
    }
}

/// White space as the models' own templates know it: Unicode's, and four control characters besides.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

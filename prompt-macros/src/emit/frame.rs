//! Where the family is known when the program is compiled: the prompt's own words, joined with the family's marks.

use proc_macro2::TokenStream;
use prompt_syntax::Role;
use prompt_syntax::family::{Ends, Family, Form, Frame};
use quote::quote;

use super::run::Run;
use super::{CaseEmitter, Code, Emitter};
use crate::input::Field;
use crate::model::{Message, Piece, PromptCase};
use crate::uses::{answer, messages};

impl Emitter<'_> {
    /// ```text
    /// const FRAMED: bool = true;
    /// fn framed(&self, joint: &Joint) -> Option<String> {
    ///     framed(joint, "llama3", &[0], false)?.fill("<|begin_of_text|>…<question><|eot_id|>…", b"…", &[self.question], &[])
    /// }
    /// ```
    ///
    /// Only for an ordinary conversation of words and slots, or an instruction with extra fields: what else a prompt holds is known when it is rendered.
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
            const FRAMED: #p::core::primitive::bool = true;
            fn framed(&self, joint: &#p::Joint) -> #p::Option<#p::String> {
                #uses_fill
                #templates
                #joined
            }
        })
    }
}

impl CaseEmitter<'_> {
    /// The call that writes the whole text, if it is an ordinary one.
    fn joined(&self, family: &Family) -> Option<TokenStream> {
        if answer(self.case).is_some() {
            return None;
        }
        let titles: Vec<String> = self.case.case.fields.iter().map(Field::title).collect();
        let p = &self.emitter.private;
        let (mut run, mut borders) = (Run::new(p), Vec::new());
        match (&family.frame, &family.form) {
            (Some(frame), _) => self.conversation(frame, &mut run, &mut borders)?,
            (None, Some(form)) => self.instruction(form, &titles, &mut run, &mut borders)?,
            (None, None) => return None,
        }
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

    /// Adds a conversation of turns, the user last.
    fn conversation<'a>(
        &'a self,
        frame: &Frame,
        run: &mut Run<'a>,
        borders: &mut Vec<usize>,
    ) -> Option<()> {
        let stands_apart = |field: &Field| field.stands_apart().is_some();
        if self.case.case.fields.iter().any(stands_apart) {
            return None;
        }
        let mut before = None;
        for message in turns(self.case)? {
            run.text(mark(frame, before, message.role?)?);
            self.words((frame.ends, frame.switches), message, run, borders)?;
            before = message.role;
        }
        run.text(frame.answer);
        (before == Some(Role::User)).then_some(())
    }

    /// Adds an instruction, and the extra fields behind it.
    fn instruction<'a>(
        &'a self,
        form: &Form,
        titles: &'a [String],
        run: &mut Run<'a>,
        borders: &mut Vec<usize>,
    ) -> Option<()> {
        let [message] = &turns(self.case)?[..] else {
            return None;
        };
        if message.role != Some(Role::System) {
            return None;
        }
        run.text(form.system);
        run.text("\n");
        run.text(form.before);
        self.words((Ends::Kept, &[]), message, run, borders)?;
        run.text(form.after);
        let mut before = form.first;
        for (field, title) in self.case.case.fields.iter().zip(titles) {
            match field.stands_apart() {
                None => continue,
                Some("extra") => {}
                Some(_) => return None,
            }
            run.text(before);
            run.text(title);
            run.text(form.name_end);
            self.joins_field(title, field, run).then_some(())?;
            run.text(form.field_end);
            before = form.next;
        }
        run.text(form.answer);
        Some(())
    }

    /// Adds the words of a message, less the white space that the family takes off. Where a slot stands at their border, its
    /// value is known only when it is rendered: `borders` tells which are to be looked at then.
    fn words<'a>(
        &'a self,
        (ends, switches): (Ends, &[&str]),
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
        let switched = |text: &String| switches.iter().any(|switch| text.contains(switch));
        if !joins || texts.iter().any(switched) {
            return None;
        }
        let (first, slots) = (run.slots(), own.slots());
        if ends == Ends::Kept {
            if texts.iter().all(String::is_empty) {
                borders.push((slots > 0).then_some(first)?);
            }
            run.append(own);
            return Some(());
        }
        let is_bare = |text: &str| text == text.trim_matches(is_space);
        if ends == Ends::Varying && !own.ends().into_iter().all(is_bare) {
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

//! What LazyLLM's Chat layout writes, piece by piece.

use std::cell::LazyCell;

use super::{Chat, FAMILY};
use crate::format::page::Page;
use crate::format::{Wrapping, unsupported};
use crate::guard::{self, Firsts};
use crate::lazyllm::sections::{Layout, reserve, write_calling, write_extras, write_tools};
use crate::lazyllm::talk::{Talk, Turn};
use crate::write::sketch::Said;
use crate::{Error, Json, Result, Role, ToolCall};

impl Chat {
    /// Whether extra fields stand behind the user's text, and not behind the instruction.
    pub(super) fn extends_user<'a>(&self, talk: &impl Talk<'a>) -> bool {
        self.roles && !talk.has_results()
    }

    pub(super) fn write_instruction<'a>(&self, talk: &impl Talk<'a>, page: &mut impl Page) {
        if let Some(instruction) = talk.instruction() {
            page.said(instruction);
        }
        let is_bare = !talk.has_extras() && (self.roles || !talk.is_instructed());
        if is_bare || self.extends_user(talk) {
            return;
        }
        page.words(if talk.is_instructed() { "\n" } else { "" });
        write_extras(talk, page);
        page.words("\n");
    }

    /// What follows the user's text.
    pub(super) fn write_appendix<'a>(&self, talk: &impl Talk<'a>, page: &mut impl Page) {
        if !talk.has_extras() || !self.extends_user(talk) {
            return;
        }
        if talk.current().any(|turn| !turn.1.is_empty()) {
            page.words("\n\n");
        }
        write_extras(talk, page);
    }

    fn write_system<'a>(&self, talk: &impl Talk<'a>, page: &mut impl Page) -> Result<()> {
        let tools = talk.tools();
        if !self.enable_system && tools.is_empty() {
            return Ok(());
        }
        page.structure(&self.keys.sos);
        if self.enable_system {
            page.words(&self.keys.system);
            page.message(talk.is_instructed().then_some(0));
            self.write_instruction(talk, page);
            page.message(None);
        }
        write_calling(tools, &self.keys, page)?;
        if self.enable_system {
            page.text(None, &self.skills);
        }
        write_tools(tools, page)?;
        page.structure(&self.keys.eos);
        Ok(())
    }

    /// A turn, and what stands behind that of the role `last`, if it is not the system's. `index` says where in the prompt it is, if it is there.
    #[inline(always)]
    fn write_turn(
        &self,
        (at, turn): Turn<'_>,
        index: Option<usize>,
        last: &mut Role,
        page: &mut impl Page,
    ) -> Result<()> {
        let role = turn.role();
        if role == Role::System {
            return Err(among_turns(at));
        }
        let before = std::mem::replace(last, role);
        let apart = || [self.keys.around(before)[1], self.keys.around(role)[0]];
        page.between(apart, self.tokens.between(before, role), index);
        page.turn(turn);
        match turn.tool_calls() {
            [] => Ok(()),
            calls => self.write_calls(calls, page),
        }
    }

    #[inline(never)]
    fn write_calls(&self, calls: &[ToolCall], page: &mut impl Page) -> Result<()> {
        for call in calls {
            page.structure(&self.keys.tool_start_token);
            page.structure("\n");
            self.write_call(call, page)?;
            page.structure(&self.keys.tool_end_token);
            page.structure("\n");
        }
        Ok(())
    }

    fn write_call(&self, call: &ToolCall, page: &mut impl Page) -> Result<()> {
        let arguments = call
            .json()
            .map_or_else(|_| call.arguments.clone(), |json| json.spaced());
        if !self.keys.tool_args_token.is_empty() {
            page.data(None, &call.name);
            page.structure(&self.keys.tool_args_token);
            page.data(None, &arguments);
            return Ok(());
        }
        let name = Json::of(&call.name)?;
        let arguments = call.json().or_else(|_| Json::of(&call.arguments))?;
        let call = format!(
            "{{\"name\": {name}, \"arguments\": {}}}",
            arguments.spaced()
        );
        page.data(None, &call);
        Ok(())
    }

    fn write_current<'a>(&self, talk: &impl Talk<'a>, page: &mut impl Page) {
        let keys = &self.keys;
        let results = talk.has_results();
        let (soe, eoe) = (
            results && !keys.soe.is_empty(),
            results && !keys.eoe.is_empty(),
        );
        page.structure("\n");
        page.structure(if soe { &keys.soe } else { &keys.soh });
        page.structure("\n");
        for (at, (index, turn)) in talk.current().enumerate() {
            page.message(Some(index));
            page.structure(if at > 0 { "\n" } else { "" });
            page.said(turn);
        }
        self.write_appendix(talk, page);
        page.message(None);
        page.structure("\n");
        page.structure(if eoe { &keys.eoe } else { &keys.eoh });
    }
}

#[cold]
fn among_turns(index: usize) -> Error {
    let help = "put all instructions into the first message, or use `Chat::to_messages`";
    let turn = (index, Role::System);
    unsupported(&FAMILY, turn, "stands among the turns", help)
}

impl Layout for Chat {
    fn write_sections<'a>(
        &self,
        talk: &impl Talk<'a>,
        wrapping: &Wrapping,
        page: &mut impl Page,
    ) -> Result<()> {
        reserve(talk, self.keys.soa.len() + self.keys.eoa.len(), page);
        self.write_system(talk, page)?;
        page.structure("\n\n");
        let mut last = Role::System;
        for (index, turn) in self.history.iter().enumerate() {
            self.write_turn((index, Said::Message(turn)), None, &mut last, page)?;
        }
        talk.each_before(|turn| self.write_turn(turn, Some(turn.0), &mut last, page))?;
        page.structure(self.keys.around(last)[1]);
        page.message(None);
        self.write_current(talk, page);
        if wrapping.generation_prompt || wrapping.label.is_some() {
            page.structure(&self.keys.soa);
            page.structure("\n");
        }
        Ok(())
    }

    fn firsts(&self) -> &Firsts {
        &self.tokens.firsts
    }

    fn is_open(&self) -> bool {
        self.tokens.is_open
    }

    fn stands_at(&self) -> impl Fn(&str, usize, usize) -> bool {
        let tokens = LazyCell::new(|| self.keys.tokens());
        move |text, at, behind| guard::stands_at(text, at, behind, &tokens, FAMILY.loose)
    }
}

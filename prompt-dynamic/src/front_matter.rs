//! The front matter of a template file: the lines between `---` at its beginning.

use prompt_base::Span;
use prompt_base::snippet;
use prompt_family::{FAMILIES, Family};
use prompt_syntax::front_matter::{
    Bounds, Entry, SLOTS, bounds, known_entries, role, unknown_value,
};
use prompt_syntax::problem::{front_matter as problem, template::key_of_another_dialect};
use prompt_syntax::{Dialect, Error as Mistake, Options, Role};

use super::fields::Contract;
use super::template::draw_mistake;
use prompt_core::Result;

/// How a template is read.
#[derive(Clone, Copy)]
pub(super) struct TemplateSettings {
    pub(super) options: Options,
    pub(super) family: Option<&'static Family>,
    /// The role of a text without role blocks, and the position where the file sets it.
    pub(super) role: Option<(Role, Span)>,
}

impl TemplateSettings {
    pub(super) fn from_contract(contract: &Contract) -> TemplateSettings {
        let dialect = Dialect::from_name(contract.syntax).unwrap_or_default();
        TemplateSettings {
            options: Options {
                keep_block_lines: contract.keep_block_lines,
                trim_blocks: contract.trim_blocks,
                lstrip_blocks: contract.lstrip_blocks,
                keep_trailing_newline: contract.keep_trailing_newline,
                input_only: contract.input_only,
                ..Options::document(dialect)
            },
            family: contract.format.and_then(prompt_family::by_name),
            role: None,
        }
    }

    /// Applies the front matter of a text; returns its number of bytes.
    ///
    /// The answer's type and the description belong to the compiled prompt and stay as they are there.
    pub(super) fn apply_front_matter(&mut self, text: &str, name: Option<&str>) -> Result<usize> {
        let source = whole_source(text, name);
        let (end, body) = match bounds(text) {
            Bounds::None => return Ok(0),
            Bounds::Closed { end, body } => (end, body),
            Bounds::Open => {
                let mistake = problem::unclosed_front_matter().at(Span::new(0, 3));
                return Err(draw_mistake(&mistake, &source));
            }
        };
        let (entries, mut mistakes) = known_entries(text, end);
        mistakes.extend(
            entries
                .iter()
                .filter_map(|entry| self.apply_entry(entry).err()),
        );
        // After an unknown dialect, the keys of any dialect may be right.
        let checked = if mistakes.is_empty() {
            &entries[..]
        } else {
            &[]
        };
        for entry in checked {
            let problem = key_of_another_dialect(entry.key.as_str(), self.options.dialect);
            mistakes.extend(problem.map(|problem| problem.at(entry.key.span)));
        }
        mistakes.sort_by_key(|mistake| mistake.span.start);
        let mut errors = mistakes
            .iter()
            .map(|mistake| draw_mistake(mistake, &source));
        match errors.next() {
            Some(first) => Err(first.with_others(errors.collect())),
            None => Ok(body),
        }
    }

    /// Refuses a role for a text that has blocks of roles.
    pub(super) fn expect_no_blocks(
        &self,
        has_blocks: bool,
        text: &str,
        name: Option<&str>,
    ) -> Result<()> {
        match self.role {
            Some((_, key)) if has_blocks => Err(draw_mistake(
                &problem::role_beside_blocks().at(key),
                &whole_source(text, name),
            )),
            _ => Ok(()),
        }
    }

    fn apply_entry(&mut self, entry: &Entry) -> Result<(), Mistake> {
        let name = entry.key.as_str();
        let value = entry.text()?;
        let switch = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(unknown_value(entry, "value", &["true", "false"])),
        };
        let options = &mut self.options;
        match name {
            "syntax" => {
                let names = Dialect::ALL.map(Dialect::name);
                let dialect = Dialect::from_name(value);
                options.dialect = dialect.ok_or_else(|| unknown_value(entry, "dialect", &names))?;
            }
            "slots" if value == SLOTS[0] => options.input_only = true,
            "slots" => return Err(unknown_value(entry, "value of `slots`", &SLOTS)),
            "format" => {
                let names = FAMILIES
                    .iter()
                    .map(|family| family.name)
                    .collect::<Vec<_>>();
                let family = prompt_family::by_name(value);
                self.family = Some(family.ok_or_else(|| unknown_value(entry, "format", &names))?);
            }
            "role" => self.role = Some((role(entry)?, entry.key.span)),
            "keep_block_lines" => options.keep_block_lines = switch()?,
            "trim_blocks" => options.trim_blocks = switch()?,
            "lstrip_blocks" => options.lstrip_blocks = switch()?,
            "keep_trailing_newline" => options.keep_trailing_newline = switch()?,
            _ => {}
        }
        Ok(())
    }
}

/// The whole text as errors draw it.
fn whole_source<'a>(text: &'a str, name: Option<&'a str>) -> snippet::Source<'a> {
    snippet::Source {
        name,
        text,
        line: 1,
        column: 0,
    }
}

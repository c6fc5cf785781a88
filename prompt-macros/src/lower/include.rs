//! The files that a Jinja template includes.

use prompt_base::Span;
use prompt_jinja_syntax::problem::file;
use prompt_jinja_syntax::{Include, Included, Includes};
use prompt_syntax::analysis::FieldInfo;
use prompt_syntax::problem::Problem;
use prompt_syntax::problem::file::MAX_BYTES;
use prompt_syntax::{KnownNames, Options, XmlTags, parse_in};

use crate::source::SourceText;

/// The most files that may include each other.
const DEPTH: usize = 32;

/// The files that a source includes.
pub(super) struct IncludedFiles<'a> {
    source: &'a mut SourceText,
    options: Options,
    tags: &'a XmlTags,
    fields: &'a [FieldInfo],
    /// The files around the current one, the outermost first, for each file that is entered.
    around: Vec<Vec<String>>,
    /// The number of files that were entered.
    count: usize,
    /// Whether they were too many: the error is reported once.
    is_full: bool,
}

impl<'a> IncludedFiles<'a> {
    pub(super) fn new(
        source: &'a mut SourceText,
        options: Options,
        tags: &'a XmlTags,
        fields: &'a [FieldInfo],
    ) -> IncludedFiles<'a> {
        IncludedFiles {
            source,
            options,
            tags,
            fields,
            around: Vec::new(),
            count: 0,
            is_full: false,
        }
    }
}

impl Includes for IncludedFiles<'_> {
    fn enter_file(&mut self, include: &Include, offset: usize) -> Result<Included, Problem> {
        let span = include.path.span;
        let at = Span::new(span.start + offset, span.end + offset);
        let name = self.source.resolve_beside(at, &include.path.value);
        let name = name.map_err(file::not_of_this_package)?;
        let mut around = match self.around.last() {
            Some(around) => around.clone(),
            None => self.source.file_name(at).into_iter().collect(),
        };
        if around.contains(&name) || self.around.len() == DEPTH {
            let start = around.iter().position(|file| *file == name).unwrap_or(0);
            let chain = around[start..].iter().chain([&name]);
            let chain: Vec<&str> = chain.map(String::as_str).collect();
            return Err(file::includes_itself(&name, &chain));
        }
        if self.is_full {
            self.around.push(around);
            return Ok(Included {
                offset,
                nodes: Vec::new(),
                errors: Vec::new(),
            });
        }
        let including = self.source.file_name(at);
        let (start, text) = self
            .source
            .append_file(&name)
            .map_err(|problem| match including {
                Some(including) => {
                    let meant = SourceText::suggest_include(&including, &include.path.value);
                    file::in_compiled_include(problem, meant.as_deref())
                }
                None => file::in_included_file(problem),
            })?;
        self.count += 1;
        if start > MAX_BYTES || self.count > file::MAX_FILES {
            self.is_full = true;
            return Err(file::too_long());
        }
        around.push(name);
        self.around.push(around);
        let options = Options {
            roles: false,
            ..self.options
        };
        let parsed = parse_in(&text, options, self.tags, KnownNames::Fields(self.fields));
        Ok(Included {
            offset: start,
            nodes: parsed.template.nodes,
            errors: parsed.errors,
        })
    }

    fn leave_file(&mut self) {
        self.around.pop();
    }
}

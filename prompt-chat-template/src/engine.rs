//! A template that is ready to be rendered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prompt_jinja::untyped::{Fault, Limits, Rendered, Steering, Template, Value};

use crate::clock::Moment;
use crate::fault;

#[derive(Clone, Debug)]
pub(crate) struct Engine {
    template: Arc<Template>,
    /// The template as it was written, but for its line breaks.
    pub(crate) source: Arc<str>,
}

/// The limits of one rendering.
#[derive(Clone, Debug)]
pub(crate) struct EngineLimits {
    /// Steps of the engine.
    pub(crate) fuel: u64,
    /// Bytes of text.
    pub(crate) output: usize,
    /// Bytes that are allocated.
    pub(crate) memory: u64,
    /// Bytes that all renderings of a conversation may still allocate together.
    pub(crate) left: Arc<AtomicU64>,
    pub(crate) moment: Option<Moment>,
}

impl Engine {
    pub(crate) fn new(source: &str) -> prompt_core::Result<Engine> {
        let source: Arc<str> = source.replace("\r\n", "\n").replace('\r', "\n").into();
        let template =
            Template::parse(&source).map_err(|fault| fault::to_error(&fault, &source, None))?;
        Ok(Engine {
            template: template.into(),
            source,
        })
    }

    /// Whether the template reads a variable or calls a function of this name.
    pub(crate) fn reads(&self, name: &str) -> bool {
        self.template
            .inputs()
            .iter()
            .any(|input| *input.name == *name)
    }

    /// Whether the template only asks whether a variable is true.
    pub(crate) fn is_condition(&self, name: &str) -> bool {
        let mut inputs = self.template.inputs().iter();
        inputs.any(|input| input.is_condition && *input.name == *name)
    }

    /// The variables that the template reads, in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> {
        let names = self.template.inputs().iter().map(|input| &*input.name);
        names.filter(|name| !Template::is_function(name))
    }

    pub(crate) fn has_generation(&self) -> bool {
        self.template.has_generation()
    }

    /// The texts and strings of the template.
    pub(crate) fn literals(&self) -> Vec<&str> {
        self.template.literals()
    }

    pub(crate) fn render<'n>(
        &self,
        variables: impl IntoIterator<Item = (&'n str, Value)>,
        limits: &EngineLimits,
        steering: Option<&Steering<'_>>,
    ) -> Result<Rendered, Box<Fault>> {
        let moment = limits.moment;
        let format_now = move |pattern: &str| {
            let moment = moment.unwrap_or_else(Moment::now);
            moment.format_pattern(pattern)
        };
        let left = limits.left.load(Ordering::Relaxed);
        let memory = limits.memory.min(left);
        let run = Limits {
            steps: limits.fuel,
            output: limits.output,
            memory,
            named_memory: limits.memory,
            format_now: &format_now,
        };
        let mut unused = memory;
        let rendered = self.template.render(variables, &run, steering, &mut unused);
        limits
            .left
            .store(left - (memory - unused), Ordering::Relaxed);
        rendered
    }
}

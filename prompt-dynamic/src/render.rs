//! Statements: a tree writes itself into a prompt.

use std::collections::HashMap;

use std::rc::Rc;

use prompt_jinja_syntax::{Expr, If, JinjaNode, Macro, Node, SetStatement};
use prompt_syntax::problem::{field::MacroKind, value};

use super::fields::FieldValue;
use super::file::template_error;
use super::limits::{RenderLimits, UsedLimits};
use super::slot::write_value;
use super::template::{RunTimeTemplate, TemplateStep};
use crate::expr::{
    self, Changed, Loop, Result, Value, block_text, neighbour_value, unpack_targets,
};
use prompt_core::{Origin, Role, Writer};

/// A template on its way into a prompt.
pub(super) struct TemplateRenderer<'v> {
    pub(super) template: &'v RunTimeTemplate,
    pub(super) fields: Vec<FieldValue<'v>>,
    /// The values of fields whose strings are marked with the field's name.
    pub(super) named: HashMap<&'static str, Value<'v>>,
    /// The text that is being written: a template or what it includes.
    pub(super) source: usize,
    pub(super) scopes: Vec<RenderScope<'v>>,
    /// The text of the block that a filter is for.
    pub(super) body: Option<Value<'v>>,
    /// Whether strings are marked with the names of paths.
    pub(super) names: bool,
    /// The `Option` fields that the surrounding conditions have found to be `Some`.
    pub(super) given: Vec<usize>,
    /// How many macros call each other.
    pub(super) calls: usize,
    pub(super) limits: RenderLimits,
    pub(super) used: UsedLimits,
}

/// Names of one block.
#[derive(Default)]
pub(super) struct RenderScope<'v> {
    pub(super) names: Bindings<'v>,
}

/// The meaning of a name.
#[derive(Clone)]
pub(super) enum BoundName<'v> {
    /// A field or a part of one, whose data gets the name that it is shown by.
    FieldPart(Value<'v>),
    /// The result of an expression.
    Value(Value<'v>),
    Loop(Rc<LoopIteration<'v>>),
    /// The macro, the text that contains it, and how many scopes it sees.
    Macro(&'v Macro, usize, usize),
}

/// A round of a loop.
pub(super) struct LoopIteration<'v> {
    pub(super) at: Loop,
    /// The names of an item, in each round.
    pub(super) rounds: Rc<[Bindings<'v>]>,
    pub(super) index: usize,
    /// Whether the items belong to a field, so that a missing one is like an `Option` without a value.
    pub(super) is_of_field: bool,
    pub(super) changed: Rc<Changed>,
}

/// The variables of one iteration.
pub(super) type Bindings<'v> = Vec<(&'v str, BoundName<'v>)>;

impl<'v> LoopIteration<'v> {
    /// `loop.previtem` and `loop.nextitem`.
    pub(super) fn neighbour_item(&self, part: &str) -> Value<'v> {
        let (index, position) = match part {
            "previtem" => (self.index.checked_sub(1), "before the first"),
            _ => (self.index.checked_add(1), "behind the last"),
        };
        match index
            .and_then(|index| self.rounds.get(index))
            .map(|names| &names[..])
        {
            Some(
                [
                    (_, BoundName::FieldPart(value) | BoundName::Value(value)),
                    ..,
                ],
            ) => value.clone(),
            _ if self.is_of_field => Value::Absent,
            _ => neighbour_value(None, position),
        }
    }
}

impl<'v> TemplateRenderer<'v> {
    pub(super) fn new(
        template: &'v RunTimeTemplate,
        fields: Vec<FieldValue<'v>>,
        limits: RenderLimits,
    ) -> TemplateRenderer<'v> {
        TemplateRenderer {
            template,
            fields,
            named: HashMap::new(),
            source: 0,
            scopes: vec![RenderScope::default()],
            body: None,
            names: true,
            given: Vec::new(),
            calls: 0,
            limits,
            used: UsedLimits::default(),
        }
    }

    /// Writes the steps: all but the answer, or the answer alone.
    pub(super) fn write_steps(&mut self, out: &mut Writer, answer: bool) {
        let nodes = &self.template.trees[0];
        for (index, step) in self.template.steps.iter().enumerate() {
            let is_answer = self.template.answer == Some(index);
            match step {
                TemplateStep::Prelude(node) => self.write_node(&nodes[*node], out),
                _ if is_answer != answer => {}
                TemplateStep::Whole(role) => {
                    out.role(role_of(*role));
                    self.write_nodes(nodes, out);
                }
                TemplateStep::Role(role, node) => {
                    let Node::Role(role_block) = &nodes[*node] else {
                        continue;
                    };
                    out.role(role_of(*role));
                    self.with_scope(RenderScope::default(), |this| {
                        this.write_nodes(&role_block.body, out);
                    });
                }
                TemplateStep::Turns(field) => match &self.fields[*field] {
                    FieldValue::History(turns) | FieldValue::Examples(turns, _) => {
                        out.history(*turns);
                    }
                    _ => {}
                },
            }
        }
        // The value of a block that was stopped may never be shown, and its error with it.
        if let Some(error) = self.used.stopped.take() {
            out.fail(error.into());
        }
        if answer {
            return;
        }
        for (field, described) in self.fields.iter().zip(self.template.contract.fields) {
            match field {
                FieldValue::ToolSet(tools) if described.trusted => out.tools(*tools),
                // The derive reports this at compile time: only an implementation of `Fields` by hand gets here.
                FieldValue::ToolSet(_) => {
                    let problem = value::untrusted_tools(MacroKind::Derive, described.name);
                    out.fail(template_error(&problem, None));
                }
                _ => {}
            }
        }
        for field in &self.fields {
            if let FieldValue::Extra(title, value) = field {
                out.extra(title, *value);
            }
        }
    }

    /// Runs with the names of a block.
    pub(super) fn with_scope<T>(
        &mut self,
        scope: RenderScope<'v>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scopes.push(scope);
        let result = run(self);
        self.scopes.pop();
        result
    }

    pub(super) fn write_nodes(&mut self, nodes: &'v [Node], out: &mut Writer) {
        for node in nodes {
            if self.used.stopped.is_some() {
                return;
            }
            let counted = self.charge_step().and_then(|()| match node {
                Node::Text(text) => self.charge_bytes(text.text.len()),
                _ => Ok(()),
            });
            if self.ok_or_fail(counted, out).is_some() {
                self.write_node(node, out);
            }
        }
    }

    pub(super) fn write_node(&mut self, node: &'v Node, out: &mut Writer) {
        match node {
            Node::Text(text) => out.text_from(Origin::Template, &text.text),
            Node::Slot(slot) => {
                let done = self.write_slot(&slot.expr, out);
                let done = done.map_err(|fault| fault.at(slot.span.start, slot.span.end));
                self.ok_or_fail(done, out);
            }
            Node::If(block) => self.write_if(block, out),
            Node::For(block) => {
                let done = self.write_loop(block, out);
                self.ok_or_fail(done, out);
            }
            Node::Other(JinjaNode::Set(set)) => {
                let done = self.run_set(set);
                self.ok_or_fail(done, out);
            }
            Node::Other(JinjaNode::With(with)) => {
                // Each value is read outside of the block.
                let bound: Result<Vec<_>> = with
                    .bindings
                    .iter()
                    .map(|named| Ok((named.name.as_str(), self.eval_binding(&named.value)?)))
                    .collect();
                if let Some(names) = self.ok_or_fail(bound, out) {
                    self.with_scope(RenderScope { names }, |this| {
                        this.write_nodes(&with.body, out);
                    });
                }
            }
            Node::Other(JinjaNode::Macro(block)) => {
                let bound = BoundName::Macro(block, self.source, self.scopes.len());
                self.bind_name(block.name.as_str(), bound);
            }
            Node::Other(JinjaNode::Include(include)) => {
                let key = (self.source, include.path.span.start);
                if let Some(tree) = self.template.included.get(&key) {
                    let outer = std::mem::replace(&mut self.source, *tree);
                    let nodes = &self.template.trees[*tree];
                    self.with_scope(RenderScope::default(), |this| this.write_nodes(nodes, out));
                    self.source = outer;
                }
            }
            Node::Other(JinjaNode::Filter(block)) => {
                let body = self.block_value(&block.body);
                let outer = self.body.replace(body);
                let value = self.eval_expr(&block.value);
                self.body = outer;
                let done = value.and_then(|value| write_value(&value, None, out));
                self.ok_or_fail(done, out);
            }
            // Role blocks are steps, and errors keep a template from being read.
            _ => {}
        }
    }

    /// An error is kept by the writer, with its position.
    pub(super) fn ok_or_fail<T>(&self, result: Result<T>, out: &mut Writer) -> Option<T> {
        let source = &self.template.sources[self.source];
        result
            .map_err(|fault| out.fail(expr::draw_error(fault, &source.snippet())))
            .ok()
    }

    /// The text that a block writes.
    pub(super) fn block_value(&mut self, nodes: &'v [Node]) -> Value<'v> {
        block_text(|out| {
            self.with_scope(RenderScope::default(), |this| this.write_nodes(nodes, out));
        })
    }

    pub(super) fn check_condition(&mut self, condition: &'v Expr, out: &mut Writer) -> bool {
        let span = condition.span();
        let holds = self.holds(condition);
        let holds = holds.map_err(|fault| fault.at(span.start, span.end));
        self.ok_or_fail(holds, out).unwrap_or(false)
    }

    pub(super) fn write_if(&mut self, block: &'v If, out: &mut Writer) {
        for branch in &block.branches {
            if self.check_condition(&branch.condition, out) {
                let outside = self.given.len();
                self.assume_given(&branch.condition);
                self.write_nodes(&branch.body, out);
                return self.given.truncate(outside);
            }
        }
        self.write_nodes(block.otherwise.as_deref().unwrap_or_default(), out);
    }

    /// Whether a path leads to a field, by whatever name.
    pub(super) fn is_field_path(&self, path: &prompt_syntax::Path) -> bool {
        let found = self.find_name(&path.segments[0].value);
        matches!(found, None | Some(BoundName::FieldPart(_)))
    }

    /// The value of a name.
    pub(super) fn eval_binding(&mut self, expr: &'v Expr) -> Result<BoundName<'v>> {
        match expr {
            Expr::Path(path) if self.is_field_path(path) => {
                self.lookup_untagged(path).map(BoundName::FieldPart)
            }
            expr => Ok(BoundName::Value(expr::expect_computed(
                self.eval_expr(expr)?,
            )?)),
        }
    }

    /// A value whose strings are not marked with the names of its paths.
    pub(super) fn eval_untagged(&mut self, expr: &'v Expr) -> Result<Value<'v>> {
        let outer = std::mem::replace(&mut self.names, false);
        let value = self.eval_expr(expr);
        self.names = outer;
        value
    }

    pub(super) fn run_set(&mut self, set: &'v SetStatement) -> Result<()> {
        let bound = match &set.body {
            Some(nodes) => {
                let body = self.block_value(nodes);
                let outer = self.body.replace(body);
                let value = self.eval_expr(&set.value);
                self.body = outer;
                BoundName::Value(expr::expect_computed(value?)?)
            }
            None => self.eval_binding(&set.value)?,
        };
        match (&set.targets[..], bound) {
            ([target], bound) => self.bind_name(target.as_str(), bound),
            (targets, BoundName::FieldPart(value) | BoundName::Value(value)) => {
                let span = set.value.span();
                let parts = unpack_targets(&value, targets.len());
                let parts = parts.map_err(|fault| fault.at(span.start, span.end))?;
                for (target, part) in targets.iter().zip(parts) {
                    self.bind_name(target.as_str(), BoundName::Value(part));
                }
            }
            (_, BoundName::Loop(_) | BoundName::Macro(..)) => {}
        }
        Ok(())
    }

    pub(super) fn bind_name(&mut self, name: &'v str, bound: BoundName<'v>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.retain(|(other, _)| *other != name);
            scope.names.push((name, bound));
        }
    }
}

fn role_of(role: prompt_syntax::Role) -> Role {
    match role {
        prompt_syntax::Role::System => Role::System,
        prompt_syntax::Role::User => Role::User,
        prompt_syntax::Role::Assistant => Role::Assistant,
    }
}

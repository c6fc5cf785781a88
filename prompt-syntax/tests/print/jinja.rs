//! A tree printed as Jinja.

pub(super) mod expr;

use self::expr::{chain, expr, value};
use super::quoted;
use prompt_jinja_syntax::{JinjaNode, Node};
use prompt_syntax::{Options, Spanned};

/// The nodes as the text of a template, or of a part of one.
pub(super) fn print(nodes: &[Node], options: Options) -> String {
    let mut printer = JinjaPrinter {
        // Without white-space control, the white space beside a tag may be read as a part of it.
        marks: options.trim_blocks || options.lstrip_blocks,
        lines: options.role_lines,
        out: String::new(),
    };
    printer.nodes(nodes, false);
    if !options.keep_trailing_newline && printer.out.ends_with('\n') {
        printer.out.push('\n');
    }
    printer.out
}

/// One node, as a part of another dialect's text.
pub(super) fn part(node: &Node, options: Options) -> String {
    let options = Options {
        keep_trailing_newline: true,
        ..options
    };
    print(std::slice::from_ref(node), options)
}

struct JinjaPrinter {
    marks: bool,
    /// Whether a line may be a role's.
    lines: bool,
    out: String,
}

impl JinjaPrinter {
    /// Prints nodes, after which a tag may come.
    fn nodes(&mut self, nodes: &[Node], before_tag: bool) {
        let mut words = String::new();
        for node in nodes {
            if let Node::Text(text) = node {
                words.push_str(&text.text);
                continue;
            }
            if matches!(node, Node::Error(_)) {
                continue;
            }
            self.words(&std::mem::take(&mut words), true);
            self.node(node);
        }
        self.words(&words, before_tag);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(_) | Node::Error(_) => {}
            Node::Slot(slot) => {
                let words = expr(&slot.expr);
                self.out.extend(["{{ ", &words, " }}"]);
            }
            Node::If(block) => {
                for (index, branch) in block.branches.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "elif" };
                    self.tag(&format!("{word} {}", value(&branch.condition)));
                    self.nodes(&branch.body, true);
                }
                self.otherwise(block.otherwise.as_deref());
                self.tag("endif");
            }
            Node::For(block) => {
                let list = value(&block.list);
                let condition = block.condition.as_ref();
                let condition = condition.map_or(String::new(), |condition| {
                    format!(" if {}", expr(condition))
                });
                self.tag(&format!(
                    "for {} in {list}{condition}",
                    names(&block.targets)
                ));
                self.nodes(&block.body, true);
                self.otherwise(block.otherwise.as_deref());
                self.tag("endfor");
            }
            Node::Role(block) => {
                let name = block.role.name();
                self.tag(name);
                self.out.push('\n');
                self.nodes(&block.body, false);
                self.out.push('\n');
                self.tag(&format!("end{name}"));
            }
            Node::Other(JinjaNode::Set(set)) => match &set.body {
                None => self.tag(&format!(
                    "set {} = {}",
                    names(&set.targets),
                    expr(&set.value)
                )),
                Some(body) => {
                    self.tag(&format!("set {}{}", names(&set.targets), chain(&set.value)));
                    self.nodes(body, true);
                    self.tag("endset");
                }
            },
            Node::Other(JinjaNode::With(block)) => {
                let bindings = block.bindings.iter();
                let bindings =
                    bindings.map(|named| format!("{} = {}", named.name.value, expr(&named.value)));
                let bindings: Vec<String> = bindings.collect();
                self.tag(format!("with {}", bindings.join(", ")).trim_end());
                self.nodes(&block.body, true);
                self.tag("endwith");
            }
            Node::Other(JinjaNode::Macro(block)) => {
                let params = block.params.iter().map(|param| match &param.default {
                    Some(default) => format!("{}={}", param.name.value, expr(default)),
                    None => param.name.value.clone(),
                });
                let params: Vec<String> = params.collect();
                self.tag(&format!(
                    "macro {}({})",
                    block.name.value,
                    params.join(", ")
                ));
                self.nodes(&block.body, true);
                self.tag("endmacro");
            }
            Node::Other(JinjaNode::Include(include)) => {
                self.tag(&format!("include {}", quoted(&include.path)));
            }
            Node::Other(JinjaNode::Filter(block)) => {
                let filters = chain(&block.value);
                self.tag(&format!(
                    "filter {}",
                    filters.trim_start_matches([' ', '|'])
                ));
                self.nodes(&block.body, true);
                self.tag("endfilter");
            }
        }
    }

    fn otherwise(&mut self, nodes: Option<&[Node]>) {
        if let Some(nodes) = nodes {
            self.tag("else");
            self.nodes(nodes, true);
        }
    }

    fn tag(&mut self, words: &str) {
        let (open, close) = match self.marks {
            true => ("{%+ ", " +%}"),
            false => ("{% ", " %}"),
        };
        self.out.extend([open, words, close]);
    }

    /// Prints text. Parts that would be read as tags are inside `raw`.
    fn words(&mut self, words: &str, before_tag: bool) {
        let opens = |at: usize| match words.as_bytes().get(at + 1) {
            Some(next) => matches!(next, b'{' | b'%' | b'#'),
            None => before_tag,
        };
        let openers = words.match_indices('{').map(|(at, _)| at);
        let mut kept: Vec<usize> = openers.filter(|at| opens(*at)).collect();
        let whole = !self.lines && !words.contains("endraw");
        if let [first, .., last] = kept[..]
            && whole
        {
            self.out.push_str(&words[..first]);
            self.raw(&words[first..=last]);
            self.out.push_str(&words[last + 1..]);
            return;
        }
        if self.lines {
            kept.extend(role_lines(words));
            kept.sort_unstable();
        }
        // A `raw` block cannot contain its own end tag, so that is written character by character.
        let mut done = 0;
        for at in kept {
            let len = words[at..].chars().next().map_or(0, char::len_utf8);
            self.out.push_str(&words[done..at]);
            self.raw(&words[at..at + len]);
            done = at + len;
        }
        self.out.push_str(&words[done..]);
    }

    fn raw(&mut self, words: &str) {
        let (begin, end) = match self.marks {
            true => ("{%+ raw %}", "{%+ endraw +%}"),
            false => ("{% raw %}", "{% endraw %}"),
        };
        self.out.extend([begin, words, end]);
    }
}

fn names(names: &[Spanned<String>]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(", ")
}

/// Where the lines of a string begin that would be read as a role's.
fn role_lines(text: &str) -> impl Iterator<Item = usize> {
    let lines = text.split_inclusive(['\n', '\r']);
    let lines = lines.scan(0, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line))
    });
    lines
        .filter(|(_, line)| prompt_jinja_syntax::lexing::is_role_line(line))
        .map(|(at, _)| at)
}

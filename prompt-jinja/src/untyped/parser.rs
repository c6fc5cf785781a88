//! Parses a template.

use std::collections::HashMap;
use std::sync::Arc;

use super::fault::{Fault, FaultKind, R, Span};
use super::lexer::{Token, syntax, tokenize};
use super::nodes::{
    Arguments, Compare, ConditionExpr, Const, Expr, ExprKind, ForNode, MacroNode, Named, Node,
    Symbol, Target,
};
use super::registry::{find_filter, find_test};
use crate::builtin::arith::Arith;

/// The deepest nesting of expressions and blocks: parsing and running them is recursive.
pub const MAX_NESTING: usize = 100;

/// A parsed template.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) body: Vec<Node>,
    pub(super) names: Vec<Arc<str>>,
    pub(super) has_generation: bool,
    /// The texts and strings.
    pub(super) literals: Vec<Arc<str>>,
}

/// The names that a macro's or a loop's body reads.
#[derive(Clone, Copy, Default)]
struct Reads {
    varargs: bool,
    kwargs: bool,
    caller: bool,
    current_loop: bool,
}

pub(super) struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    names: Vec<Arc<str>>,
    symbols: HashMap<Arc<str>, Symbol>,
    depth: usize,
    /// How many conditions contain this node: there, a name that is not known is an error only if it is used.
    conditions: usize,
    reads: Vec<Reads>,
    loops: usize,
    has_generation: bool,
}

pub(super) fn parse(source: &str) -> R<Parsed> {
    let mut parser = Parser {
        tokens: tokenize(source)?,
        at: 0,
        names: Vec::new(),
        symbols: HashMap::new(),
        depth: 0,
        conditions: 0,
        reads: Vec::new(),
        loops: 0,
        has_generation: false,
    };
    let (body, _) = parser.parse_body(&[])?;
    let literals = parser
        .tokens
        .into_iter()
        .filter_map(|(token, _)| match token {
            Token::Text(text) | Token::Str(text) => Some(text),
            _ => None,
        });
    Ok(Parsed {
        body,
        names: parser.names,
        has_generation: parser.has_generation,
        literals: literals.collect(),
    })
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    fn peek_span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The span of the token before.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_op(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Op(op) if *op == sign)
    }

    fn is_name(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name) if **name == *word)
    }

    fn eat_op(&mut self, sign: &str) -> bool {
        let found = self.is_op(sign);
        self.at += usize::from(found);
        found
    }

    fn eat_name(&mut self, word: &str) -> bool {
        let found = self.is_name(word);
        self.at += usize::from(found);
        found
    }

    fn unexpected_token(&self, expected: &str) -> Box<Fault> {
        let found = self.peek().describe();
        let expected = match expected {
            "" => String::new(),
            expected => format!(", expected {expected}"),
        };
        syntax(format!("unexpected {found}{expected}"), self.peek_span())
    }

    fn expect_op(&mut self, sign: &'static str) -> R<()> {
        match self.eat_op(sign) {
            true => Ok(()),
            false => Err(self.unexpected_token(&format!("`{sign}`"))),
        }
    }

    fn expect_word(&mut self, word: &str) -> R<()> {
        match self.eat_name(word) {
            true => Ok(()),
            false => Err(self.unexpected_token(&format!("`{word}`"))),
        }
    }

    fn expect_name(&mut self) -> R<Arc<str>> {
        match self.peek().clone() {
            Token::Name(name) => {
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected_token("a name")),
        }
    }

    fn expect_block_end(&mut self) -> R<()> {
        match self.peek() {
            Token::BlockEnd => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.unexpected_token("end of block")),
        }
    }

    fn intern_symbol(&mut self, name: &Arc<str>) -> Symbol {
        if let Some(known) = self.symbols.get(name) {
            return *known;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.clone());
        self.symbols.insert(name.clone(), symbol);
        symbol
    }

    fn enter_level(&mut self) -> R<()> {
        self.depth += 1;
        match self.depth <= MAX_NESTING {
            true => Ok(()),
            false => Err(Fault::of(FaultKind::Nesting, "").at(self.peek_span())),
        }
    }

    /// Parses with the depth that it had before afterwards.
    fn parse_nested<T>(&mut self, parse: impl FnOnce(&mut Parser) -> R<T>) -> R<T> {
        let depth = self.depth;
        self.enter_level()?;
        let parsed = parse(self)?;
        self.depth = depth;
        Ok(parsed)
    }

    /// Nodes up to a tag with one of these names, which is consumed, and its name.
    fn parse_body(&mut self, ends: &[&str]) -> R<(Vec<Node>, Arc<str>)> {
        let depth = self.depth;
        self.enter_level()?;
        let mut nodes = Vec::new();
        loop {
            let span = self.peek_span();
            match self.next() {
                Token::Text(text) => nodes.push(Node::Text(text, span)),
                Token::VariableBegin => {
                    let value = self.parse_tuple(false)?;
                    if !matches!(self.peek(), Token::VariableEnd) {
                        return Err(self.unexpected_token("end of print statement"));
                    }
                    self.at += 1;
                    nodes.push(Node::Print(value));
                }
                Token::BlockBegin => {
                    let start = self.peek_span();
                    let name = self.expect_name()?;
                    if ends.contains(&&*name) {
                        self.depth = depth;
                        return Ok((nodes, name));
                    }
                    nodes.extend(self.parse_statement(&name, start, ends)?);
                }
                Token::End if ends.is_empty() => {
                    self.depth = depth;
                    return Ok((nodes, "".into()));
                }
                Token::End => {
                    let ends: Vec<String> =
                        ends.iter().map(|end| format!("`{{% {end} %}}`")).collect();
                    let message =
                        format!("unexpected end of input, expected {}", ends.join(" or "));
                    return Err(syntax(message, span));
                }
                other => {
                    return Err(syntax(format!("unexpected {}", other.describe()), span));
                }
            }
        }
    }

    /// A body that ends with one tag, and the end of that tag.
    fn closed_body(&mut self, end: &str) -> R<Vec<Node>> {
        self.expect_block_end()?;
        let (nodes, _) = self.parse_body(&[end])?;
        self.expect_block_end()?;
        Ok(nodes)
    }

    fn parse_statement(&mut self, name: &str, start: Span, ends: &[&str]) -> R<Option<Node>> {
        Ok(Some(match name {
            "if" => self.if_block()?,
            "for" => self.for_block()?,
            "set" => self.parse_set()?,
            "with" => self.parse_with()?,
            "macro" => self.macro_block()?,
            "call" => self.call_block()?,
            "filter" => {
                let filter = self.parse_filters(None, start)?;
                Node::FilterBlock(filter, self.closed_body("endfilter")?)
            }
            "autoescape" => {
                let value = self.parse_expression()?;
                Node::Autoescape(value, self.closed_body("endautoescape")?)
            }
            "generation" => {
                self.has_generation = true;
                // The block is a macro of its own, which no `break` leaves.
                let loops = std::mem::take(&mut self.loops);
                let body = self.closed_body("endgeneration")?;
                self.loops = loops;
                Node::Generation(body)
            }
            "block" => {
                self.expect_name()?;
                while self.eat_name("scoped") || self.eat_name("required") {}
                self.expect_block_end()?;
                let (body, _) = self.parse_body(&["endblock"])?;
                if matches!(self.peek(), Token::Name(_)) {
                    self.at += 1;
                }
                self.expect_block_end()?;
                Node::Block(body)
            }
            "print" => {
                let mut values = vec![self.parse_expression()?];
                while self.eat_op(",") {
                    values.push(self.parse_expression()?);
                }
                self.expect_block_end()?;
                Node::PrintAll(values)
            }
            "break" | "continue" => {
                if self.loops == 0 {
                    return Err(syntax(format!("`{name}` outside of a loop"), start));
                }
                self.expect_block_end()?;
                match name {
                    "break" => Node::Break,
                    _ => Node::Continue,
                }
            }
            "include" | "import" | "from" | "extends" => {
                while !matches!(self.peek(), Token::BlockEnd | Token::End) {
                    self.at += 1;
                }
                let span = start.to(self.last_span());
                self.expect_block_end()?;
                Node::File(span)
            }
            _ => {
                let mut message = format!("encountered unknown tag `{name}`");
                if let [end, ..] = ends {
                    message.push_str(&format!(
                        "; the innermost block that is open ends with `{{% {end} %}}`"
                    ));
                }
                return Err(syntax(message, start));
            }
        }))
    }

    fn if_block(&mut self) -> R<Node> {
        self.conditions += 1;
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let test = self.parse_tuple(false)?;
            self.expect_block_end()?;
            let (body, end) = self.parse_body(&["elif", "else", "endif"])?;
            branches.push((test, body));
            match &*end {
                "elif" => {}
                "else" => {
                    otherwise = self.closed_body("endif")?;
                    break;
                }
                _ => {
                    self.expect_block_end()?;
                    break;
                }
            }
        }
        self.conditions -= 1;
        Ok(Node::If(branches, otherwise))
    }

    fn for_block(&mut self) -> R<Node> {
        let target = self.parse_targets(false)?;
        let start = self.last_span();
        if let Target::Name(symbol) = target
            && *self.names[symbol.0 as usize] == *"loop"
        {
            return Err(syntax(
                "can't assign to special loop variable in for-loop",
                start,
            ));
        }
        self.expect_word("in")?;
        let items = self.tuple_without_condition()?;
        self.reads.push(Reads::default());
        let filter = match self.eat_name("if") {
            true => Some(self.parse_expression()?),
            false => None,
        };
        let is_recursive = self.eat_name("recursive");
        self.expect_block_end()?;
        self.loops += 1;
        let (body, end) = self.parse_body(&["endfor", "else"])?;
        self.loops -= 1;
        let otherwise = match &*end {
            "else" => self.closed_body("endfor")?,
            _ => {
                self.expect_block_end()?;
                Vec::new()
            }
        };
        let reads = self.reads.pop().unwrap_or_default();
        Ok(Node::For(Arc::new(ForNode {
            target,
            items,
            filter,
            body,
            otherwise,
            is_recursive,
            reads_loop: reads.current_loop || is_recursive,
        })))
    }

    fn parse_set(&mut self) -> R<Node> {
        let start = self.peek_span();
        let target = self.parse_targets(true)?;
        if self.eat_op("=") {
            let value = self.parse_tuple(false)?;
            self.expect_block_end()?;
            return Ok(Node::Set(target, value));
        }
        let filter = match self.is_op("|") {
            true => Some(self.parse_filters(None, start)?),
            false => None,
        };
        let body = self.closed_body("endset")?;
        Ok(Node::SetBlock(target, filter, body, start))
    }

    fn parse_with(&mut self) -> R<Node> {
        let mut values = Vec::new();
        while !matches!(self.peek(), Token::BlockEnd) {
            if !values.is_empty() {
                self.expect_op(",")?;
            }
            let target = self.parse_target(false)?;
            self.expect_op("=")?;
            values.push((target, self.parse_expression()?));
        }
        Ok(Node::With(values, self.closed_body("endwith")?))
    }

    /// The parameters of a macro, and its body.
    fn parse_signature(&mut self, name: Arc<str>, end: &str, has_parameters: bool) -> R<MacroNode> {
        self.reads.push(Reads::default());
        let mut parameters: Vec<(Symbol, Arc<str>, Option<Expr>)> = Vec::new();
        if has_parameters {
            self.expect_op("(")?;
            while !self.is_op(")") {
                if !parameters.is_empty() {
                    self.expect_op(",")?;
                }
                let span = self.peek_span();
                let name = self.expect_name()?;
                let default = match self.eat_op("=") {
                    true => Some(self.parse_expression()?),
                    false => None,
                };
                if default.is_none() && parameters.last().is_some_and(|last| last.2.is_some()) {
                    return Err(syntax(
                        "a parameter without a default follows one with a default",
                        span,
                    ));
                }
                parameters.push((self.intern_symbol(&name), name, default));
            }
            self.expect_op(")")?;
        }
        Ok(MacroNode {
            name,
            parameters,
            body: {
                let loops = std::mem::take(&mut self.loops);
                // A call block has its expression between its parameters and its body.
                let body = match end {
                    "endcall" => Vec::new(),
                    end => self.closed_body(end)?,
                };
                self.loops = loops;
                body
            },
            reads_varargs: false,
            reads_kwargs: false,
            reads_caller: false,
        })
    }

    fn finish_macro(&mut self, mut node: MacroNode) -> Arc<MacroNode> {
        let reads = self.reads.pop().unwrap_or_default();
        node.reads_varargs = reads.varargs;
        node.reads_kwargs = reads.kwargs;
        node.reads_caller = reads.caller;
        Arc::new(node)
    }

    fn macro_block(&mut self) -> R<Node> {
        let name = self.expect_name()?;
        let symbol = self.intern_symbol(&name);
        let node = self.parse_signature(name, "endmacro", true)?;
        Ok(Node::Macro(symbol, self.finish_macro(node)))
    }

    fn call_block(&mut self) -> R<Node> {
        let has_parameters = self.is_op("(");
        let mut node = self.parse_signature("caller".into(), "endcall", has_parameters)?;
        let reads = self.reads.pop().unwrap_or_default();
        let call = self.parse_expression()?;
        if !matches!(call.kind, ExprKind::Call(..)) {
            return Err(syntax("expected call", call.span));
        }
        self.reads.push(reads);
        let loops = std::mem::take(&mut self.loops);
        node.body = self.closed_body("endcall")?;
        self.loops = loops;
        Ok(Node::Call(call, self.finish_macro(node)))
    }

    /// One or several targets of an assignment.
    fn parse_targets(&mut self, with_namespace: bool) -> R<Target> {
        let start = self.peek_span();
        let first = self.parse_target(with_namespace)?;
        if !self.is_op(",") {
            return Ok(first);
        }
        let mut targets = vec![first];
        while self.eat_op(",") {
            if !matches!(self.peek(), Token::Name(_)) && !self.is_op("(") || self.is_name("in") {
                break;
            }
            targets.push(self.parse_target(with_namespace)?);
        }
        Ok(Target::Tuple(targets, start.to(self.last_span())))
    }

    fn parse_target(&mut self, with_namespace: bool) -> R<Target> {
        let start = self.peek_span();
        if self.eat_op("(") {
            let inner = self.parse_nested(|parser| parser.parse_targets(with_namespace))?;
            self.expect_op(")")?;
            return Ok(inner);
        }
        let name = self.expect_name()?;
        if matches!(
            &*name,
            "true" | "false" | "none" | "True" | "False" | "None"
        ) {
            return Err(syntax(format!("can't assign to `{name}`"), start));
        }
        let symbol = self.intern_symbol(&name);
        if with_namespace && self.eat_op(".") {
            let attribute = self.expect_name()?;
            return Ok(Target::Attribute(
                symbol,
                attribute,
                start.to(self.last_span()),
            ));
        }
        Ok(Target::Name(symbol))
    }

    fn parse_expression(&mut self) -> R<Expr> {
        self.parse_nested(Parser::parse_condition)
    }

    fn parse_condition(&mut self) -> R<Expr> {
        let depth = self.depth;
        let mut value = self.parse_or()?;
        while self.eat_name("if") {
            self.enter_level()?;
            self.conditions += 1;
            let test = self.parse_or()?;
            let otherwise = match self.eat_name("else") {
                true => Some(self.parse_expression()?),
                false => None,
            };
            self.conditions -= 1;
            let span = value.span.to(self.last_span());
            let condition = ConditionExpr {
                test,
                then: value,
                otherwise,
            };
            value = expr(ExprKind::Condition(Box::new(condition)), span);
        }
        self.depth = depth;
        Ok(value)
    }

    /// Operands with the same operator between them.
    fn parse_chain(
        &mut self,
        word: &str,
        operand: fn(&mut Parser) -> R<Expr>,
        kind: fn(Vec<Expr>) -> ExprKind,
    ) -> R<Expr> {
        let first = operand(self)?;
        let is_next = |parser: &mut Parser| match word {
            "~" => parser.eat_op(word),
            _ => parser.eat_name(word),
        };
        if !is_next(self) {
            return Ok(first);
        }
        let mut all = vec![first, operand(self)?];
        while is_next(self) {
            all.push(operand(self)?);
        }
        let span = all[0].span.to(self.last_span());
        Ok(expr(kind(all), span))
    }

    fn parse_or(&mut self) -> R<Expr> {
        self.parse_chain("or", Parser::parse_and, ExprKind::Or)
    }

    fn parse_and(&mut self) -> R<Expr> {
        self.parse_chain("and", Parser::parse_not, ExprKind::And)
    }

    fn parse_not(&mut self) -> R<Expr> {
        let start = self.peek_span();
        if !self.eat_name("not") {
            return self.parse_comparison();
        }
        let value = self.parse_nested(Parser::parse_not)?;
        let span = start.to(value.span);
        Ok(expr(ExprKind::Not(Box::new(value)), span))
    }

    fn parse_comparison(&mut self) -> R<Expr> {
        let first = self.parse_sum()?;
        let mut others = Vec::new();
        loop {
            let operator = match self.peek() {
                Token::Op("==") => Compare::Eq,
                Token::Op("!=") => Compare::Ne,
                Token::Op("<") => Compare::Lt,
                Token::Op("<=") => Compare::Le,
                Token::Op(">") => Compare::Gt,
                Token::Op(">=") => Compare::Ge,
                Token::Name(word) if **word == *"in" => Compare::In,
                Token::Name(word)
                    if **word == *"not"
                        && matches!(self.peek_second(), Token::Name(next) if **next == *"in") =>
                {
                    self.at += 1;
                    Compare::NotIn
                }
                _ => break,
            };
            self.at += 1;
            others.push((operator, self.parse_sum()?));
        }
        if others.is_empty() {
            return Ok(first);
        }
        let span = first.span.to(self.last_span());
        Ok(expr(ExprKind::Compare(Box::new(first), others), span))
    }

    fn parse_arith(
        &mut self,
        operators: &[(&'static str, Arith)],
        operand: fn(&mut Parser) -> R<Expr>,
    ) -> R<Expr> {
        let first = operand(self)?;
        let mut others = Vec::new();
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.is_op(sign)) {
            self.at += 1;
            others.push((*operator, operand(self)?));
        }
        if others.is_empty() {
            return Ok(first);
        }
        let span = first.span.to(self.last_span());
        Ok(expr(ExprKind::Arith(Box::new(first), others), span))
    }

    fn parse_sum(&mut self) -> R<Expr> {
        self.parse_arith(
            &[("+", Arith::Add), ("-", Arith::Sub)],
            Parser::parse_concat,
        )
    }

    fn parse_concat(&mut self) -> R<Expr> {
        self.parse_chain("~", Parser::parse_product, ExprKind::Concat)
    }

    fn parse_product(&mut self) -> R<Expr> {
        let operators = [
            ("*", Arith::Mul),
            ("/", Arith::Div),
            ("//", Arith::FloorDiv),
            ("%", Arith::Rem),
        ];
        self.parse_arith(&operators, Parser::parse_power)
    }

    fn parse_power(&mut self) -> R<Expr> {
        self.parse_arith(&[("**", Arith::Pow)], |parser| parser.parse_unary(true))
    }

    fn parse_unary(&mut self, with_filter: bool) -> R<Expr> {
        let start = self.peek_span();
        let depth = self.depth;
        let value = if self.eat_op("-") {
            let value = self.parse_nested(|parser| parser.parse_unary(false))?;
            let span = start.to(value.span);
            expr(ExprKind::Neg(Box::new(value)), span)
        } else if self.eat_op("+") {
            let value = self.parse_nested(|parser| parser.parse_unary(false))?;
            let span = start.to(value.span);
            expr(ExprKind::Pos(Box::new(value)), span)
        } else {
            self.parse_primary()?
        };
        let value = self.parse_postfix(value)?;
        let value = match with_filter {
            true => self.filter_expr(value)?,
            false => value,
        };
        self.depth = depth;
        Ok(value)
    }

    fn parse_primary(&mut self) -> R<Expr> {
        let start = self.peek_span();
        let kind = match self.peek().clone() {
            Token::Name(name) => {
                self.at += 1;
                match &*name {
                    "true" | "True" => ExprKind::Const(Const::Bool(true)),
                    "false" | "False" => ExprKind::Const(Const::Bool(false)),
                    "none" | "None" => ExprKind::Const(Const::None),
                    _ => {
                        for reads in &mut self.reads {
                            match &*name {
                                "varargs" => reads.varargs = true,
                                "kwargs" => reads.kwargs = true,
                                "caller" => reads.caller = true,
                                "loop" => reads.current_loop = true,
                                _ => {}
                            }
                        }
                        ExprKind::Name(self.intern_symbol(&name))
                    }
                }
            }
            Token::Str(first) => {
                self.at += 1;
                let mut text = first;
                while let Token::Str(more) = self.peek() {
                    text = [&*text, &**more].concat().into();
                    self.at += 1;
                }
                ExprKind::Const(Const::Str(text))
            }
            Token::Int(digits) => {
                self.at += 1;
                ExprKind::Const(match digits.parse() {
                    Ok(number) => Const::Int(number),
                    Err(_) => Const::Big(digits),
                })
            }
            Token::Float(number) => {
                self.at += 1;
                ExprKind::Const(Const::Float(number))
            }
            Token::Op("(") => {
                self.at += 1;
                let mut value = self.parse_nested(|parser| parser.parse_tuple(true))?;
                self.expect_op(")")?;
                value.span = start.to(self.last_span());
                return Ok(value);
            }
            Token::Op("[") => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.is_op("]") {
                    if !items.is_empty() {
                        self.expect_op(",")?;
                    }
                    if self.is_op("]") {
                        break;
                    }
                    items.push(self.parse_expression()?);
                }
                self.expect_op("]")?;
                ExprKind::List(items)
            }
            Token::Op("{") => {
                self.at += 1;
                let mut entries = Vec::new();
                while !self.is_op("}") {
                    if !entries.is_empty() {
                        self.expect_op(",")?;
                    }
                    if self.is_op("}") {
                        break;
                    }
                    let key = self.parse_expression()?;
                    self.expect_op(":")?;
                    entries.push((key, self.parse_expression()?));
                }
                self.expect_op("}")?;
                ExprKind::Dict(entries)
            }
            _ => return Err(self.unexpected_token("")),
        };
        Ok(expr(kind, start.to(self.last_span())))
    }

    /// An expression, or a tuple of several. `explicit`: in parentheses, where it may be empty.
    fn parse_tuple(&mut self, explicit: bool) -> R<Expr> {
        self.tuple_of(Parser::parse_expression, explicit)
    }

    /// The items of a loop: a condition after them filters the loop.
    fn tuple_without_condition(&mut self) -> R<Expr> {
        self.tuple_of(|parser| parser.parse_nested(Parser::parse_or), false)
    }

    fn tuple_of(&mut self, item: fn(&mut Parser) -> R<Expr>, explicit: bool) -> R<Expr> {
        let start = self.peek_span();
        let mut items = Vec::new();
        let mut is_tuple = false;
        loop {
            let ends = matches!(self.peek(), Token::VariableEnd | Token::BlockEnd)
                || self.is_op(")")
                || self.is_name("recursive") && is_tuple;
            if ends {
                break;
            }
            items.push(item(self)?);
            match self.eat_op(",") {
                true => is_tuple = true,
                false => break,
            }
        }
        match (items.pop(), is_tuple) {
            (Some(only), false) => Ok(only),
            (None, _) if !explicit => Err(self.unexpected_token("an expression")),
            (last, _) => {
                items.extend(last);
                Ok(expr(ExprKind::Tuple(items), start.to(self.last_span())))
            }
        }
    }

    fn parse_postfix(&mut self, mut value: Expr) -> R<Expr> {
        loop {
            let kind = match self.peek() {
                Token::Op(".") => {
                    self.at += 1;
                    match self.peek().clone() {
                        Token::Name(name) => {
                            self.at += 1;
                            ExprKind::Attribute(Box::new(value), name)
                        }
                        Token::Int(digits) => {
                            let index = expr(
                                ExprKind::Const(Const::Int(digits.parse().unwrap_or(i64::MAX))),
                                self.peek_span(),
                            );
                            self.at += 1;
                            ExprKind::Item(Box::new(value), Box::new(index))
                        }
                        _ => return Err(self.unexpected_token("a name or a number")),
                    }
                }
                Token::Op("[") => {
                    self.at += 1;
                    self.parse_subscript(value)?
                }
                Token::Op("(") => {
                    let arguments = self.parse_arguments()?;
                    ExprKind::Call(Box::new(value), arguments)
                }
                _ => return Ok(value),
            };
            self.enter_level()?;
            let start = match &kind {
                ExprKind::Attribute(inner, _)
                | ExprKind::Item(inner, _)
                | ExprKind::Slice(inner, _)
                | ExprKind::Call(inner, _) => inner.span,
                _ => self.last_span(),
            };
            value = expr(kind, start.to(self.last_span()));
        }
    }

    fn parse_subscript(&mut self, value: Expr) -> R<ExprKind> {
        if self.is_op("]") {
            return Err(self.unexpected_token("an index"));
        }
        let mut parts: Vec<Expr> = Vec::new();
        let start = self.peek_span();
        let mut is_tuple = false;
        loop {
            let mut bounds: [Option<Box<Expr>>; 3] = [None, None, None];
            let mut colons = 0;
            while !self.is_op("]") && !self.is_op(",") {
                if self.eat_op(":") {
                    colons += 1;
                    if colons > 2 {
                        return Err(self.unexpected_token("`]`"));
                    }
                } else {
                    if bounds[colons].is_some() {
                        return Err(self.unexpected_token("`]`"));
                    }
                    bounds[colons] = Some(Box::new(self.parse_expression()?));
                }
            }
            if colons > 0 {
                if is_tuple || self.is_op(",") {
                    return Err(self.unexpected_token("`]`"));
                }
                self.expect_op("]")?;
                return Ok(ExprKind::Slice(Box::new(value), bounds));
            }
            let [index, ..] = bounds;
            parts.extend(index.map(|index| *index));
            if !self.eat_op(",") {
                break;
            }
            is_tuple = true;
        }
        self.expect_op("]")?;
        let index = match (parts.pop(), is_tuple) {
            (Some(only), false) => only,
            (last, _) => {
                parts.extend(last);
                expr(ExprKind::Tuple(parts), start.to(self.last_span()))
            }
        };
        Ok(ExprKind::Item(Box::new(value), Box::new(index)))
    }

    fn parse_arguments(&mut self) -> R<Arguments> {
        self.expect_op("(")?;
        let mut arguments = Arguments::default();
        let mut is_first = true;
        while !self.is_op(")") {
            if !is_first {
                self.expect_op(",")?;
                if self.is_op(")") {
                    break;
                }
            }
            is_first = false;
            let span = self.peek_span();
            if self.eat_op("*") {
                if arguments.rest.is_some() || arguments.rest_named.is_some() {
                    return Err(syntax("invalid syntax for function call expression", span));
                }
                arguments.rest = Some(Box::new(self.parse_expression()?));
            } else if self.eat_op("**") {
                if arguments.rest_named.is_some() {
                    return Err(syntax("invalid syntax for function call expression", span));
                }
                arguments.rest_named = Some(Box::new(self.parse_expression()?));
            } else if matches!(self.peek(), Token::Name(_))
                && matches!(self.peek_second(), Token::Op("="))
            {
                if arguments.rest_named.is_some() {
                    return Err(syntax("invalid syntax for function call expression", span));
                }
                let name = self.expect_name()?;
                self.at += 1;
                let value = self.parse_expression()?;
                arguments.named.push((name, value));
            } else {
                if !arguments.named.is_empty()
                    || arguments.rest.is_some()
                    || arguments.rest_named.is_some()
                {
                    return Err(syntax("invalid syntax for function call expression", span));
                }
                arguments.positional.push(self.parse_expression()?);
            }
        }
        self.expect_op(")")?;
        Ok(arguments)
    }

    fn filter_expr(&mut self, mut value: Expr) -> R<Expr> {
        loop {
            let start = value.span;
            if self.is_op("|") {
                value = self.parse_filters(Some(value), start)?;
            } else if self.is_name("is") {
                self.at += 1;
                value = self.parse_test(value)?;
                self.enter_level()?;
            } else if self.is_op("(") {
                let arguments = self.parse_arguments()?;
                self.enter_level()?;
                value = expr(
                    ExprKind::Call(Box::new(value), arguments),
                    start.to(self.last_span()),
                );
            } else {
                return Ok(value);
            }
        }
    }

    fn dotted_name(&mut self) -> R<Arc<str>> {
        let mut name = self.expect_name()?;
        while self.eat_op(".") {
            name = format!("{name}.{}", self.expect_name()?).into();
        }
        Ok(name)
    }

    /// A name that is not known is an error here, unless a condition decides whether it is used.
    fn resolve_builtin(&self, name: Arc<str>, is_filter: bool, span: Span) -> R<Named> {
        let builtin = match is_filter {
            true => find_filter(&name),
            false => find_test(&name),
        };
        if builtin.is_none() && self.conditions == 0 {
            return Err(unknown(&name, is_filter).at(span));
        }
        Ok(Named { name, builtin })
    }

    /// Filters on a value, or on a block's text: the first one of a block has no sign before it.
    fn parse_filters(&mut self, mut value: Option<Expr>, start: Span) -> R<Expr> {
        let mut is_inline = value.is_none() && !self.is_op("|");
        while is_inline || self.is_op("|") {
            self.at += usize::from(!is_inline);
            is_inline = false;
            self.enter_level()?;
            let span = self.peek_span();
            let name = self.dotted_name()?;
            let named = self.resolve_builtin(name, true, span)?;
            let arguments = match self.is_op("(") {
                true => self.parse_arguments()?,
                false => Arguments::default(),
            };
            // The range of an error is the filter, with its arguments.
            let span = match &value {
                Some(_) => start.to(self.last_span()),
                None => span.to(self.last_span()),
            };
            value = Some(expr(
                ExprKind::Filter(value.map(Box::new), named, arguments),
                span,
            ));
        }
        value.ok_or_else(|| self.unexpected_token("a filter"))
    }

    fn parse_test(&mut self, value: Expr) -> R<Expr> {
        let start = value.span;
        let is_not = self.eat_name("not");
        let span = self.peek_span();
        let name = self.dotted_name()?;
        let named = self.resolve_builtin(name, false, span)?;
        let takes_argument = match self.peek() {
            Token::Name(word) => !matches!(&**word, "else" | "or" | "and"),
            Token::Str(_) | Token::Int(_) | Token::Float(_) => true,
            Token::Op(sign) => matches!(*sign, "[" | "{"),
            _ => false,
        };
        let mut arguments = Arguments::default();
        if self.is_op("(") {
            arguments = self.parse_arguments()?;
        } else if self.is_name("is") {
            return Err(syntax(
                "You cannot chain multiple tests with is",
                self.peek_span(),
            ));
        } else if takes_argument {
            let argument = self.parse_primary()?;
            let argument = self.parse_postfix(argument)?;
            arguments.positional.push(argument);
        }
        let span = start.to(self.last_span());
        let test = expr(ExprKind::Test(Box::new(value), named, arguments), span);
        Ok(match is_not {
            true => expr(ExprKind::Not(Box::new(test)), span),
            false => test,
        })
    }
}

pub(super) fn unknown(name: &str, is_filter: bool) -> Box<Fault> {
    let what = if is_filter { "filter" } else { "test" };
    Fault::of(
        FaultKind::Unsupported,
        format!("there is no {what} named `{name}`"),
    )
}

//! The language with the Jinja dialect.

use prompt_base::Span;
use prompt_syntax::analysis::Analyzer;
use prompt_syntax::dialect::{Keyword, Lexed, LoopHead};
use prompt_syntax::problem::Problem;
use prompt_syntax::{Dialect, Error, KnownNames, Language, Options, XmlTags};

use crate::analysis::{
    JinjaAnalyzer, JinjaCondition, JinjaMeaning, JinjaPiece, JinjaState, ResolvedNode,
};
use crate::head::{self, BlockHead};
use crate::problem::tag;
use crate::{Expr, JinjaExpr, JinjaNode, Node, ParsedTemplate, expr, lex};

/// The language of all dialects, with the nodes and expressions that only Jinja has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Jinja;

/// Reads a template of any dialect, as [`prompt_syntax::parse`] reads one of the others.
///
/// ```
/// use prompt_syntax::Dialect;
///
/// let parsed = prompt_jinja_syntax::parse("{% if x %}yes", Dialect::Jinja.into());
/// assert_eq!(parsed.errors[0].message(), "this block is never closed");
/// ```
pub fn parse(text: &str, options: Options) -> ParsedTemplate {
    prompt_syntax::parse_in(text, options, &XmlTags::default(), KnownNames::Unknown)
}

impl Language for Jinja {
    type Node = JinjaNode;
    type Expr = JinjaExpr;
    type Head = BlockHead;
    type Piece = JinjaPiece;
    type Condition = JinjaCondition;
    type Meaning = JinjaMeaning;
    type State<'a> = JinjaState<'a>;

    fn lex(text: &str, options: Options) -> Lexed {
        lex::lex(text, options)
    }

    fn parse_slot(text: &str, span: Span) -> Result<Expr, Error> {
        expr::parse_slot(text, span)
    }

    fn parse_condition(text: &str, span: Span) -> Result<Expr, Error> {
        expr::parse_condition(text, span)
    }

    fn loop_head(text: &str, span: Span) -> (Option<LoopHead<Jinja>>, Option<Error>) {
        expr::loop_head(text, span)
    }

    fn parse_statement(
        keyword: &str,
        text: &str,
        span: Span,
        head: Span,
    ) -> Result<JinjaNode, Error> {
        head::parse_statement(keyword, text, span, head)
    }

    fn parse_head(keyword: Keyword, text: &str, head: Span) -> Result<BlockHead, Error> {
        BlockHead::parse(keyword, text, head)
    }

    fn block_node(head: BlockHead, span: Span, body: Vec<Node>) -> JinjaNode {
        head.into_node(span, body)
    }

    fn no_other_branch(written: &str, block: &str, tag: Span) -> Problem {
        tag::no_other_branch(Dialect::Jinja, written, block, tag)
    }

    fn resolve_node(analyzer: &mut Analyzer<'_, Jinja>, node: &Node, out: &mut Vec<ResolvedNode>) {
        JinjaAnalyzer(analyzer).jinja_node(node, out);
    }
}

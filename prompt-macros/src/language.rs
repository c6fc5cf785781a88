//! The language of templates: with the feature `jinja` that of the Jinja dialect, which reads the other dialects too.

#[cfg(feature = "jinja")]
pub(crate) use prompt_jinja_syntax::Jinja as Language;
#[cfg(not(feature = "jinja"))]
pub(crate) use prompt_syntax::Plain as Language;

use prompt_syntax::analysis;

pub(crate) type Node = prompt_syntax::Node<Language>;
pub(crate) type Expr = prompt_syntax::Expr<Language>;
pub(crate) type Slot = prompt_syntax::Slot<Language>;
pub(crate) type Analyzer<'a> = analysis::Analyzer<'a, Language>;
pub(crate) type ResolvedNode = analysis::ResolvedNode<Language>;
pub(crate) type Condition = analysis::Condition<Language>;

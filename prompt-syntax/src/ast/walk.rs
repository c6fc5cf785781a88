use crate::Expr;

impl Expr {
    /// Calls `see` for this expression and for all inside it, the outer ones first.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Expr, Node, Options, parse};
    ///
    /// let parsed = parse("<a ?? b>", Options::message(Dialect::Angle));
    /// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
    /// let mut paths = 0;
    /// slot.expr.walk(&mut |expr| paths += usize::from(matches!(expr, Expr::Path(_))));
    /// assert_eq!(paths, 2);
    /// ```
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Expr)) {
        see(self);
        match self {
            Expr::Path(_) | Expr::Literal(_) | Expr::Body(_) => {}
            Expr::Filter(filter) => {
                filter.value.walk(see);
                filter.args.iter().for_each(|arg| arg.walk(see));
                filter.named.iter().for_each(|arg| arg.value.walk(see));
            }
            Expr::Default(coalesce) => {
                coalesce.value.walk(see);
                coalesce.default.walk(see);
            }
            Expr::Not(inner) | Expr::Neg(inner) => inner.value.walk(see),
            Expr::And(sides) | Expr::Or(sides) => {
                sides.0.walk(see);
                sides.1.walk(see);
            }
            Expr::Binary(binary) => {
                binary.left.walk(see);
                binary.right.walk(see);
            }
            Expr::Concat(items) | Expr::List(items) | Expr::Tuple(items) => {
                items.value.iter().for_each(|item| item.walk(see));
            }
            Expr::Compare(compare) => {
                compare.first.walk(see);
                compare.rest.iter().for_each(|(_, other)| other.walk(see));
            }
            Expr::Test(test) => {
                test.value.walk(see);
                test.args.iter().for_each(|arg| arg.walk(see));
            }
            Expr::If(conditional) => {
                conditional.value.walk(see);
                conditional.condition.walk(see);
                conditional.otherwise.iter().for_each(|expr| expr.walk(see));
            }
            Expr::Attribute(attribute) => attribute.value.walk(see),
            Expr::Index(index) => {
                index.value.walk(see);
                index.index.walk(see);
            }
            Expr::Slice(slice) => {
                slice.value.walk(see);
                let parts = [&slice.start, &slice.stop, &slice.step];
                parts.into_iter().flatten().for_each(|part| part.walk(see));
            }
            Expr::Call(call) => {
                call.receiver.iter().for_each(|value| value.walk(see));
                call.args.iter().for_each(|arg| arg.walk(see));
                call.named.iter().for_each(|arg| arg.value.walk(see));
            }
            Expr::Dict(items) => {
                for (key, value) in &items.value {
                    key.walk(see);
                    value.walk(see);
                }
            }
        }
    }
}

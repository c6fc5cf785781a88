//! Outputs that an evaluation compares as text.

use std::borrow::Cow;

use crate::Label;

/// An output that a metric compares with the correct answer as text: a string, a number, a boolean, or an enum with `#[derive(Label)]`.
///
/// ```
/// use typed_prompt::{Label, output::AnswerText};
///
/// #[derive(Label)]
/// enum Kind { Bug, Wish }
///
/// assert_eq!((Kind::Wish.to_answer_text(), 7.to_answer_text()), ("Wish".into(), "7".into()));
/// # let _ = Kind::Bug;
/// ```
#[diagnostic::on_unimplemented(
    message = "an answer of the type `{Self}` has no text that `gold` can compare",
    label = "neither text, nor a number, a boolean or an enum with `#[derive(Label)]`",
    note = "return the text of the answer and the correct one: `.metric(metric, |row, answer| (answer.name.clone(), row.name.clone()))`",
    note = "or compute the score: `.score(\"name\", |row, answer| f64::from(answer.name == row.name))`",
    note = "for an enum without fields: `#[derive(typed_prompt::Label)]`"
)]
pub trait AnswerText {
    /// The text of the answer.
    fn to_answer_text(&self) -> Cow<'_, str>;
}

#[diagnostic::do_not_recommend]
impl<T: Label> AnswerText for T {
    fn to_answer_text(&self) -> Cow<'_, str> {
        self.label().into()
    }
}

impl AnswerText for String {
    fn to_answer_text(&self) -> Cow<'_, str> {
        self.as_str().into()
    }
}

macro_rules! displayed {
    ($($ty:ty)*) => {$(
        impl AnswerText for $ty {
            fn to_answer_text(&self) -> Cow<'_, str> {
                self.to_string().into()
            }
        }
    )*};
}

displayed! { bool f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

//! Macros for the trees and the messages of this crate and of the crates of other dialects.

/// Implements `PartialEq` by the named fields, and not the span. A field that is not named at all does not compile.
#[macro_export]
macro_rules! equal_without_span {
    ($($(<$language:ident>)? $node:ident { $($field:ident),* $(; $ignored:ident)? })*) => {$(
        impl $(<$language: $crate::Language>)? PartialEq for $node $(<$language>)? {
            fn eq(&self, other: &Self) -> bool {
                let $node { span: _, $($field,)* $($ignored: _)? } = self;
                $(*$field == other.$field)&&*
            }
        }
    )*};
}

/// Declares functions that return a problem: its message, then its label, a related span and its help where it has them.
/// Parameters are named in the texts, as in `format!`, and so are the values after `where`.
#[macro_export]
macro_rules! problems {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($parameter:ident: $ty:ty),*) = $message:literal
            $(, label $label:literal)? $(, related $span:ident $related:literal)? $(, help $help:literal)?
            $(, where $value:ident = $expression:expr)*;
    )*) => {$(
        $(#[$attribute])*
        $visibility fn $name($($parameter: $ty),*) -> Problem {
            $(let $value = $expression;)*
            Problem::new(format!($message))
                $(.with_label(format!($label)))?
                $(.related_to($span, format!($related)))?
                $(.with_help(format!($help)))?
        }
    )*};
}

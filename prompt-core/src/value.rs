//! The traits of values that can fill a slot, and of types that are safe in the system message; wrappers for `Display` and `Debug`.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::{Text, Writer};

/// A value that can fill a slot.
///
/// Strings, numbers, `bool`, `char` and paths are written unchanged, also behind references and smart pointers. The written text is
/// never searched for slots: a value that contains `<slot>` or `{slot}` is text. Values may be formatted more than once per render,
/// and must write the same text each time.
///
/// ```
/// use typed_prompt::{ToPrompt, write::Writer};
///
/// struct Euro(u32);
/// impl ToPrompt for Euro {
///     fn write(&self, out: &mut Writer) {
///         self.0.write(out);
///         out.data(" €");
///     }
/// }
/// let mut out = Writer::new();
/// out.slot("price", &Euro(12));
/// assert_eq!(out.finish()?[0].text(), "12 €");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot fill a slot",
    label = "this is not text, a number, `bool`, `char` or a path",
    note = "an `Option` needs a condition, `<if x>…<x>…</if>`, or a default, `<x ?? \"none\">`",
    note = "a list needs a loop, `<for x in xs>…<x>…</for>`, or a filter, `<xs | join(\", \")>`",
    note = "a type that prints itself, also of another crate: `<x | display>`; a plain enum of your own: `#[derive(Label)]`; a struct of your own: `#[derive(Prompt)]` with `#[prompt(fragment = \"…\")]`, or `impl ToPrompt`"
)]
pub trait ToPrompt {
    /// Writes the value with [`Writer::data`].
    fn write(&self, out: &mut Writer);
}

macro_rules! written {
    ($($(#[$doc:meta])* $ty:ty, |$value:ident, $out:ident| $write:expr;)*) => {$(
        $(#[$doc])*
        #[diagnostic::do_not_recommend]
        impl ToPrompt for $ty {
            fn write(&self, $out: &mut Writer) {
                let $value = self;
                $write;
            }
        }
    )*};
}

written! {
    str, |text, out| out.data(text);
    String, |text, out| out.data(text);
    bool, |value, out| out.data(if *value { "true" } else { "false" });
    char, |value, out| out.data(value.encode_utf8(&mut [0; 4]));
    /// A path that is not Unicode shows `�` for what cannot be text.
    Path, |path, out| out.data(&path.to_string_lossy());
    /// A path that is not Unicode shows `�` for what cannot be text.
    PathBuf, |path, out| path.as_path().write(out);
    /// Text with its own record of what in it is data.
    Text, |text, out| out.push(text);
    fmt::Arguments<'_>, |text, out| match text.as_str() {
        Some(text) => out.data(text),
        None => Sink(out).write_args(*text),
    };
}

/// Calls a macro with the integers that are never zero.
macro_rules! for_non_zero {
    ($callback:ident) => {
        $callback! {
            std::num::NonZeroI8 std::num::NonZeroI16 std::num::NonZeroI32 std::num::NonZeroI64 std::num::NonZeroI128
            std::num::NonZeroIsize std::num::NonZeroU8 std::num::NonZeroU16 std::num::NonZeroU32 std::num::NonZeroU64
            std::num::NonZeroU128 std::num::NonZeroUsize
        }
    };
}
pub(crate) use for_non_zero;

/// Calls a macro with the types that behave as the `T` in them, the bounds that they need, and the place of that value.
macro_rules! for_wrappers {
    ($callback:ident) => {
        $callback! {
            [] &T, |value| (**value);
            [] &mut T, |value| (**value);
            [] Box<T>, |value| (**value);
            [] std::rc::Rc<T>, |value| (**value);
            [] std::sync::Arc<T>, |value| (**value);
            [+ ToOwned] std::borrow::Cow<'_, T>, |value| (**value);
            [] crate::Trusted<T>, |value| value.0;
            [] crate::Untrusted<T>, |value| value.0;
        }
    };
}
pub(crate) use for_wrappers;

macro_rules! displayed {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToPrompt for $ty {
            fn write(&self, out: &mut Writer) {
                Sink(out).write_args(format_args!("{self}"));
            }
        }
    )*};
}

displayed! { i128 u128 f32 f64 }
for_non_zero! { displayed }

macro_rules! whole_numbers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToPrompt for $ty {
            fn write(&self, out: &mut Writer) {
                out.data(itoa::Buffer::new().format(*self));
            }
        }
    )*};
}

whole_numbers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! pointers {
    ($([$($bound:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: ToPrompt $($bound)* + ?Sized> ToPrompt for $ty {
            fn write(&self, out: &mut Writer) {
                (**self).write(out);
            }
        }
    )*};
}

pointers! { [] &T; [] &mut T; [] Box<T>; [] Rc<T>; [] Arc<T>; [+ ToOwned] Cow<'_, T>; }

/// Text of your own program, never of its users: it may be used in a system message. The field is public, and `Trusted(text)` makes the value.
///
/// ```
/// use typed_prompt::{Trusted, write::Writer};
///
/// let mut out = Writer::new();
/// out.slot("product", &Trusted("Acme Router"));
/// assert_eq!(out.finish()?[0].text(), "Acme Router");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Trusted<T: ?Sized>(pub T);

#[diagnostic::do_not_recommend]
impl<T: ToPrompt + ?Sized> ToPrompt for Trusted<T> {
    fn write(&self, out: &mut Writer) {
        out.trusted(&self.0);
    }
}

/// A type whose values may be used in a system message, because they cannot carry instructions.
///
/// `char` is not one of them: several of them, in a list or in adjacent slots, are text.
///
/// ```
/// fn check(_: impl typed_prompt::value::SystemSafe) {}
/// check(42);
/// check(typed_prompt::Trusted("our own words"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a system message",
    label = "this value could instruct the model",
    note = "put it into a user message; or, if it is never a user's text, mark the field `#[prompt(trusted)]` or make it `Trusted<{Self}>`"
)]
pub trait SystemSafe {}

macro_rules! safe {
    ($($ty:ty)*) => {$( #[diagnostic::do_not_recommend] impl SystemSafe for $ty {} )*};
}

safe! {
    bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64
}
for_non_zero! { safe }

macro_rules! safe_inside {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: SystemSafe + ?Sized> SystemSafe for $ty {}
    )*};
}

safe_inside! { &T &mut T Box<T> Rc<T> Arc<T> }

#[diagnostic::do_not_recommend]
impl<T: ?Sized> SystemSafe for Trusted<T> {}

#[diagnostic::do_not_recommend]
impl<T: SystemSafe> SystemSafe for Option<T> {}

macro_rules! safe_lists {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> SystemSafe for $ty {}
    )*};
}

// Loops and `join` show the items of a list.
safe_lists! {
    [T: SystemSafe] [T];
    [T: SystemSafe, const N: usize] [T; N];
    [T: SystemSafe] Vec<T>;
    [T: SystemSafe] std::collections::VecDeque<T>;
    [T: SystemSafe] std::collections::LinkedList<T>;
    [T: SystemSafe] std::collections::BTreeSet<T>;
    [T: SystemSafe + ToOwned + ?Sized] Cow<'_, T>;
}

/// Fills a slot with what `Display` prints.
///
/// ```
/// use typed_prompt::{value::display, write::Writer};
///
/// let mut out = Writer::new();
/// out.slot("address", &display(std::net::Ipv4Addr::LOCALHOST));
/// assert_eq!(out.finish()?[0].text(), "127.0.0.1");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn display<T: fmt::Display>(value: T) -> DisplayValue<T> {
    DisplayValue(value)
}

/// See [`display`].
///
/// ```
/// assert_eq!(typed_prompt::value::display(1), typed_prompt::value::display(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DisplayValue<T>(T);

#[diagnostic::do_not_recommend]
impl<T: fmt::Display> ToPrompt for DisplayValue<T> {
    fn write(&self, out: &mut Writer) {
        Sink(out).write_args(format_args!("{}", self.0));
    }
}

/// Fills a slot with what `Debug` prints.
///
/// ```
/// use typed_prompt::{value::debug, write::Writer};
///
/// let mut out = Writer::new();
/// out.slot("found", &debug(Some(1)));
/// assert_eq!(out.finish()?[0].text(), "Some(1)");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn debug<T: fmt::Debug>(value: T) -> DebugValue<T> {
    DebugValue(value)
}

/// See [`debug`].
///
/// ```
/// assert_eq!(typed_prompt::value::debug("a"), typed_prompt::value::debug("a"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugValue<T>(T);

#[diagnostic::do_not_recommend]
impl<T: fmt::Debug> ToPrompt for DebugValue<T> {
    fn write(&self, out: &mut Writer) {
        Sink(out).write_args(format_args!("{:?}", self.0));
    }
}

/// Formatted text as data.
struct Sink<'a>(&'a mut Writer);

impl Sink<'_> {
    fn write_args(&mut self, text: fmt::Arguments<'_>) {
        // Our own `write_str` never fails, so that the `Display` of the value did.
        if self.write_fmt(text).is_err() {
            let message = "the `Display` or `Debug` of a value failed";
            self.0
                .fail(crate::Error::new(crate::ErrorKind::Value, message));
        }
    }
}

impl fmt::Write for Sink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.data(text);
        Ok(())
    }
}

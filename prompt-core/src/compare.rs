//! Comparisons of conditions with constants: text and labels, numbers, booleans.

use std::cmp::Ordering;

use crate::Text;
use crate::filter::Filtered;
use crate::struct_fields::{ConstMessage, FieldNames, is_same};

/// An enum with a label for each variant: `#[derive(Label)]` implements it with the names that serde gives the variants.
///
/// A label fills slots, in a system message if the field is marked `trusted`, and conditions compare it: `<if mode == "brief">`. A comparison of a field
/// with a name that no variant has is a compile error.
///
/// ```
/// use typed_prompt::Label;
///
/// enum Mode { Brief, Full }
///
/// impl Label for Mode {
///     const LABELS: &'static [&'static str] = &["brief", "full"];
///     fn label(&self) -> &'static str {
///         match self {
///             Mode::Brief => "brief",
///             Mode::Full => "full",
///         }
///     }
/// }
/// assert_eq!(Mode::Full.label(), "full");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no labels",
    label = "no `Label`",
    note = "write `#[derive(typed_prompt::Label)]` above an enum without fields"
)]
pub trait Label {
    /// The names of all variants.
    const LABELS: &'static [&'static str];

    /// The name of the variant.
    fn label(&self) -> &'static str;
}

/// A value that a condition compares with a string: `<if mode == "brief">`.
///
/// ```
/// use typed_prompt::value::CompareText;
///
/// assert!("brief".is_text("brief"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with a string",
    label = "compared in a condition",
    note = "text can, and so can an enum with `#[derive(Label)]`; for another type compare what it prints: `<if x | display == \"…\">`"
)]
pub trait CompareText {
    /// The only texts that the value can be, if they are known.
    const LABELS: Option<&'static [&'static str]> = None;

    /// Whether the value is this text.
    fn is_text(&self, text: &str) -> bool;
}

/// A value that a condition compares with a number: `<if count > 3>`.
///
/// ```
/// use std::cmp::Ordering;
/// use typed_prompt::value::CompareNumber;
///
/// assert_eq!(5u8.compare_int(3), Some(Ordering::Greater));
/// assert_eq!(0.1f32.compare_float(0.1), Some(Ordering::Equal));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with a number",
    label = "compared in a condition",
    note = "numbers can be compared with a number"
)]
pub trait CompareNumber {
    /// Compares with a whole number.
    fn compare_int(&self, number: i64) -> Option<Ordering>;

    /// Compares with a number with a fraction, in the precision of the value.
    fn compare_float(&self, number: f64) -> Option<Ordering>;
}

/// A value that a condition compares with `true` or `false`.
///
/// ```
/// use typed_prompt::value::CompareBool;
///
/// assert!(true.is_bool(true));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with a boolean",
    label = "compared in a condition",
    note = "a `bool` can be compared with `true` and `false`"
)]
pub trait CompareBool {
    /// Whether the value is this boolean.
    fn is_bool(&self, value: bool) -> bool;
}

macro_rules! texts {
    ($($ty:ty, |$value:ident| $text:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl CompareText for $ty {
            fn is_text(&self, text: &str) -> bool {
                let $value = self;
                $text == text
            }
        }
    )*};
}

texts! {
    str, |text| text;
    String, |text| text;
    Text, |text| text.as_str();
    Filtered, |text| text.as_str();
    char, |value| &*value.encode_utf8(&mut [0; 4]);
}

macro_rules! whole_numbers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl CompareNumber for $ty {
            fn compare_int(&self, number: i64) -> Option<Ordering> {
                let beyond = Ordering::Greater;
                Some(i128::try_from(*self).map_or(beyond, |value| value.cmp(&i128::from(number))))
            }

            fn compare_float(&self, number: f64) -> Option<Ordering> {
                #[allow(clippy::cast_precision_loss, clippy::cast_lossless)]
                (*self as f64).partial_cmp(&number)
            }
        }
    )*};
}

whole_numbers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! non_zero {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl CompareNumber for $ty {
            fn compare_int(&self, number: i64) -> Option<Ordering> {
                self.get().compare_int(number)
            }

            fn compare_float(&self, number: f64) -> Option<Ordering> {
                self.get().compare_float(number)
            }
        }
    )*};
}

crate::value::for_non_zero! { non_zero }

#[diagnostic::do_not_recommend]
impl CompareNumber for f64 {
    fn compare_int(&self, number: i64) -> Option<Ordering> {
        #[allow(clippy::cast_precision_loss)]
        self.partial_cmp(&(number as f64))
    }

    fn compare_float(&self, number: f64) -> Option<Ordering> {
        self.partial_cmp(&number)
    }
}

/// `0.1` is the `f32` nearest to it.
#[diagnostic::do_not_recommend]
impl CompareNumber for f32 {
    fn compare_int(&self, number: i64) -> Option<Ordering> {
        f64::from(*self).compare_int(number)
    }

    fn compare_float(&self, number: f64) -> Option<Ordering> {
        #[allow(clippy::cast_possible_truncation)]
        self.partial_cmp(&(number as f32))
    }
}

#[diagnostic::do_not_recommend]
impl CompareBool for bool {
    fn is_bool(&self, value: bool) -> bool {
        *self == value
    }
}

macro_rules! wrappers {
    ($([$($bound:tt)*] $ty:ty, |$value:ident| $inner:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: CompareText $($bound)* + ?Sized> CompareText for $ty {
            const LABELS: Option<&'static [&'static str]> = T::LABELS;

            fn is_text(&self, text: &str) -> bool {
                let $value = self;
                $inner.is_text(text)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: CompareNumber $($bound)* + ?Sized> CompareNumber for $ty {
            fn compare_int(&self, number: i64) -> Option<Ordering> {
                let $value = self;
                $inner.compare_int(number)
            }

            fn compare_float(&self, number: f64) -> Option<Ordering> {
                let $value = self;
                $inner.compare_float(number)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: CompareBool $($bound)* + ?Sized> CompareBool for $ty {
            fn is_bool(&self, value: bool) -> bool {
                let $value = self;
                $inner.is_bool(value)
            }
        }
    )*};
}

crate::value::for_wrappers! { wrappers }

/// The labels of a type: `None` also for a type that cannot be compared with a string, which is another error.
#[expect(missing_debug_implementations, reason = "it has no values")]
pub struct Labels<T: ?Sized>(std::marker::PhantomData<T>);

impl<T: CompareText + ?Sized> Labels<T> {
    /// They hide those of [`NoLabels`].
    pub const LABELS: Option<&'static [&'static str]> = T::LABELS;
}

/// See [`Labels`].
pub trait NoLabels {
    /// None.
    const LABELS: Option<&'static [&'static str]> = None;
}

impl<T: ?Sized> NoLabels for Labels<T> {}

/// An enum that is made from the name of a variant: `#[derive(Label)]` implements it.
pub trait FromLabel: Sized {
    /// The variant of that name.
    fn from_label(label: &str) -> Option<Self>;
}

/// Makes the value of a label. Generated code has a trait with another function of this name for types without labels.
#[expect(missing_debug_implementations, reason = "it has no values")]
pub struct LabelValue<T>(std::marker::PhantomData<T>);

impl<T: FromLabel> LabelValue<T> {
    /// The value of a label that [`expect_label`] has checked.
    pub fn from_text(label: &str) -> T {
        T::from_label(label).unwrap_or_else(|| unreachable!("`{label}` is a label"))
    }
}

/// Fails when the program is compiled if a value can never be this text.
///
/// # Panics
/// With the message and the closest label or all labels, if there are labels and they do not contain the text.
#[track_caller]
pub const fn expect_label(labels: Option<&[&str]>, text: &str, message: &str) {
    let Some(labels) = labels else { return };
    let mut index = 0;
    while index < labels.len() {
        if is_same(labels[index].as_bytes(), text.as_bytes()) {
            return;
        }
        index += 1;
    }
    let mut error = ConstMessage::new();
    error.add(message);
    error
        .push_suggestion(text, FieldNames::Labels(labels))
        .panic_with_message()
}

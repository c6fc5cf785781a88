//! Items with the names that generated code might use.

#![no_implicit_prelude]

use ::tp::{Prompt, no_prelude::diagnostic};

/// A type of the user.
#[derive(Clone, Copy, Debug)]
pub struct Writer;

/// A type of the user.
#[derive(Clone, Copy, Debug)]
pub struct String;

/// A type of the user.
#[derive(Clone, Copy, Debug)]
pub enum Option {
    /// A variant of the user.
    Some,
    /// A variant of the user.
    None,
}

/// A type of the user.
#[derive(Clone, Copy, Debug)]
pub enum Result {
    /// A variant of the user.
    Ok,
    /// A variant of the user.
    Err,
}

pub use self::Option::{None, Some};
pub use self::Result::{Err, Ok};

/// Types of the user.
pub struct Messages;
/// Types of the user.
pub struct Role;
/// Types of the user.
pub struct Vec;
/// Types of the user.
pub struct Box;
/// Types of the user.
pub struct From;
/// Types of the user.
pub struct PromptInfo;
/// Types of the user.
pub struct SlotInfo;
/// Types of the user.
pub struct Reply;
/// Types of the user.
pub struct ToPrompt;
/// A module of the user.
pub mod __private {}

/// Functions of the user.
pub fn drop() {}
/// Functions of the user.
pub fn truthy_value() {}
/// Functions of the user.
pub fn iter_list() {}
/// Functions of the user.
pub fn is_truthy() {}

/// Types of the user.
pub struct Family;
/// Types of the user.
pub struct Text;
/// Types of the user.
pub struct SlotData;

/// Its format is fixed.
#[derive(Prompt)]
#[prompt(crate = "::tp", system = "Be brief.", user = "<family> <text> <name>", format = llama3)]
pub struct Fixed<'a, T> {
    /// Named as a parameter.
    pub family: &'a str,
    /// Named as a type.
    pub text: T,
    /// A number.
    pub name: u8,
}

/// Its own type has the names of the trait's methods.
#[derive(Prompt)]
#[prompt(
    crate = "::tp",
    system = "<count>",
    user = "<if note><note></if><for item in items><item></for><messages> <render> <tail ?? \"-\"> <list | join(\",\")>"
)]
pub struct Loud<'a> {
    /// A number.
    pub count: u8,
    /// A note.
    pub note: ::std::option::Option<&'a str>,
    /// Items.
    pub items: &'a [&'a str],
    /// Named as a method.
    pub messages: u8,
    /// Named as a method.
    pub render: &'a str,
    /// With a default.
    pub tail: ::std::option::Option<&'a str>,
    /// Joined.
    pub list: [u8; 2],
}

impl Loud<'_> {
    /// An inherent method with the trait's name.
    #[must_use]
    pub fn render(&self) -> u8 {
        self.count
    }

    /// An inherent method with the trait's name.
    #[must_use]
    pub fn messages(&self) -> u8 {
        self.messages
    }
}

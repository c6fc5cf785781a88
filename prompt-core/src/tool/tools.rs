//! The trait that `#[derive(Tools)]` implements: tools as the variants of an enum.

use crate::{Result, Tool, ToolCall};

/// The tools of a program, one for each variant of an enum: `#[derive(Tools)]` implements it.
///
/// ```
/// use typed_prompt::{Result, Tool, ToolCall, Tools};
///
/// // By hand, as the derive would do it:
/// #[derive(Debug, PartialEq)]
/// enum Action {
///     Stop,
/// }
///
/// impl Tools for Action {
///     fn tools() -> Result<Vec<Tool>> {
///         Ok(vec![Tool::new("stop")])
///     }
///
///     fn parse(call: &ToolCall) -> Result<Action> {
///         match &*call.name {
///             "stop" => Ok(Action::Stop),
///             _ => Err(call.unknown(["stop"])),
///         }
///     }
/// }
///
/// assert_eq!(Action::parse(&ToolCall::new("c1", "stop", "{}"))?, Action::Stop);
/// let error = Action::parse(&ToolCall::new("c2", "stopp", "{}")).unwrap_err();
/// assert_eq!(error.to_string(), "there is no tool `stopp`; did you mean `stop`?");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools",
    label = "no tools",
    note = "make it an enum with `#[derive(Tools)]`, whose variants are the tools"
)]
pub trait Tools: Sized {
    /// The names of the tools with consequences, `#[tool(consequential)]`: each call of them needs the approval of
    /// [`ToolLoop::approve`](crate::ToolLoop::approve).
    const CONSEQUENTIAL: &'static [&'static str] = &[];

    /// The definitions, in the order of the variants.
    ///
    /// # Errors
    /// A variant whose type has no schema that a tool can have: see `Tool::from_type`.
    fn tools() -> Result<Vec<Tool>>;

    /// The variant of a model's call.
    ///
    /// # Errors
    /// A tool that there is not, and arguments that do not fit, with their place.
    fn parse(call: &ToolCall) -> Result<Self>;
}

/// A call as the model wrote it, for tools that a prompt brings: it offers none itself.
#[diagnostic::do_not_recommend]
impl Tools for ToolCall {
    fn tools() -> Result<Vec<Tool>> {
        Ok(Vec::new())
    }

    fn parse(call: &ToolCall) -> Result<ToolCall> {
        Ok(call.clone())
    }
}

//! Plain text.

use super::*;

/// Text without structure, and so without control tokens.
pub const PLAIN: Family = Family { name: "plain", title: "Plain text", system: true, ..Family::BARE };

//! Part of typed-prompt.

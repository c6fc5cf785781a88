//! Without the Jinja dialect, the annotated tree has no nodes of it.

use std::convert::Infallible;

use proc_macro2::TokenStream;

use super::CaseEmitter;
use super::body::ErrorContext;
use crate::lower::TemplateMessage;

pub(super) fn shown_value(piece: &Infallible) -> Option<(&String, prompt_base::Span)> {
    match *piece {}
}

impl CaseEmitter<'_> {
    pub(super) fn other_code(&self, _: &TemplateMessage, piece: &Infallible) -> TokenStream {
        match *piece {}
    }

    pub(super) fn other_value(
        &self,
        _: &TemplateMessage,
        condition: &Infallible,
        _: ErrorContext,
    ) -> TokenStream {
        match *condition {}
    }

    pub(super) fn other_holds(
        &self,
        _: &TemplateMessage,
        condition: &Infallible,
        _: ErrorContext,
    ) -> TokenStream {
        match *condition {}
    }

    pub(super) fn template_constants(&self) -> Option<TokenStream> {
        None
    }
}

//! Detection of modules without the implicit prelude, where `#[diagnostic::…]` is not available.

use std::path::{Path, PathBuf};

use proc_macro2::Span;

/// Whether generated code may name `#[diagnostic::…]` where an item stands.
///
/// A module without the implicit prelude has no tool attributes either, nothing that a macro can write changes that, and
/// rustc does not tell a macro where it is so. So the files are asked that can say it: the item's own, and the root of the
/// crate. Where they do, errors about types are the plain ones of the runtime's traits.
pub(crate) fn has_tools(item: Span) -> bool {
    let own = proc_macro::is_available()
        .then(|| item.unwrap().local_file())
        .flatten();
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    let roots = ["src/lib.rs", "src/main.rs"].map(|root| folder.join(root));
    !own.into_iter()
        .chain(roots)
        .any(|file| leaves_it_out(&file))
}

fn leaves_it_out(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| text.contains("no_implicit_prelude"))
}

//! The keys of a field.

use prompt_syntax::problem::attribute as problem;
use syn::{Attribute, Token};

use super::value::{expect_bare, text};
use super::{FIELD_KEYS, ITEM_KEYS, Keyed, each_key, skip_to_comma, twice, unknown};
use crate::errors::Errors;
use crate::quoted::Quoted;

/// What `#[prompt(…)]` says on a field.
#[derive(Default)]
pub(crate) struct FieldKeys {
    pub(crate) keys: Vec<Keyed<&'static str>>,
    /// What stands over an extra field, where it is not the field's name.
    pub(crate) title: Option<Quoted>,
    /// Whether a key could not be read: it may have been any of them.
    pub(crate) broken: bool,
}

impl FieldKeys {
    /// Whether the field has none, as most have.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key.value == name)
    }

    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> FieldKeys {
        let mut keys = FieldKeys::default();
        let before = errors.count();
        each_key(attributes, errors, |key, input, errors| {
            let name = key.to_string();
            let Some(known) = FIELD_KEYS.into_iter().find(|known| *known == name) else {
                if ITEM_KEYS.contains(&name.as_str()) {
                    let problem =
                        problem::misplaced(&name, "a field", "the struct, enum or variant");
                    errors.push(key.span(), problem);
                } else {
                    unknown(&key, "key", &FIELD_KEYS, errors);
                }
                skip_to_comma(input);
                return Ok(());
            };
            if keys.has(known) {
                twice(&key, errors);
            }
            keys.keys.push(Keyed {
                key: key.span(),
                value: known,
            });
            if known == "extra" && input.peek(Token![=]) {
                keys.title = Some(text(input, &key)?);
            } else {
                expect_bare(&key, input)?;
            }
            Ok(())
        });
        keys.broken = errors.count() > before;
        keys
    }
}

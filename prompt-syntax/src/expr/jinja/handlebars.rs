//! Slots of Handlebars, as Dotprompt files have them: what Jinja writes instead.

use crate::unicode::name_len;
use crate::{Error, Role, Span};

/// Says so where the words of a slot that cannot be read are those of Handlebars.
pub(super) fn instead(text: &str, head: Span) -> Option<Error> {
    let help = help(head.of(text))?;
    let error = Error::new(
        head,
        format!("`{{{{{}}}}}` is of Handlebars", head.of(text)),
    );
    Some(error.label("not of Jinja").help(help))
}

fn help(head: &str) -> Option<String> {
    let tag = |words: &str| Some(format!("write `{{% {words} %}}`"));
    let slot = |words: &str| Some(format!("write `{{{{ {words} }}}}`"));
    let (sign, rest) = match head.chars().next()? {
        c if c.is_alphabetic() => (' ', head),
        c => (c, head[c.len_utf8()..].trim_start()),
    };
    let (word, more) = match rest.split_once(char::is_whitespace) {
        Some((word, more)) => (word, more.trim()),
        None => (rest, ""),
    };
    match (sign, word, more) {
        ('#', "if", more) => tag(&format!("if {more}")),
        ('#', "unless", more) => tag(&format!("if not {more}")),
        ('#', "with", more) => tag(&format!("with item = {more}")),
        ('#', "each", more) => {
            let (list, item) = more.split_once(" as ").unwrap_or((more, "item"));
            tag(&format!("for {} in {list}", item.trim_matches(['|', ' '])))
        }
        ('#', name, _) if !name.is_empty() => Some(format!(
            "write `{{% if {name} %}}` or `{{% for item in {name} %}}`"
        )),
        ('/', "if" | "unless", _) => tag("endif"),
        ('/', "each", _) => tag("endfor"),
        ('/', "with", _) => tag("endwith"),
        ('/', name, "") if !name.is_empty() => {
            Some("write `{% endif %}` or `{% endfor %}`".to_owned())
        }
        ('^', "", _) | (' ', "else", "") => tag("else"),
        ('^', name, "") => tag(&format!("if not {name}")),
        (' ', "else", more) => {
            let condition = more.strip_prefix("if ")?;
            tag(&format!("elif {condition}"))
        }
        ('!', _, more) if !more.is_empty() => Some("write `{# … #}`".to_owned()),
        ('>', name, _) if !name.is_empty() => tag(&format!("include \"{name}\"")),
        ('@', "index", _) => slot("loop.index0"),
        ('@', "first" | "last", _) => slot(&format!("loop.{word}")),
        ('@', "key", _) => {
            Some("write `{% for key, value in map.items() %}` and `{{ key }}`".to_owned())
        }
        ('&', name, "") if !name.is_empty() => slot(name),
        ('.', path, "") => {
            let path = path.trim_start_matches(['.', '/']);
            slot(if path.is_empty() { "item" } else { path })
        }
        ('{', path, "") => {
            let path = path.strip_suffix('}')?;
            let name = path.replace('.', "");
            if name.is_empty() || name_len(&name) < name.len() {
                return None;
            }
            slot(path)
        }
        (' ', "role", name) => {
            let role = Role::from_name(name.trim_matches(['"', '\'']))?.name();
            Some(format!("write `{{% {role} %}}…{{% end{role} %}}`"))
        }
        (' ', "json", more) if !more.is_empty() => slot(&format!("{more} | tojson")),
        _ => None,
    }
}

//! JSON values that are odd, deep, out of range or not JSON at all.

/// The values as text.
fn fragments() -> Vec<String> {
    let nested = |open: &str, depth: usize, inner: &str, close: &str| {
        [&open.repeat(depth), inner, &close.repeat(depth)].concat()
    };
    let mut all: Vec<String> = [
        "null", "true", "false", "0", "-0", "1e400", "-1e400", "1E-400", "18446744073709551616",
        "-9223372036854775809", "1234567890123456789012345678901234567890",
        "0.1234567890123456789012345678901234567890", "1.50", r#""""#, r#""x""#, r#"" ""#,
        r#""a\u0000b""#, "\"\u{feff}\"", "\"\u{202e}x\u{202c}\"", "\"<\u{301}|im_end|>\"",
        r#""\ud800""#, r#""\udc00\ud800""#, r#""\ud83d\ude00""#, r#""\r\n""#, r#""<|im_end|>""#,
        r#""user""#, r#""assistant""#, r#""function""#, r#""{\"a\":1}""#, r#""{\"a\":""#, "[]", "{}",
        "[[]]", "[{}]", "[null]", r#"["x"]"#, r#"[1,"x"]"#, r#"{"":""}"#, r#"{"\ud800":1}"#,
        r#"{"a":1,"a":2}"#, r#"{"type":"text","text":"x"}"#, r#"[{"type":"text","text":"x"}]"#,
        r#"[{"type":"text","text":"x","text":"y"}]"#, r#"{"type":"object","properties":[]}"#,
        r#"{"type":"object","properties":{"a":{"type":["null","string"]},"b":{"type":"array","items":{"oneOf":[{}]}}},"required":["a",1]}"#,
        r#"{"type":"array","items":{"type":"object","properties":{"a":{"enum":[1,null,"x"]}}}}"#,
        r##"{"$ref":"#"}"##, r##"{"allOf":[{"$ref":"#"}]}"##, r##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
        r#"{"role":"user","prompt":"x"}"#, r#"[{"role":"BOT","generate":true}]"#,
        r#"{"url":"data:image/png;base64,AA=="}"#, r#"{"url":"data:,"}"#, r#"{"url":""}"#,
    ]
    .map(str::to_owned)
    .into();
    for depth in [100, 127, 128, 200, 10_000] {
        all.push(nested("[", depth, "", "]"));
        all.push(nested(r#"{"a":"#, depth, "1", "}"));
        all.push(nested(r#"{"items":"#, depth, "{}", "}"));
        all.push(nested(r#"{"type":"array","items":"#, depth, "{}", "}"));
        all.push(nested(
            r#"{"type":"object","properties":{"a":"#,
            depth,
            "{}",
            "}}",
        ));
        all.push(nested(r#"{"oneOf":["#, depth, "{}", "]}"));
        all.push(nested(r#"[{"a":"#, depth, "1", "}]"));
    }
    all
}

/// The templates with each of these values in place of `$`.
pub(crate) fn filled(shells: &[&str]) -> Vec<String> {
    let fragments = fragments();
    let each = |shell: &&str| {
        let shell = (*shell).to_owned();
        fragments
            .iter()
            .map(move |fragment| shell.replace('$', fragment))
            .collect::<Vec<_>>()
    };
    shells.iter().flat_map(each).collect()
}

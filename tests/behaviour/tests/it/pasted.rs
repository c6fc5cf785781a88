//! Prompts as people paste them, through the derive: each file of `tests/pasted` compiles unchanged with `slots = "input"`, and its
//! text is that of the file with the slots filled. `prompt-syntax/tests/pasted.rs` parses the same files without the key.

use std::collections::BTreeSet;

use typed_prompt::Prompt;

use crate::turns;

/// Declares a prompt for each file, and a test that renders all of them.
macro_rules! pasted {
    ($($name:ident $file:literal: $($field:ident)*;)*) => {
        $(
            #[derive(Prompt)]
            #[prompt(file = $file, slots = "input")]
            struct $name {
                $($field: String,)*
            }
        )*

        #[test]
        fn rendered() {
            let mut files = BTreeSet::new();
            $(
                let prompt = $name { $($field: value(stringify!($field)),)* };
                let text = filled(include_str!(concat!("../../", $file)));
                assert_eq!(turns(&prompt), [("user", text)], $file);
                files.insert($file);
            )*
            let folder = std::fs::read_dir("tests/pasted").expect("the folder is there");
            assert_eq!(folder.count(), files.len(), "each file has a prompt");
        }
    };
}

/// A value that looks like slots, which are not filled.
fn value(name: &str) -> String {
    format!("[{name} <input:{name}> {{{name}}}]")
}

/// The text of a file with its slots filled.
fn filled(text: &str) -> String {
    let mut parts = text.trim_end().split("<input:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('>').expect("a closed slot");
        out.extend([&value(name), rest]);
    }
    out
}

pasted! {
    Angular "tests/pasted/angular.txt": product language diff known_issues;
    ChatTokens "tests/pasted/chat_tokens.txt": from to template rows;
    CppCuda "tests/pasted/cpp_cuda.txt": gpu constraints profile;
    CppReview "tests/pasted/cpp_review.txt": target flags notes;
    CppTemplates "tests/pasted/cpp_templates.txt": team flags header comments question;
    CsharpJava "tests/pasted/csharp_java.txt": company change_set guidelines ignored;
    DefsExtraction "tests/pasted/defs_extraction.txt": registry previous glossary registration;
    DiffConflict "tests/pasted/diff_conflict.txt": repository branch style conflict;
    DocumentQa "tests/pasted/document_qa.txt": annual_report quarterly_report memo analyst question;
    ErbLiquid "tests/pasted/erb_liquid.txt": shop orders_template brand footer owner;
    FewShot "tests/pasted/few_shot.txt": product policy transcript agent_name;
    FrontMatterAgents "tests/pasted/front_matter_agents.txt": agent_name tools memory task;
    Fstring "tests/pasted/fstring.txt": context question version;
    GameDialog "tests/pasted/game_dialog.txt": npc_name dialogue facts utterance max_sentences;
    GithubActions "tests/pasted/github_actions.txt": goal log rules;
    GoRustGenerics "tests/pasted/go_rust_generics.txt": crate_name language source helpers msrv;
    GoTemplate "tests/pasted/go_template.txt": cluster namespace values rendered ticket;
    GraphqlMermaid "tests/pasted/graphql_mermaid.txt": service audience limits;
    Handlebars "tests/pasted/handlebars.txt": brand locale sample copy tone;
    HtmlCss "tests/pasted/html_css.txt": brand goals lighthouse;
    HtmlPage "tests/pasted/html_page.txt": violation_count report tokens language;
    HtmxWeb "tests/pasted/htmx_web.txt": site content colours components;
    Inequalities "tests/pasted/inequalities.txt": course points solution notes;
    Jinja "tests/pasted/jinja.txt": audience model messages tools;
    JinjaMail "tests/pasted/jinja_mail.txt": brand language comments glossary;
    JsonSchema "tests/pasted/json_schema.txt": language customer invoice;
    JsonlFew "tests/pasted/jsonl_few.txt": company labels tickets;
    JsxReview "tests/pasted/jsx_review.txt": language ticket guide title;
    KotlinJava "tests/pasted/kotlin_java.txt": platform callers build_file coroutines file_name;
    Langchain "tests/pasted/langchain.txt": version program crates;
    Latex "tests/pasted/latex.txt": level exercise attempt;
    LatexReview "tests/pasted/latex_review.txt": venue reviewer reviews deadline;
    LatexThm "tests/pasted/latex_thm.txt": author language report;
    LdapMail "tests/pasted/ldap_mail.txt": company account message tone agent;
    LiteralTemplates "tests/pasted/literal_templates.txt": product user notes;
    Logs "tests/pasted/logs.txt": service window history logs;
    MailHeaders "tests/pasted/mail_headers.txt": team today queues mail;
    MakefileShell "tests/pasted/makefile_shell.txt": project error_log environment allowed;
    MarkdownReadme "tests/pasted/markdown_readme.txt": audience tone source changelog;
    MdMathTables "tests/pasted/md_math_tables.txt": subject level history question;
    Multilingual "tests/pasted/multilingual.txt": source target glossary texts;
    OpenaiXmlAttr "tests/pasted/openai_xml_attr.txt": firm first second question;
    Openapi "tests/pasted/openapi.txt": language package change conventions;
    PatchMail "tests/pasted/patch_mail.txt": message_id subsystem thread reviewer_name;
    Prometheus "tests/pasted/prometheus.txt": service alert runbook deploys;
    ProtoGraphql "tests/pasted/proto_graphql.txt": service requirements consumers constraints;
    ReactAgent "tests/pasted/react_agent.txt": tools tool_names history question scratchpad;
    ReactXml "tests/pasted/react_xml.txt": goal tools tree scratchpad;
    Regexes "tests/pasted/regexes.txt": engine pattern positive negative;
    RustGenericMacros "tests/pasted/rust_generic_macros.txt": package msrv focus;
    RustMacros "tests/pasted/rust_macros.txt": known_language toolchain build_log attempt;
    RustReview "tests/pasted/rust_review.txt": krate edition question;
    ShellAwk "tests/pasted/shell_awk.txt": host user log task;
    ShellHeredoc "tests/pasted/shell_heredoc.txt": distribution findings environment policy exit_code;
    SoapUsers "tests/pasted/soap_users.txt": partner faults mapping;
    SqlMigration "tests/pasted/sql_migration.txt": engine tenant change;
    SqlPlaceholders "tests/pasted/sql_placeholders.txt": source_driver target_driver statements schema;
    SqlRegex "tests/pasted/sql_regex.txt": schema_name dialect schema question attempts;
    SvelteVue "tests/pasted/svelte_vue.txt": project component source helpers;
    SvgMathml "tests/pasted/svg_mathml.txt": target level context figures;
    Terraform "tests/pasted/terraform.txt": team plan author questions;
    TexCpp "tests/pasted/tex_cpp.txt": paper_title proof reviews language max_words;
    ThinkingAgent "tests/pasted/thinking_agent.txt": repository operator steps_left history task;
    ToolAgent "tests/pasted/tool_agent.txt": operator cwd memory task;
    ToolsXml "tests/pasted/tools_xml.txt": more_functions traveller today timezone request;
    TsTypes "tests/pasted/ts_types.txt": ts_version puzzle cases error max_lines;
    TsxGeneric "tests/pasted/tsx_generic.txt": react_version call_sites failing_test rules;
    TsxTokens "tests/pasted/tsx_tokens.txt": framework wish conventions;
    VueSfc "tests/pasted/vue_sfc.txt": target brand notes style_guide;
    WebShell "tests/pasted/web_shell.txt": app log attempts;
    XmlFull "tests/pasted/xml_full.txt": department rules source content reviewer;
    XmlSupport "tests/pasted/xml_support.txt": company customer orders question;
    YamlInfra "tests/pasted/yaml_infra.txt": cluster namespace policy;
}

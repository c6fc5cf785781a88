//! The filters, tests and methods that both kinds of templates have: one line each.
//!
//! A line has the function, the names in a template, and the parameters of a chat template as [`Builtin`](crate::untyped) reads them. The
//! functions of [`expr`](crate::expr) and the registry of `untyped` are made of these lines; the parameters in a template of a Rust struct,
//! which the compiler checks, are in the module `builtin` of prompt-jinja-syntax.

/// Calls a macro with the filters.
macro_rules! shared_filters {
    ($then:ident! { $($given:tt)* }) => {
        $then! {
            $($given)*
            shared_filters {
                number::abs ["abs"] "";
                list::batch ["batch"] "linecount fill_with=";
                text::capitalize ["capitalize"] "";
                text::center ["center"] "width=";
                text::default ["default" "d"] "default_value= boolean=";
                list::dictsort ["dictsort"] "case_sensitive= by= reverse=";
                text::escape ["escape" "e"] "";
                number::filesizeformat ["filesizeformat"] "binary=";
                number::float ["float"] "default=";
                list::groupby ["groupby"] "attribute default= case_sensitive=";
                text::indent ["indent"] "width= first= blank=";
                number::int ["int"] "default= base=";
                list::items ["items"] "";
                list::join ["join"] "d= attribute=";
                text::length ["length" "count"] "";
                list::list ["list"] "";
                text::lower ["lower"] "";
                list::max ["max"] "case_sensitive= attribute=";
                list::min ["min"] "case_sensitive= attribute=";
                text::replace ["replace"] "old new count=";
                list::reverse ["reverse"] "";
                number::round ["round"] "precision= method=";
                list::slice ["slice"] "slices fill_with=";
                list::sort ["sort"] "reverse= case_sensitive= attribute=";
                text::string ["string"] "";
                list::sum ["sum"] "attribute= start=";
                text::title ["title"] "";
                text::trim ["trim"] "chars=";
                wrap::truncate ["truncate"] "length= killwords= end= leeway=";
                list::unique ["unique"] "case_sensitive= attribute=";
                text::upper ["upper"] "";
                text::urlencode ["urlencode"] "";
                text::wordcount ["wordcount"] "";
                wrap::wordwrap ["wordwrap"] "width= break_long_words= wrapstring= break_on_hyphens=";
            }
        }
    };
}

/// Calls a macro with the tests.
macro_rules! shared_tests {
    ($then:ident! { $($given:tt)* }) => {
        $then! {
            $($given)*
            shared_tests {
                test::boolean ["boolean"] "";
                test::divisibleby ["divisibleby"] "num";
                test::eq ["eq" "==" "equalto"] "other";
                test::even ["even"] "";
                test::r#false ["false"] "";
                test::float ["float"] "";
                test::ge ["ge" ">="] "other";
                test::gt ["gt" ">" "greaterthan"] "other";
                test::r#in ["in"] "seq";
                test::integer ["integer"] "";
                test::le ["le" "<="] "other";
                test::lower ["lower"] "";
                test::lt ["lt" "<" "lessthan"] "other";
                test::mapping ["mapping"] "";
                test::ne ["ne" "!="] "other";
                test::none ["none"] "";
                test::number ["number"] "";
                test::odd ["odd"] "";
                test::string ["string"] "";
                test::r#true ["true"] "";
                test::upper ["upper"] "";
            }
        }
    };
}

/// Calls a macro with the methods of strings and dicts.
macro_rules! shared_methods {
    ($then:ident! { $($given:tt)* }) => {
        $then! {
            $($given)*
            str_methods {
                method::capitalize ["capitalize"] "";
                method::casefold ["casefold"] "";
                method::center ["center"] "/ width fillchar=";
                method::count ["count"] "/ sub start= end=";
                method::endswith ["endswith"] "/ suffix start= end=";
                method::expandtabs ["expandtabs"] "tabsize=";
                method::find ["find"] "/ sub start= end=";
                method::index ["index"] "/ sub start= end=";
                method::isalnum ["isalnum"] "";
                method::isalpha ["isalpha"] "";
                method::isascii ["isascii"] "";
                method::isdecimal ["isdecimal"] "";
                method::isdigit ["isdigit"] "";
                method::isidentifier ["isidentifier"] "";
                method::islower ["islower"] "";
                method::isnumeric ["isnumeric"] "";
                method::isprintable ["isprintable"] "";
                method::isspace ["isspace"] "";
                method::istitle ["istitle"] "";
                method::isupper ["isupper"] "";
                method::join ["join"] "/ iterable";
                method::ljust ["ljust"] "/ width fillchar=";
                method::lower ["lower"] "";
                method::lstrip ["lstrip"] "/ chars=";
                method::partition ["partition"] "/ sep";
                method::removeprefix ["removeprefix"] "/ prefix";
                method::removesuffix ["removesuffix"] "/ suffix";
                method::replace ["replace"] "/ old new count=";
                method::rfind ["rfind"] "/ sub start= end=";
                method::rindex ["rindex"] "/ sub start= end=";
                method::rjust ["rjust"] "/ width fillchar=";
                method::rpartition ["rpartition"] "/ sep";
                method::rsplit ["rsplit"] "sep= maxsplit=";
                method::rstrip ["rstrip"] "/ chars=";
                method::split ["split"] "sep= maxsplit=";
                method::splitlines ["splitlines"] "keepends=";
                method::startswith ["startswith"] "/ prefix start= end=";
                method::strip ["strip"] "/ chars=";
                method::swapcase ["swapcase"] "";
                method::title ["title"] "";
                method::upper ["upper"] "";
                method::zfill ["zfill"] "/ width";
            }
            dict_methods {
                method::get ["get"] "/ key default=";
                method::items ["items"] "";
                method::keys ["keys"] "";
                method::values ["values"] "";
            }
        }
    };
}

pub(crate) use {shared_filters, shared_methods, shared_tests};

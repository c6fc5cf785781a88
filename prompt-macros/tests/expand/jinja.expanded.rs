#[automatically_derived]
impl ::typed_prompt::__private::Prompt for Bill {
    type Output = ::typed_prompt::__private::String;
    const INFO: ::typed_prompt::__private::PromptInfo = ::typed_prompt::__private::PromptInfo::new(
            "Bill",
        )
        .with_slots(
            "user title 1 4\nuser note 1 30\nuser loop.index 2 47\nuser p.name 2 65\nuser share 3 54\n",
        )
        .with_position("", 1, 2)
        .with_fingerprint(16158252135834667075);
    fn render(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::{Role, SlotData};
        const TEMPLATE: ::typed_prompt::__private::expr::TemplateText = ::typed_prompt::__private::expr::TemplateText {
            name: ::typed_prompt::__private::None,
            text: "\"# {{ title }}{% if note %} ({{ note }}){% endif %}\n{% for p in people | sort(attribute='name') %}{{ loop.index }}. {{ p.name | upper }}\n{% endfor %}{% set share = total / people | length %}{{ share | round(1) }} {{ 'many' if total > 10 else 'few' }}\"",
            line: 1,
            column: 0,
        };
        out.role(Role::User);
        out.slots(&[("# ", "title")], &[SlotData::Str(&self.title)], "");
        if let ::typed_prompt::__private::Some(note) = ::typed_prompt::__private::present(
            &self.note,
        ) {
            out.slots(&[(" (", "note")], &[SlotData::Value(&note)], ")");
        }
        out.text("\n");
        for (loop_state, p) in ::typed_prompt::__private::expr::looped(
            ::typed_prompt::__private::expr::given(
                    out,
                    &TEMPLATE,
                    (|| {
                        ::typed_prompt::__private::expr::sort_by(
                                ::typed_prompt::__private::items(&self.people),
                                |item| ::typed_prompt::__private::core::result::Result::Ok(
                                    [
                                        {
                                            #[diagnostic::on_unimplemented(
                                                message = "`{Self}` cannot be the value of `people.name` in an expression",
                                                label = "neither text, number, `bool`, list, map nor fragment",
                                                note = "the value is here\n --> 2:37\n  |\n2 | {{% for p in people | sort(attribute='name') %}}{{{{ loop.index }}}}. {{{{ p.name | upper }}}}\n  |                                     ^^^^^^ this value",
                                                note = "derive `typed_prompt::jinja::ToValue` for a type of your own, or write one of its fields"
                                            )]
                                            trait Expression: ::typed_prompt::__private::expr::ToValue {}
                                            #[diagnostic::do_not_recommend]
                                            impl<
                                                T: ::typed_prompt::__private::expr::ToValue
                                                    + ?::typed_prompt::__private::core::marker::Sized,
                                            > Expression for T {}
                                            fn slot<
                                                T: Expression
                                                    + ?::typed_prompt::__private::core::marker::Sized,
                                            >(value: &T) -> ::typed_prompt::__private::expr::Value<'_> {
                                                ::typed_prompt::__private::expr::of("people.name", value)
                                            }
                                            slot({
                                                macro_rules! slot_in__line_2_column_37__add_derive_Fields_to_the_struct {
                                                    ($value:expr) => {
                                                        & $value .name
                                                    };
                                                }
                                                slot_in__line_2_column_37__add_derive_Fields_to_the_struct!(
                                                    item
                                                )
                                            })
                                        },
                                    ]
                                        .to_vec(),
                                ),
                                false,
                                false,
                            )
                            .map_err(|fault| fault.at(64, 95))
                    })(),
                )
                .unwrap_or_default(),
        ) {
            ::typed_prompt::__private::expr::fill(
                out,
                ::typed_prompt::__private::None,
                &TEMPLATE,
                ::typed_prompt::__private::core::result::Result::Ok(loop_state.index()),
            );
            out.text(". ");
            ::typed_prompt::__private::expr::fill(
                out,
                ::typed_prompt::__private::None,
                &TEMPLATE,
                ::typed_prompt::__private::expr::filters::upper(
                        &{
                            #[diagnostic::on_unimplemented(
                                message = "`{Self}` cannot be the value of `p.name` in an expression",
                                label = "neither text, number, `bool`, list, map nor fragment",
                                note = "the value is here\n --> 2:68\n  |\n2 | {{% for p in people | sort(attribute='name') %}}{{{{ loop.index }}}}. {{{{ p.name | upper }}}}\n  |                                                                    ^^^^^^ this value",
                                note = "derive `typed_prompt::jinja::ToValue` for a type of your own, or write one of its fields"
                            )]
                            trait Expression: ::typed_prompt::__private::expr::ToValue {}
                            #[diagnostic::do_not_recommend]
                            impl<
                                T: ::typed_prompt::__private::expr::ToValue
                                    + ?::typed_prompt::__private::core::marker::Sized,
                            > Expression for T {}
                            fn slot<
                                T: Expression
                                    + ?::typed_prompt::__private::core::marker::Sized,
                            >(value: &T) -> ::typed_prompt::__private::expr::Value<'_> {
                                ::typed_prompt::__private::expr::of("p.name", value)
                            }
                            slot({
                                macro_rules! slot_in__line_2_column_68__add_derive_Fields_to_the_struct {
                                    ($value:expr) => {
                                        & $value .name
                                    };
                                }
                                slot_in__line_2_column_68__add_derive_Fields_to_the_struct!(
                                    p
                                )
                            })
                        },
                        &[],
                    )
                    .map_err(|fault| fault.at(119, 133)),
            );
            out.text("\n");
        }
        let share = ::typed_prompt::__private::expr::assigned(
            out,
            &TEMPLATE,
            (|| {
                ::typed_prompt::__private::expr::div(
                        &::typed_prompt::__private::expr::of("total", &self.total),
                        &::typed_prompt::__private::expr::count(
                            ::typed_prompt::__private::items(&self.people),
                        ),
                    )
                    .map_err(|fault| fault.at(164, 187))
            })(),
        );
        ::typed_prompt::__private::expr::fill(
            out,
            ::typed_prompt::__private::None,
            &TEMPLATE,
            ::typed_prompt::__private::expr::filters::round(
                    &::typed_prompt::__private::expr::copied(&share),
                    &[
                        ::typed_prompt::__private::Some(
                            ::typed_prompt::__private::expr::Value::Int(1),
                        ),
                    ],
                )
                .map_err(|fault| fault.at(193, 209)),
        );
        out.text(" ");
        if ::typed_prompt::__private::expr::holds(
            out,
            &TEMPLATE,
            (|| ::typed_prompt::__private::core::result::Result::Ok(
                ::typed_prompt::__private::expr::Value::Bool(
                    ::typed_prompt::__private::expr::gt(
                            &::typed_prompt::__private::expr::of("total", &self.total),
                            &::typed_prompt::__private::expr::Value::Int(10),
                        )
                        .map_err(|fault| fault.at(226, 236))?,
                ),
            ))(),
        ) {
            out.text("many");
        } else {
            out.text("few");
        }
    }
    fn parse_reply(
        reply: &::typed_prompt::__private::Reply,
    ) -> ::typed_prompt::__private::Result<::typed_prompt::__private::String> {
        ::typed_prompt::__private::parse_text(reply)
    }
}
#[automatically_derived]
impl ::typed_prompt::__private::AcceptsTools for Bill {}
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    fn slots(input: &Bill) {
        if let Bill { title, note, people, total, .. } = input {
            let _ = ::typed_prompt::__private::core::format_args!(
                r"   {title}       {note}                                      {people}                                                                                            {total} {people}                                              {total}                  "
            );
        }
    }
};

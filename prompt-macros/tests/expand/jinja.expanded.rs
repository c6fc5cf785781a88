const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl _typed_prompt::Prompt for Bill {
        type Output = _typed_prompt::String;
        const INFO: _typed_prompt::PromptInfo = _typed_prompt::PromptInfo::new("Bill")
            .with_slots(
                _typed_prompt::slots_from_lines(
                    "user title 1 4\nuser note 1 30\nuser loop.index 2 47\nuser p.name 2 65\nuser share 3 54\n",
                ),
            )
            .with_position("", 1, 2)
            .with_fingerprint(16158252135834667075);
        fn render(&self, out: &mut _typed_prompt::Writer) {
            const TEMPLATE: _typed_prompt::expr::TemplateText = _typed_prompt::expr::TemplateText {
                name: _typed_prompt::None,
                text: "\"# {{ title }}{% if note %} ({{ note }}){% endif %}\n{% for p in people | sort(attribute='name') %}{{ loop.index }}. {{ p.name | upper }}\n{% endfor %}{% set share = total / people | length %}{{ share | round(1) }} {{ 'many' if total > 10 else 'few' }}\"",
                line: 1,
                column: 0,
            };
            out.role(_typed_prompt::Role::User);
            out.slots(
                &[("# ", "title")],
                &[_typed_prompt::SlotData::Str(&self.title)],
                "",
            );
            if let _typed_prompt::Some(note) = _typed_prompt::truthy_value(&self.note) {
                out.slots(
                    &[(" (", "note")],
                    &[_typed_prompt::SlotData::Value(&note)],
                    ")",
                );
            }
            out.text("\n");
            for (loop_state, p) in _typed_prompt::expr::enumerate_loop(
                _typed_prompt::expr::ok_or_fail(
                        out,
                        &TEMPLATE,
                        (|| {
                            _typed_prompt::expr::sort_by(
                                    _typed_prompt::iter_list(&self.people),
                                    |item| _typed_prompt::core::result::Result::Ok(
                                        [
                                            {
                                                #[diagnostic::on_unimplemented(
                                                    message = "`{Self}` cannot be the value of `people.name` in an expression",
                                                    label = "neither text, number, `bool`, list, map nor fragment",
                                                    note = "the value is here\n --> 2:37\n  |\n2 | {{% for p in people | sort(attribute='name') %}}{{{{ loop.index }}}}. {{{{ p.name | upper }}}}\n  |                                     ^^^^^^ this value",
                                                    note = "derive `typed_prompt::jinja::ToValue` for a type of your own, or write one of its fields"
                                                )]
                                                trait Expression: _typed_prompt::expr::ToValue {}
                                                #[diagnostic::do_not_recommend]
                                                impl<
                                                    T: _typed_prompt::expr::ToValue
                                                        + ?_typed_prompt::core::marker::Sized,
                                                > Expression for T {}
                                                fn slot<
                                                    T: Expression + ?_typed_prompt::core::marker::Sized,
                                                >(value: &T) -> _typed_prompt::expr::Value<'_> {
                                                    _typed_prompt::expr::field_value("people.name", value)
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
                _typed_prompt::expr::fill_slot(
                    out,
                    _typed_prompt::None,
                    &TEMPLATE,
                    _typed_prompt::core::result::Result::Ok(loop_state.index()),
                );
                out.text(". ");
                _typed_prompt::expr::fill_slot(
                    out,
                    _typed_prompt::None,
                    &TEMPLATE,
                    _typed_prompt::expr::filters::upper(
                            &{
                                #[diagnostic::on_unimplemented(
                                    message = "`{Self}` cannot be the value of `p.name` in an expression",
                                    label = "neither text, number, `bool`, list, map nor fragment",
                                    note = "the value is here\n --> 2:68\n  |\n2 | {{% for p in people | sort(attribute='name') %}}{{{{ loop.index }}}}. {{{{ p.name | upper }}}}\n  |                                                                    ^^^^^^ this value",
                                    note = "derive `typed_prompt::jinja::ToValue` for a type of your own, or write one of its fields"
                                )]
                                trait Expression: _typed_prompt::expr::ToValue {}
                                #[diagnostic::do_not_recommend]
                                impl<
                                    T: _typed_prompt::expr::ToValue
                                        + ?_typed_prompt::core::marker::Sized,
                                > Expression for T {}
                                fn slot<
                                    T: Expression + ?_typed_prompt::core::marker::Sized,
                                >(value: &T) -> _typed_prompt::expr::Value<'_> {
                                    _typed_prompt::expr::field_value("p.name", value)
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
            let share = _typed_prompt::expr::assigned_value(
                out,
                &TEMPLATE,
                (|| {
                    _typed_prompt::expr::div(
                            &_typed_prompt::expr::field_value("total", &self.total),
                            &_typed_prompt::expr::count(
                                _typed_prompt::iter_list(&self.people),
                            ),
                        )
                        .map_err(|fault| fault.at(164, 187))
                })(),
            );
            _typed_prompt::expr::fill_slot(
                out,
                _typed_prompt::None,
                &TEMPLATE,
                _typed_prompt::expr::filters::round(
                        &_typed_prompt::expr::clone_value(&share),
                        &[_typed_prompt::Some(_typed_prompt::expr::Value::Int(1))],
                    )
                    .map_err(|fault| fault.at(193, 209)),
            );
            out.text(" ");
            if _typed_prompt::expr::check_condition(
                out,
                &TEMPLATE,
                (|| _typed_prompt::core::result::Result::Ok(
                    _typed_prompt::expr::Value::Bool(
                        _typed_prompt::expr::gt(
                                &_typed_prompt::expr::field_value("total", &self.total),
                                &_typed_prompt::expr::Value::Int(10),
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
            reply: &_typed_prompt::Reply,
        ) -> _typed_prompt::Result<_typed_prompt::String> {
            _typed_prompt::parse_text(reply)
        }
    }
    #[automatically_derived]
    impl _typed_prompt::AcceptsTools for Bill {}
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        fn slots(input: &Bill) {
            if let Bill { title, note, people, total, .. } = input {
                let _ = _typed_prompt::core::format_args!(
                    r"   {title}       {note}                                      {people}                                                                                            {total} {people}                                              {total}                  "
                );
            }
        }
    };
};

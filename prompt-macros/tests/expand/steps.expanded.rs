#[automatically_derived]
impl tp::__private::Prompt for Step {
    type Output = tp::__private::String;
    const INFO: &'static tp::__private::PromptInfo = &tp::__private::PromptInfo {
        name: "Step",
        doc: "",
        model: tp::__private::None,
        slots: &[
            tp::__private::slots::user("goal", 1, 7),
            tp::__private::slots::system("n", 1, 18),
            tp::__private::slots::assistant("goal", 1, 7),
        ],
        file: "",
        line: 1,
        column: 2,
        fingerprint: tp::__private::Fingerprint(11759555834643452393u64),
    };
    fn render(&self, out: &mut tp::__private::Writer) {
        match self {
            Self::Plan { goal: goal, .. } => {
                out.role(tp::__private::Role::User);
                out.text("Plan ");
                out.slot("goal", goal);
                out.text(".");
            }
            Self::Act { n: n, goal: goal, .. } => {
                let _ = tp::__private::system_safe::<u32>;
                out.role(tp::__private::Role::System);
                out.text("You act at step ");
                out.slot("n", n);
                out.text(".");
                out.role(tp::__private::Role::User);
                out.slot("goal", goal);
                out.role(tp::__private::Role::Assistant);
                out.text("Yes: ");
                out.slot("goal", goal);
                out.role(tp::__private::Role::User);
                out.text("Go");
            }
            Self::Stop { .. } => {
                out.role(tp::__private::Role::User);
                out.text("Stop.");
            }
        }
    }
    fn output_schema() -> tp::__private::Schema {
        tp::__private::None
    }
    fn read(
        reply: &tp::__private::Reply,
    ) -> tp::__private::Result<tp::__private::String> {
        tp::__private::read_text(reply)
    }
}
#[automatically_derived]
impl tp::__private::TakesTools for Step {}
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    fn slots(input: &Step) {
        if let Step::Plan { goal, id, .. } = input {
            let _ = tp::__private::core::format_args!(r"    {goal} ");
        }
        if let Step::Act { n, goal, .. } = input {
            let _ = tp::__private::core::format_args!(r"               {n} ");
            let _ = tp::__private::core::format_args!(r"    {goal}");
        }
    }
};

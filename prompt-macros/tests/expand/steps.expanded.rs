#[automatically_derived]
impl tp::__private::Prompt for Step {
    type Output = tp::__private::String;
    const INFO: tp::__private::PromptInfo = tp::__private::PromptInfo::new("Step")
        .with_slots("user goal 1 7\nsystem n 1 18\nassistant goal 1 7\n")
        .with_position("", 1, 2)
        .with_fingerprint(11759555834643452393);
    fn render(&self, out: &mut tp::__private::Writer) {
        use tp::__private::{Role, SlotData};
        match self {
            Self::Plan { goal: goal, .. } => {
                out.role(Role::User);
                out.slots(&[("Plan ", "goal")], &[SlotData::Str(goal)], ".");
            }
            Self::Act { n: n, goal: goal, .. } => {
                let _ = tp::__private::system_safe::<u32>;
                out.role(Role::System);
                out.slots(&[("You act at step ", "n")], &[SlotData::Value(n)], ".");
                out.role(Role::User);
                out.slots(&[("", "goal")], &[SlotData::Str(goal)], "");
                out.role(Role::Assistant);
                out.slots(&[("Yes: ", "goal")], &[SlotData::Str(goal)], "");
                out.role(Role::User);
                out.text("Go");
            }
            Self::Stop { .. } => {
                out.role(Role::User);
                out.text("Stop.");
            }
        }
    }
    fn parse_reply(
        reply: &tp::__private::Reply,
    ) -> tp::__private::Result<tp::__private::String> {
        tp::__private::parse_text(reply)
    }
}
#[automatically_derived]
impl tp::__private::AcceptsTools for Step {}
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

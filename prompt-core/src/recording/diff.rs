//! A line diff of two texts, shown if a request has changed since it was recorded.

/// The changed lines of two texts, `- ` before removed and `+ ` before added ones, with one line of context.
pub(super) fn diff_lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let least = old.len().min(new.len());
    let (mut head, mut tail) = (0, 0);
    while head < least && old[head] == new[head] {
        head += 1;
    }
    while head + tail < least && old[old.len() - 1 - tail] == new[new.len() - 1 - tail] {
        tail += 1;
    }
    let changed = changed_lines(&old[head..old.len() - tail], &new[head..new.len() - tail]);

    let mut out = Vec::new();
    out.extend(head.checked_sub(1).map(|at| format!("  {}", old[at])));
    out.extend(changed);
    out.extend((tail > 0).then(|| format!("  {}", old[old.len() - tail])));
    out.join("\n")
}

/// The maximum number of cells in the table of common lines, which then takes 16 MiB. For larger texts, all old lines are removed and all new
/// ones added.
const LARGEST: usize = 1 << 22;

fn changed_lines(old: &[&str], new: &[&str]) -> Vec<String> {
    let gone = |line: &&str| format!("- {line}");
    let added = |line: &&str| format!("+ {line}");
    if old.len() * new.len() > LARGEST {
        let mut out: Vec<String> = old.iter().map(gone).collect();
        out.extend(new.iter().map(added));
        return out;
    }
    // common[i][j]: how many lines `old[i..]` and `new[j..]` have in common, in order.
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = if old[i] == new[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push(format!("  {}", old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len()
            && (j == new.len() || common[(i + 1) * width + j] >= common[i * width + j + 1])
        {
            out.push(gone(&old[i]));
            i += 1;
        } else {
            out.push(added(&new[j]));
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::diff_lines;

    #[test]
    fn only_changes_are_shown() {
        assert_eq!(
            diff_lines("a\nb\nc\nd\ne", "a\nb\nX\nd\ne"),
            "  b\n- c\n+ X\n  d"
        );
        assert_eq!(
            diff_lines("a\nb\nc\nd", "b\nc\nx\nd"),
            "- a\n  b\n  c\n+ x\n  d"
        );
        assert_eq!(diff_lines("", "a"), "+ a");
        assert_eq!(diff_lines("a", ""), "- a");
        assert_eq!(diff_lines("a", "a"), "  a");
    }
}

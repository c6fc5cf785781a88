//! Characters that are digits in Python.

use prompt_base::digit::decimal_value;

/// Digits that are not decimal, such as `²`.
const OTHERS: [(u32, u32); 20] = [
    (0xb2, 0xb3),
    (0xb9, 0xb9),
    (0x1369, 0x1371),
    (0x19da, 0x19da),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247c),
    (0x2488, 0x2490),
    (0x24ea, 0x24ea),
    (0x24f5, 0x24fd),
    (0x24ff, 0x24ff),
    (0x2776, 0x277e),
    (0x2780, 0x2788),
    (0x278a, 0x2792),
    (0x10a40, 0x10a43),
    (0x10e60, 0x10e68),
    (0x11052, 0x1105a),
    (0x1f100, 0x1f10a),
];

/// `str.isdigit`.
pub(super) fn is_digit(char: char) -> bool {
    let code = u32::from(char);
    decimal_value(char).is_some()
        || OTHERS
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&code))
}

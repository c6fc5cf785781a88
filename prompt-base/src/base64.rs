//! The notation of bytes as base64.

/// The digits of base64, in the order of their values.
pub const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes bytes as base64 with padding.
///
/// ```
/// assert_eq!(prompt_base::base64::encode(b"hi"), "aGk=");
/// ```
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * at)) as usize & 63];
            out.push(if at > chunk.len() {
                '='
            } else {
                char::from(letter)
            });
        }
    }
    out
}

/// The bytes of base64, with or without its padding. `None` for other text.
///
/// ```
/// assert_eq!(prompt_base::base64::decode("aGk="), Some(b"hi".to_vec()));
/// assert!(["a*", "a", "aGk===="].iter().all(|text| prompt_base::base64::decode(text).is_none()));
/// ```
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if text.len() - digits.len() > 2 || digits.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    for chunk in digits.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for at in 0..4 {
            let digit = match chunk.get(at) {
                Some(digit) => ALPHABET.iter().position(|known| known == digit)?,
                None => 0,
            };
            bits = bits << 6 | digit as u32;
        }
        out.extend(&bits.to_be_bytes()[1..chunk.len()]);
    }
    Some(out)
}

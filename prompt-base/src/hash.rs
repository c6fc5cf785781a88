//! A hash that is the same in every build, for content that is recognised in files.

/// FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>). The hashes of the standard library may change with its version.
///
/// ```
/// use prompt_base::hash::Fnv1a;
///
/// let mut hash = Fnv1a::default();
/// hash.write(b"foo");
/// hash.write(b"bar");
/// assert_eq!(hash.finish(), 0x8594_4171_f739_67e8);
/// assert_eq!(Fnv1a::hash("foobar"), hash.finish());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fnv1a(u64);

impl Fnv1a {
    /// Adds bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Returns the hash of all bytes.
    pub fn finish(self) -> u64 {
        self.0
    }

    /// Returns the hash of a text.
    pub fn hash(text: &str) -> u64 {
        let mut hash = Fnv1a::default();
        hash.write(text.as_bytes());
        hash.finish()
    }
}

impl Default for Fnv1a {
    fn default() -> Fnv1a {
        Fnv1a(0xcbf2_9ce4_8422_2325)
    }
}

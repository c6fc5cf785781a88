//! Bytes that are looked for in rows of a text, for the compiler to make vectors of.

/// How many bytes of a text are one of these. It is written for the compiler to make vectors of: `memchr` counts slower.
#[inline]
pub(super) fn count<const N: usize>(bytes: [u8; N], text: &[u8]) -> usize {
    // No more than a byte counts.
    let (rows, rest) = text.as_chunks::<192>();
    let (few, rest) = rest.as_chunks::<32>();
    let is_one = |byte: &u8| u8::from(bytes.iter().fold(false, |is, one| is | (one == byte)));
    let in_row = |row: &[u8]| usize::from(row.iter().map(is_one).sum::<u8>());
    let all = rows.iter().map(|row| in_row(row)).sum::<usize>() + in_row(few.as_flattened());
    // The last row overlaps those before it, of which it counts nothing again.
    let counts = COUNTS[rest.len()..].first_chunk::<32>();
    let Some((row, counts)) = text.last_chunk::<32>().zip(counts) else {
        return all + rest.iter().filter(|byte| bytes.contains(byte)).count();
    };
    let in_last = row.iter().zip(counts).map(|(byte, one)| is_one(byte) & one);
    all + usize::from(in_last.sum::<u8>())
}

/// 32 bytes that do not count, and as many that do.
static COUNTS: [u8; 64] = {
    let (mut counts, mut at) = ([0; 64], 32);
    while at < 64 {
        counts[at] = 1;
        at += 1;
    }
    counts
};

/// Whether one of these bytes occurs. It is written for the compiler to make vectors of: the last rows overlap, so that no
/// byte is looked at alone where there are a few.
#[inline]
pub(super) fn occur<const N: usize>(bytes: [u8; N], text: &[u8]) -> bool {
    let in_row = |row: &[u8]| {
        row.iter().fold(false, |is, byte| {
            is | bytes.iter().fold(false, |is, one| is | (one == byte))
        })
    };
    let (rows, rest) = text.as_chunks::<64>();
    let found = rows.iter().fold(false, |is, row| is | in_row(row));
    if let (Some(start), Some(end)) = (rest.first_chunk::<32>(), rest.last_chunk::<32>()) {
        return found | in_row(start) | in_row(end);
    }
    if let (Some(start), Some(end)) = (rest.first_chunk::<16>(), rest.last_chunk::<16>()) {
        return found | in_row(start) | in_row(end);
    }
    if let Some(end) = text.last_chunk::<16>() {
        return found | in_row(end);
    }
    if let (Some(start), Some(end)) = (rest.first_chunk::<8>(), rest.last_chunk::<8>()) {
        return in_row(start) | in_row(end);
    }
    rest.iter().any(|byte| bytes.contains(byte))
}

//! Rows that mix text with images, sound and films.

use std::path::Path;

use prompt_core::{List, Media, MediaKind, ToPrompt, Truthy, Writer};

use crate::{Error, Result};

/// The pieces of a message in their order, for a loop of a template.
///
/// ```
/// use prompt_core::Media;
/// use prompt_eval::Content;
///
/// let row = "<AIS_IMAGE_START>a.jpg<AIS_CONTENT_TAG><AIS_TEXT_START>What is it?<AIS_CONTENT_TAG>";
/// let content = Content::tagged(row, |kind, name| Ok(Media::image_url(format!("https://example.com/{name}"))))?;
/// assert_eq!(content.pieces()[1].text.as_deref(), Some("What is it?"));
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Content(Vec<Piece>);

/// Text, or an image, sound or film. One of the fields is there.
///
/// ```
/// assert!(prompt_eval::Piece::text("Hi").image.is_none());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Piece {
    /// What it says.
    pub text: Option<String>,
    /// An image.
    pub image: Option<Shown>,
    /// A film.
    pub video: Option<Shown>,
    /// Sound.
    pub audio: Option<Shown>,
}

/// An image, sound or film that a slot shows.
///
/// ```
/// use prompt_core::{Media, Writer};
/// use prompt_eval::Shown;
///
/// let mut out = Writer::new();
/// out.slot("image", &Shown(Media::image_url("https://example.com/a.png")));
/// assert_eq!(out.finish()[0].parts.len(), 1);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Shown(pub Media);

const SEPARATOR: &str = "<AIS_CONTENT_TAG>";
const TAGS: [(&str, Option<MediaKind>); 4] = [
    ("<AIS_TEXT_START>", None),
    ("<AIS_IMAGE_START>", Some(MediaKind::Image)),
    ("<AIS_VIDEO_START>", Some(MediaKind::Video)),
    ("<AIS_AUDIO_START>", Some(MediaKind::Audio)),
];

impl Content {
    /// Reads AISBench's tagged rows: pieces that begin with `<AIS_TEXT_START>`, `<AIS_IMAGE_START>`, `<AIS_VIDEO_START>` or
    /// `<AIS_AUDIO_START>`, and end with `<AIS_CONTENT_TAG>`. `media` makes an image, sound or film of what stands there.
    ///
    /// # Errors
    /// Text without a tag, no pieces, and what `media` cannot make.
    pub fn tagged(
        row: &str,
        mut media: impl FnMut(MediaKind, &str) -> Result<Media>,
    ) -> Result<Content> {
        let mut pieces = Vec::new();
        let whole = row.strip_suffix(SEPARATOR).unwrap_or(row);
        for (index, piece) in whole.split(SEPARATOR).enumerate() {
            let tag = TAGS
                .iter()
                .find_map(|(tag, kind)| Some((piece.strip_prefix(tag)?, kind)));
            let Some((payload, kind)) = tag else {
                let start: String = piece.chars().take(30).collect();
                return Err(
                    Error::new(format!("piece {index} has no tag: `{start}`")).with_help(
                        "begin it with `<AIS_TEXT_START>`, `<AIS_IMAGE_START>`, `<AIS_VIDEO_START>` or `<AIS_AUDIO_START>`",
                    ),
                );
            };
            pieces.push(match kind {
                None => Piece::text(payload),
                Some(kind) => Piece::media(media(*kind, payload)?)?,
            });
        }
        Ok(Content(pieces))
    }

    /// The pieces in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Refuses what a prompt has no place for: its loop would pass over it.
    ///
    /// # Errors
    /// A piece that is no text and none of these kinds.
    ///
    /// ```
    /// use prompt_core::Media;
    /// use prompt_eval::{Content, Piece};
    ///
    /// let content = Content::from_iter([Piece::media(Media::image_url("a.jpg"))?]);
    /// let error = content.only(&[]).unwrap_err();
    /// assert_eq!(error.message(), "piece 0 is an image, and the prompt has no place for one");
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn only(self, kinds: &[MediaKind]) -> Result<Content> {
        for (index, piece) in self.0.iter().enumerate() {
            if let Some(kind) = piece.kind().filter(|kind| !kinds.contains(kind)) {
                let name = match kind {
                    MediaKind::Image => "an image",
                    MediaKind::Video => "a film",
                    MediaKind::Audio => "sound",
                    _ => "a file",
                };
                return Err(Error::new(format!(
                    "piece {index} is {name}, and the prompt has no place for one"
                )));
            }
        }
        Ok(self)
    }
}

impl FromIterator<Piece> for Content {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Content {
        Content(pieces.into_iter().collect())
    }
}

impl List for Content {
    type Item = Piece;
    type Iter<'a> = std::slice::Iter<'a, Piece>;

    fn items(&self) -> Self::Iter<'_> {
        self.0.iter()
    }
}

impl Piece {
    /// What it says.
    pub fn text(text: impl Into<String>) -> Piece {
        Piece {
            text: Some(text.into()),
            ..Piece::default()
        }
    }

    /// An image, sound or film.
    ///
    /// # Errors
    /// A file of another kind.
    ///
    /// ```
    /// use prompt_core::Media;
    ///
    /// assert!(prompt_eval::Piece::media(Media::image_url("a.jpg"))?.image.is_some());
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn media(media: Media) -> Result<Piece> {
        let mut piece = Piece::default();
        let place = match media.kind() {
            MediaKind::Image => &mut piece.image,
            MediaKind::Video => &mut piece.video,
            MediaKind::Audio => &mut piece.audio,
            _ => {
                return Err(Error::new("a file is neither text, image, sound nor film"));
            }
        };
        *place = Some(Shown(media));
        Ok(piece)
    }

    fn kind(&self) -> Option<MediaKind> {
        let all = [&self.image, &self.video, &self.audio];
        all.into_iter().flatten().next().map(|shown| shown.0.kind())
    }
}

impl ToPrompt for Shown {
    fn write(&self, out: &mut Writer) {
        out.media("content", &self.0);
    }
}

impl Truthy for Shown {}

/// Reads an image, sound or film from a file; the first bytes say what it is, whatever its name.
///
/// # Errors
/// A file that is not there, and one of another kind.
///
/// ```no_run
/// let photo = prompt_eval::media_file("photos/cat.png", prompt_core::MediaKind::Image)?;
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub fn media_file(path: impl AsRef<Path>, kind: MediaKind) -> Result<Media> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| Error::io(path, "it cannot be read", error))?;
    let found = sniff(&bytes);
    let media = match (kind, found) {
        (MediaKind::Image, Some(mime)) if mime.starts_with("image/") => Media::image(mime, bytes),
        (MediaKind::Audio, Some(mime)) if mime.starts_with("audio/") => Media::audio(mime, bytes),
        (MediaKind::Video, Some(mime)) if mime.starts_with("video/") => Media::video(mime, bytes),
        (MediaKind::File, found) => Media::file(found.unwrap_or("application/octet-stream"), bytes),
        (kind, found) => {
            let what = found.unwrap_or(match bytes.is_empty() {
                true => "empty",
                false => "of no known kind",
            });
            let message = format!("this is no {}: it is {what}", kind.name());
            return Err(Error::new(message).in_file(path));
        }
    };
    Ok(media)
}

/// The MIME type that the first bytes of a file tell.
fn sniff(bytes: &[u8]) -> Option<&'static str> {
    let riff = |name: &[u8]| bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(name);
    let is = |start: &[u8]| bytes.starts_with(start);
    let mime = match () {
        () if is(b"\x89PNG\r\n\x1a\n") => "image/png",
        () if is(b"\xff\xd8\xff") => "image/jpeg",
        () if is(b"GIF87a") || is(b"GIF89a") => "image/gif",
        () if riff(b"WEBP") => "image/webp",
        () if is(b"BM") && bytes.len() > 26 => "image/bmp",
        () if riff(b"WAVE") => "audio/wav",
        () if is(b"ID3") || is(b"\xff\xfb") || is(b"\xff\xf3") => "audio/mpeg",
        () if is(b"fLaC") => "audio/flac",
        () if is(b"OggS") => "audio/ogg",
        () if riff(b"AVI ") => "video/x-msvideo",
        () if bytes.get(4..8) == Some(b"ftyp") => match bytes.get(8..12) {
            Some(b"M4A ") => "audio/mp4",
            Some(b"avif") => "image/avif",
            Some(b"heic") => "image/heic",
            _ => "video/mp4",
        },
        () if is(b"\x1a\x45\xdf\xa3") => "video/webm",
        () if is(b"%PDF-") => "application/pdf",
        () => return None,
    };
    Some(mime)
}

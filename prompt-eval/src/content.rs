//! Rows that mix text with images, audio and video.

use std::path::Path;

use prompt_base::file::read_file;
use prompt_core::{List, Media, MediaKind, ToPrompt, Truthy, Writer};

use crate::DataError;

/// The content parts of a message in their order, for a loop of a template.
///
/// ```
/// use typed_prompt::{Media, eval::Content};
///
/// let row = "<AIS_IMAGE_START>a.jpg<AIS_CONTENT_TAG><AIS_TEXT_START>What is it?<AIS_CONTENT_TAG>";
/// let content = Content::parse_tagged(row, |kind, name| Ok(Media::image_url(format!("https://example.com/{name}"))))?;
/// assert_eq!(content.parts()[1].text.as_deref(), Some("What is it?"));
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Content(Vec<ContentPart>);

/// A text, an image, a video or an audio part. One of the fields is set.
///
/// ```
/// assert!(typed_prompt::eval::ContentPart::text("Hi").image.is_none());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ContentPart {
    /// A text.
    pub text: Option<String>,
    /// An image.
    pub image: Option<SlotMedia>,
    /// A video.
    pub video: Option<SlotMedia>,
    /// Audio.
    pub audio: Option<SlotMedia>,
}

/// Media that a slot inserts into the message.
///
/// ```
/// use typed_prompt::{Media, eval::SlotMedia, write::Writer};
///
/// let mut out = Writer::new();
/// out.slot("image", &SlotMedia(Media::image_url("https://example.com/a.png")));
/// assert_eq!(out.finish()?[0].parts.len(), 1);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SlotMedia(pub Media);

const SEPARATOR: &str = "<AIS_CONTENT_TAG>";
const TAGS: [(&str, Option<MediaKind>); 4] = [
    ("<AIS_TEXT_START>", None),
    ("<AIS_IMAGE_START>", Some(MediaKind::Image)),
    ("<AIS_VIDEO_START>", Some(MediaKind::Video)),
    ("<AIS_AUDIO_START>", Some(MediaKind::Audio)),
];

impl Content {
    /// Parses AISBench's tagged rows: parts that begin with `<AIS_TEXT_START>`, `<AIS_IMAGE_START>`, `<AIS_VIDEO_START>` or
    /// `<AIS_AUDIO_START>`, and end with `<AIS_CONTENT_TAG>`. `media` creates the media of a part from its text.
    ///
    /// # Errors
    /// A part has no tag, or `media` fails.
    pub fn parse_tagged(
        row: &str,
        mut media: impl FnMut(MediaKind, &str) -> Result<Media, DataError>,
    ) -> Result<Content, DataError> {
        let mut parts = Vec::new();
        let whole = row.strip_suffix(SEPARATOR).unwrap_or(row);
        for (index, part) in whole.split(SEPARATOR).enumerate() {
            let tag = TAGS
                .iter()
                .find_map(|(tag, kind)| Some((part.strip_prefix(tag)?, kind)));
            let Some((payload, kind)) = tag else {
                let start: String = part.chars().take(30).collect();
                return Err(
                    DataError::new(format!("part {index} has no tag: `{start}`")).with_help(
                        "begin it with `<AIS_TEXT_START>`, `<AIS_IMAGE_START>`, `<AIS_VIDEO_START>` or `<AIS_AUDIO_START>`",
                    ),
                );
            };
            parts.push(match kind {
                None => ContentPart::text(payload),
                Some(kind) => ContentPart::media(media(*kind, payload)?)?,
            });
        }
        Ok(Content(parts))
    }

    /// The parts in their order.
    pub fn parts(&self) -> &[ContentPart] {
        &self.0
    }

    /// Checks that all media parts are of these kinds. The loop of a prompt without a slot for a kind would ignore it.
    ///
    /// # Errors
    /// A media part is of another kind.
    ///
    /// ```
    /// use typed_prompt::{Media, eval::{Content, ContentPart}};
    ///
    /// let content = Content::from_iter([ContentPart::media(Media::image_url("a.jpg"))?]);
    /// let error = content.only(&[]).unwrap_err();
    /// assert_eq!(error.message(), "part 0 is an image, and the prompt has no slot for it");
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn only(self, kinds: &[MediaKind]) -> Result<Content, DataError> {
        for (index, part) in self.0.iter().enumerate() {
            if let Some(kind) = part.kind().filter(|kind| !kinds.contains(kind)) {
                let name = match kind {
                    MediaKind::Image => "an image",
                    MediaKind::Video => "a video",
                    MediaKind::Audio => "audio",
                    _ => "a file",
                };
                return Err(DataError::new(format!(
                    "part {index} is {name}, and the prompt has no slot for it"
                )));
            }
        }
        Ok(self)
    }
}

impl FromIterator<ContentPart> for Content {
    fn from_iter<I: IntoIterator<Item = ContentPart>>(parts: I) -> Content {
        Content(parts.into_iter().collect())
    }
}

impl List for Content {
    type Item = ContentPart;
    type Iter<'a> = std::slice::Iter<'a, ContentPart>;

    fn items(&self) -> Self::Iter<'_> {
        self.0.iter()
    }
}

impl ContentPart {
    /// A text part.
    pub fn text(text: impl Into<String>) -> ContentPart {
        ContentPart {
            text: Some(text.into()),
            ..ContentPart::default()
        }
    }

    /// A media part.
    ///
    /// # Errors
    /// The media is a file of another kind.
    ///
    /// ```
    /// use typed_prompt::Media;
    ///
    /// assert!(typed_prompt::eval::ContentPart::media(Media::image_url("a.jpg"))?.image.is_some());
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn media(media: Media) -> Result<ContentPart, DataError> {
        let mut part = ContentPart::default();
        let field = match media.kind() {
            MediaKind::Image => &mut part.image,
            MediaKind::Video => &mut part.video,
            MediaKind::Audio => &mut part.audio,
            _ => {
                return Err(DataError::new("a file is not an image, audio or video"));
            }
        };
        *field = Some(SlotMedia(media));
        Ok(part)
    }

    fn kind(&self) -> Option<MediaKind> {
        let all = [&self.image, &self.video, &self.audio];
        all.into_iter().flatten().next().map(|shown| shown.0.kind())
    }
}

impl ToPrompt for SlotMedia {
    fn write(&self, out: &mut Writer) {
        out.media("content", &self.0);
    }
}

#[diagnostic::do_not_recommend]
impl Truthy for SlotMedia {}

/// Reads media from a file. Its type is determined by its first bytes, not by its name.
///
/// # Errors
/// The file cannot be read, or is of another kind.
///
/// ```no_run
/// let photo = typed_prompt::eval::media_file("photos/cat.png", typed_prompt::message::MediaKind::Image)?;
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub fn media_file(path: impl AsRef<Path>, kind: MediaKind) -> Result<Media, DataError> {
    let path = path.as_ref();
    let bytes = read_file(path, 256)
        .map_err(|error| DataError::io_error(path, "it cannot be read", error))?;
    let found = detect_kind(&bytes);
    let media = match (kind, found) {
        (MediaKind::Image, Some(mime)) if mime.starts_with("image/") => Media::image(mime, bytes),
        (MediaKind::Audio, Some(mime)) if mime.starts_with("audio/") => Media::audio(mime, bytes),
        (MediaKind::Video, Some(mime)) if mime.starts_with("video/") => Media::video(mime, bytes),
        (MediaKind::File, found) => Media::file(found.unwrap_or("application/octet-stream"), bytes),
        (kind, found) => {
            let what = found.unwrap_or(match bytes.is_empty() {
                true => "empty",
                false => "of an unknown kind",
            });
            let message = format!("the file is not of the kind {}: it is {what}", kind.name());
            return Err(DataError::new(message).in_file(path));
        }
    };
    Ok(media)
}

/// The MIME type of a file by its first bytes.
fn detect_kind(bytes: &[u8]) -> Option<&'static str> {
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

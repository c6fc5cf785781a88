//! Images, audio, video and files as parts of a message: by URL, or as bytes with a MIME type.

use std::fmt;
use std::sync::Arc;

use prompt_base::base64;

use crate::{Error, ErrorKind, Result, ToPrompt, Writer};

/// An image, audio, video or file: where it is, or its bytes with their MIME type. PNG, JPEG, GIF and WebP images have the MIME type of
/// their bytes, whatever is given (`image/jpg`): providers refuse another one.
///
/// ```
/// use typed_prompt::{Media, message::MediaKind};
///
/// let photo = Media::image("image/png", [0x89, b'P', b'N', b'G']);
/// assert_eq!(photo.kind(), MediaKind::Image);
/// assert_eq!(photo.to_url(), "data:image/png;base64,iVBORw==");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[must_use = "media are sent as a field of a prompt, or with `message.with_media(…)`"]
pub struct Media {
    kind: MediaKind,
    source: MediaSource,
    name: Option<String>,
}

/// The kind of a [`Media`].
///
/// ```
/// use typed_prompt::{Media, message::MediaKind};
///
/// assert_eq!(Media::video_url("https://example.com/it").kind(), MediaKind::Video);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MediaKind {
    /// An image.
    Image,
    /// Audio.
    Audio,
    /// A video.
    Video,
    /// A document.
    File,
}

impl MediaKind {
    /// The kind in lower case.
    ///
    /// ```
    /// assert_eq!(typed_prompt::message::MediaKind::Image.name(), "image");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            MediaKind::Image => "image",
            MediaKind::Audio => "audio",
            MediaKind::Video => "video",
            MediaKind::File => "file",
        }
    }

    /// The MIME type of a content: that of its first bytes, if it is an image of a type that every provider accepts, since providers refuse
    /// an image that has another one.
    fn mime_of(self, written: Arc<str>, bytes: &[u8]) -> Arc<str> {
        match image_type(bytes) {
            Some(actual) if self == MediaKind::Image && !written.eq_ignore_ascii_case(actual) => {
                actual.into()
            }
            _ => written,
        }
    }

    /// A content in base 64, which was checked.
    fn source_of(self, mime: Arc<str>, data: Arc<str>) -> MediaSource {
        // As many bytes as `image_type` reads.
        let start = base64::decode(&data[..data.len().min(16)]);
        MediaSource::Base64 {
            mime: self.mime_of(mime, &start.unwrap_or_default()),
            data,
        }
    }
}

/// Where a [`Media`] comes from.
///
/// ```
/// use typed_prompt::{Media, message::MediaSource};
///
/// let image = Media::image("image/png", b"hi");
/// assert!(matches!(image.source(), MediaSource::Base64 { data, .. } if **data == *"aGk="));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaSource {
    /// An address that the model's server fetches.
    Url(Arc<str>),
    /// The content itself.
    Base64 {
        /// Its MIME type, such as `image/png`.
        mime: Arc<str>,
        /// Its bytes in base 64 with padding.
        data: Arc<str>,
    },
}

macro_rules! constructors {
    ($($kind:ident $url:ident $bytes:ident $base64:ident $noun:literal;)*) => {$(
        #[doc = concat!("A ", $noun, " by its address.")]
        ///
        /// An address that is empty or has white space is an error where it is used: see [`check`](Media::check).
        ///
        /// ```
        #[doc = concat!("let it = typed_prompt::Media::", stringify!($url), "(\"https://example.com/it\");")]
        /// assert_eq!(it.to_url(), "https://example.com/it");
        /// ```
        pub fn $url(url: impl Into<Arc<str>>) -> Media {
            Media { kind: MediaKind::$kind, source: MediaSource::Url(url.into()), name: None }
        }

        #[doc = concat!("A ", $noun, " by its MIME type and bytes.")]
        ///
        /// ```
        #[doc = concat!("let it = typed_prompt::Media::", stringify!($bytes), "(\"a/b\", b\"hi\");")]
        /// assert_eq!(it.to_url(), "data:a/b;base64,aGk=");
        /// ```
        pub fn $bytes(mime: impl Into<Arc<str>>, bytes: impl AsRef<[u8]>) -> Media {
            let source = MediaKind::$kind.source_of(mime.into(), base64::encode(bytes.as_ref()).into());
            Media { kind: MediaKind::$kind, source, name: None }
        }

        #[doc = concat!("A ", $noun, " by its MIME type and its bytes in base 64.")]
        ///
        /// # Errors
        /// Text that is not base 64 with padding, with the place of the first wrong byte.
        ///
        /// ```
        #[doc = concat!("assert!(typed_prompt::Media::", stringify!($base64), "(\"a/b\", \"aGk=\").is_ok());")]
        #[doc = concat!("assert!(typed_prompt::Media::", stringify!($base64), "(\"a/b\", \"a*\").is_err());")]
        /// ```
        pub fn $base64(mime: impl Into<Arc<str>>, data: impl Into<Arc<str>>) -> Result<Media> {
            let data = data.into();
            check_base64(&data)?;
            let source = MediaKind::$kind.source_of(mime.into(), data);
            Ok(Media { kind: MediaKind::$kind, source, name: None })
        }
    )*};
}

impl Media {
    constructors! {
        Image image_url image image_base64 "image";
        Audio audio_url audio audio_base64 "sound";
        Video video_url video video_base64 "video";
        File file_url file file_base64 "document";
    }

    /// An address of any kind; a `data:` address is taken apart.
    pub(crate) fn from_url(kind: MediaKind, url: &str) -> Result<Media> {
        let source = match parse_data_url(kind, url) {
            Some(source) => source?,
            None => MediaSource::Url(url.into()),
        };
        let name = None;
        Media { kind, source, name }.into_checked()
    }

    /// Checks what slots, requests and the JSON of chat APIs check.
    ///
    /// PNG, JPEG, GIF and WebP images are recognised by their bytes, whatever type is given. Other bytes need their MIME type, such as `image/tiff`.
    ///
    /// # Errors
    /// An address that is empty, has white space, or is the path of a file without a scheme; bytes that are not recognised and have the MIME type `tiff` in place of `image/tiff`,
    /// or that of a document as an image; no bytes, and a path, an address or base 64 in place of the bytes.
    ///
    /// ```
    /// use typed_prompt::Media;
    ///
    /// assert!(Media::image("image/png", b"hi").check().is_ok());
    /// assert!(Media::image("png", b"hi").check().is_err());
    /// assert!(Media::image("image/png", "photos/owl.png").check().is_err());
    /// assert!(Media::image_url("photos/owl.png").check().is_err());
    /// ```
    pub fn check(&self) -> Result<()> {
        let (mime, data) = match &self.source {
            MediaSource::Base64 { mime, data } => (mime, data),
            MediaSource::Url(url) if !url.contains(':') && has_extension(url) => {
                let message = format!("`{url}` is a path, not an address");
                let kind = self.kind.name();
                return Err(Error::new(ErrorKind::Media, message).with_help(format!(
                    "send the file: `Media::{kind}(\"…/…\", std::fs::read(path)?)`, or write a URL with its scheme, such as `https://…`"
                )));
            }
            MediaSource::Url(url) if !url.is_empty() && !url.contains(char::is_whitespace) => {
                return Ok(());
            }
            MediaSource::Url(url) => {
                let start: String = url.chars().take(60).collect();
                let message = format!("`{start}` is not an address");
                return Err(Error::new(ErrorKind::Media, message).with_help(
                    "write a URL without white space, such as `https://example.com/a%20b.png`",
                ));
            }
        };
        let is_token = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_graphic() && !b",;/".contains(&byte))
        };
        let essence = mime.split(';').next().unwrap_or_default().trim_end();
        let (message, help) = match essence.split_once('/') {
            Some((group, name)) if is_token(group) && is_token(name) => {
                if self.kind != MediaKind::Image || group.eq_ignore_ascii_case("image") {
                    let is_text = group.eq_ignore_ascii_case("text");
                    return if is_text {
                        Ok(())
                    } else {
                        self.check_content(data)
                    };
                }
                (
                    format!("`{mime}` is not the MIME type of an image"),
                    "use `Media::file` for a document",
                )
            }
            _ => (
                format!("`{mime}` is not a MIME type"),
                "write a type and a subtype, such as `image/png`",
            ),
        };
        Err(Error::new(ErrorKind::Media, message).with_help(help))
    }

    /// Rejects no bytes, and bytes that are a path, an address or base 64: the program gave the text in place of what it names. Formats of
    /// media are binary, or text with white space; of documents, only what is a path or an address as a whole is rejected.
    fn check_content(&self, data: &str) -> Result<()> {
        // Longer than most paths; a multiple of four.
        const READ: usize = 1024;
        let kind = self.kind.name();
        let Some(bytes) = base64::decode(&data[..data.len().min(READ)]) else {
            return Ok(());
        };
        if bytes.is_empty() {
            let error = Error::new(ErrorKind::Media, format!("this {kind} has no bytes"));
            return Err(error.with_help("read the file, or leave the media out"));
        }
        let is_base64_file = is_base64_of_signature(&bytes, data);
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(());
        };
        if !is_base64_file && text.contains(|char: char| char.is_whitespace() || char.is_control())
        {
            return Ok(());
        }
        let is_scheme = |(scheme, _): (&str, &str)| {
            !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphabetic())
        };
        let is_long = self.kind != MediaKind::File && text.len() >= 32;
        let help = if is_base64_file || is_long && check_base64(&text).is_ok() {
            format!("give the bytes, or the base 64 to `Media::{kind}_base64`")
        } else if text.starts_with("data:") || text.split_once("://").is_some_and(is_scheme) {
            format!("give the address to `Media::{kind}_url`")
        } else if data.len() <= READ && has_extension(&text) {
            "read the file: `std::fs::read(path)?`".to_owned()
        } else {
            return Ok(());
        };
        let line = text.lines().next().unwrap_or_default();
        let start: String = line.chars().take(60).collect();
        let message = format!("`{start}` is not the content of a file, but text");
        Err(Error::new(ErrorKind::Media, message).with_help(help))
    }

    pub(crate) fn into_checked(self) -> Result<Media> {
        self.check().map(|()| self)
    }

    /// Sets a file name, which some APIs include in the prompt.
    ///
    /// ```
    /// let plan = typed_prompt::Media::file("application/pdf", b"%PDF").with_name("plan.pdf");
    /// assert_eq!(plan.name(), Some("plan.pdf"));
    /// ```
    pub fn with_name(mut self, name: impl Into<String>) -> Media {
        self.name = Some(name.into());
        self
    }

    /// Returns the kind.
    pub fn kind(&self) -> MediaKind {
        self.kind
    }

    /// Its source.
    pub fn source(&self) -> &MediaSource {
        &self.source
    }

    /// Its file name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Its address; bytes become a `data:` address.
    pub fn to_url(&self) -> String {
        match &self.source {
            MediaSource::Url(url) => url.to_string(),
            MediaSource::Base64 { mime, data } => format!("data:{mime};base64,{data}"),
        }
    }
}

/// Shows the kind and the size, not the bytes.
///
/// There is no `Display`: a picture would be described in a text slot, and the model would not see it.
impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.name();
        match &self.source {
            MediaSource::Url(url) => write!(f, "[{kind} {url}]"),
            MediaSource::Base64 { mime, data } => {
                write!(f, "[{kind} {mime}, {} bytes]", decoded_length(data))
            }
        }
    }
}

impl fmt::Debug for MediaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MediaSource::Url(url) => write!(f, "Url({url})"),
            MediaSource::Base64 { mime, data } => {
                write!(f, "Base64({mime}, {} bytes)", decoded_length(data))
            }
        }
    }
}

/// A type that a media slot accepts: [`Media`], or your own type that can be converted into it.
///
/// ```
/// use typed_prompt::{Media, Result, message::ToMedia};
///
/// struct Chart(Vec<u8>);
/// impl ToMedia for Chart {
///     fn to_media(&self) -> Result<Media> {
///         Ok(Media::image("image/png", &self.0))
///     }
/// }
/// assert!(Chart(vec![1, 2, 3]).to_media().is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot fill a media slot",
    label = "not an image, audio, video or file",
    note = "use `Media`, for example `Media::image_url(..)`, or implement `ToMedia` for `{Self}`"
)]
pub trait ToMedia {
    /// The value as media.
    ///
    /// # Errors
    /// The error of the source, for example a file that cannot be read.
    fn to_media(&self) -> Result<Media>;
}

/// In a slot whose type the macros cannot determine: an item of a pair, a field of a struct, a variable of `prompt!`.
#[diagnostic::do_not_recommend]
impl ToPrompt for Media {
    fn write(&self, out: &mut Writer) {
        out.media_in_slot(self);
    }
}

#[diagnostic::do_not_recommend]
impl ToMedia for Media {
    fn to_media(&self) -> Result<Media> {
        Ok(self.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToMedia + ?Sized> ToMedia for &T {
    fn to_media(&self) -> Result<Media> {
        (**self).to_media()
    }
}

/// The MIME type of an image that every provider accepts, by its first bytes.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        _ if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("image/webp"),
        _ => None,
    }
}

/// Whether the content `data`, which begins with `start`, is itself base 64 of an image that is recognised, or of a PDF. Line breaks are allowed.
fn is_base64_of_signature(start: &[u8], data: &str) -> bool {
    let digits = |bytes: &[u8]| -> String {
        let digits = bytes.iter().filter(|byte| !b"\r\n".contains(byte));
        digits.map(|&byte| char::from(byte)).collect()
    };
    let first = digits(&start[..start.len().min(64)]);
    // As many bytes as `image_type` reads.
    let first: String = first.chars().take(16).collect();
    let decoded = base64::decode(&first).unwrap_or_default();
    (image_type(&decoded).is_some() || decoded.starts_with(b"%PDF-"))
        && base64::decode(data).is_some_and(|bytes| base64::decode(&digits(&bytes)).is_some())
}

/// Whether a text ends like the name of a file: `.png`.
fn has_extension(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(_, name)| {
        (1..=5).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && name.contains(|char: char| char.is_ascii_alphabetic())
    })
}

/// The parts of a `data:` address in base 64. `None` for other addresses.
fn parse_data_url(kind: MediaKind, url: &str) -> Option<Result<MediaSource>> {
    let (mime, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    Some(check_base64(data).map(|()| kind.source_of(mime.into(), data.into())))
}

fn check_base64(text: &str) -> Result<()> {
    let body = text.trim_end_matches('=');
    let wrong = body
        .bytes()
        .position(|byte| !base64::ALPHABET.contains(&byte));
    let problem = match wrong {
        Some(at) => format!("byte {at} is not one of its letters"),
        None if !text.len().is_multiple_of(4) => {
            format!("{} letters are not a multiple of 4", text.len())
        }
        None if text.len() - body.len() > 2 => "there is too much padding".to_owned(),
        None => return Ok(()),
    };
    Err(
        Error::new(ErrorKind::Media, format!("this is not base 64: {problem}")).with_help(
            "give the bytes themselves, or base 64 with padding and without line breaks",
        ),
    )
}

fn decoded_length(data: &str) -> usize {
    data.trim_end_matches('=').len() * 3 / 4
}

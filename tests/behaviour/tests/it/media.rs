//! Images and other parts that are not text.

use serde_json::json;
use typed_prompt::{ErrorKind, History, Media, Message, Messages, Prompt, format, message::Part};

#[derive(Prompt)]
#[prompt(user = "What is <picture>? Answer in <language>.")]
struct Look<'a> {
    #[prompt(media)]
    picture: Media,
    language: &'a str,
}

fn look() -> Look<'static> {
    Look {
        picture: Media::image_url("https://example.com/a.png"),
        language: "French",
    }
}

#[test]
fn media_is_placed_at_its_slot() {
    let parts = &look().messages().unwrap()[0].parts.clone();
    let [Part::Text(before), Part::Media(_), Part::Text(after)] = &parts[..] else {
        panic!("{parts:?}")
    };
    assert_eq!(
        (before.as_str(), after.as_str()),
        ("What is ", "? Answer in French.")
    );
}

#[test]
fn media_serializes_as_parts() {
    let content = json!([
        {"type": "text", "text": "What is "},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "text", "text": "? Answer in French."}
    ]);
    assert_eq!(
        serde_json::to_value(look().messages().unwrap()).unwrap(),
        json!([{"role": "user", "content": content}])
    );
}

#[test]
fn text_formats_reject_media() {
    let error = look().to_text(format::CHATML).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("message 0"), "{error}");
}

/// Media is recognised by its type, also in a list and in an `Option`.
#[derive(Prompt)]
#[prompt(
    user = "Compare: <for page in pages><page></for><if chart>, <chart></if><if more> and <for one in more><one></for></if>"
)]
struct Compare<'a> {
    pages: &'a [Media],
    chart: Option<Media>,
    more: Option<Vec<Media>>,
}

#[test]
fn lists_and_options_of_media_need_no_attribute() {
    let page = |name: &str| Media::image_url(format!("https://example.com/{name}.png"));
    let compare = Compare {
        pages: &[page("a"), page("b")],
        chart: Some(page("c")),
        more: Some(vec![page("d")]),
    };
    let messages = compare.messages().unwrap();
    let parts = messages[0].parts.iter().map(|part| match part {
        Part::Text(text) => text.as_str().to_owned(),
        Part::Media(media) => format!("{:?}", media.source()),
        _ => unreachable!("no other parts"),
    });
    let told: Vec<String> = parts.collect();
    assert_eq!((told.len(), &*told[0], &*told[3]), (7, "Compare: ", ", "));
    assert!(told[6].contains("d.png"), "{told:?}");
}

/// An image beside its caption: in a struct, and in a fragment.
#[derive(Clone)]
struct Photo {
    caption: String,
    image: Media,
    map: Option<Media>,
}

#[derive(Prompt)]
#[prompt(fragment = "Photo (<caption>): <image>\n")]
struct Figure {
    caption: String,
    image: Media,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", fragment = "Photo ({{ caption }}): {{ image }}")]
struct JinjaFigure {
    caption: String,
    image: Media,
}

fn image(name: &str) -> Media {
    Media::image_url(format!("https://example.com/{name}.png"))
}

/// The parts of the only message: texts, and images by their name.
fn parts(prompt: &impl Prompt) -> String {
    let messages = prompt.messages().unwrap();
    assert_eq!(messages.len(), 1);
    let part = |part: &Part| match part {
        Part::Text(text) => text.as_str().to_owned(),
        Part::Media(media) => media
            .to_url()
            .replace("https://example.com/", "@")
            .replace(".png", "@"),
        _ => unreachable!("no other parts"),
    };
    messages[0].parts.iter().map(part).collect()
}

const EXPECTED: &str = "Photo (cat): @a@\nPhoto (dog): @b@\nWhich?";

macro_rules! captioned {
    ($($name:ident($syntax:literal, $template:literal) { $(#[$attribute:meta])* $field:ident: $ty:ty = $value:expr })*) => {$(
        #[test]
        fn $name() {
            #[derive(Prompt)]
            #[prompt(syntax = $syntax, user = $template)]
            struct Compare {
                $(#[$attribute])*
                $field: $ty,
            }
            assert_eq!(parts(&Compare { $field: $value }), EXPECTED);
        }
    )*};
}

fn pairs() -> Vec<(String, Media)> {
    vec![
        ("cat".to_owned(), image("a")),
        ("dog".to_owned(), image("b")),
    ]
}

fn photos() -> Vec<Photo> {
    let photo = |(caption, image)| Photo {
        caption,
        image,
        map: None,
    };
    pairs().into_iter().map(photo).collect()
}

captioned! {
    images_of_pairs("angle", "<for caption, image in photos>Photo (<caption>): <image>\n</for>Which?") {
        photos: Vec<(String, Media)> = pairs()
    }
    images_of_marked_pairs("angle", "<for caption, image in photos>Photo (<caption>): <image>\n</for>Which?") {
        #[prompt(media)] photos: Vec<(String, Media)> = pairs()
    }
    images_of_structs("angle", "<for photo in photos>Photo (<photo.caption>): <photo.image><if photo.map> <photo.map></if>\n</for>Which?") {
        photos: Vec<Photo> = photos()
    }
    images_of_fragments("angle", "<for figure in figures><figure></for>Which?") {
        figures: Vec<Figure> = pairs().into_iter().map(|(caption, image)| Figure { caption, image }).collect()
    }
    images_of_pairs_in_jinja("jinja", "{% for caption, image in photos %}Photo ({{ caption }}): {{ image }}\n{% endfor %}Which?") {
        photos: Vec<(String, Media)> = pairs()
    }
    images_of_marked_pairs_in_jinja("jinja", "{% for caption, image in photos %}Photo ({{ caption }}): {{ image }}\n{% endfor %}Which?") {
        #[prompt(media)] photos: Vec<(String, Media)> = pairs()
    }
    images_of_structs_in_jinja("jinja", "{% for photo in photos %}Photo ({{ photo.caption }}): {{ photo.image }}{% if photo.map %} {{ photo.map }}{% endif %}\n{% endfor %}Which?") {
        photos: Vec<Photo> = photos()
    }
    images_of_fragments_in_jinja("jinja", "{% for figure in figures %}{{ figure }}\n{% endfor %}Which?") {
        figures: Vec<JinjaFigure> = pairs().into_iter().map(|(caption, image)| JinjaFigure { caption, image }).collect()
    }
}

#[test]
fn images_of_variables() {
    let (caption, shown) = ("cat", image("a"));
    let messages = typed_prompt::prompt!("Photo (<caption>): <shown>").unwrap();
    assert_eq!(parts(&messages), "Photo (cat): @a@");
}

/// An image where only text can be is an error that names the slot or what is possible.
#[test]
fn images_as_text_are_an_error() {
    #[derive(Prompt)]
    #[prompt(system = "See <photo.image>", user = "Go.")]
    struct System {
        #[prompt(trusted)]
        photo: Photo,
    }
    #[derive(Prompt)]
    #[prompt(user = "<photo.image | upper>")]
    struct Filtered {
        photo: Photo,
    }
    let photo = photos().remove(0);
    let error = System {
        photo: photo.clone(),
    }
    .messages()
    .unwrap_err();
    assert_eq!(
        error.message(),
        "the value of slot `photo.image` is an image, audio, video or file, and the system message is text"
    );
    assert!(
        error.to_string().contains("move the slot into `user`"),
        "{error}"
    );
    let error = Filtered { photo }.messages().unwrap_err();
    assert_eq!(
        error.message(),
        "an image, audio, video or file is used where only text can be"
    );
    assert!(
        error
            .to_string()
            .contains("write it in a slot of its own, without a filter"),
        "{error}"
    );
}

/// Addresses and MIME types that no API can read are an error at their slot.
#[test]
fn addresses_and_mime_types_are_checked() {
    let check = |picture: Media| {
        let language = "French";
        let error = Look { picture, language }.messages().err()?;
        assert_eq!(error.kind(), ErrorKind::Media);
        Some(error.message().to_owned())
    };
    for url in ["", "not a url", "https://example.com/a b.png", "a\n"] {
        let expected = format!("`{url}` is not an address");
        assert_eq!(check(Media::image_url(url)), Some(expected));
    }
    for url in [
        "https://example.com/a%20b.png",
        "data:image/png;base64,aGk=",
        "file://a.png",
    ] {
        assert_eq!(check(Media::image_url(url)), None, "{url}");
    }
    for mime in [
        "image/png",
        "IMAGE/JPEG",
        "image/svg+xml",
        "image/svg+xml; charset=utf-8",
    ] {
        assert_eq!(check(Media::image(mime, b"a")), None, "{mime}");
    }
    assert_eq!(check(Media::file("application/pdf", b"a")), None);
    for mime in [
        "",
        "png",
        "/png",
        "image/",
        "image/a/b",
        "image /png",
        "image/png,x",
        ".png",
    ] {
        let expected = format!("`{mime}` is not a MIME type");
        assert_eq!(check(Media::image(mime, b"a")), Some(expected.clone()));
        assert_eq!(check(Media::file(mime, b"a")), Some(expected));
    }
    let expected = "`application/pdf` is not the MIME type of an image".to_owned();
    assert_eq!(check(Media::image("application/pdf", b"a")), Some(expected));
}

/// A path, an address or base 64 in place of the bytes is an error; short, binary and written content is not.
#[test]
fn the_content_is_no_text_that_names_it() {
    let check = |media: Media| media.check().err().map(|error| error.message().to_owned());
    let base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
    for text in [
        "photo.png",
        "./a/Photo-1.JPEG",
        "https://example.com/a",
        "data:image/png;base64,iVBO",
        base64,
    ] {
        let expected = format!("`{text}` is not the content of a file, but text");
        assert_eq!(
            check(Media::image("image/png", text)),
            Some(expected.clone())
        );
        let file = check(Media::file("application/pdf", text));
        assert_eq!(file, Some(expected));
        assert_eq!(check(Media::file("text/plain", text)), None, "{text}");
    }
    let is_text = |text: &str| Some(format!("`{text}` is not the content of a file, but text"));
    let gif = "R0lGODlhAQABAAAAADs=";
    assert_eq!(check(Media::image("image/gif", gif)), is_text(gif));
    assert_eq!(
        check(Media::file("application/pdf", "JVBERi0xLjc=\n")),
        is_text("JVBERi0xLjc=")
    );
    let lines = format!("iVBORw0KGgoA\r\n{}\r\n", "AAAA".repeat(1000));
    assert!(check(Media::image("image/png", lines)).is_some());
    let help = Media::audio("audio/wav", gif).check().unwrap_err();
    assert!(
        help.help()
            .is_some_and(|help| help.contains("Media::audio_base64"))
    );
    // The letters of base 64 without a file inside, and a text that begins with them.
    for text in [
        "/9j",
        "R0lGODlh is how a GIF begins.",
        "R0lGODlh is it",
        "JVBERi0xLjc=, a PDF",
    ] {
        assert_eq!(
            check(Media::file("application/octet-stream", text)),
            None,
            "{text}"
        );
    }
    for (mime, text) in [
        ("application/json", r#"{"url":"https://example.com"}"#),
        ("application/json", "3.14"),
        (
            "application/octet-stream",
            "0123456789abcdef0123456789abcdef",
        ),
    ] {
        assert_eq!(check(Media::file(mime, text)), None, "{text}");
    }
    for content in [
        "hi",
        "%PDF-1.7\n%x.y",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "RIFF",
        "\u{1}x.png",
    ] {
        assert_eq!(check(Media::image("image/png", content)), None, "{content}");
    }
    for path in ["photos/cat.png", "cat.JPG", "C.gif", "example.com/a.jpeg"] {
        let expected = format!("`{path}` is a path, not an address");
        assert_eq!(check(Media::image_url(path)), Some(expected));
    }
    for address in [
        "file://a.jpg",
        "https://example.com/a.png",
        "data:image/png;base64,iVBO",
        "gs://a/b.png",
        "{image}",
    ] {
        assert_eq!(check(Media::image_url(address)), None, "{address}");
    }
    let empty = "this image has no bytes".to_owned();
    assert_eq!(check(Media::image("image/png", "")), Some(empty));
}

/// An image has the MIME type of its first bytes.
#[test]
fn the_content_has_its_mime_type() {
    for (actual, bytes) in [
        ("image/png", &b"\x89PNG\r\n\x1a\n"[..]),
        ("image/jpeg", b"\xff\xd8\xff\xe0"),
        ("image/gif", b"GIF89a"),
        ("image/webp", b"RIFF\x01\x01\x01\x01WEBPVP8 "),
    ] {
        let image = Media::image(actual, bytes);
        let url = image.to_url();
        let data = url.split_once(',').unwrap().1;
        for written in ["image/jpg", "image/svg+xml", actual] {
            assert_eq!(Media::image(written, bytes), image);
            assert_eq!(Media::image_base64(written, data).unwrap(), image);
        }
        let upper = actual.to_uppercase();
        assert!(Media::image(&*upper, bytes).to_url().contains(&upper));
        assert!(Media::file("a/b", bytes).to_url().contains("a/b"));
    }
    assert!(
        Media::image("image/svg+xml", "<svg/>")
            .to_url()
            .contains("svg")
    );
}

/// Media that a program puts into a message itself is checked where the message leaves: in a history, and as the JSON of an API.
#[test]
fn media_of_messages_is_checked() {
    #[derive(Prompt)]
    #[prompt(user = "<question>")]
    struct Ask<'a> {
        question: &'a str,
        #[prompt(history)]
        history: History,
    }
    for (media, expected) in [
        (
            Media::image_url("not a url"),
            "`not a url` is not an address",
        ),
        (Media::image("png", b"a"), "`png` is not a MIME type"),
        (
            Media::image("application/pdf", b"a"),
            "`application/pdf` is not the MIME type of an image",
        ),
    ] {
        let message = Message::user("Look: ").with_media(media);
        let messages = Messages::from([message.clone()]);
        let openai = serde_json::to_string(&messages.openai()).unwrap_err();
        assert!(openai.to_string().starts_with(expected), "{openai}");
        let anthropic = serde_json::to_string(&messages.anthropic()).unwrap_err();
        assert!(anthropic.to_string().starts_with(expected), "{anthropic}");
        let mut history = History::new();
        history.push(message);
        let ask = Ask {
            question: "And?",
            history,
        };
        assert_eq!(ask.messages().unwrap_err().message(), expected);
    }
}

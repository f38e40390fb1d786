//! What must hold for any trace that is scrubbed. Shared by the fuzz target and the regular tests.

use std::io::{Cursor, Read as _, Write as _};
use std::sync::LazyLock;

use engine::Redactor;
use engine::redact::TraceScrubber;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

#[path = "../crates/gasoline/src/cli/scrub/archive.rs"]
mod archive;
#[path = "../crates/gasoline/src/cli/scrub/content.rs"]
mod content;

use self::content::Content;

/// Typed into a password field: it may be nowhere in the copy.
const SECRET: &str = "correct-horse-battery-7781";
static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::new);

const FROM_WHOLE_FILE: u8 = 2;
const IN_WHOLE_FILE: u8 = 4 | 16;
const COMPRESSED: u8 = 8;

/// The first byte says what the rest is: a zip file; or what the files of a trace hold, of which a zip file is made, or
/// (that is quicker) not.
pub fn check(input: &[u8]) {
    let Some((&first, rest)) = input.split_first() else { return };
    let is_so = |what: u8| first & what == what;
    let drops_screenshots = is_so(1);
    if is_so(FROM_WHOLE_FILE) {
        scrubbed(rest, drops_screenshots);
        return;
    }
    let typed = format!(
        r##"{{"type":"before","callId":"call@1","method":"fill","params":{{"selector":"#password","value":"{SECRET}"}}}}"##
    );
    let secret = SECRET.as_bytes();
    let events = [typed.as_bytes(), b"\n", rest, b"\n"].concat();
    let page = [rest, b"\n", secret, b"\n", rest].concat();
    let files: [(&str, &[u8]); 4] =
        [("0.trace", &events), ("0.network", rest), ("resources/page.html", &page), ("page@1.jpeg", rest)];
    let (copy, closed) = if is_so(IN_WHOLE_FILE) {
        let zip = zipped(&files, is_so(COMPRESSED));
        scrubbed(&zip, drops_screenshots).expect("a trace can be scrubbed")
    } else {
        scrubbed_files(&files[..3], drops_screenshots)
    };
    if is_so(IN_WHOLE_FILE) {
        let names: Vec<&str> = copy.iter().map(|(name, _)| name.as_str()).collect();
        let expected = files.map(|(name, _)| name);
        assert_eq!(names, if drops_screenshots { &expected[..3] } else { &expected[..] }, "every file, in its order");
    }
    for (name, bytes) in &copy {
        if name.ends_with(".jpeg") {
            assert_eq!(bytes, rest, "pictures stay as they are");
        } else if !closed.contains(name) && !holds(rest, secret) {
            assert!(!holds(bytes, secret), "{name} keeps the secret: {}", String::from_utf8_lossy(bytes));
        }
    }
}

fn zipped(files: &[(&str, &[u8])], compressed: bool) -> Vec<u8> {
    let method = if compressed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).expect("a file");
        zip.write_all(bytes).expect("its content");
    }
    zip.finish().expect("a zip file").into_inner()
}

/// What happens to the files of a trace, without the zip file that they are in.
fn scrubbed_files(files: &[(&str, &[u8])], drops_screenshots: bool) -> (Vec<NamedBytes>, Vec<String>) {
    let mut scrubber = TraceScrubber::new(&REDACTOR);
    let contents: Vec<(&str, Content)> =
        files.iter().map(|(name, bytes)| (*name, Content::from_file(name, bytes.to_vec()))).collect();
    for (name, content) in &contents {
        content.learn(name, &mut scrubber);
    }
    scrubber.learned();
    let mut copy = Vec::new();
    for ((name, content), (_, bytes)) in contents.iter().zip(files) {
        let clean = content.clean(name, &mut scrubber, drops_screenshots);
        copy.push((name.to_string(), clean.unwrap_or_else(|| bytes.to_vec())));
    }
    let closed = contents.iter().filter(|(_, content)| matches!(content, Content::Closed));
    let closed = closed.map(|(name, _)| name.to_string()).collect();
    (copy, closed)
}

/// A file's name and its content.
type NamedBytes = (String, Vec<u8>);

/// What a clean copy holds, and which files nobody looked into; nothing if the trace is refused.
fn scrubbed(zip: &[u8], drops_screenshots: bool) -> Option<(Vec<NamedBytes>, Vec<String>)> {
    let mut trace = archive::open(Cursor::new(zip)).ok()?;
    archive::is_trace(&trace);
    let mut scrubber = TraceScrubber::new(&REDACTOR);
    archive::learn(&mut trace, &mut scrubber).ok()?;
    let mut copy = Cursor::new(Vec::new());
    let counts = archive::write(&mut trace, &mut scrubber, &mut copy, drops_screenshots).ok()?;
    assert!(counts.files + counts.closed.len() <= trace.len());
    let mut copied = archive::open(copy).expect("the copy is a zip file");
    let dropped = if drops_screenshots { counts.screenshots } else { 0 };
    assert_eq!(copied.len() + dropped, trace.len());
    let mut files = Vec::new();
    for index in 0..copied.len() {
        let mut file = copied.by_index(index).expect("a file of the copy");
        let name = file.name().expect("its name").into_owned();
        let mut bytes = Vec::new();
        // A picture is copied as it is, broken or not.
        if file.read_to_end(&mut bytes).is_ok() {
            files.push((name, bytes));
        }
    }
    Some((files, counts.closed))
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

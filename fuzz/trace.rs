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

/// Typed into a password field: it may be nowhere in the copy.
const SECRET: &str = "correct-horse-battery-7781";
static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::new);

/// The first byte says whether the rest is a zip file, or what the files of one hold.
pub fn check(input: &[u8]) {
    let Some((&first, rest)) = input.split_first() else { return };
    let drops_screenshots = first & 1 == 1;
    if first & 2 == 2 {
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
    let compressed = first & 4 == 4;
    let method = if compressed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, SimpleFileOptions::default().compression_method(method)).expect("a file");
        zip.write_all(bytes).expect("its content");
    }
    let zip = zip.finish().expect("a zip file").into_inner();

    let (copy, closed) = scrubbed(&zip, drops_screenshots).expect("a trace can be scrubbed");
    let names: Vec<&str> = copy.iter().map(|(name, _)| name.as_str()).collect();
    let expected = files.map(|(name, _)| name);
    assert_eq!(names, if drops_screenshots { &expected[..3] } else { &expected[..] }, "every file, in its order");
    for (name, bytes) in &copy {
        if name.ends_with(".jpeg") {
            assert_eq!(bytes, rest, "pictures stay as they are");
        } else if !closed.contains(name) && !holds(rest, secret) {
            assert!(!holds(bytes, secret), "{name} keeps the secret: {}", String::from_utf8_lossy(bytes));
        }
    }
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

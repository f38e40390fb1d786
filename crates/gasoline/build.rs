//! Embeds the built extension, the dashboard, the script for test runners and the demo's shop into the binary, if they
//! have been built. Plain `cargo build` works without them, and so without Node; commands that need them then say how
//! to build them.
#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let browser = root.join("browser");
    println!("cargo:rerun-if-changed=build.rs");

    for (part, name) in [("extension", "extension"), ("dashboard", "dashboard"), ("demo", "demo_shop")] {
        let folder = browser.join(part).join("dist");
        watch([&folder, &browser.join(part), &root.join("package.json")]);
        let mut files = Vec::new();
        if folder.is_dir() {
            collect(&folder, &mut files)?;
        }
        files.sort();
        pack(name, &folder, &files)?;
    }

    let folder = browser.join("ci/dist");
    let script = folder.join("gasoline-ci.min.js");
    watch([&script, &browser.join("ci"), &root.join("package.json")]);
    let script: Vec<PathBuf> = script.is_file().then_some(script).into_iter().collect();
    pack("ci_script", &folder, &script)
}

/// Cargo runs this at every build while a watched file is missing, so watch only existing ones: the built part,
/// otherwise the folder in which it will appear, otherwise the list of packages, which changes with a new one.
fn watch(paths: [&Path; 3]) {
    if let Some(path) = paths.into_iter().find(|path| path.exists()) {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

/// Writes `<list>.rs`, with all files compressed to about a third of their size.
fn pack(list: &str, folder: &Path, files: &[PathBuf]) -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut code = String::from("&[\n");
    for (number, file) in files.iter().enumerate() {
        let content = fs::read(file)?;
        let packed = out.join(format!("{list}-{number}.deflate"));
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&content)?;
        fs::write(&packed, encoder.finish()?)?;
        let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let (bytes, packed) = (content.len(), packed.display().to_string());
        let _ =
            writeln!(code, "    Packed {{ name: {name:?}, bytes: {bytes}, deflated: include_bytes!({packed:?}) }},");
    }
    code.push_str("]\n");
    fs::write(out.join(format!("{list}.rs")), code)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

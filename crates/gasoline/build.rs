//! Puts the built extension into the binary, when there is one. Plain `cargo build` works without it, and so without
//! Node; what needs the extension then says how to get it.
#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let sources = root.join("browser/extension");
    let built = sources.join("dist");
    // Cargo runs this at every build while a file it watches is missing, so watch what is there: what was built, else
    // the folder in which it will appear, else the list of packages, which tells of a new one.
    let watched = [built.clone(), sources, root.join("package.json")].into_iter().find(|path| path.exists());
    for path in watched.into_iter().chain([PathBuf::from("build.rs")]) {
        println!("cargo:rerun-if-changed={}", path.display());
    }

    let mut files = Vec::new();
    if built.is_dir() {
        collect(&built, &mut files)?;
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&built).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?}).as_slice()),", file.display().to_string());
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("extension_files.rs"), list)
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

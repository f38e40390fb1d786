#![no_main]

#[path = "../multipart.rs"]
mod multipart;

libfuzzer_sys::fuzz_target!(|input: &[u8]| multipart::check(input));

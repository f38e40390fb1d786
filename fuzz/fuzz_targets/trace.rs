#![no_main]

#[path = "../trace.rs"]
mod trace;

libfuzzer_sys::fuzz_target!(|input: &[u8]| trace::check(input));

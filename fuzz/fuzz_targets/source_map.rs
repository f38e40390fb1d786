#![no_main]

#[path = "../source_map.rs"]
mod source_map;

libfuzzer_sys::fuzz_target!(|input: &[u8]| source_map::check(input));

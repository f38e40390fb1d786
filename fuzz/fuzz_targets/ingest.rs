#![no_main]

#[path = "../intake.rs"]
mod intake;

libfuzzer_sys::fuzz_target!(|input: &[u8]| intake::check(input));

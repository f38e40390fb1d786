#![no_main]

#[path = "../client_config.rs"]
mod client_config;

libfuzzer_sys::fuzz_target!(|input: &[u8]| client_config::check(input));

#![no_main]

#[path = "../json_rpc.rs"]
mod json_rpc;

libfuzzer_sys::fuzz_target!(|input: &[u8]| json_rpc::check(input));

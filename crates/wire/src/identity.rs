//! How Chrome identifies the extension.

/// The extension's public key, which is the manifest's `key`. It gives the extension the same id from whatever folder
/// it is loaded.
pub const EXTENSION_KEY: &str = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwsNgpXWSrgtLnGvQ1f7zOj2zGI4mFrKRwf34aZfG36+chlTs9HRyvv07/e2Q3/WTkcqvkIR/Dem4cSaaN5xdn1BVWaWCeuU7Oh2Ku7VAF7q7AxO9FVvqH5a63xHgOVI+zq2ofuWuHcrG1MMmvzl3lTcLiZFzLE/AyA3EIuqUrHO+AnzA0GvPTcYSMi1xHAhbO5mnxdXwzj1KY6pKRgOSXY6TogGm+2bLHr9J67fjlZ1rReC1A0QMITSw8PUZ4ijsuVhdquQQEHVyDveYji8etzfGWsuLLc2zoj9wyIYHd79cuFUCzu9whb1aN8pJs6fany56+S88TesdayKeQmWMeQIDAQAB";

/// The extension id that Chrome derives from [`EXTENSION_KEY`].
pub const EXTENSION_ID: &str = "medopkjpjgibpopfahpmpfahnfmipnee";

/// The only browser origin that may use the whole HTTP interface.
pub const EXTENSION_ORIGIN: &str = "chrome-extension://medopkjpjgibpopfahpmpfahnfmipnee";

// Generated from crates/wire by `cargo xtask gen`. Do not edit.

/** Names of headers whose values stay in the page. */
export const SENSITIVE_HEADER = /password|secret|token|key|\b(authorization|cookie|set.?cookie)\b/i;

/** Headers by which a request proves who sends it. */
export const AUTH_HEADER = /^(authorization|proxy-authorization|x-api-key|x-auth-token)$/i;

/** The id, name or label of an input for passwords, codes or cards. */
export const SENSITIVE_INPUT = /passphrase|passcode|secret|token|api.?key|access.?key|auth.?key|pwd|otp|cvv|cvc|passw|card|one.?time|security.?code|pin.?code|\b(pass|pin|user.?pass|totp|csc|cc)\b/i;

/** The same by the input's `autocomplete`. */
export const SENSITIVE_PURPOSE = /\bcc-|password|one-time-code/i;

/** Parts of a page's state, by name or by path. */
export const SENSITIVE_STATE = /passphrase|passcode|secret|token|api.?key|access.?key|auth.?key|private.?key|encryption.?key|signing.?key|credential|authorization|access.?code|master.?key|pwd|bearer|jwt|connect.?sid|php.?sessid|otp|cvv|cvc|cookie|session|passw|card|iban|ssn|(^|[._])(pass|pw|sid|pass1|pass2|pin)$|(key)$/i;

/** The table itself, for tests. */
export const SENSITIVE_NAMES = [
  { name: 'password', header: true, input: true, state: true },
  { name: 'passwd', header: false, input: true, state: true },
  { name: 'passphrase', header: false, input: true, state: true },
  { name: 'passcode', header: false, input: true, state: true },
  { name: 'secret', header: true, input: true, state: true },
  { name: 'token', header: true, input: true, state: true },
  { name: 'api key', header: false, input: true, state: true },
  { name: 'access key', header: false, input: true, state: true },
  { name: 'auth key', header: false, input: true, state: true },
  { name: 'private key', header: false, input: false, state: true },
  { name: 'encryption key', header: false, input: false, state: true },
  { name: 'signing key', header: false, input: false, state: true },
  { name: 'credential', header: false, input: false, state: true },
  { name: 'authorization', header: true, input: false, state: true },
  { name: 'amz signature', header: false, input: false, state: false },
  { name: 'goog signature', header: false, input: false, state: false },
  { name: 'passwort', header: false, input: true, state: true },
  { name: 'access code', header: false, input: false, state: true },
  { name: 'master key', header: false, input: false, state: true },
  { name: 'pwd', header: false, input: true, state: true },
  { name: 'pass', header: false, input: true, state: true },
  { name: 'pw', header: false, input: false, state: true },
  { name: 'auth', header: false, input: false, state: false },
  { name: 'bearer', header: false, input: false, state: true },
  { name: 'jwt', header: false, input: false, state: true },
  { name: 'session id', header: false, input: false, state: true },
  { name: 'sid', header: false, input: false, state: true },
  { name: 'connect sid', header: false, input: false, state: true },
  { name: 'php sessid', header: false, input: false, state: true },
  { name: 'jsessionid', header: false, input: false, state: true },
  { name: 'otp', header: false, input: true, state: true },
  { name: 'cvv', header: false, input: true, state: true },
  { name: 'cvc', header: false, input: true, state: true },
  { name: 'pass1', header: false, input: false, state: true },
  { name: 'pass2', header: false, input: false, state: true },
  { name: 'pin', header: false, input: true, state: true },
  { name: 'cookie', header: true, input: false, state: true },
  { name: 'set cookie', header: true, input: false, state: true },
  { name: 'cookie2', header: false, input: false, state: true },
  { name: 'set cookie2', header: false, input: false, state: true },
  { name: 'session', header: false, input: false, state: true },
  { name: 'ticket', header: false, input: false, state: false },
  { name: 'code', header: false, input: false, state: false },
  { name: 'key', header: true, input: false, state: true },
  { name: 'sig', header: false, input: false, state: false },
  { name: 'signature', header: false, input: false, state: false },
  { name: 'credentials', header: false, input: false, state: true },
  { name: 'csrf', header: false, input: false, state: false },
  { name: 'xsrf', header: false, input: false, state: false },
  { name: 'passw', header: false, input: true, state: true },
  { name: 'card', header: false, input: true, state: true },
  { name: 'card number', header: false, input: true, state: true },
  { name: 'one time', header: false, input: true, state: false },
  { name: 'security code', header: false, input: true, state: false },
  { name: 'pin code', header: false, input: true, state: false },
  { name: 'user pass', header: false, input: true, state: false },
  { name: 'totp', header: false, input: true, state: true },
  { name: 'csc', header: false, input: true, state: false },
  { name: 'cc', header: false, input: true, state: false },
  { name: 'iban', header: false, input: false, state: true },
  { name: 'ssn', header: false, input: false, state: true },
];

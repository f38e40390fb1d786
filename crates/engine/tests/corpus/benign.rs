//! Texts without a credential: some written by hand, and many generated like those that pages load all day.

use base64::Engine as _;

use crate::{Lot, texts};

const HEX: &str = "0123456789abcdef";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const ALPHANUMERIC: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const WORDS: &[&str] = &[
    "key",
    "token",
    "tokens",
    "password",
    "secret",
    "auth",
    "session",
    "code",
    "pin",
    "pass",
    "cookie",
    "user",
    "value",
    "name",
    "index",
    "items",
    "state",
    "props",
    "children",
    "event",
    "target",
    "node",
    "parent",
    "config",
    "options",
    "result",
    "error",
    "message",
    "status",
    "request",
    "response",
    "header",
    "body",
    "path",
    "query",
    "params",
    "route",
    "store",
    "action",
    "dispatch",
    "render",
    "effect",
    "memo",
    "ref",
    "callback",
    "timeout",
    "interval",
    "signature",
    "author",
    "bearer",
    "basic",
    "ticket",
    "sid",
    "monkey",
    "compass",
    "spinner",
    "signal",
    "design",
    "assign",
];

type Maker = fn(&mut Lot) -> String;

const MAKERS: &[Maker] = &[
    minified,
    source_map,
    picture,
    uuids,
    lock_file,
    git_log,
    svg,
    css,
    stack,
    access_log,
    manifest,
    api,
    html,
    digests,
    numbers,
    jsx,
    wasm,
    translations,
    telemetry,
    type_script,
    ways_to_sign_in,
    what_is_known_of_the_user,
    laws_and_secrets,
    about_passwords,
];

/// All of them; each generator makes thirty.
pub(crate) fn all() -> Vec<String> {
    let mut all = texts(include_str!("../../../../fixtures/redaction/benign.json"));
    all.extend(texts(include_str!("../../../../fixtures/corpus/benign.json")));
    for (place, make) in MAKERS.iter().enumerate() {
        for seed in 0..30 {
            all.push(make(&mut Lot::new(place as u64 * 1_000 + seed + 1)));
        }
    }
    all
}

fn lines(lot: &mut Lot, count: usize, mut line: impl FnMut(&mut Lot) -> String) -> String {
    (0..count).map(|_| line(lot)).collect::<Vec<_>>().join("\n")
}

fn word(lot: &mut Lot) -> &'static str {
    lot.one(WORDS)
}

fn uuid(lot: &mut Lot) -> String {
    [8, 4, 4, 4, 12].map(|length| lot.text(HEX, length)).join("-")
}

fn minified(lot: &mut Lot) -> String {
    let statements: Vec<String> = (0..60)
        .map(|_| {
            let (a, b, c) = (lot.text(LOWER, 1), lot.text(LOWER, 1), lot.text(LOWER, 2));
            let (one, other) = (word(lot), word(lot));
            match lot.below(8) {
                0 => format!("var {a}=({b}.{one}||{b}.{other}),{c}={}", lot.below(9_999)),
                1 => format!("function {c}({a},{b}){{return {a}.{one}({b},\"{other}\")}}"),
                2 => format!("{a}.{one}={b}.{other}?{c}.{one}:void 0"),
                3 => format!(
                    "switch({a}.{one}){{case\"{other}\":return {b};default:throw new Error(\"{one} missing\")}}"
                ),
                4 => format!("const{{{one}:{a},{other}:{b}}}=this.{one}s;{a}&&{b}({c})"),
                5 => format!("{a}=>({{{one}:{a}.{one},{other}:!0}})"),
                6 => format!("for(let {a}=0;{a}<{b}.length;{a}++){b}[{a}].{one}==={c}&&{c}.{other}()"),
                _ => format!("exports.{one}_{other}={c}.bind(null,{a})"),
            }
        })
        .collect();
    format!(
        "!function(){{\"use strict\";{}}}();\n//# sourceMappingURL=index-{}.js.map",
        statements.join(";"),
        lot.text(HEX, 8)
    )
}

fn source_map(lot: &mut Lot) -> String {
    let mappings: Vec<String> = (0..200)
        .map(|_| {
            let length = 4 + lot.below(2);
            lot.text("ABCDEFGHIJKLMNOPQSUWYacegikmoqsuwyg", length)
        })
        .collect();
    let sources: Vec<String> = (0..8).map(|_| format!("\"../../src/{}/{}.ts\"", word(lot), word(lot))).collect();
    let names: Vec<String> = (0..20).map(|_| format!("\"{}\"", word(lot))).collect();
    format!(
        "{{\"version\":3,\"sources\":[{}],\"names\":[{}],\"mappings\":\"{}\"}}",
        sources.join(","),
        names.join(","),
        mappings.join(if lot.below(2) == 0 { "," } else { ";" })
    )
}

fn picture(lot: &mut Lot) -> String {
    let kind = lot.one(&["png", "jpeg", "gif", "webp"]);
    let length = 400 + lot.below(6_000);
    format!("{{\"avatar\":\"data:image/{kind};base64,iVBORw0KGgo{}==\",\"width\":64}}", lot.text(BASE64, length))
}

fn uuids(lot: &mut Lot) -> String {
    let items: Vec<String> = (0..20)
        .map(|n| {
            format!(
                "{{\"id\":\"{}\",\"parentId\":\"{}\",\"position\":{n},\"updatedAt\":\"2026-02-{:02}T10:20:30.000Z\"}}",
                uuid(lot),
                uuid(lot),
                1 + n
            )
        })
        .collect();
    format!(
        "{{\"items\":[{}],\"nextCursor\":\"{}\"}}",
        items.join(","),
        base64::engine::general_purpose::STANDARD.encode(format!("{{\"id\":{}}}", lot.below(99_999)))
    )
}

fn lock_file(lot: &mut Lot) -> String {
    lines(lot, 12, |lot| {
        let name = format!("{}-{}", word(lot), word(lot));
        let version = format!("{}.{}.{}", lot.below(20), lot.below(30), lot.below(40));
        format!(
            "    \"node_modules/{name}\": {{\n      \"version\": \"{version}\",\n      \"resolved\": \"https://registry.example/{name}/-/{name}-{version}.tgz\",\n      \"integrity\": \"sha512-{}==\"\n    }},",
            lot.text(BASE64, 86)
        )
    })
}

fn git_log(lot: &mut Lot) -> String {
    lines(lot, 10, |lot| {
        format!(
            "commit {}\nAuthor: Ada <ada@shop.example>\nDate:   Sat Feb 7 23:01:12 2026 +0100\n\n    Rename the {} of the {}\n",
            lot.text(HEX, 40),
            word(lot),
            word(lot)
        )
    })
}

fn svg(lot: &mut Lot) -> String {
    let path: String = (0..120)
        .map(|_| {
            format!(
                "{}{}.{} {}.{}",
                lot.one(&["M", "L", "C", "c", "l", "h", "v", "S", "s", "q", "z m"]),
                lot.below(512),
                lot.below(999),
                lot.below(512),
                lot.below(999)
            )
        })
        .collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 512 512\"><path fill=\"#{}\" d=\"{path}z\"/></svg>",
        lot.text(HEX, 6)
    )
}

fn css(lot: &mut Lot) -> String {
    lines(lot, 30, |lot| {
        format!(
            ".{}-{}_{}__{}:hover>.{}{{color:#{};margin:0 {}px;content:\"{}\";background:url(/img/{}-{}.svg)}}",
            word(lot),
            word(lot),
            word(lot),
            lot.text(ALPHANUMERIC, 5),
            word(lot),
            lot.text(HEX, 6),
            lot.below(64),
            word(lot),
            word(lot),
            lot.text(HEX, 8)
        )
    })
}

fn stack(lot: &mut Lot) -> String {
    let frames = lines(lot, 15, |lot| {
        format!(
            "    at {}.{} (https://shop.example/assets/{}-{}.js:{}:{})",
            word(lot),
            word(lot),
            word(lot),
            lot.text(ALPHANUMERIC, 8),
            1 + lot.below(90),
            1 + lot.below(90_000)
        )
    });
    format!("TypeError: Cannot read properties of undefined (reading '{}')\n{frames}", word(lot))
}

fn access_log(lot: &mut Lot) -> String {
    lines(lot, 20, |lot| {
        format!(
            "10.0.{}.{} - - [07/Feb/2026:23:01:12 +0000] \"GET /{}/{}?page={}&sort={} HTTP/1.1\" {} {} \"https://shop.example/{}\" request_id={} trace={}",
            lot.below(255),
            lot.below(255),
            word(lot),
            lot.below(9_999),
            lot.below(99),
            word(lot),
            lot.one(&["200", "304", "404", "500"]),
            lot.below(99_999),
            word(lot),
            uuid(lot),
            lot.text(HEX, 32)
        )
    })
}

fn manifest(lot: &mut Lot) -> String {
    let files: Vec<String> = (0..25)
        .map(|_| {
            let (a, b) = (word(lot), word(lot));
            format!(
                "\"src/{a}/{b}.tsx\":{{\"file\":\"assets/{b}-{}.js\",\"isEntry\":true,\"imports\":[\"_{a}-{}.js\"]}}",
                lot.text(ALPHANUMERIC, 8),
                lot.text(HEX, 8)
            )
        })
        .collect();
    format!("{{{}}}", files.join(","))
}

fn api(lot: &mut Lot) -> String {
    let rows: Vec<String> = (0..15)
        .map(|n| {
            format!(
                "{{\"id\":{},\"sku\":\"{}-{}\",\"title\":\"The {} of the {}\",\"price\":{}.{:02},\"keywords\":[\"{}\",\"{}\"],\"token_count\":{},\"has_password\":{},\"hash\":\"{}\",\"slug\":\"{}-{}-{n}\"}}",
                lot.below(999_999), lot.text("ABCDEFGHJK", 3), lot.below(99_999), word(lot), word(lot), lot.below(999), lot.below(99), word(lot), word(lot), lot.below(4_096), lot.one(&["true", "false"]), lot.text(HEX, 40), word(lot), word(lot)
            )
        })
        .collect();
    format!("{{\"data\":[{}],\"page\":1,\"total\":{}}}", rows.join(","), lot.below(9_999))
}

fn html(lot: &mut Lot) -> String {
    let body = lines(lot, 20, |lot| {
        let (one, other) = (word(lot), word(lot));
        match lot.below(5) {
            0 => format!(
                "<label for=\"{one}\">{other}</label><input id=\"{one}\" name=\"{one}\" type=\"text\" placeholder=\"Your {other}\">"
            ),
            1 => format!("<a href=\"/{one}/{other}?ref={other}#top\" class=\"{one}-{other}\">{one}</a>"),
            2 => format!(
                "<script src=\"/assets/{one}-{}.js\" integrity=\"sha384-{}\" crossorigin></script>",
                lot.text(HEX, 8),
                lot.text(BASE64, 64)
            ),
            3 => format!("<div data-{one}=\"{other}\" data-v-{}>{one} {other}</div>", lot.text(HEX, 8)),
            _ => format!("<p>Please enter your {one}, then the {other}.</p>"),
        }
    });
    format!("<!doctype html>\n<html><body>\n{body}\n</body></html>")
}

fn digests(lot: &mut Lot) -> String {
    lines(lot, 15, |lot| match lot.below(5) {
        0 => format!("{}  dist/{}.tar.gz", lot.text(HEX, 64), word(lot)),
        1 => format!("sha256:{}", lot.text(HEX, 64)),
        2 => format!("etag: \"{}\"", lot.text(HEX, 32)),
        3 => format!("md5({}) = {}", word(lot), lot.text(HEX, 32)),
        _ => format!("build {} at 83{}", lot.text(HEX, 12), lot.text(HEX, 38)),
    })
}

fn numbers(lot: &mut Lot) -> String {
    let points: Vec<String> = (0..200)
        .map(|_| format!("[{}.{},{}.{}]", lot.below(180), lot.below(999_999), lot.below(90), lot.below(999_999)))
        .collect();
    format!(
        "{{\"type\":\"LineString\",\"coordinates\":[{}],\"at\":{}}}",
        points.join(","),
        1_770_000_000_000_u64 + lot.below(99_999_999) as u64
    )
}

fn jsx(lot: &mut Lot) -> String {
    lines(lot, 20, |lot| {
        let (one, other) = (word(lot), word(lot));
        format!(
            "export const {one}View{} = ({{ {one}, {other} }}: Props) => <{}Row key={{{one}.id}} {other}={{{one}.{other}}} on{one}={{() => set_{other}(null)}} />;",
            lot.below(99),
            lot.one(&["Token", "Key", "User"])
        )
    })
}

fn wasm(lot: &mut Lot) -> String {
    let length = 2_000 + lot.below(8_000);
    format!("const wasm=Uint8Array.from(atob(\"AGFzbQEAAAAB{}\"),c=>c.charCodeAt(0));", lot.text(BASE64, length))
}

fn translations(lot: &mut Lot) -> String {
    let entries: Vec<String> = (0..30)
        .map(|n| format!("\"{}.{}.{n}\":\"Your {} and {} are required\"", word(lot), word(lot), word(lot), word(lot)))
        .collect();
    format!("{{{}}}", entries.join(","))
}

fn telemetry(lot: &mut Lot) -> String {
    lines(lot, 12, |lot| {
        format!(
            "{{\"traceId\":\"{}\",\"spanId\":\"{}\",\"name\":\"{}.{}\",\"ts\":{},\"attrs\":{{\"http.route\":\"/{}/:id\",\"host\":\"ip-10-0-{}-{}\",\"ulid\":\"01{}\"}}}}",
            lot.text(HEX, 32),
            lot.text(HEX, 16),
            word(lot),
            word(lot),
            1_770_000_000 + lot.below(999_999),
            word(lot),
            lot.below(255),
            lot.below(255),
            lot.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24)
        )
    })
}

fn type_script(lot: &mut Lot) -> String {
    lines(lot, 25, |lot| {
        let (one, other) = (word(lot), word(lot));
        match lot.below(6) {
            0 => format!("export interface {one}Options {{ {other}: string; {one}?: number }}"),
            1 => format!("const {one} = await get{other}({one}Id);"),
            2 => format!("if (!{one}.{other}) throw new Error(`no {other} for ${{{one}.name}}`);"),
            3 => format!("type {other} = Awaited<ReturnType<typeof {one}>>;"),
            4 => format!("// {one}: see https://docs.shop.example/{one}/{other}#{}", lot.text(LOWER, 8)),
            _ => format!("logger.debug(\"{one} {other}\", {{ {one}, {other} }});"),
        }
    })
}

/// `auth=google`: names of credentials whose values select or switch something.
fn ways_to_sign_in(lot: &mut Lot) -> String {
    let name =
        lot.one(&["auth", "bearer", "csrf_token_on", "password_login", "passwordless", "token_login", "authMode"]);
    let value = lot.one(&["no", "yes", "google", "on", "off", "1", "0", "true", "false", "none", "github", "saml"]);
    // A password may be any word, so only a switch is certainly not one.
    let value = if name.starts_with("password") { lot.one(&["yes", "no", "on", "off", "1", "true"]) } else { value };
    match lot.below(4) {
        0 => format!("https://shop.example/{}?{name}={value}&page={}", word(lot), lot.below(99)),
        1 => format!("{{\"url\":\"/login?lang=en&{name}={value}\",\"step\":{}}}", lot.below(9)),
        2 => format!("GET /login?{name}={value} HTTP/1.1"),
        _ => format!("{{\"auth\":\"{}\",\"step\":\"{}\"}}", lot.one(&["google", "none", "oauth2", "saml"]), word(lot)),
    }
}

/// An object called `auth` that says who is signed in.
fn what_is_known_of_the_user(lot: &mut Lot) -> String {
    let number = lot.below(9_999);
    let user = format!(
        "{{\"email\":\"ada{number}@shop.example\",\"role\":\"{}\",\"path\":\"/{}/{number}/{}\",\"userId\":\"{}\",\"since\":\"20{}-02-07T10:20:30.{:03}Z\",\"logins\":{}}}",
        lot.one(&["admin", "editor", "super-admin", "read_only"]),
        word(lot),
        word(lot),
        lot.text(HEX, 24),
        10 + lot.below(80),
        lot.below(999),
        lot.below(9_999_999)
    );
    match lot.below(4) {
        0 => format!("{{\"auth\":{user}}}"),
        1 => format!("{{\"data\":{{\"auth\":{{\"user\":{user},\"roles\":[\"admin\",\"{}\"]}}}}}}", word(lot)),
        2 => format!("auth state: {{\"auth\": {user}}}"),
        _ => format!("{{\"state\":\"{}\"}}", format!("{{\"auth\":{user}}}").replace('"', "\\\"")),
    }
}

/// Words that contain or are `aws` or `secret`, before something that is not a key of Amazon's.
fn laws_and_secrets(lot: &mut Lot) -> String {
    let what = lot.one(&["Laws of physics", "By-laws", "The seesaws", "aws deploy", "Secret santa", "draws", "Flaws"]);
    let length = 12 + lot.below(20);
    let end = lot.one(&["", "", ".", "...", "…", " now"]);
    let mut id = lot.text(ALPHANUMERIC, length);
    // Never forty characters, and never the start of a known format.
    id.insert(0, 'x');
    format!("{what} violated in component {id}{end}")
}

fn about_passwords(lot: &mut Lot) -> String {
    let what = lot.one(&["The password is", "Your password was", "password is", "Old passphrase is"]);
    let said = lot.one(&[
        "required",
        "too short",
        "invalid",
        "not accepted",
        "base64-encoded",
        "sha256 hashed",
        "changed",
        "8 characters long",
    ]);
    format!("{what} {said} ({} of {})", lot.below(9), word(lot))
}

//! What must hold for any bytes that come as a source map. Shared by the fuzz target and the regular tests.

use std::sync::LazyLock;

use engine::Redactor;
use engine::symbolicate::source_map::SourceMap;
use wire::limits;

const SCRIPT: &str = "http://localhost:4173/assets/shop.js";
static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::new);

/// The first byte says whether the rest is a map, the mappings of one, or a script without a map.
pub fn check(input: &[u8]) {
    let Some((&first, rest)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    match first % 4 {
        0 | 1 => look_around(SourceMap::parse(text, &format!("{SCRIPT}.map"), SCRIPT, &REDACTOR)),
        2 => {
            // The same mappings behind enough others that there is more than one bookmark.
            let mappings = serde_json::Value::from(text).to_string();
            let many = serde_json::Value::from(format!("{};{text}", ["CAAC"; 100].join(","))).to_string();
            let [short, long] = [mappings, many].map(|mappings| {
                let map = format!(
                    r#"{{"version":3,"sources":["a.js"],"sourcesContent":["let a\nlet b\n"],"names":["n"],"mappings":{mappings}}}"#
                );
                SourceMap::parse(&map, SCRIPT, SCRIPT, &REDACTOR)
            });
            look_around(short);
            look_around(long);
        }
        _ => look_around(SourceMap::of_plain_script(SCRIPT, text, &REDACTOR)),
    }
}

fn look_around(map: Result<SourceMap, String>) {
    let map = match map {
        Ok(map) => map,
        Err(why) => return assert!(!why.is_empty(), "a refusal has its reason"),
    };
    assert!(map.bytes() <= limits::SOURCE_MAP_CACHE_BYTES || map.sources() == 1);
    for line in [0, 1, 2, 7, u32::MAX] {
        for column in [0, 1, 5, 120, u32::MAX] {
            let Some(found) = map.lookup(line, column) else { continue };
            assert!(line > 0 && column > 0, "places count from 1");
            assert!(found.line > 0 && found.column > 0);
            let around = found.source.lines_around(found.line, 3, 3);
            assert!(around.len() <= 7 && around.iter().all(|(_, text)| !text.contains('\n')));
            assert!(around.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0), "line by line");
            found.source.component_at(found.line, found.column);
        }
    }
}

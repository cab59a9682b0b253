//! The reference pages are what the program makes of itself. `BLESS=1` rewrites them.

use std::fs;
use std::path::Path;

#[test]
fn reference_pages_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference");
    for (name, text) in wirelint::reference::pages() {
        let path = folder.join(&name);
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "docs/reference/{name} is not current; BLESS=1 rewrites it"
        );
    }
}

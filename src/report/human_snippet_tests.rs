use super::*;
use crate::report::location::Position;

fn spot(range: Range<usize>, text: &str) -> Spot {
    Spot {
        range,
        text: (!text.is_empty()).then(|| text.to_owned()),
        primary: false,
        start: Position { line: 1, column: 1 },
    }
}

fn row(line: u64, text: &str, spots: Vec<Spot>) -> Row {
    Row {
        line,
        text: text.to_owned(),
        spots,
    }
}

fn block(name: &str, rows: Vec<Row>) -> Block {
    Block {
        name: name.to_owned(),
        rows,
    }
}

fn plain(blocks: Vec<Block>) -> String {
    draw("title", Severity::Error, blocks, &Style::default())
}

#[test]
fn lines_far_apart_stand_in_one_box_with_their_own_numbers() {
    let rows = [7, 8, 4007, 8007].map(|line| row(line, "{ x }", vec![spot(2..3, "here")]));
    let drawn = plain(vec![block("a.jsonl", rows.into())]);
    let numbers: Vec<_> = drawn
        .lines()
        .filter_map(|l| l.split_once(" │ "))
        .map(|(n, _)| n.trim())
        .collect();
    assert_eq!(numbers, ["7", "8", "4007", "8007"], "{drawn}");
    assert_eq!(drawn.matches('⋮').count(), 2, "{drawn}");
    assert!(drawn.lines().count() < 20, "{drawn}");
}

#[test]
fn colors_do_not_hide_the_numbers() {
    let rows = [3, 4711].map(|line| row(line, "{ x }", vec![spot(2..3, "here")]));
    let style = Style {
        color: true,
        ..Style::default()
    };
    let drawn = draw(
        "title",
        Severity::Warning,
        vec![block("a.jsonl", rows.into())],
        &style,
    );
    assert!(drawn.contains("\u{1b}[2m   3\u{1b}[0m │ { x }"), "{drawn:?}");
    assert!(drawn.contains("\u{1b}[2m4711\u{1b}[0m │ { x }"), "{drawn:?}");
}

#[test]
fn many_records_on_one_line_and_several_files() {
    let same = |_| row(1, "{ x }", vec![spot(2..3, "here")]);
    let blocks = vec![
        block("a.jsonl", (0..14).map(same).collect()),
        block("b.jsonl", vec![row(12, "y", vec![spot(0..1, "there")])]),
    ];
    let drawn = plain(blocks);
    assert_eq!(drawn.matches("  1 │ { x }").count(), 14, "{drawn}");
    assert_eq!(drawn.matches(" 12 │ y").count(), 1, "{drawn}");
    assert_eq!(drawn.matches("[a.jsonl:1:1]").count(), 1, "{drawn}");
    assert_eq!(drawn.matches("[b.jsonl:1:1]").count(), 1, "{drawn}");
}

#[test]
fn names_and_titles_are_harmless() {
    let blocks = vec![block(
        "a\u{1b}[2J.jsonl",
        vec![row(1, "x", vec![spot(0..1, "\u{202e}\n")])],
    )];
    let drawn = draw(
        "evil\u{1b}]8;;x\u{7}\n\u{9b}",
        Severity::Advice,
        blocks,
        &Style::default(),
    );
    assert!(
        !drawn.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{drawn:?}"
    );
    assert!(drawn.contains("evil␛]8;;x␇␊"), "{drawn}");
}

#[test]
fn any_width_and_any_labels_are_drawn() {
    let text = "{ 世界, \"a\u{301}\": [ …, 1 ] }";
    let bounds: Vec<_> = (0..=text.len()).filter(|i| text.is_char_boundary(*i)).collect();
    for (i, start) in bounds.iter().enumerate() {
        for end in &bounds[i + 1..] {
            let spots = vec![
                spot(*start..*end, "one"),
                spot(0..text.len(), "all of it"),
                spot(2..5, ""),
            ];
            for width in [0, 40, 100, 1_000_000] {
                let style = Style {
                    width,
                    ..Style::default()
                };
                let blocks = vec![block(
                    "a",
                    vec![row(5, text, spots.clone()), row(6, " ", vec![spot(0..1, "end")])],
                )];
                let drawn = draw("title", Severity::Error, blocks, &style);
                assert!(drawn.contains(" 5 │ {") && drawn.contains("end"), "{drawn}");
            }
        }
    }
}

//! What a grammar rule is called in a message.

use super::grammar::Rule;

/// The name of something that could have stood where a text went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phrase {
    /// A piece of syntax with a name of its own: `a name`.
    Thing(&'static str),
    /// Something that is called after the word or mark that it begins with.
    Begins(&'static str),
    /// A word of the language.
    Word(&'static str),
    /// Punctuation.
    Mark(&'static str),
    /// Something that computes.
    Value,
    /// Something that goes on with a value: an operator, a test, a member, an index, a call.
    Operator,
    /// A clause of a rule.
    Clause,
    /// An item of a file.
    Item,
    /// A line of an example.
    Line,
    /// The end of the text.
    End,
    /// Not worth a word: layout, and what only mistakes match.
    Silent,
}

/// Whether a pair of this rule only holds others together.
pub fn is_mark(rule: Rule) -> bool {
    matches!(phrase(rule), Phrase::Word(_) | Phrase::Mark(_) | Phrase::End)
}

/// What a grammar rule is called.
pub fn phrase(rule: Rule) -> Phrase {
    use Phrase::{Begins, Clause, End, Item, Line, Mark, Operator, Silent, Thing, Value, Word};
    match rule {
        Rule::EOI => End,
        Rule::file
        | Rule::item
        | Rule::pack
        | Rule::use_pack
        | Rule::param
        | Rule::constant
        | Rule::function
        | Rule::attribute
        | Rule::shape
        | Rule::closed
        | Rule::profile
        | Rule::rule_
        | Rule::doc => Item,

        Rule::severity
        | Rule::fault
        | Rule::source
        | Rule::revision
        | Rule::tags
        | Rule::scope
        | Rule::on
        | Rule::for_
        | Rule::let_
        | Rule::when
        | Rule::undecided
        | Rule::verdict
        | Rule::require
        | Rule::forbid
        | Rule::once
        | Rule::clause
        | Rule::example
        | Rule::outcome => Clause,
        Rule::report => Begins("report"),
        Rule::label => Begins("at"),
        Rule::help => Begins("help"),
        Rule::against => Begins("against"),
        Rule::where_ => Begins("where"),
        Rule::as_name => Begins("as"),
        Rule::of_methods => Begins("of"),
        Rule::from_side => Begins("from"),
        Rule::over => Begins("over"),
        Rule::with_ => Begins("with"),
        Rule::extends => Begins("extends"),
        Rule::level => Thing("a level"),
        Rule::party => Thing("a party"),
        Rule::subject => Thing("a subject"),
        Rule::bound => Thing("a comparison with a revision"),

        Rule::parameter => Thing("a parameter"),
        Rule::body => Thing("`= EXPRESSION` or `{ let … return … }`"),
        Rule::field => Thing("a member"),
        Rule::optional => Begins("?"),
        Rule::rule_level => Begins("level"),
        Rule::setting => Thing("a parameter with its value"),

        Rule::steps | Rule::one_line => Begins("{"),
        Rule::step
        | Rule::traffic
        | Rule::side
        | Rule::line
        | Rule::entry
        | Rule::entry_kind
        | Rule::wait
        | Rule::session
        | Rule::gap
        | Rule::unmarked => Line,
        Rule::json => Thing("a JSON object"),

        Rule::query
        | Rule::expr
        | Rule::operand
        | Rule::prefix
        | Rule::not
        | Rule::negate
        | Rule::primary
        | Rule::group
        | Rule::list
        | Rule::object
        | Rule::conditional
        | Rule::quantified
        | Rule::quantifier
        | Rule::literal
        | Rule::number
        | Rule::regex
        | Rule::path
        | Rule::bang
        | Rule::absent => Value,
        Rule::pair => Thing("a member `name: value`"),
        Rule::binding => Thing("`name in list`"),
        Rule::duration | Rule::bad_number => Thing("a duration such as `30s`"),

        Rule::infix
        | Rule::op_or
        | Rule::op_and
        | Rule::op_eq
        | Rule::op_ne
        | Rule::op_le
        | Rule::op_ge
        | Rule::op_lt
        | Rule::op_gt
        | Rule::op_in
        | Rule::op_not_in
        | Rule::op_has
        | Rule::op_matches
        | Rule::op_fits
        | Rule::op_add
        | Rule::op_sub
        | Rule::foreign
        | Rule::single_equals
        | Rule::test
        | Rule::exists
        | Rule::missing
        | Rule::is
        | Rule::fails
        | Rule::member
        | Rule::index
        | Rule::call => Operator,
        Rule::tagged => Begins("tag"),

        Rule::string
        | Rule::text
        | Rule::plain
        | Rule::words
        | Rule::escape
        | Rule::brace
        | Rule::bad_escape
        | Rule::wrong_quotes => Thing("a text in double quotes"),
        Rule::unclosed => Begins("\""),
        Rule::quote => Mark("\""),
        Rule::hole => Begins("{"),

        Rule::path_step
        | Rule::path_group
        | Rule::path_or
        | Rule::path_repeat
        | Rule::path_depth
        | Rule::path_member
        | Rule::path_index
        | Rule::path_any
        | Rule::path_number
        | Rule::path_loose => Thing("a step of a path pattern"),

        Rule::type_ | Rule::type_atom | Rule::list_of | Rule::type_name => Thing("a type"),
        Rule::range | Rule::limit | Rule::dots => Thing("a number"),

        Rule::name | Rule::word => Thing("a name"),
        Rule::slug => Thing("a name in kebab-case"),
        Rule::premise => Thing("the name of a rule"),

        Rule::remark
        | Rule::json_object
        | Rule::json_member
        | Rule::json_array
        | Rule::json_value
        | Rule::json_text
        | Rule::json_plain
        | Rule::json_atom
        | Rule::digits
        | Rule::number_end
        | Rule::regex_char
        | Rule::regex_class
        | Rule::ident
        | Rule::word_start
        | Rule::slug_part
        | Rule::letters
        | Rule::next_example
        | Rule::boundary
        | Rule::rest_of_line
        | Rule::line_end
        | Rule::step_end
        | Rule::blank
        | Rule::ws
        | Rule::semicolon
        | Rule::separator
        | Rule::stray_doc
        | Rule::reserved
        | Rule::WHITESPACE
        | Rule::comment => Silent,

        Rule::kw_against => Word("against"),
        Rule::kw_and => Word("and"),
        Rule::kw_as => Word("as"),
        Rule::kw_at => Word("at"),
        Rule::kw_attribute => Word("attribute"),
        Rule::kw_closed => Word("closed"),
        Rule::kw_const => Word("const"),
        Rule::kw_else => Word("else"),
        Rule::kw_exists => Word("exists"),
        Rule::kw_extends => Word("extends"),
        Rule::kw_fail => Word("fail"),
        Rule::kw_fails => Word("fails"),
        Rule::kw_fault => Word("fault"),
        Rule::kw_fits => Word("fits"),
        Rule::kw_fn => Word("fn"),
        Rule::kw_for => Word("for"),
        Rule::kw_forbid => Word("forbid"),
        Rule::kw_from => Word("from"),
        Rule::kw_gap => Word("gap"),
        Rule::kw_has => Word("has"),
        Rule::kw_help => Word("help"),
        Rule::kw_if => Word("if"),
        Rule::kw_in => Word("in"),
        Rule::kw_is => Word("is"),
        Rule::kw_let => Word("let"),
        Rule::kw_level => Word("level"),
        Rule::kw_matches => Word("matches"),
        Rule::kw_missing => Word("missing"),
        Rule::kw_not => Word("not"),
        Rule::kw_of => Word("of"),
        Rule::kw_on => Word("on"),
        Rule::kw_once => Word("once"),
        Rule::kw_or => Word("or"),
        Rule::kw_over => Word("over"),
        Rule::kw_pack => Word("pack"),
        Rule::kw_param => Word("param"),
        Rule::kw_pass => Word("pass"),
        Rule::kw_per => Word("per"),
        Rule::kw_profile => Word("profile"),
        Rule::kw_report => Word("report"),
        Rule::kw_require => Word("require"),
        Rule::kw_return => Word("return"),
        Rule::kw_revision => Word("revision"),
        Rule::kw_rule => Word("rule"),
        Rule::kw_scope => Word("scope"),
        Rule::kw_session => Word("session"),
        Rule::kw_severity => Word("severity"),
        Rule::kw_shape => Word("shape"),
        Rule::kw_skip => Word("skip"),
        Rule::kw_source => Word("source"),
        Rule::kw_tag => Word("tag"),
        Rule::kw_tags => Word("tags"),
        Rule::kw_then => Word("then"),
        Rule::kw_undecided => Word("undecided"),
        Rule::kw_use => Word("use"),
        Rule::kw_wait => Word("wait"),
        Rule::kw_when => Word("when"),
        Rule::kw_where => Word("where"),
        Rule::kw_with => Word("with"),

        Rule::open_brace => Mark("{"),
        Rule::close_brace => Mark("}"),
        Rule::open_bracket => Mark("["),
        Rule::close_bracket => Mark("]"),
        Rule::open_paren => Mark("("),
        Rule::close_paren => Mark(")"),
        Rule::colon => Mark(":"),
        Rule::comma => Mark(","),
        Rule::dot => Mark("."),
        Rule::equals => Mark("="),
        Rule::arrow => Mark("->"),
    }
}

//! What of each message and entry must be decoded: an abstract run of all expressions over positions instead of values.

mod positions;
mod shapes;

use std::collections::{BTreeSet, HashMap, HashSet};

use self::positions::{Position, Positions, Texts, Way, roots};
use super::foreseen::{is_hole, only_scalars, texts};
use super::walk::{Active, rule_expressions};
use crate::input::event::Wanted;
use crate::json::Demand;
use crate::lang::ast::BinaryOp;
use crate::lang::builtins::Reads;
use crate::lang::program::{AttributeId, Clause, Collection, Expr, ExprKind, Program, Rule, Slot};
use crate::model::protocol;
use crate::model::shape::ShapeId;
use crate::model::subject::{Attribute, Subject};
use crate::model::types::Type;

/// How far a way is followed; longer ones are taken whole. Real rules stay far below.
const DEPTH: usize = 24;

struct Survey<'p> {
    program: &'p Program,
    texts: Texts,
    headers: Option<BTreeSet<String>>,
    frames: bool,
    attributes: HashMap<AttributeId, Positions>,
    /// Which shapes were demanded where, with which parts of them whole.
    shaped: HashSet<(Position, ShapeId, Vec<ShapeId>)>,
    /// How many more calls are followed.
    calls: usize,
}

/// How many calls of functions are followed: functions may call each other many times over. Behind that everything is
/// wanted.
const CALLS: usize = 20_000;

/// What the active rules want.
pub(super) fn wanted(program: &Program, active: &Active) -> Wanted {
    let mut survey = Survey {
        program,
        texts: Texts {
            message: protocol::demand(),
            entry: Demand::shallow(),
        },
        headers: Some(protocol::HEADERS.iter().map(|name| (*name).to_owned()).collect()),
        frames: false,
        attributes: HashMap::new(),
        shaped: HashSet::new(),
        calls: CALLS,
    };
    survey.texts.entry.member("name");
    for id in &active.rules {
        survey.rule(&program.rules[*id]);
    }
    if let Some(by) = &program.session_by {
        let mut env = HashMap::from([(0, roots(&Type::Subject(Subject::Message)))]);
        survey.read_whole(&by.expr, &mut env);
    }
    let Survey {
        texts: Texts { mut message, entry },
        headers,
        frames,
        ..
    } = survey;
    for (_, _, member) in protocol::CATALOGUES {
        message.member("result").member(member).element().merge(&entry);
    }
    Wanted {
        redactions: vec![],
        message: message.frozen().batched(),
        entry: entry.frozen(),
        headers,
        frames,
        text_limit: 1 << 16,
    }
}

impl Survey<'_> {
    fn rule(&mut self, rule: &Rule) {
        self.frames |= rule.subject == Subject::Frame;
        let mut env = HashMap::new();
        env.insert(0, roots(&Type::Subject(rule.subject)));
        if let Some(guard) = &rule.guard {
            self.read(guard, &mut env);
        }
        for clause in &rule.clauses {
            match clause {
                Clause::For { slot, list, guard } => {
                    let of = self.visit(list, &mut env);
                    env.insert(*slot, self.elements(&of, list));
                    if let Some(guard) = guard {
                        self.read(guard, &mut env);
                    }
                }
                Clause::Let { slot, value } => {
                    let positions = self.visit(value, &mut env);
                    self.demand(&positions, false);
                    env.insert(*slot, positions);
                }
                Clause::When(value) => self.read(value, &mut env),
                Clause::Undecided { condition, .. } => self.read(condition, &mut env),
            }
        }
        if let Some(once) = &rule.once {
            self.read_whole(once, &mut env);
        }
        let conditions: Vec<&Expr> = rule
            .verdicts
            .iter()
            .filter_map(|v| v.condition.as_ref().map(|(_, c)| c))
            .collect();
        for condition in conditions {
            self.read(condition, &mut env);
        }
        let places: Vec<&Expr> = rule
            .verdicts
            .iter()
            .flat_map(|v| v.labels.iter().map(|(place, _)| place))
            .collect();
        for place in &places {
            self.read(place, &mut env);
        }
        // What is left are holes: values that are shown.
        for expr in rule_expressions(rule) {
            if !places.iter().any(|place| std::ptr::eq(*place, expr)) && is_hole(rule, expr) {
                self.read_whole(expr, &mut env);
            }
        }
    }

    /// Headers that are used otherwise than by a name.
    fn whole_headers(&mut self, expr: &Expr) {
        if expr.ty == Type::Headers {
            self.headers = None;
        }
    }

    fn read(&mut self, expr: &Expr, env: &mut HashMap<Slot, Positions>) {
        let positions = self.visit(expr, env);
        self.demand(&positions, false);
    }

    fn read_whole(&mut self, expr: &Expr, env: &mut HashMap<Slot, Positions>) {
        let positions = self.visit(expr, env);
        self.whole_headers(expr);
        self.demand(&positions, !expr.ty.is_scalar());
    }

    /// Visits an expression; gives where its value may come from. Everything that it looks at on the way is demanded;
    /// its value itself is left to whoever uses it.
    fn visit(&mut self, expr: &Expr, env: &mut HashMap<Slot, Positions>) -> Positions {
        use ExprKind as K;
        match &expr.kind {
            // The last two are made later.
            K::Constant(_) | K::Query(_) | K::Let { .. } => Positions::new(),
            K::Local(slot) => env.get(slot).cloned().unwrap_or_default(),
            K::Attribute(of, attribute) => {
                let of = self.visit(of, env);
                self.attribute(&of, *attribute, &expr.ty)
            }
            K::Derived(of, id) => {
                self.read(of, env);
                self.derived(*id)
            }
            // The data of events are texts that are kept with the frames.
            K::Member(of, name) if of.ty == Type::stream_event() && **name == *"data" => {
                self.frames = true;
                self.read(of, env);
                Positions::new()
            }
            // The members of an object that was made are whole already.
            K::Member(of, _) if matches!(of.ty, Type::Record(_)) => {
                self.read(of, env);
                Positions::new()
            }
            K::Member(of, name) => {
                let of = self.visit(of, env);
                self.step(&of, &Way::Member(name.to_string()))
            }
            K::Index(of, index) => {
                if of.ty == Type::Headers {
                    self.visit(of, env);
                    self.header(index);
                    self.read(index, env);
                    return Positions::new();
                }
                let positions = self.visit(of, env);
                self.read(index, env);
                match texts(index) {
                    Some(names) => names
                        .into_iter()
                        .flat_map(|name| self.step(&positions, &Way::Member(name)))
                        .collect(),
                    None => self.step(&positions, &Way::Element),
                }
            }
            K::HeaderList(of) => {
                self.visit(of, env);
                self.headers = None;
                Positions::new()
            }
            K::History {
                of,
                bounds,
                collection,
                ..
            } => {
                self.frames |= *collection == Collection::Of(Subject::Frame);
                self.read(of, env);
                for bound in bounds {
                    self.read(bound, env);
                }
                roots(&expr.ty)
            }
            K::Call(builtin, arguments) => {
                let mut out = Positions::new();
                if builtin
                    .parameters
                    .first()
                    .is_some_and(|p| p.reads == Reads::Shaped)
                {
                    self.shaped(arguments, env);
                    return out;
                }
                for (at, argument) in arguments.iter().enumerate() {
                    let positions = self.visit(argument, env);
                    self.whole_headers(argument);
                    let reads = builtin.parameters.get(at).map_or(Reads::Whole, |p| p.reads);
                    match reads {
                        Reads::Shallow => self.demand(&positions, false),
                        Reads::Whole | Reads::Shaped => self.demand(&positions, true),
                        Reads::Passes => {
                            self.demand(&positions, false);
                            out.extend(positions);
                        }
                        Reads::Elements => {
                            let below = self.step(&positions, &Way::Element);
                            self.demand(&below, false);
                            out.extend(positions);
                        }
                    }
                }
                out
            }
            K::Apply(..) if self.calls == 0 => {
                self.texts.message.demand_whole();
                self.texts.entry.demand_whole();
                self.headers = None;
                self.frames = true;
                Positions::new()
            }
            K::Apply(id, arguments) => {
                self.calls -= 1;
                let program = self.program;
                let function = &program.functions[*id];
                let mut inner = HashMap::new();
                for (slot, argument) in arguments.iter().enumerate() {
                    let positions = self.visit(argument, env);
                    self.demand(&positions, false);
                    inner.insert(slot, positions);
                }
                self.body(&function.lets, &function.result, &mut inner)
            }
            K::List(all) => {
                for e in all {
                    self.read_whole(e, env);
                }
                Positions::new()
            }
            K::Object(members) => {
                for (_, e) in members {
                    self.read_whole(e, env);
                }
                Positions::new()
            }
            K::Not(a) | K::Negate(a) | K::Exists(a) | K::IsMissing(a) | K::Is(a, _) | K::Fails(a, _) => {
                self.read(a, env);
                Positions::new()
            }
            K::Binary(op, a, b) => {
                self.operator(*op, a, b, env);
                Positions::new()
            }
            K::If(condition, a, b) => {
                self.read(condition, env);
                let mut out = self.visit(a, env);
                out.extend(self.visit(b, env));
                out
            }
            K::Quantified {
                quantifier,
                bindings,
                body,
            } => {
                use crate::lang::ast::Quantifier as Q;
                let mut first = Positions::new();
                for (at, (slot, list)) in bindings.iter().enumerate() {
                    let of = self.visit(list, env);
                    let elements = self.elements(&of, list);
                    self.demand(&elements, false);
                    if at == 0 {
                        first.clone_from(&elements);
                    }
                    env.insert(*slot, elements);
                }
                match quantifier {
                    Q::Any | Q::All | Q::Count => {
                        self.read(body, env);
                        Positions::new()
                    }
                    Q::First | Q::Last => {
                        self.read(body, env);
                        first
                    }
                    // A list that is made anew: values in it are taken whole.
                    Q::Those => {
                        self.read(body, env);
                        self.demand_list(first)
                    }
                    Q::Each => {
                        self.read_whole(body, env);
                        Positions::new()
                    }
                    Q::Duplicates => {
                        self.read_whole(body, env);
                        self.demand(&first, true);
                        Positions::new()
                    }
                }
            }
        }
    }

    /// The elements of a new list keep their positions if they are records, else they are demanded whole.
    fn demand_list(&mut self, elements: Positions) -> Positions {
        let (records, values): (Positions, Positions) = elements.into_iter().partition(|p| p.way.is_empty());
        self.demand(&values, true);
        records
    }

    fn operator(&mut self, op: BinaryOp, a: &Expr, b: &Expr, env: &mut HashMap<Slot, Positions>) {
        let scalar = a.ty.is_scalar() || b.ty.is_scalar() || matches!(a.ty, Type::Subject(_));
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual if !scalar => {
                self.read_whole(a, env);
                self.read_whole(b, env);
            }
            BinaryOp::In | BinaryOp::NotIn | BinaryOp::Has if op != BinaryOp::Has => {
                let deep = !a.ty.is_scalar();
                if deep && !only_scalars(b) {
                    self.read_whole(a, env)
                } else {
                    self.read(a, env)
                }
                let list = self.visit(b, env);
                let elements = self.elements(&list, b);
                self.demand(&elements, deep);
            }
            BinaryOp::Has if a.ty == Type::Headers => {
                self.visit(a, env);
                self.header(b);
                self.read(b, env);
            }
            BinaryOp::Has => {
                let of = self.visit(a, env);
                self.read(b, env);
                let members = match texts(b) {
                    Some(names) => names
                        .into_iter()
                        .flat_map(|n| self.step(&of, &Way::Member(n)))
                        .collect(),
                    None => self.step(&of, &Way::Element),
                };
                self.demand(&of, false);
                self.demand(&members, false);
            }
            _ => {
                self.read(a, env);
                self.read(b, env);
            }
        }
    }

    fn body(
        &mut self,
        lets: &[(Slot, Expr)],
        result: &Expr,
        env: &mut HashMap<Slot, Positions>,
    ) -> Positions {
        for (slot, value) in lets {
            let positions = self.visit(value, env);
            self.demand(&positions, false);
            env.insert(*slot, positions);
        }
        self.visit(result, env)
    }

    fn derived(&mut self, id: AttributeId) -> Positions {
        if let Some(known) = self.attributes.get(&id) {
            return known.clone();
        }
        let program = self.program;
        let attribute = &program.attributes[id];
        let mut env = HashMap::from([(0, roots(&Type::Subject(attribute.subject)))]);
        let positions = self.body(&attribute.lets, &attribute.result, &mut env);
        self.demand(&positions, false);
        self.attributes.insert(id, positions.clone());
        positions
    }

    fn attribute(&mut self, of: &Positions, attribute: Attribute, ty: &Type) -> Positions {
        use Attribute as A;
        let member = |name: &str| Way::Member(name.to_owned());
        match attribute {
            A::Id => self.step(of, &member("id")),
            A::Method if *ty == Type::Json => self.step(of, &member("method")),
            A::Params => self.step(of, &member("params")),
            A::Result => self.step(of, &member("result")),
            A::Error => self.step(of, &member("error")),
            A::Jsonrpc => self.step(of, &member("jsonrpc")),
            A::Body | A::FrameJson => of.clone(),
            A::Text => {
                self.frames = true;
                Positions::new()
            }
            _ => roots(ty),
        }
    }

    fn step(&mut self, of: &Positions, way: &Way) -> Positions {
        let mut out = Positions::new();
        for position in of {
            if position.way.len() >= DEPTH {
                self.demand(&Positions::from([position.clone()]), true);
                continue;
            }
            let mut next = position.clone();
            next.way.push(way.clone());
            out.insert(next);
        }
        out
    }

    /// The elements of a list: of a list of records the records themselves.
    fn elements(&mut self, of: &Positions, list: &Expr) -> Positions {
        if let Type::List(element) = &list.ty
            && matches!(**element, Type::Subject(_))
        {
            return of.clone();
        }
        self.demand(of, false);
        self.step(of, &Way::Element)
    }

    fn header(&mut self, index: &Expr) {
        match (texts(index), &mut self.headers) {
            (Some(names), Some(headers)) => headers.extend(names.into_iter().map(|n| n.to_lowercase())),
            (None, headers) => *headers = None,
            (Some(_), None) => {}
        }
    }

    fn demand(&mut self, positions: &Positions, whole: bool) {
        for position in positions {
            let demand = self.texts.at(position);
            if whole {
                demand.demand_whole();
            }
        }
    }
}

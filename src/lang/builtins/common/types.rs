//! Types of results that depend on the arguments.

use crate::model::types::Type;

/// The type of the elements of the first argument, if it is a list.
pub fn element(arguments: &[Type]) -> Type {
    match arguments.first() {
        Some(Type::List(of)) => (**of).clone(),
        Some(Type::Json) => Type::Json,
        _ => Type::Any,
    }
}

/// A list of what the first argument is a list of.
pub fn same_list(arguments: &[Type]) -> Type {
    Type::list(element(arguments))
}

/// The type of the members of the first argument, if it is an object.
pub fn member(arguments: &[Type]) -> Type {
    match arguments.first() {
        Some(Type::Object(of)) => (**of).clone(),
        Some(Type::Record(members)) => match members.split_first() {
            Some(((_, first), rest)) if rest.iter().all(|(_, ty)| ty == first) => first.clone(),
            _ => Type::Any,
        },
        Some(Type::Any) | None => Type::Any,
        // Members of messages and entries too.
        Some(_) => Type::Json,
    }
}

/// The type of what is one of both arguments.
pub fn either(arguments: &[Type]) -> Type {
    match arguments {
        [a, b] if a == b => a.clone(),
        [a @ Type::List(_), Type::List(b)] if **b == Type::Any => a.clone(),
        [Type::Any, other] | [other, Type::Any] => other.clone(),
        [Type::Integer, Type::Number] | [Type::Number, Type::Integer] => Type::Number,
        [a, b] if a.stands_in_json() && b.stands_in_json() => Type::Json,
        _ => Type::Any,
    }
}

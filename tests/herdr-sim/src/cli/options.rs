//! Options of verbs: `--name value`, `--name=value`, `--switch`, and the words between them.

use serde_json::{Map, Value, json};

/// How the value of an option becomes a parameter.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Text,
    Number,
    /// `KEY=VALUE`, any number of times.
    Pairs,
    /// No value: the parameter becomes this.
    Set(&'static str),
    On,
    Off,
}

/// An option: its name, the parameter it sets, and how.
pub(super) type Spec = (&'static str, &'static str, Kind);

/// The parameters that options set, and the other words. The error is what to tell the user.
pub(super) fn parse<'a>(
    args: &[&'a str],
    specs: &[Spec],
) -> Result<(Map<String, Value>, Vec<&'a str>), String> {
    let mut params = Map::new();
    let mut words = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if *arg == "--" {
            words.extend(args.by_ref());
            break;
        }
        if !arg.starts_with("--") {
            words.push(*arg);
            continue;
        }
        let (name, inline) = match arg.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (*arg, None),
        };
        let spec = specs.iter().find(|(known, ..)| *known == name);
        let (_, param, kind) = spec.ok_or_else(|| format!("unknown option: {name}"))?;
        let mut value = || {
            let given = inline.or_else(|| args.next().copied());
            given.ok_or_else(|| format!("missing value for {name}"))
        };
        let value = match kind {
            Kind::Text => json!(value()?),
            Kind::Number => {
                let text = value()?;
                serde_json::from_str(text).map_err(|_| format!("invalid value for {name}: {text}"))?
            }
            Kind::Pairs => {
                let text = value()?;
                let (key, value) = text.split_once('=').ok_or_else(|| format!("{name} takes KEY=VALUE"))?;
                let pairs = params.entry(*param).or_insert_with(|| json!({}));
                if let Some(pairs) = pairs.as_object_mut() {
                    pairs.insert(key.to_owned(), json!(value));
                }
                continue;
            }
            Kind::Set(value) => json!(value),
            Kind::On => json!(true),
            Kind::Off => json!(false),
        };
        params.insert((*param).to_owned(), value);
    }
    Ok((params, words))
}

//! `mam profile`: the profiles there are.

use std::io::{self, IsTerminal as _};

use mam_share::exit::Exit;
use mam_share::files;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::agents::State;
use crate::arguments::Profile;
use crate::context::Context;
use crate::decision::{Owner, Served};
use crate::profile::ProfileName;
use crate::words::Trouble;

/// Runs the command.
///
/// # Errors
/// A profile that is there or not there, or is served.
pub fn run(context: &Context, command: &Profile, is_json: bool) -> Result<Exit, Trouble> {
    match command {
        Profile::List => list(context, is_json),
        Profile::Create { name } => create(context, name),
        Profile::Remove { name, yes } => remove(context, name, *yes),
    }
}

fn list(context: &Context, is_json: bool) -> Result<Exit, Trouble> {
    let root = &context.places.home;
    let profiles = ProfileName::all(root);
    if is_json {
        let rows = profiles.iter().map(|profile| {
            let membership = context.membership(profile);
            json!({
                "name": profile.as_str(),
                "home": profile.home(root),
                "parked": membership.is_parked,
                "excluded": membership.is_excluded,
                "standalone": membership.is_standalone,
            })
        });
        answer_json(&json!({"version": 1, "profiles": rows.collect::<Vec<Value>>()}))?;
        return Ok(Exit::Done);
    }
    let width = profiles.iter().map(|profile| profile.as_str().len()).max().unwrap_or_default();
    for profile in &profiles {
        let membership = context.membership(profile);
        let notes = [
            (membership.is_parked, "parked"),
            (membership.is_excluded, "excluded"),
            (membership.is_standalone, "standalone"),
            (membership.is_unclear, "config cannot be read"),
        ];
        let notes: Vec<&str> = notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect();
        let line =
            format!("{:width$}  {}  {}", profile.as_str(), profile.home(root).display(), notes.join(", "));
        answer(&format!("{}\n", line.trim_end()))?;
    }
    Ok(Exit::Done)
}

fn create(context: &Context, name: &ProfileName) -> Result<Exit, Trouble> {
    let home = name.home(&context.places.home);
    if fs_err::symlink_metadata(&home).is_ok() && (name.is_root() || home.is_dir()) {
        return Err(Trouble::new(
            "exists",
            Exit::No,
            format!("there is a profile `{name}` already: `{}`", home.display()),
        ));
    }
    files::private_dir(&home).map_err(|error| {
        Trouble::new(
            "cannot-write",
            Exit::CannotWrite,
            format!("`{}`: {}", home.display(), files::reason(&error)),
        )
    })?;
    answer(&format!("{}\n", home.display()))?;
    context.say(&format!(
        "its secrets go to `{}`, as KEY=value; then: mam -p {name} start",
        home.join(".env").display()
    ));
    Ok(Exit::Done)
}

fn remove(context: &Context, name: &ProfileName, yes: bool) -> Result<Exit, Trouble> {
    let home = name.home(&context.places.home);
    let refuse = |reason, text: String| Trouble::new(reason, Exit::NeedsChange, text);
    if name.is_root() {
        return Err(refuse("root", "the root home is not mam's to remove".to_owned()));
    }
    match fs_err::symlink_metadata(&home) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            return Err(refuse(
                "link",
                format!("`{}` is a link or a file: remove it yourself", home.display()),
            ));
        }
        Err(_) => return Err(Trouble::new("missing", Exit::No, format!("there is no profile `{name}`"))),
    }
    let stop = format!("mam -p {name} stop");
    match context.look().owner {
        Owner::Process { served: Served::Known(served), .. } if !served.contains(name) => {}
        Owner::Nobody => {}
        Owner::Process { .. } | Owner::Stranger { .. } | Owner::Unknowable { .. } => {
            return Err(
                refuse("served", format!("the host serves profile `{name}`, or may do so")).hint(stop)
            );
        }
    }
    if context.has_own_seat(name) && context.look_at(&context.seat_of(name)?).owner != Owner::Nobody {
        return Err(refuse("served", format!("profile `{name}` has a server of its own")).hint(stop));
    }
    if context.agents.sessions(name).iter().any(|session| session.state == State::Running) {
        return Err(refuse("running", format!("agents of profile `{name}` run")).hint(stop));
    }
    if !yes && !agreed(&home)? {
        context.say("nothing was removed");
        return Ok(Exit::No);
    }
    fs_err::remove_dir_all(&home)
        .map_err(|error| Trouble::new("cannot-write", Exit::CannotWrite, error.to_string()))?;
    context.say(&format!("profile `{name}` is gone"));
    Ok(Exit::Done)
}

fn agreed(home: &std::path::Path) -> Result<bool, Trouble> {
    if !io::stdin().is_terminal() {
        let text = "nobody can be asked: stdin is not a terminal; nothing was removed";
        return Err(Trouble::new("usage", Exit::Usage, text).hint("mam profile remove NAME --yes"));
    }
    answer(&format!("Remove `{}` with all that is in it? [y/N] ", home.display()))?;
    let mut line = String::new();
    // No answer at all (end of input, an error) is no.
    drop(io::stdin().read_line(&mut line));
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

//! Settings that herdr itself wrote into the overlay, and how long they stay.
//!
//! herdr writes what a user picks in its settings screen into the file it was started with: the
//! overlay. Comparing the overlay on disk with the one that was rendered last shows what herdr
//! changed. That is kept, as a layer over the user config, until the user sets the same key there.

use serde::{Deserialize, Serialize};

use crate::key_path::KeyPath;
use crate::setting::Setting;
use crate::tree::Tree;

/// One setting that herdr wrote or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its key.
    pub path: KeyPath,
    /// What herdr wrote, as TOML; `None` when herdr removed the setting.
    pub value: Option<String>,
    /// What the user config said when herdr wrote it, as TOML; `None` when nothing.
    pub base: Option<String>,
}

/// What became of the kept settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Those in force.
    pub kept: Vec<Kept>,
    /// Those that the user config has a newer value for.
    pub superseded: Vec<Kept>,
    /// Changes to settings that are not herdr's to change; the managed value stays.
    pub overruled: Vec<KeyPath>,
}

/// Adds what herdr changed between `rendered` and `present` to `kept`.
///
/// `user` is the user config that `rendered` was made from; `managed` are the settings that always
/// win.
pub fn collect(
    kept: &[Kept],
    rendered: &Tree,
    present: &Tree,
    user: &Tree,
    managed: &[Setting],
) -> Reconciled {
    let (before, after) = (rendered.leaves(), present.leaves());
    let changed = after.iter().filter(|(path, value)| before.get(*path) != Some(*value));
    let changed = changed.map(|(path, value)| (path, Some(*value)));
    // A key that became a table around other keys is replaced by them, not removed.
    let is_gone = |path: &&KeyPath| !after.keys().any(|other| other.overlaps(path));
    let removed = before.keys().filter(is_gone).map(|path| (path, None));

    let mut result = Reconciled { kept: kept.to_vec(), ..Reconciled::default() };
    for (path, value) in changed.chain(removed) {
        if managed.iter().any(|setting| setting.path.overlaps(path)) {
            result.overruled.push(path.clone());
            continue;
        }
        result.kept.retain(|kept| !kept.path.overlaps(path));
        let base = user.get(path);
        // herdr put back what the user config says anyway: nothing to keep.
        if base != value {
            let text = |tree: &Tree| tree.to_toml();
            result.kept.push(Kept { path: path.clone(), value: value.map(text), base: base.map(text) });
        }
    }
    result.kept.sort_by(|left, right| left.path.cmp(&right.path));
    result
}

/// Drops the kept settings that the user has set to something new since. A key that the user removed
/// is not set to something new: what herdr wrote stays.
pub fn reconcile(kept: Vec<Kept>, user: &Tree) -> (Vec<Kept>, Vec<Kept>) {
    let is_current = |kept: &Kept| {
        let now = user.get(&kept.path);
        let base = kept.base.as_deref().and_then(Tree::parse);
        now.is_none() || now == base.as_ref()
    };
    let (mut current, superseded): (Vec<Kept>, Vec<Kept>) = kept.into_iter().partition(is_current);
    for kept in &mut current {
        // Once removed, the old value coming back is news as well.
        kept.base = user.get(&kept.path).map(Tree::to_toml);
    }
    // A setting that herdr removed and the user removed as well is simply gone.
    current.retain(|kept| kept.value.is_some() || kept.base.is_some());
    (current, superseded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        let document = toml_edit::Document::parse(text).unwrap();
        Tree::of_table(document.as_table(), false)
    }

    fn shown(kept: &[Kept]) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        kept.iter().map(|kept| format!("{}={}<{}", kept.path, text(&kept.value), text(&kept.base))).collect()
    }

    #[test]
    fn what_herdr_wrote_changed_and_removed_is_kept() {
        let user = "theme.name = 'a'\n[ui]\nx = 1\n[[keys.command]]\nk = 1\n";
        let rows: &[(&str, &[&str])] = &[
            (user, &[]),
            (
                "onboarding = false\ntheme.name = 'a'\n[ui]\nx = 1\n[[keys.command]]\nk = 1\n",
                &["onboarding=false<-"],
            ),
            ("theme.name = 'b'\n[ui]\nx = 1\n[[keys.command]]\nk = 1\n", &["theme.name=\"b\"<\"a\""]),
            (
                "[theme]\nname = 'a'\nauto = true\n[ui]\nx = 0x1\n[[keys.command]]\nk = 1\n",
                &["theme.auto=true<-"],
            ),
            ("theme.name = 'a'\n[[keys.command]]\nk = 1\n", &["ui.x=-<1"]),
            ("theme.name = 'a'\n[ui]\nx = 1\n", &["keys.command=-<[{ k = 1 }]"]),
            ("theme.name = 'a'\n[ui]\nx = { y = 2 }\n[[keys.command]]\nk = 1\n", &["ui.x.y=2<-"]),
        ];
        for (present, expected) in rows {
            let result = collect(&[], &tree(user), &tree(present), &tree(user), &[]);
            assert_eq!(shown(&result.kept), *expected, "{present}");
        }
    }

    #[test]
    fn a_later_change_replaces_an_earlier_one_and_going_back_ends_it() {
        let user = tree("theme.name = 'a'");
        let first = collect(&[], &user, &tree("theme.name = 'b'"), &user, &[]).kept;
        let second = collect(&first, &tree("theme.name = 'b'"), &tree("theme.name = 'c'"), &user, &[]).kept;
        assert_eq!(shown(&second), ["theme.name=\"c\"<\"a\""]);
        let back = collect(&second, &tree("theme.name = 'c'"), &user, &user, &[]).kept;
        assert_eq!(shown(&back), [""; 0]);
    }

    #[test]
    fn managed_settings_are_not_herdrs_to_change() {
        let rendered = tree("session.resume_agents_on_restore = false");
        for present in ["session.resume_agents_on_restore = true", "", "session = 3"] {
            let result = collect(&[], &rendered, &tree(present), &tree(""), &[Setting::restore_off()]);
            assert_eq!((result.kept, result.overruled.len()), (Vec::new(), 1), "{present}");
        }
    }

    #[test]
    fn the_users_newer_value_wins_and_a_removed_one_does_not() {
        let kept =
            |base: &str| collect(&[], &tree(base), &tree("theme.name = 'herdr'"), &tree(base), &[]).kept;
        let rows = [
            ("", "", true),
            ("", "theme.name = 'new'", false),
            ("", "theme.name = 'herdr'", false),
            ("theme.name = 'a'", "theme.name = 'a'", true),
            ("theme.name = 'a'", "theme.name = \"a\" # same", true),
            ("theme.name = 'a'", "theme.name = 'new'", false),
            ("theme.name = 'a'", "", true),
        ];
        for (base, now, stays) in rows {
            let (current, superseded) = reconcile(kept(base), &tree(now));
            assert_eq!(
                (current.len(), superseded.len()),
                if stays { (1, 0) } else { (0, 1) },
                "{base:?} {now:?}"
            );
        }
        let removed = vec![Kept { path: "a".parse().unwrap(), value: None, base: Some("1".into()) }];
        assert_eq!(reconcile(removed.clone(), &tree("a = 1")).0.len(), 1);
        assert_eq!(reconcile(removed.clone(), &tree("")), (Vec::new(), Vec::new()));
        assert_eq!(reconcile(removed, &tree("a = 2")).1.len(), 1);
    }
}

//! Learning which conversation a record has, from what herdr says about its pane.

use mam_share::herdr::pane::{Conversation, Pane};

use super::argv;
use super::kinds::Kinds;
use super::record::{Earlier, MOST_EARLIER, Place, SessionRecord};

/// What was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// Nothing new.
    Nothing,
    /// The conversation of a record that had none.
    First,
    /// Another one than the record had: the user began a new one.
    Other,
}

/// The record's own pane. Pane ids are given again, and so nothing but the terminal says that it is the one.
pub fn own_pane<'a>(place: &Place, panes: &'a [Pane]) -> Option<&'a Pane> {
    let is_own = |pane: &&Pane| !place.terminal.is_empty() && pane.terminal_id == place.terminal;
    panes.iter().find(is_own)
}

/// Takes what herdr reports for the record's own pane, at `now` (UTC). Every other pane says nothing about
/// it, whatever its conversation.
pub fn learn(record: &mut SessionRecord, panes: &[Pane], kinds: &Kinds, now: &str) -> Learned {
    let pane = record.place.as_ref().and_then(|place| own_pane(place, panes));
    let Some(reported) = pane.and_then(|pane| pane.conversation.as_ref()) else { return Learned::Nothing };
    // A pane in which the user started another agent later is still the record's, the conversation is not.
    let is_usable = reported.agent == record.agent
        && kinds.get(&record.agent).is_none_or(|kind| argv::check(kind, reported).is_ok())
        && !reported.value.is_empty();
    if is_usable { note(record, reported, now) } else { Learned::Nothing }
}

/// Makes `conversation` the record's; the one it had becomes its history.
pub fn note(record: &mut SessionRecord, conversation: &Conversation, now: &str) -> Learned {
    if record.conversation.as_ref() == Some(conversation) {
        return Learned::Nothing;
    }
    let before = record.conversation.replace(conversation.clone());
    // One that is taken up again is no earlier one any more.
    record.earlier.retain(|earlier| earlier.conversation != *conversation);
    let Some(before) = before else { return Learned::First };
    record.earlier.insert(0, Earlier { conversation: before, until: now.to_owned() });
    record.earlier.truncate(MOST_EARLIER);
    Learned::Other
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use mam_share::herdr::form::Read as _;
    use serde_json::json;

    use super::*;

    fn record(conversation: Option<&str>) -> SessionRecord {
        let argv = vec!["claude".into()];
        let mut record = SessionRecord::new("a".parse().unwrap(), "claude", argv, "/src".into(), "mam", "t0");
        record.conversation = conversation.map(id);
        record.place = Some(Place { pane: "w1:p1".into(), terminal: "t1".into(), ..Place::default() });
        record
    }

    fn id(value: &str) -> Conversation {
        Conversation { agent: "claude".into(), kind: "id".into(), value: value.into() }
    }

    fn pane(pane: &str, terminal: &str, agent: &str, value: &str) -> Pane {
        Pane::read(&json!({
            "pane_id": pane, "terminal_id": terminal, "workspace_id": "w1",
            "agent_session": {"source": "s", "agent": agent, "kind": "id", "value": value},
        }))
        .unwrap()
    }

    #[test]
    fn the_latest_of_the_records_own_pane_wins_and_no_other_pane_counts() {
        let rows = [
            // What the record has, what panes say, what it has then.
            (None, vec![pane("w1:p1", "t1", "claude", "A")], Some("A"), Learned::First),
            (Some("A"), vec![pane("w1:p1", "t1", "claude", "A")], Some("A"), Learned::Nothing),
            (Some("A"), vec![pane("w1:p1", "t1", "claude", "B")], Some("B"), Learned::Other),
            // The pane was moved and has another id.
            (Some("A"), vec![pane("w2:p9", "t1", "claude", "B")], Some("B"), Learned::Other),
            // The pane id was given to another pane.
            (Some("A"), vec![pane("w1:p1", "t2", "claude", "B")], Some("A"), Learned::Nothing),
            (None, vec![pane("w1:p2", "t2", "claude", "B")], None, Learned::Nothing),
            // Another pane has the record's conversation as well.
            (
                Some("A"),
                vec![pane("w1:p2", "t2", "claude", "A"), pane("w1:p1", "t1", "claude", "B")],
                Some("B"),
                Learned::Other,
            ),
            (Some("A"), vec![pane("w1:p1", "t1", "codex", "B")], Some("A"), Learned::Nothing),
            (Some("A"), vec![pane("w1:p1", "t1", "claude", "")], Some("A"), Learned::Nothing),
            (Some("A"), vec![pane("w1:p1", "t1", "claude", "-x")], Some("A"), Learned::Nothing),
            (Some("A"), vec![], Some("A"), Learned::Nothing),
        ];
        let (kinds, _) = Kinds::load(&toml::Table::new(), Path::new("/m"));
        for (before, panes, after, learned) in rows {
            let mut record = record(before);
            assert_eq!(learn(&mut record, &panes, &kinds, "t"), learned, "{before:?} {panes:?}");
            assert_eq!(record.conversation, after.map(id), "{before:?} {panes:?}");
        }
        let mut nowhere = SessionRecord { place: None, ..record(None) };
        let panes = [pane("w1:p1", "t1", "claude", "A"), pane("", "", "claude", "B")];
        assert_eq!(learn(&mut nowhere, &panes, &kinds, "t"), Learned::Nothing);
        nowhere.place = Some(Place::default());
        assert_eq!(learn(&mut nowhere, &panes, &kinds, "t"), Learned::Nothing);
    }

    #[test]
    fn earlier_conversations_are_kept_the_latest_first_and_not_for_ever() {
        let mut record = record(None);
        for number in 0..=MOST_EARLIER + 1 {
            note(&mut record, &id(&number.to_string()), &format!("t{number}"));
        }
        assert_eq!(record.earlier.len(), MOST_EARLIER);
        assert_eq!(record.earlier[0].conversation, id(&MOST_EARLIER.to_string()));
        assert_eq!(record.earlier[0].until, format!("t{}", MOST_EARLIER + 1));
        // The user goes back to one of them.
        let back = record.earlier[3].conversation.clone();
        assert_eq!(note(&mut record, &back, "t"), Learned::Other);
        assert_eq!(record.conversation, Some(back.clone()));
        assert!(record.earlier.iter().all(|earlier| earlier.conversation != back));
        assert_eq!(record.earlier.len(), MOST_EARLIER);
    }
}

//! What a record survives: rewriting, other versions, broken files, many writers.

use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use mam_share::files;
use serde_json::{Value, json};

use crate::session::lease::Lease;
use crate::session::name::RecordName;
use crate::session::record::{
    Ended, Launch, LaunchedBy, MOST_LAUNCHES, ProcessId, SessionRecord, Source, Status, Unreadable, Variable,
};
use crate::session::store::SessionStore;
use crate::session::trouble::StoreError;

fn name(text: &str) -> RecordName {
    text.parse().unwrap()
}

fn record(text: &str) -> SessionRecord {
    let argv = vec!["claude".into(), "".into(), std::ffi::OsString::from_vec(vec![1, 255, 10])];
    SessionRecord::new(name(text), "claude", argv, "/src/a".into(), "mam", "2026-12-01T00:00:00Z")
}

fn files_of(directory: &Path) -> Vec<String> {
    let entries = fs_err::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_state_comes_back_from_json() {
    let process = ProcessId { pid: 7, start: Some(9), boot: Some("b".into()) };
    let states = [
        Status::Launching { at: "t".into() },
        Status::Running { process },
        Status::Ended { how: Ended::Code(3), at: "t".into() },
        Status::Ended { how: Ended::Signal(9), at: "t".into() },
        Status::Ended { how: Ended::Unseen(()), at: "t".into() },
        Status::Failed { reason: "no such file".into(), at: "t".into() },
    ];
    for status in states {
        let mut record = SessionRecord { status, ..record("a") };
        record.environment = vec![
            Variable { name: "A".into(), source: Source::Stored { value: "x y".into() } },
            Variable { name: "B".into(), source: Source::Reference { seen: None } },
            Variable { name: "C".into(), source: Source::Noted },
        ];
        record.note_launch(Launch::new(LaunchedBy::Create, "t"));
        let text = serde_json::to_vec(&record).unwrap();
        assert_eq!(SessionRecord::parse(&text), Ok(record), "{}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn a_record_remembers_so_many_launches_and_how_the_last_one_ended() {
    let mut record = record("a");
    for number in 0..=MOST_LAUNCHES {
        record.note_launch(Launch::new(LaunchedBy::Resume, &number.to_string()));
    }
    record.note_end(Ended::Signal(9), "later");
    assert_eq!(record.history.len(), MOST_LAUNCHES);
    assert_eq!((record.history[0].at.as_str(), record.history[0].ended), ("20", Some(Ended::Signal(9))));
    assert_eq!(record.history[1].ended, None);
}

#[test]
fn a_record_is_written_privately_changed_renamed_and_removed() {
    let home = tempfile::tempdir().unwrap();
    let store = SessionStore::new(home.path());
    assert_eq!(store.read(&name("a")), Ok(None));
    assert_eq!(store.update(&name("a"), |_| ()), Err(StoreError::Missing(name("a"))));
    let written = store.create(&record("a")).unwrap();
    assert_eq!(store.create(&record("a")), Err(StoreError::Exists(name("a"))));
    assert_eq!(store.read(&name("a")), Ok(Some(written.clone())));
    let mode = |path: &Path| fs_err::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&store.path(&name("a"))), 0o600);
    assert_eq!(mode(&home.path().join("sessions")), 0o700);

    let changed = store.update(&name("a"), |record| record.role = Some("fixes".into())).unwrap();
    assert_eq!(changed.role.as_deref(), Some("fixes"));
    store.create(&record("b")).unwrap();
    assert_eq!(store.rename(&name("a"), &name("b")), Err(StoreError::Exists(name("b"))));
    assert_eq!(store.rename(&name("x"), &name("y")), Err(StoreError::Missing(name("x"))));
    let renamed = store.rename(&name("a"), &name("c")).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.role.as_deref()), ("c", Some("fixes")));
    let names = |store: &SessionStore| -> Vec<String> {
        store.list().records.into_iter().map(|record| record.name.into()).collect()
    };
    assert_eq!(names(&store), ["b", "c"]);
    assert_eq!((store.remove(&name("b")), store.remove(&name("b"))), (Ok(true), Ok(false)));
    assert_eq!(names(&store), ["c"]);
}

#[test]
fn what_this_version_does_not_know_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let store = SessionStore::new(home.path());
    store.create(&record("a")).unwrap();
    let path = store.path(&name("a"));
    let mut text: Value = serde_json::from_slice(&fs_err::read(&path).unwrap()).unwrap();
    text["colour"] = json!({"of": ["the", 1]});
    text["place"] = json!({"pane": "w1:p1", "terminal": "t", "column": 4});
    files::write_atomic(&path, text.to_string().as_bytes(), 0o600).unwrap();
    store.update(&name("a"), |record| record.role = Some("r".into())).unwrap();
    let after: Value = serde_json::from_slice(&fs_err::read(&path).unwrap()).unwrap();
    assert_eq!((&after["colour"], &after["place"]), (&text["colour"], &text["place"]));
}

#[test]
fn a_newer_record_is_refused_and_not_touched_by_anything() {
    let home = tempfile::tempdir().unwrap();
    let store = SessionStore::new(home.path());
    store.create(&record("b")).unwrap();
    let path = store.path(&name("a"));
    let newer: &[u8] = b"{\"version\": 2, \"argv\": {\"other\": \"form\"}}";
    files::write_atomic(&path, newer, 0o600).unwrap();
    let refused = StoreError::Newer { path: path.clone(), version: 2, ours: 1 };
    assert_eq!(store.read(&name("a")), Err(refused.clone()));
    assert_eq!(store.create(&record("a")), Err(refused.clone()));
    assert_eq!(store.update(&name("a"), |record| record.role = None), Err(refused.clone()));
    assert_eq!(store.rename(&name("b"), &name("a")), Err(refused.clone()));
    assert_eq!(store.remove(&name("a")), Err(refused.clone()));
    assert_eq!(store.list().unusable, [(name("a"), refused)]);
    assert_eq!(fs_err::read(&path).unwrap(), newer);
}

#[test]
fn a_broken_record_is_moved_aside_and_each_one_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let store = SessionStore::new(home.path());
    let path = store.path(&name("a"));
    store.create(&record("b")).unwrap();
    let broken: [&[u8]; 6] =
        [b"", b"{", b"[]", b"{\"version\":0}", b"{\"version\":\"1\"}", b"{\"version\":1}"];
    for text in broken {
        assert!(matches!(SessionRecord::parse(text), Err(Unreadable::Broken(_))));
        files::write_atomic(&path, text, 0o600).unwrap();
        let Err(StoreError::Broken { moved: Some(moved), .. }) = store.read(&name("a")) else {
            panic!("not moved: {}", String::from_utf8_lossy(text));
        };
        assert_eq!(fs_err::read(moved).unwrap(), text);
        assert_eq!(store.read(&name("a")), Ok(None));
    }
    let aside = |store: &SessionStore| {
        let directory = store.path(&name("a")).parent().unwrap().to_owned();
        files_of(&directory).into_iter().filter(|name| name.starts_with("a.json.broken-")).count()
    };
    assert_eq!(aside(&store), broken.len());
    // The name is free, and what is listed is what can be used.
    files::write_atomic(&path, b"{", 0o600).unwrap();
    let listing = store.list();
    assert_eq!((listing.records.len(), listing.warnings.len()), (1, 1));
    assert!(listing.warnings[0].message.contains("is broken: EOF"), "{:?}", listing.warnings);
    store.create(&record("a")).unwrap();
    assert_eq!(aside(&store), broken.len() + 1);
}

#[test]
fn what_is_no_file_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let store = SessionStore::new(home.path());
    fs_err::create_dir_all(store.path(&name("a"))).unwrap();
    assert!(matches!(store.read(&name("a")), Err(StoreError::Unread { .. })));
    assert!(matches!(store.create(&record("a")), Err(StoreError::Unread { .. })));
    assert!(store.path(&name("a")).is_dir());
    // Neither are records: their names are none.
    files::write_atomic(&home.path().join("sessions/.hidden.json"), b"{", 0o600).unwrap();
    files::write_atomic(&home.path().join("sessions/a b.json"), b"{", 0o600).unwrap();
    assert_eq!(store.list().unusable.len(), 1);
}

#[test]
fn many_writers_lose_no_change() {
    let home = tempfile::tempdir().unwrap();
    let store = SessionStore::new(home.path());
    store.create(&record("a")).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for turn in 0..5 {
                    let mark = format!("{writer}-{turn}");
                    store.update(&name("a"), |record| drop(record.rest.insert(mark, json!(1)))).unwrap();
                }
            });
        }
    });
    assert_eq!(store.read(&name("a")).unwrap().unwrap().rest.len(), 20);
    assert_eq!(files_of(&home.path().join("sessions")), [".a.lock", "a.json"]);
}

#[test]
fn no_two_records_share_a_lease() {
    let state = tempfile::tempdir().unwrap();
    let open = |profile: &str, record: &str| {
        drop(Lease::open(state.path(), &profile.parse().unwrap(), &name(record)).unwrap());
    };
    for (profile, record) in [("a", "b-c"), ("a-b", "c"), ("a", "b.c"), ("default", "c")] {
        open(profile, record);
    }
    assert_eq!(files_of(&state.path().join("leases")).len(), 4);
}

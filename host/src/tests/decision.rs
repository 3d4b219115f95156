//! The decision table, row by row, and what no observation may lead to.

use crate::decision::{Decision, Observation, Owner, Patience, Refusal, Served, Waiting, decide, exit};
use crate::profile::ProfileName;

const PID: u32 = 50;

fn us() -> ProfileName {
    "us".parse().unwrap()
}

fn set(names: &[&str]) -> Served {
    Served::Known(names.iter().map(|name| name.parse().unwrap()).collect())
}

fn owner(is_proven: bool, served: Served) -> Owner {
    Owner::Process { pid: PID, is_proven, served }
}

fn seen(owner: Owner) -> Observation {
    Observation {
        profile: us(),
        force: false,
        replace: false,
        is_standalone: false,
        is_excluded: false,
        is_parked: false,
        owner,
        patience: Patience::Over,
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_row_decides_as_documented() {
    let served = || owner(true, set(&["default", "us"]));
    let others = || owner(true, set(&["default"]));
    let unknown = || owner(true, Served::Unknown);
    let set_unknown = || Decision::Wait(Waiting::SetUnknown { pid: PID });
    // By hand, and under a supervisor.
    let rows: Vec<(&str, Observation, Decision, Option<(u8, u8)>)> = vec![
        ("1 force", Observation { force: true, ..seen(served()) }, Decision::StartBeside, None),
        (
            "1 force beats a stranger",
            Observation { force: true, ..seen(Owner::Stranger { pid: None }) },
            Decision::StartBeside,
            None,
        ),
        ("2 nobody", seen(Owner::Nobody), Decision::Start, None),
        (
            "2 nobody, standalone",
            Observation { is_standalone: true, ..seen(Owner::Nobody) },
            Decision::Start,
            None,
        ),
        (
            "2 stranger",
            seen(Owner::Stranger { pid: Some(9) }),
            Decision::Refuse(Refusal::Stranger { pid: Some(9) }),
            Some((78, 78)),
        ),
        (
            "2 replace does not reach a stranger",
            Observation { replace: true, ..seen(Owner::Stranger { pid: Some(9) }) },
            Decision::Refuse(Refusal::Stranger { pid: Some(9) }),
            Some((78, 78)),
        ),
        (
            "lock cannot be opened",
            seen(Owner::Unknowable { reason: "x".into() }),
            Decision::Wait(Waiting::Unknowable { reason: "x".into() }),
            Some((75, 75)),
        ),
        (
            "3 standalone, unknown",
            Observation { is_standalone: true, ..seen(unknown()) },
            set_unknown(),
            Some((75, 75)),
        ),
        (
            "3 standalone, served",
            Observation { is_standalone: true, ..seen(served()) },
            Decision::Wait(Waiting::StillServed { pid: PID }),
            Some((75, 75)),
        ),
        (
            "3 standalone, not served",
            Observation { is_standalone: true, ..seen(others()) },
            Decision::StartBeside,
            None,
        ),
        (
            "4 replace, served",
            Observation { replace: true, ..seen(served()) },
            Decision::Replace { pid: PID },
            None,
        ),
        (
            "4 replace, unknown",
            Observation { replace: true, ..seen(unknown()) },
            Decision::Replace { pid: PID },
            None,
        ),
        (
            "4 replace, unproven",
            Observation { replace: true, ..seen(owner(false, set(&["us"]))) },
            Decision::Attach { pid: PID },
            Some((0, 75)),
        ),
        (
            "4 replace, unproven and unknown",
            Observation { replace: true, ..seen(owner(false, Served::Unknown)) },
            set_unknown(),
            Some((75, 75)),
        ),
        ("5 served", seen(served()), Decision::Attach { pid: PID }, Some((0, 75))),
        (
            "5 served although parked",
            Observation { is_parked: true, ..seen(served()) },
            Decision::Attach { pid: PID },
            Some((0, 75)),
        ),
        (
            "6 unknown, time left",
            Observation { patience: Patience::Left, ..seen(unknown()) },
            Decision::LookAgain,
            None,
        ),
        ("7 not served yet", seen(others()), Decision::Join { pid: PID }, Some((0, 75))),
        ("8 still unknown", seen(unknown()), set_unknown(), Some((75, 75))),
        (
            "9 excluded",
            Observation { is_excluded: true, ..seen(others()) },
            Decision::Refuse(Refusal::Excluded { pid: PID }),
            Some((78, 78)),
        ),
        (
            "9 parked",
            Observation { is_parked: true, ..seen(others()) },
            Decision::Refuse(Refusal::Parked { pid: PID }),
            Some((78, 78)),
        ),
        (
            "9 replace of one that does not serve us",
            Observation { replace: true, ..seen(others()) },
            Decision::Refuse(Refusal::NotServed { pid: PID }),
            Some((78, 78)),
        ),
    ];
    for (row, observation, expected, exits) in rows {
        let decision = decide(&observation);
        assert_eq!(decision, expected, "{row}");
        let codes = exit(&decision, false).zip(exit(&decision, true));
        assert_eq!(codes.map(|(hand, unit)| (hand as u8, unit as u8)), exits, "{row}");
    }
}

/// Over all observations: nobody is ever replaced who is not proven, and nothing starts beside an
/// owner but by `--force` or for a standalone profile that is known not to be served.
#[test]
fn no_observation_leads_to_a_wrong_kill_or_a_second_host() {
    let owners = || {
        let sets = || [set(&["us"]), set(&["default"]), set(&[]), Served::Unknown];
        let processes =
            [true, false].into_iter().flat_map(move |proven| sets().map(|served| owner(proven, served)));
        processes.chain([
            Owner::Nobody,
            Owner::Stranger { pid: None },
            Owner::Unknowable { reason: String::new() },
        ])
    };
    let mut count = 0;
    for bits in 0..64_u8 {
        let bit = |index: u8| bits & (1 << index) != 0;
        for owner in owners() {
            let observation = Observation {
                profile: us(),
                force: bit(0),
                replace: bit(1),
                is_standalone: bit(2),
                is_excluded: bit(3),
                is_parked: bit(4),
                owner: owner.clone(),
                patience: if bit(5) { Patience::Left } else { Patience::Over },
            };
            count += 1;
            match decide(&observation) {
                Decision::Replace { .. } => {
                    let Owner::Process { is_proven: true, served, .. } = &owner else {
                        panic!("{observation:?}")
                    };
                    assert!(observation.replace && *served != set(&["default"]) && *served != set(&[]));
                }
                Decision::Start => assert_eq!(owner, Owner::Nobody, "{observation:?}"),
                Decision::StartBeside => assert!(
                    observation.force
                        || (observation.is_standalone && matches!(owner, Owner::Process { .. })),
                    "{observation:?}"
                ),
                Decision::LookAgain => assert_eq!(observation.patience, Patience::Left),
                Decision::Attach { .. } | Decision::Join { .. } | Decision::Wait(_) | Decision::Refuse(_) => {
                }
            }
        }
    }
    assert_eq!(count, 64 * 11);
}

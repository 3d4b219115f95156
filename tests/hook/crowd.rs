//! Many panes at once.

use super::rig::Rig;

on_each_herdr!(fifty_resumed_at_once_leave_nothing_behind, a_hundred_of_two_hundred_are_closed);

/// H18.
fn fifty_resumed_at_once_leave_nothing_behind(rig: &mut Rig) {
    rig.install();
    let names: Vec<String> = (0..50).map(|number| format!("c{number}")).collect();
    rig.restore(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let panes: Vec<String> = names.iter().map(|_| rig.new_pane(&rig.dir("src"))).collect();
    for (pane, name) in panes.iter().zip(&names) {
        rig.type_line(pane, &format!("claude --session-id {name}"));
    }
    rig.until("all run", || rig.read("argv.log").lines().count() == 50);
    std::thread::sleep(std::time::Duration::from_secs(3));
    for (pane, name) in panes.iter().zip(&names) {
        rig.report(pane, name);
    }
    rig.until("no leftover is left", || rig.panes().len() == 51);
    let idle = rig.panes().into_iter().filter(|pane| pane["agent"].is_null()).count();
    assert_eq!(idle, 1);
}

/// H19.
fn a_hundred_of_two_hundred_are_closed(rig: &mut Rig) {
    let names: Vec<String> = (0..200)
        .map(|number| if number % 2 == 0 { "same".to_owned() } else { format!("c{number}") })
        .collect();
    rig.restore(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let started = std::time::Instant::now();
    let said = rig.close("same");
    eprintln!("100 of 201 panes: {:?}", started.elapsed());
    assert_eq!(said.stderr.matches("closed restored pane").count(), 100, "{}", said.stderr);
    assert_eq!(rig.panes().len(), 101);
}

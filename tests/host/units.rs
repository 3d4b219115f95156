//! The units, read by the tools they are for.

use std::process::Command;

use super::rig::Rig;
use crate::support::home::{read, run};
use crate::support::tools::needs;

#[test]
fn systemd_takes_its_unit() {
    let Some(analyze) = needs("systemd-analyze") else { return };
    let rig = Rig::sim();
    let directory = rig.home.path("a unit");
    rig.ok(&["unit", "install", "systemd", "--directory", directory.to_str().unwrap()]);
    let file = directory.join("mam.service");
    let mut verify = rig.home.command(analyze);
    // It looks for the units that this one is wanted by.
    verify.args(["verify", "--user", "--man=no"]).arg(&file).env("XDG_RUNTIME_DIR", rig.home.path(""));
    let ran = run(&mut verify);
    assert_eq!((ran.code, ran.stderr.contains("mam.service")), (Some(0), false), "{ran}");
    let text = read(&file);
    assert!(text.contains(&format!("Environment=\"PATH={}\"", rig.home.search_path())), "{text}");
    assert_eq!(rig.ok(&["unit", "print", "systemd"]).stdout, text);
    assert_eq!(rig.status()["unit"], "systemd");
    rig.ok(&["unit", "uninstall", "systemd"]);
    assert!(!file.exists());
    rig.mam(&["unit", "uninstall", "systemd"]).expect(1);
}

#[test]
fn launchd_takes_its_plist() {
    let Some(python) = needs("python3") else { return };
    let rig = Rig::sim();
    let text = rig.ok(&["unit", "print", "launchd"]).stdout;
    let file = rig.home.write("mam.plist", &text);
    let script = "import plistlib, sys\n\
        p = plistlib.load(open(sys.argv[1], 'rb'))\n\
        assert p['KeepAlive'] == {'SuccessfulExit': False}, p\n\
        assert p['ThrottleInterval'] == 10 and p['AbandonProcessGroup'] is True\n\
        assert p['ProgramArguments'][:2] == ['/bin/sh', '-c'], p\n\
        print(p['ProgramArguments'][2], end='')\n";
    let mut load = rig.home.command(python);
    load.arg("-c").arg(script).arg(&file);
    let ran = run(&mut load);
    ran.expect(0);
    // What it makes of each exit code, with a program that ends so.
    let mam = env!("CARGO_BIN_EXE_mam");
    for (code, expected) in [(0, 0), (1, 1), (75, 75), (78, 0)] {
        let program = rig.home.program("ends", &format!("#!/bin/sh\nexit {code}\n"));
        rig.home.program("sleep", "#!/bin/sh\necho \"slept $1\"\n");
        let script = ran.stdout.replace(mam, &program.display().to_string());
        assert_ne!(script, ran.stdout);
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &script]);
        let ran = run(&mut shell);
        ran.expect(expected);
        assert_eq!(ran.stdout.contains("slept 10"), code == 75, "{ran}");
    }
}

#[test]
fn a_changed_unit_is_written_anew_and_no_host_is_restarted() {
    let rig = Rig::sim();
    rig.ok(&["start"]);
    let pid = rig.pid();
    let directory = rig.home.path("service");
    rig.mam(&["unit", "install", "s6"]).expect(2).says("--directory");
    rig.ok(&["unit", "install", "s6", "--directory", directory.to_str().unwrap()]);
    rig.mam(&["unit", "install", "runit", "--directory", directory.to_str().unwrap()]).expect(78);
    assert_eq!(rig.pid(), pid);
    crate::support::home::write(&directory.join("run"), "#!/bin/sh\nof an older version\n");
    rig.ok(&["stop"]);
    // No s6 supervises it: the host is started without.
    rig.ok(&["start"]).says("was written anew").says("started without it");
    assert!(read(&directory.join("run")).contains("mam' run"));
}

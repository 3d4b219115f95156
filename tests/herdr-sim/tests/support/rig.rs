//! A session of the simulator in a throw-away home, and ways to drive it.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Home, wait, wait_or_not};

/// A home with a session `s` that can be served.
pub(crate) struct Rig {
    // The server goes before the home it lives in.
    pub(crate) server: Option<Child>,
    pub(crate) home: Home,
    pub(crate) session: &'static str,
    env: Vec<(String, String)>,
}

impl Rig {
    /// A home whose shell is a quick bash with job control.
    pub(crate) fn new() -> Self {
        Self::of(super::SIM.into())
    }

    /// The same for another herdr.
    pub(crate) fn of(herdr: PathBuf) -> Self {
        let home = Home::of(herdr);
        home.dir("bin");
        let shell = home.script("shell.sh", "#!/bin/sh\nexec bash --norc -i\n");
        let config = format!("[terminal]\ndefault_shell = \"{shell}\"\n");
        home.write(".config/herdr/config.toml", config.as_bytes());
        let env = vec![("HERDR_SIM_SAVE_MS".to_owned(), "100".to_owned())];
        Self { server: None, home, session: "s", env }
    }

    pub(crate) fn started() -> Self {
        let mut rig = Self::new();
        rig.start();
        rig
    }

    pub(crate) fn env(&mut self, name: &str, value: &str) {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.to_owned(), value.to_owned()));
    }

    /// Adds to the config file.
    pub(crate) fn config(&self, more: &str) {
        let text = self.home.read(".config/herdr/config.toml") + more;
        self.home.write(".config/herdr/config.toml", text.as_bytes());
    }

    pub(crate) fn dir(&self) -> String {
        match self.session {
            "default" => self.home.text(".config/herdr"),
            name => self.home.text(&format!(".config/herdr/sessions/{name}")),
        }
    }

    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(Path::new(&self.dir()).join(name)).unwrap_or_default()
    }

    pub(crate) fn socket(&self) -> PathBuf {
        Path::new(&self.dir()).join("herdr.sock")
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.home.command(&["--session", self.session]);
        command.args(args).envs(self.env.iter().cloned());
        command
    }

    pub(crate) fn server_command(&self) -> Command {
        let mut command = self.command(&["server"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub(crate) fn start(&mut self) {
        let command = self.server_command();
        self.start_with(command);
    }

    pub(crate) fn start_with(&mut self, mut command: Command) {
        self.server = Some(command.spawn().unwrap());
        wait("the server answers", || self.try_call("ping", json!({})));
    }

    pub(crate) fn pid(&self) -> i32 {
        self.server.as_ref().unwrap().id().cast_signed()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.pid().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// SIGKILL, as a crash.
    pub(crate) fn crash(&mut self) {
        let mut server = self.server.take().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
    }

    /// SIGTERM, and the end of the server.
    pub(crate) fn stop(&mut self) {
        self.signal("-TERM");
        assert!(self.server.take().unwrap().wait().unwrap().success());
    }

    /// One line to the API socket, and everything that comes back.
    pub(crate) fn raw(&self, line: &str) -> std::io::Result<String> {
        let mut stream = UnixStream::connect(self.socket())?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.write_all(line.as_bytes())?;
        stream.write_all(b"\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    pub(crate) fn answer(&self, method: &str, params: Value) -> Value {
        let line = json!({"id": "t", "method": method, "params": params}).to_string();
        serde_json::from_str(&self.raw(&line).unwrap()).unwrap()
    }

    pub(crate) fn try_call(&self, method: &str, params: Value) -> Option<Value> {
        let line = json!({"id": "t", "method": method, "params": params}).to_string();
        let answer: Value = serde_json::from_str(&self.raw(&line).ok()?).ok()?;
        answer.get("result").cloned()
    }

    pub(crate) fn call(&self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("result").is_some(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub(crate) fn error(&self, method: &str, params: Value) -> String {
        self.answer(method, params)["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// A workspace in a directory of the home; its pane.
    pub(crate) fn workspace(&self, name: &str) -> String {
        let cwd = self.home.dir(name);
        let made = self.call("workspace.create", json!({"cwd": cwd, "label": name}));
        let pane = made["root_pane"]["pane_id"].as_str().unwrap().to_owned();
        self.wait_idle(&pane);
        pane
    }

    pub(crate) fn split(&self, pane: &str) -> String {
        let params = json!({"target_pane_id": pane, "direction": "right"});
        let new = self.call("pane.split", params)["pane"]["pane_id"].as_str().unwrap().to_owned();
        self.wait_idle(&new);
        new
    }

    pub(crate) fn pane(&self, pane: &str) -> Value {
        self.call("pane.get", json!({"pane_id": pane}))["pane"].clone()
    }

    pub(crate) fn panes(&self) -> Vec<Value> {
        self.call("pane.list", json!({}))["panes"].as_array().unwrap().clone()
    }

    pub(crate) fn info(&self, pane: &str) -> Value {
        self.call("pane.process_info", json!({"pane_id": pane}))["process_info"].clone()
    }

    pub(crate) fn shell_pid(&self, pane: &str) -> i64 {
        self.info(pane)["shell_pid"].as_i64().unwrap()
    }

    /// Waits until the interactive shell reads its line.
    pub(crate) fn wait_idle(&self, pane: &str) {
        wait("the shell is idle", || {
            let read = self.call("pane.read", json!({"pane_id": pane, "source": "recent"}));
            let text = read["read"]["text"].as_str()?.trim_end().to_owned();
            let prompt = text.ends_with('$') || text.ends_with('#');
            (prompt && self.foreground_is_shell(pane)).then_some(())
        });
    }

    pub(crate) fn foreground_is_shell(&self, pane: &str) -> bool {
        let info = self.info(pane);
        info["shell_pid"] == info["foreground_process_group_id"]
    }

    pub(crate) fn type_line(&self, pane: &str, line: &str) {
        self.call("pane.send_input", json!({"pane_id": pane, "text": line, "keys": ["enter"]}));
    }

    pub(crate) fn wait_agent(&self, pane: &str, agent: Option<&str>) {
        let what = format!("the agent of {pane} is {agent:?}");
        wait(&what, || (self.pane(pane)["agent"].as_str() == agent).then_some(()));
    }

    pub(crate) fn report(&self, pane: &str, agent: &str, id: &str) {
        let params = json!({
            "pane_id": pane, "source": format!("herdr:{agent}"), "agent": agent,
            "state": "idle", "agent_session_id": id,
        });
        self.call("pane.report_agent", params);
    }

    pub(crate) fn wait_saved(&self, text: &str) {
        wait("session.json holds it", || self.file("session.json").contains(text).then_some(()));
    }

    /// Links a plugin whose hook appends one line per call to `hook.log`.
    pub(crate) fn probe(&self, entries: &str) {
        let log = self.home.text("hook.log");
        let text = format!(
            "#!/bin/sh\necho \"$HERDR_PLUGIN_EVENT|$HERDR_PANE_ID|$HERDR_PLUGIN_EVENT_JSON\" >> {log}\n"
        );
        self.home.script("plug/hook", &text);
        let manifest = format!(
            "id = \"mam.probe\"\nname = \"probe\"\nversion = \"1.0.0\"\n\
             min_herdr_version = \"0.7.5\"\nplatforms = [\"linux\", \"macos\"]\n{entries}"
        );
        self.home.write("plug/herdr-plugin.toml", manifest.as_bytes());
        let out = self.home.run(&["plugin", "link", &self.home.text("plug")]);
        assert!(out.status.success(), "{out:?}");
    }

    pub(crate) fn hooks(&self) -> Vec<String> {
        self.home.read("hook.log").lines().map(str::to_owned).collect()
    }

    /// The names of the events that the probe saw.
    pub(crate) fn events(&self) -> Vec<String> {
        let hooks = self.hooks();
        hooks.iter().map(|line| line.split('|').next().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        // A server that was handed over is no child, so the socket comes first.
        drop(self.try_call("server.stop", json!({})));
        if let Some(server) = self.server.as_mut() {
            let ended = wait_or_not(Duration::from_secs(3), || server.try_wait().ok().flatten());
            if ended.is_none() {
                drop(server.kill());
            }
            drop(server.wait());
        }
    }
}

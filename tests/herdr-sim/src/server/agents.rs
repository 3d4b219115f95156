//! Agents: found by their processes, reported by their integrations.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Server;
use super::requests::{Answer, done, refuse};
use crate::model::{Agent, AgentSession};
use crate::{agents, procs};

/// How long a new agent's status stays unknown: the screen tells it a little later.
const FIRST_STATUS: Duration = Duration::from_millis(400);

#[derive(Deserialize)]
pub(super) struct ReportParams {
    pane_id: String,
    source: String,
    agent: String,
    state: Option<State>,
    agent_session_id: Option<String>,
    session_start_source: Option<String>,
    agent_session_path: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum State {
    Idle,
    Working,
    Blocked,
    Unknown,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Working => "working",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Deserialize)]
pub(super) struct ReleaseParams {
    pane_id: String,
    source: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct GetParams {
    target: String,
}

impl Server {
    /// Looks at what runs in the foreground of each pane.
    pub(super) fn detect_agents(&mut self) {
        for key in self.pane_keys() {
            let Some(pane) = self.panes.get(&key) else {
                continue;
            };
            let shell = pane.terminal.pid();
            let running = self.table().foreground(shell).and_then(|(_, procs)| {
                procs.iter().find_map(|proc| agents::identify(&proc.comm, &procs::argv(proc.pid)))
            });
            self.note_agent(key, running);
        }
    }

    fn note_agent(&mut self, key: u32, running: Option<&'static str>) {
        let Some(pane) = self.panes.get_mut(&key) else {
            return;
        };
        pane.agent.take_if(|agent| agent.unproved);
        let known = pane.agent.clone();
        match (running, known) {
            (Some(name), Some(agent)) if agent.name == name => {
                if agent.reported_by.is_some() {
                    // The process is there now, so it is the witness from here on.
                    pane.agent.iter_mut().for_each(|agent| agent.reported_by = None);
                } else if agent.status == "unknown" && agent.since.elapsed() > FIRST_STATUS {
                    self.set_status(key, "idle");
                }
            }
            (Some(name), _) => {
                let before = pane.agent_before.take();
                let silent = before.is_some_and(|before| before == name);
                let status = if silent { "idle" } else { "unknown" };
                pane.agent = Some(Agent::new(name, status));
                if !silent {
                    let data = json!({"agent": name});
                    self.emit_for_pane("pane.agent_detected", key, data);
                }
            }
            (None, Some(agent)) if agent.reported_by.is_none() => {
                // An agent that leaves by itself takes its conversation along.
                pane.agent = None;
                pane.session = None;
                self.changed();
                let data = json!({
                    "agent": agent.name,
                    "released": true,
                    "final_status": agent.status,
                });
                self.emit_for_pane("pane.agent_detected", key, data);
                if agent.status != "unknown" {
                    let data = json!({"agent_status": "unknown"});
                    self.emit_for_pane("pane.agent_status_changed", key, data);
                }
            }
            (None, _) => {}
        }
    }

    fn set_status(&mut self, key: u32, status: &str) {
        let Some(agent) = self.panes.get_mut(&key).and_then(|pane| pane.agent.as_mut()) else {
            return;
        };
        if agent.status == status {
            return;
        }
        status.clone_into(&mut agent.status);
        agent.changes += 1;
        let data = json!({"agent_status": status, "agent": agent.name});
        self.emit_for_pane("pane.agent_status_changed", key, data);
    }

    /// A report of an integration. The official ones name the conversation, before the agent is
    /// detected too; others say that an agent is there.
    pub(super) fn pane_report(&mut self, method: &str, params: ReportParams) -> Answer {
        let key = self.pane_key(&params.pane_id)?;
        let reports_state = method == "pane.report_agent";
        if reports_state && params.state.is_none() {
            return refuse("invalid_request", "invalid request: missing field `state`");
        }
        if agents::official(&params.agent, &params.source).is_some() {
            self.note_session(key, &params);
            return done();
        }
        let status = params.state.map_or("unknown", State::word);
        let Some(pane) = self.panes.get_mut(&key).filter(|pane| pane.session.is_none()) else {
            return done();
        };
        if reports_state && pane.agent.is_none() {
            let mut agent = Agent::new(&params.agent, "unknown");
            agent.reported_by = Some(params.source);
            pane.agent = Some(agent);
            self.emit_for_pane("pane.agent_detected", key, json!({"agent": params.agent}));
        }
        if reports_state {
            self.set_status(key, status);
        }
        done()
    }

    fn note_session(&mut self, key: u32, params: &ReportParams) {
        let path = params.agent_session_path.as_deref().map(|path| ("path", path));
        let named = path.or(params.agent_session_id.as_deref().map(|id| ("id", id)));
        let Some((kind, value)) = named else {
            return;
        };
        let other = |name: Option<&String>| name.is_some_and(|name| *name != params.agent);
        let Some(pane) = self.panes.get_mut(&key) else {
            return;
        };
        let detected = pane.agent.as_ref().map(|agent| &agent.name);
        let before = pane.session.as_ref().map(|session| &session.agent);
        let foreign = other(detected) || (detected.is_none() && other(before));
        if foreign || !agents::acceptable(value, kind == "path") {
            return;
        }
        // An agent that runs names another conversation only when it says how that one began.
        let is_other = pane.agent.is_some()
            && pane.session.as_ref().is_some_and(|own| {
                own.source == params.source && own.kind == "id" && kind == "id" && own.value != value
            });
        if is_other && !agents::may_replace(&params.agent, params.session_start_source.as_deref()) {
            return;
        }
        let session = AgentSession {
            source: params.source.clone(),
            agent: params.agent.clone(),
            kind: kind.to_owned(),
            value: value.to_owned(),
        };
        if pane.session.as_ref() != Some(&session) {
            pane.session = Some(session);
            self.changed();
        }
    }

    /// Takes back what a report said about an agent that no process shows.
    pub(super) fn pane_release(&mut self, params: ReleaseParams) -> Answer {
        let key = self.pane_key(&params.pane_id)?;
        let reported = self.panes.get(&key).and_then(|pane| pane.agent.clone()).filter(|agent| {
            let by = agent.reported_by.as_ref();
            by.is_some() && (params.source.is_none() || by == params.source.as_ref())
        });
        if let Some(agent) = reported {
            self.panes.entry(key).and_modify(|pane| pane.agent = None);
            let data = json!({"agent": agent.name, "released": true, "final_status": "unknown"});
            self.emit_for_pane("pane.agent_detected", key, data);
        }
        done()
    }

    pub(super) fn agents(&self) -> Value {
        let has_agent = |key: &u32| self.panes.get(key).is_some_and(|pane| pane.agent.is_some());
        let keys = self.pane_keys().into_iter().filter(has_agent);
        keys.map(|key| self.agent_info(key)).collect()
    }

    pub(super) fn agent_list(&self) -> Value {
        json!({"type": "agent_list", "agents": self.agents()})
    }

    pub(super) fn agent_get(&self, params: GetParams) -> Answer {
        let key = self.pane_key(&params.target).ok();
        match key.filter(|key| self.panes.get(key).is_some_and(|pane| pane.agent.is_some())) {
            Some(key) => Ok(json!({"type": "agent_info", "agent": self.agent_info(key)})),
            None => refuse("agent_not_found", format!("agent target {} not found", params.target)),
        }
    }
}

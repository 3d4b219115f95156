//! Agent sessions: how an agent was launched, what became of it, and how it comes back.
//!
//! [`name`] and [`record`] are the words, [`store`] keeps the records, [`lease`] says which process runs
//! one. [`server`] is the herdr server that sessions live on, [`layout`] what it shows and how that is put
//! back, [`place`] opens panes on it, [`survey`] looks around and [`live`] says where a conversation runs.
//! [`adoption`] records the agents that were started by hand. The rest decides, from plain values.
//!
//! In a pane: [`handover`] is what it is told about the agent that it runs, [`agent_environment`] what the
//! agent gets, [`launching`] whether it may be started, [`foreground`] how it is run, [`user_shell`] what
//! follows it, [`liveness`] whether it still runs.

pub mod adopt;
pub mod adoption;
pub mod agent_environment;
pub mod arguments;
pub mod argv;
pub mod bytes;
pub mod conversation;
pub mod environment;
pub mod fingerprint;
pub mod foreground;
pub mod handover;
pub mod kind;
pub mod kinds;
pub mod launching;
pub mod layout;
pub mod lease;
pub mod live;
pub mod liveness;
pub mod name;
pub mod permissions;
pub mod place;
pub mod reading;
pub mod recognize;
pub mod record;
pub mod server;
pub mod state;
pub mod store;
pub mod survey;
pub mod trouble;
pub mod user_shell;

//! Agent sessions: how an agent was launched, what became of it, and how it comes back.
//!
//! [`name`] and [`record`] are the words, [`store`] keeps the records, [`lease`] says which process runs
//! one. Pure: [`kinds`] is the table of agents, [`argv`] a command line, [`permissions`] what it allows,
//! [`environment`] its variables, [`conversation`] what it works on, [`state`] what became of it, [`adopt`]
//! the record of one that was started by hand, which [`adoption`] looks for.
//!
//! The verbs: [`server`] is the herdr server that sessions live on, [`layout`] what it shows and how that is
//! put back, [`place`] opens panes on it, [`survey`] looks around, [`live`] says where a conversation runs,
//! [`batch`] launches, [`resume`] resumes.
//!
//! In a pane: [`handover`] is what it is told about the agent that it runs, [`agent_environment`] what the
//! agent gets, [`launching`] whether it may be started, [`foreground`] how it is run, [`user_shell`] what
//! follows it, [`liveness`] whether it still runs.

pub mod adopt;
pub mod adoption;
pub mod agent_environment;
pub mod arguments;
pub mod argv;
pub mod batch;
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
pub mod learn;
pub mod lease;
pub mod leftovers;
pub mod live;
pub mod liveness;
pub mod name;
pub mod permissions;
pub mod place;
pub mod prepare;
pub mod quote;
pub mod reading;
pub mod recognize;
pub mod record;
pub mod resume;
pub mod roster;
pub mod running;
pub mod server;
pub mod standing;
pub mod state;
pub mod stop;
pub mod store;
pub mod survey;
pub mod table;
pub mod trouble;
pub mod user_shell;
pub mod words;

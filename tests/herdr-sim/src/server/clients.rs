//! Attached clients: each says its size, and the panes follow the latest.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex, PoisonError};

use super::Server;
use crate::pty::Size;

/// The sizes of the clients that are attached, by their numbers.
#[derive(Debug, Default, Clone)]
pub(super) struct Clients(Arc<Mutex<BTreeMap<u64, Size>>>);

impl Clients {
    /// Accepts clients until the process ends.
    pub(super) fn serve(&self, listener: UnixListener) {
        let sizes = self.clone();
        std::thread::spawn(move || {
            for (number, stream) in (0..).zip(listener.incoming().flatten()) {
                let sizes = sizes.clone();
                std::thread::spawn(move || sizes.attend(number, &stream));
            }
        });
    }

    /// Listens to one client, which says `resize COLUMNS ROWS`, until it leaves.
    fn attend(&self, number: u64, stream: &UnixStream) {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let mut words = line.split(' ').skip(1).map(str::parse);
            if let (Some(Ok(columns)), Some(Ok(rows))) = (words.next(), words.next()) {
                self.sizes().insert(number, (columns, rows));
            }
        }
        self.sizes().remove(&number);
    }

    fn sizes(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Size>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    /// Takes the size of the client that attached last.
    pub(super) fn size_from_clients(&mut self) {
        let latest = self.clients.sizes().values().next_back().copied();
        self.size = latest.unwrap_or(self.headless);
    }
}

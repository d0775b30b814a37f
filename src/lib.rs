//! Fluglog: the flight log of hobby drone pilots, as one program.
//!
//! # The architecture on one page
//!
//! Each folder of `src/` with a `Cargo.toml` is a crate, which knows only crates above it in this list.
//!
//! | crate | what is in it |
//! |---|---|
//! | `base/` | ids, times, numbers, text, fields of forms, errors; `limits/`: what one client or pilot may use |
//! | `config/` | settings: names, files, variables, refusals |
//! | `process/` | log, metrics, systemd, the machine |
//! | `readers/` | flight logs of radios, drones and apps; `segmenter/` splits a log into flights |
//! | `redb_file/` | redb's file: pages verified at each read, rows of a damaged file, free space; knows no Fluglog |
//! | `store/` | database and blobs; `operations/`: requests that were carried out; `open_flight.rs` |
//! | `picture/` | images: check, removal of metadata, scaling; QR codes |
//! | `pdf/` | books of many pages as PDF, with their fonts; knows no topic |
//! | `mail/` | addresses, texts of mails, SMTP |
//! | `app/` | the state that requests share; `mail_queue/` |
//! | `web/` | HTTP: connections, forms, answers, certificates |
//! | `accounts/` | accounts, sessions, the guard that makes a `Viewer`; `call.rs`: what a call of the API is |
//! | `topics/` | what a pilot keeps, one folder for each topic; `registry.rs` lists them |
//! | this crate | what works on all topics |
//!
//! In this crate: `archive/` (backup, restore, check), `targets/` (where archives are sent to), `export/`, `demo/`,
//! `control/` (the admin's tasks, and the socket that carries them to a running server), `alarms/` (problems, told to
//! those who run the server), `admin/` (the admin's tasks in the browser), `calls.rs` (the calls of all topics),
//! `server.rs`, and `cli/` (the shell, with nearly all its German). Modules stand in reading order: a module uses only
//! modules above it, and no file uses a file that uses it. `tests/architecture.rs` checks that.
//!
//! In a topic: `model.rs` has types and rules and knows neither store nor web; `table.rs` has its records and indexes;
//! `mod.rs` is its narrow face of plain functions that take a [`fluglog_accounts::guard::Viewer`]; `api.rs` lists its
//! calls and turns HTTP into calls of that face and back. Another topic uses only `mod.rs` (and the types of `model.rs`
//! that it hands out).
//!
//! The topics, all in `topics/`: `equipment/` has what all kinds of items share, `packs/` what batteries have (state
//! and health; chargings, readings, sets and snoozes are in `packs/records/`) and the calls about items of every kind;
//! `maintenance/` has jobs, `logs/` entries about items and flights, `transfers/` the move of an item to another owner.
//! `flights/` has flights with images, tracks and sums, `statistics/` shows these sums, `logbook/` makes books as PDF.
//! `imports/` reads logs of radios and apps, lists, and the ZIP of another Fluglog's export (any other archive is a
//! backup). `documents/` has documents, their shares and proofs; `reminders/` what waits to be done, also by mail;
//! `quota/` the storage that owners use; `feedback/` what pilots say about the program.
//!
//! A request, in reading order: `web/accept.rs` (connection and its limits) → `server.rs` (which call) → `web/form.rs`
//! (fields) → `accounts/guard.rs` (cookie → `Viewer`) → `run_once` in `server.rs` (carried out before? Then the call's
//! `Now` shows its object again) → `topics/flights/api.rs` → `flights/model/entries.rs` (fields → checked values) →
//! `flights/mod.rs` (one transaction, by `accounts/operation.rs`) → `flights/table.rs` (record and its indexes) →
//! `store/` → back through `web/reply.rs` (JSON, or the error's sentence).
//!
//! A command of the shell: `cli/user.rs` → `control/socket.rs`, or the database itself when no server runs →
//! `control/users.rs` (a task and its typed outcome) → back to `cli/user.rs`, which prints it.
//!
//! In the user interface: `ui/src/api/perform.ts` describes the way of each write. Of `ui/src/offline/`, `queue.ts`
//! decides what is sent next and what a refusal means, `order.ts` which write waits for which; `sender.ts` sends.
//!
//! The files that a change touches (`CONTRIBUTING.md` lists all, with those of the user interface and the tests):
//!
//! - A field of a flight: `flights/model/entries.rs` (form and answer follow from it), `flights/table.rs` and its
//!   tests, `flights/columns.rs`, `export/tables.rs`, and once in a release a record of a new shape.
//! - A field of an item: `equipment/model.rs`, `equipment/table.rs` and its tests, `packs/wire.rs` (the answer),
//!   `export/tables.rs`, and once in a release a record of a new shape.
//! - A record of a new shape: the old struct goes to `earlier.rs` in the folder of its table, joined to the new one by
//!   `upgrade!`; once in a release also `store/migrations.rs`.
//! - A call: `api.rs` and `mod.rs` of its topic.
//! - A table: `store/schema.rs` (with its scope), its record and check in the topic, and the topic's entry in
//!   `topics/registry.rs`. One about items: the topic's functions that `topics/transfers/` calls, as its rows move with
//!   the item. An exported one: `everything.rs`, `objects.rs` and `tables.rs` in `export/`.
//! - The state of a pack: `packs/state.rs` (limits), `packs/voltages.rs` (which voltage counts), and
//!   `ui/src/offline/cells.ts`, which decides without the server.
//! - A topic: its folder, the lists in `topics/lib.rs`, `topics/registry.rs` and `calls.rs`, and `export/`.
//! - A format of flight logs: a module in `readers/formats/`, and its row in `readers/formats/mod.rs`.
//! - A command: its file in `cli/`; what it asks of a running server is a task in `control/`.
//! - A setting: `config/lib.rs`, `config/keys.rs`, `config/tests.rs`, and the place that uses it.
//!
//! Rules that hold everywhere:
//!
//! - A `Viewer` is proof of a login, only the guard makes one, and every function on a pilot's data takes it.
//! - An [`fluglog_accounts::guard::Access`] is proof of a right to the equipment of one owner, a pilot or a space. It
//!   follows from the membership, which is read in the transaction that does the work.
//! - To change that data takes an [`fluglog_accounts::operation::Operation`], which the server makes for one call and
//!   which writes once. It records the request in the same transaction ([`fluglog_store::operations`]): sent again, the
//!   request has no second effect, and [`server`] answers with the object as it is then.
//! - A form is read and checked before a transaction begins; a transaction takes values and gives values back.
//! - A field is a constant with its name, rule and limit ([`fluglog_base::field`]), which reads the value; a call reads
//!   no other field than those that its row declares. From the rows come the document for scripts
//!   (`embed/api/openapi.json`) and the types of the UI's calls.
//! - The owner comes first in every key: someone else's id is simply not found.
//! - A record and its indexes change in one function and one transaction.
//! - An answer is sent only after its commit is durable.
//! - A call that reads a few records answers on the thread that has the request. What may be long, and every write,
//!   goes to a thread that may wait.
//! - No mail delays an answer: what is to be written waits in `app/mail_queue/`, and a task of its own sends it.
//! - The database holds digests only: a token, link or code is made when it is handed out, and known again by its
//!   digest.
//! - Equipment doesn't know flights: a flight that is saved tells the equipment, in the same transaction, what it did
//!   to each item.
//! - Nothing of others is removed or read. What lies in a folder that others can write into is reached from the open
//!   folder ([`fluglog_base::dir`]), never through a link; each place that removes or renames says, in its `expect`,
//!   why that can't be somebody else's file.
//! - Everything has a limit, named at the top of the file that enforces it. What one request may take is the
//!   [`fluglog_accounts::call::Budget`] of its call: a thread waits for no permit that isn't in it, and for none while
//!   it holds a later one ([`fluglog_base::limits::permits::Kind`]). What a write derives from records of which many
//!   change at once is derived at its end ([`fluglog_store::Writer::derive_last`]).

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod archive;
pub mod targets;
pub mod export;
pub mod demo;
pub mod control;
pub mod alarms;
pub mod admin;
pub mod calls;
pub mod server;
pub mod cli;

//! Compares interest writes in group commits with one commit per write. `cargo bench --bench store`

#[path = "support/fill.rs"]
mod fill;
#[path = "support/sample.rs"]
mod sample;
mod support;

use std::time::{Duration, Instant};

use chrono::Utc;
use lectern::features::interest;
use lectern::platform::clock::timestamp;
use lectern::platform::db::{Db, DbOptions};

const TIME: Duration = Duration::from_secs(2);

fn main() {
    println!("{}\n", support::machine());
    println!("{:<10}{:>14}{:>14}{:>8}", "clients", "grouped/s", "single/s", "ratio");
    for clients in [1, 16, 64] {
        let rounds: Vec<(f64, f64)> = (0..3).map(|_| (writes(clients, 128), writes(clients, 1))).collect();
        let grouped = support::median(rounds.iter().map(|round| round.0).collect());
        let single = support::median(rounds.iter().map(|round| round.1).collect());
        println!("{clients:<10}{grouped:>14.0}{single:>14.0}{:>8.2}", grouped / single);
    }
}

/// Writes per second of concurrent clients, with at most `writes_per_commit` in one commit.
fn writes(clients: usize, writes_per_commit: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let database = folder.path().join("bench.db");
    fill::fill(&database, 6);
    let db = Db::serve(&database, DbOptions { writes_per_commit, ..DbOptions::default() }).expect("the database opens");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    let started = Instant::now();
    let count = runtime.block_on(async {
        let tasks: Vec<_> = (0..clients)
            .map(|client| {
                let db = db.clone();
                tokio::spawn(async move {
                    let mut count = 0_u32;
                    while started.elapsed() < TIME {
                        let visitor = format!("user_{client}_{count}");
                        db.write(move |transaction| interest::add(transaction, 1, &visitor, &timestamp(Utc::now())))
                            .await
                            .expect("a write");
                        count += 1;
                    }
                    count
                })
            })
            .collect();
        let mut all = 0;
        for task in tasks {
            all += task.await.expect("a client that does not panic");
        }
        all
    });
    let rate = f64::from(count) / started.elapsed().as_secs_f64();
    db.close();
    rate
}

//! A second machine on a restored backup (docs/scale.md): caches have pages of changes that were lost.

use std::fs;
use std::time::Duration;

use crate::tests::support::fake_cache::{FakeCache, FakeResponse};
use crate::tests::support::program::{EMAIL, PASSWORD, Server, create_admin, run, succeed};
use crate::tests::support::speaker;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_a_restored_database_purges_everything_and_then_what_changes() {
    let cache = FakeCache::start().await;
    let [lost, second] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for folder in [&lost, &second] {
        let settings = format!("[cache.purge.url]\nurl = \"{}\"\n", cache.url("/purge"));
        fs::write(folder.path().join("config.toml"), settings).unwrap();
    }
    create_admin(lost.path());
    let server = Server::start(lost.path(), &[]);
    cache.wait_for_key("all").await;
    // The backup contains a change that waits and a failure.
    cache.respond_with(FakeResponse::Status(503));
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    let id = admin.post("/api/speakers", &speaker("Grace Obi")).created_id();
    server.wait_for("the failure", || {
        let check = run(lost.path(), &["check"]).out;
        (check.contains("responds to the purge with the status 503") && check.contains("1 key of changed"))
            .then_some(())
    });
    let backup = second.path().join("copy.db");
    succeed(lost.path(), &["backup", backup.to_str().unwrap()]);
    cache.respond_with(FakeResponse::Status(200));
    // What is lost: its numbers are higher than those in the backup.
    for number in 0..5 {
        admin.put(&format!("/api/speakers/{id}"), &speaker(&format!("Grace {number}")));
    }
    cache.wait_for_key(&format!("speaker-{id}")).await;
    server.kill();

    succeed(second.path(), &["restore", "copy.db"]);
    cache.forget();
    let server = Server::start(second.path(), &[]);
    let purges = cache.wait_for_purges(1).await;
    assert_eq!(purges[0].json(), serde_json::json!({ "everything": true }));
    server.wait_for("the end of the failure", || {
        run(second.path(), &["check"]).out.contains("no change waits").then_some(())
    });
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    admin.put(&format!("/api/speakers/{id}"), &speaker("Grace Lee"));
    cache.wait_for_key(&format!("speaker-{id}")).await;
    // No more than these.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(cache.purges().len(), 2);
    server.stop();
}

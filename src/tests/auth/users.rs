//! Users: listing, reading, changing and deleting them.

use serde_json::{Value, json};

use crate::tests::support::{ADMIN_EMAIL, ADMIN_PASSWORD, TestApp};

#[tokio::test]
async fn a_user_is_returned_without_password() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let created = admin.post("/api/users", json!({ "email": " Bea@Example.com ", "password": "eight ch" })).await;
    let id = created.created_id();
    let user = created.json();
    let mut keys: Vec<&String> = user.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["createdAt", "email", "id", "revision", "role"]);
    assert_eq!((&user["email"], &user["role"]), (&json!("Bea@Example.com"), &json!("admin")));

    assert_eq!(admin.get(&format!("/api/users/{id}")).await.json(), user);
    let list = admin.get("/api/users").await;
    assert_eq!(list.json()[1], user);
    assert_eq!(list.json()[0]["email"], ADMIN_EMAIL);
    assert_eq!(list.header("cache-control"), "no-store");
    for response in [list, admin.get("/api/user").await, created] {
        assert!(!response.text().contains("argon2") && !response.text().contains("password"), "{}", response.text());
    }

    let stored: String =
        app.storage().query_row("SELECT password FROM users WHERE id = ?1", [id], |row| row.get(0)).unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
}

#[tokio::test]
async fn an_email_is_unique_regardless_of_case() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let bea = app.another_admin(&admin, "bea@example.com").await;
    let before = app.everything(&admin).await;

    let new = json!({ "email": "ADA@Example.COM", "password": "a fine password" });
    for response in [admin.post("/api/users", new.clone()).await, admin.put(&format!("/api/users/{bea}"), new).await] {
        assert_eq!(response.status, 409);
        assert_eq!(response.error(), "A user with this email already exists");
        assert_eq!(response.fields(), json!({ "email": "A user with this email already exists" }));
    }
    assert_eq!(app.everything(&admin).await, before);
    // The rejected change is not stored: the old password still works.
    app.sign_in("BEA@example.com", ADMIN_PASSWORD).await;

    // An admin may change the case of their own address.
    let own = admin.put(&format!("/api/users/{bea}"), json!({ "email": "Bea@Example.com" })).await;
    assert_eq!((own.status.as_u16(), &own.json()["email"]), (200, &json!("Bea@Example.com")));
}

#[tokio::test]
async fn a_blank_password_leaves_it_unchanged() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.another_admin(&admin, "bea@example.com").await;
    let path = format!("/api/users/{id}");
    for password in [Value::Null, json!("")] {
        let response = admin.put(&path, json!({ "email": "new@example.com", "password": password })).await;
        assert_eq!((response.status.as_u16(), &response.json()["email"]), (200, &json!("new@example.com")));
    }
    assert_eq!(admin.put(&path, json!({ "email": "x@example.com", "password": "short" })).await.status, 400);
    app.sign_in("new@example.com", ADMIN_PASSWORD).await;
}

#[tokio::test]
async fn an_admin_cannot_delete_their_own_account() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.another_admin(&admin, "bea@example.com").await;
    let own = admin.get("/api/user").await.json()["id"].clone();
    let response = admin.delete(&format!("/api/users/{own}")).await;
    assert_eq!((response.status.as_u16(), response.error()), (403, "You can't delete your own account".to_owned()));
    assert_eq!(app.rows("users"), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_admins_deleting_each_other_concurrently_leave_one() {
    let app = TestApp::start();
    let ada = app.sign_in_admin().await;
    let bea_id = app.another_admin(&ada, "bea@example.com").await;
    let bea = app.sign_in("bea@example.com", ADMIN_PASSWORD).await;
    let ada_id = ada.get("/api/user").await.json()["id"].clone();

    let (to_bea, to_ada) = (format!("/api/users/{bea_id}"), format!("/api/users/{ada_id}"));
    let (one, other) = tokio::join!(ada.delete(&to_bea), bea.delete(&to_ada));

    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    // The second request has no session any more, or would delete the last user.
    assert!(statuses == [204, 401] || statuses == [204, 409], "{statuses:?}");
    assert_eq!(app.rows("users"), 1);
    for response in [one, other] {
        if response.status == 409 {
            assert_eq!(response.error(), "The last user can't be deleted, because no account would be left");
        }
    }
}

#[tokio::test]
async fn an_unknown_user_is_404() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let change = json!({ "email": "nobody@example.com", "password": "a fine password" });
    for response in [
        admin.get("/api/users/999").await,
        admin.put("/api/users/999", change.clone()).await,
        admin.delete("/api/users/999").await,
    ] {
        assert_eq!((response.status.as_u16(), response.error()), (404, "User not found".to_owned()));
    }
    for response in [
        admin.get("/api/users/me").await,
        admin.put("/api/users/me", change).await,
        admin.delete("/api/users/me").await,
    ] {
        assert_eq!(response.status, 400);
    }
    assert_eq!(app.rows("users"), 1);
}

#[tokio::test]
async fn the_second_change_of_a_user_is_a_conflict() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.another_admin(&admin, "bea@example.com").await;
    let path = format!("/api/users/{id}");
    let save = |email: &str, revision: i64| json!({ "email": email, "revision": revision });
    let first = admin.put(&path, save("bea@one.example.com", 1)).await;
    let second = admin.put(&path, save("bea@two.example.com", 1)).await;
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 409));
    assert_eq!(second.error(), "This user was changed while you were editing it");
    assert_eq!(second.json()["current"], first.json());
    assert_eq!(admin.put(&path, save("bea@two.example.com", 2)).await.json()["revision"], 3);
    assert_eq!(admin.put(&path, json!({ "email": "bea@example.com" })).await.status, 200, "without a revision");
}

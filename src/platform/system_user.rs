//! The user under which the program runs. Started by root, it drops root privileges: it becomes the owner of the database
//! before it opens any file of it. Nothing runs with more rights than it needs, and no file appears that the server can't
//! open.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, set_capabilities, set_keep_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use super::db::folder_of;

/// The user that the packages create.
pub const NAME: &str = "lectern";

/// A user of the system other than root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemUser {
    name: String,
    uid: u32,
    gid: u32,
    /// The groups of which the user is a member, with the primary one.
    groups: Vec<u32>,
}

impl fmt::Display for SystemUser {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)
    }
}

/// Whether this process runs as root.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// The name of the user under which this process runs, or the number of one without a name.
pub fn current_name() -> String {
    let uid = geteuid().as_raw();
    SystemUser::from_id(uid, uid, &Accounts::read()).name
}

/// The owner of a database: of its file, or of its folder while there is no file. `None` if that is root.
pub fn owner_of(database: &Path) -> Option<SystemUser> {
    let meta = fs::metadata(database).or_else(|_| fs::metadata(folder_of(database))).ok()?;
    (meta.uid() != 0).then(|| SystemUser::from_id(meta.uid(), meta.gid(), &Accounts::read()))
}

/// The user that the packages create, if it exists.
pub fn packaged() -> Option<SystemUser> {
    SystemUser::from_name(NAME, &Accounts::read())
}

impl SystemUser {
    pub fn uid(&self) -> u32 {
        self.uid
    }

    /// The number of the user's primary group.
    pub fn gid(&self) -> u32 {
        self.gid
    }

    /// Makes this process run as the user for good. Called by root before there are other threads, because Linux keeps
    /// the user of each thread separately. `with_low_ports` keeps the permission to listen on ports below 1024.
    ///
    /// # Errors
    /// The system does not allow it, for example in a container without these capabilities.
    pub fn become_permanently(&self, with_low_ports: bool) -> io::Result<()> {
        set_keep_capabilities(with_low_ports)?;
        self.set_groups()?;
        let (uid, gid) = (Uid::from_raw(self.uid), Gid::from_raw(self.gid));
        set_thread_res_gid(gid, gid, gid)?;
        set_thread_res_uid(uid, uid, uid)?;
        if with_low_ports {
            let capabilities = CapabilitySet::NET_BIND_SERVICE;
            let sets = CapabilitySets {
                effective: capabilities,
                permitted: capabilities,
                inheritable: CapabilitySet::empty(),
            };
            set_capabilities(None, sets)?;
            set_keep_capabilities(false)?;
        }
        Ok(())
    }

    /// Runs a closure as the user on this thread, which is root's again afterwards.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> io::Result<T> {
        let _root = Impersonation::begin(self)?;
        Ok(work())
    }

    fn set_groups(&self) -> io::Result<()> {
        let groups: Vec<Gid> = self.groups.iter().copied().map(Gid::from_raw).collect();
        Ok(set_thread_groups(&groups)?)
    }

    fn from_name(name: &str, accounts: &Accounts) -> Option<Self> {
        let (uid, gid) = accounts.users().find_map(|(user, uid, gid)| (user == name).then_some((uid, gid)))?;
        Some(Self { name: name.to_owned(), uid, gid, groups: accounts.groups_of(name, gid) })
    }

    /// The user with a number; one without an entry has the number as its name, and `group`.
    fn from_id(uid: u32, group: u32, accounts: &Accounts) -> Self {
        let entry = accounts.users().find(|(_, id, _)| *id == uid);
        let (name, gid) = entry.map_or_else(|| (uid.to_string(), group), |(name, _, gid)| (name.to_owned(), gid));
        let groups = accounts.groups_of(&name, gid);
        Self { name, uid, gid, groups }
    }
}

/// This thread as another user until it is dropped.
struct Impersonation;

impl Impersonation {
    fn begin(user: &SystemUser) -> io::Result<Self> {
        user.set_groups()?;
        // Dropped, and so undone, if one of the next steps fails.
        let impersonation = Self;
        set_thread_res_gid(None, Gid::from_raw(user.gid), None)?;
        set_thread_res_uid(None, Uid::from_raw(user.uid), None)?;
        Ok(impersonation)
    }
}

impl Drop for Impersonation {
    fn drop(&mut self) {
        // Always allowed, because the real user is still root. The groups last: only root may set them.
        let _ = set_thread_res_uid(None, Uid::ROOT, None);
        let _ = set_thread_res_gid(None, Gid::ROOT, None);
        let _ = set_thread_groups(&[]);
    }
}

/// The accounts of the system, read from its files, because a statically linked or minimal system has no other source.
struct Accounts {
    passwd: String,
    group: String,
}

impl Accounts {
    fn read() -> Self {
        let read = |file| fs::read_to_string(file).unwrap_or_default();
        Self { passwd: read("/etc/passwd"), group: read("/etc/group") }
    }

    /// Name, number and primary group of each user (passwd(5)).
    fn users(&self) -> impl Iterator<Item = (&str, u32, u32)> {
        self.passwd.lines().filter_map(|line| {
            let mut parts = line.split(':');
            Some((parts.next()?, parts.nth(1)?.parse().ok()?, parts.next()?.parse().ok()?))
        })
    }

    /// The numbers of the user's groups (group(5)), the primary one first.
    fn groups_of(&self, user: &str, primary: u32) -> Vec<u32> {
        let mut groups = vec![primary];
        groups.extend(self.group.lines().filter_map(|line| {
            let mut parts = line.split(':').skip(2);
            let id: u32 = parts.next()?.parse().ok()?;
            (id != primary && parts.next()?.split(',').any(|member| member == user)).then_some(id)
        }));
        groups
    }
}

#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
#[cfg(test)]
mod tests {
    use super::*;

    fn accounts() -> Accounts {
        Accounts {
            passwd: "root:x:0:0:root:/root:/bin/sh\nbroken\nlectern:x:991:992::/var/lib/lectern:/sbin/nologin\n"
                .to_owned(),
            group: "root:x:0:\nssl-cert:x:110:postgres,lectern\nlectern:x:992:\nother:x:993:lecternx\n".to_owned(),
        }
    }

    #[test]
    fn a_user_has_its_primary_group_and_those_that_list_it() {
        let user = SystemUser::from_name("lectern", &accounts()).unwrap();
        assert_eq!((user.uid, user.gid, user.groups.as_slice()), (991, 992, &[992, 110][..]));
        assert_eq!(SystemUser::from_id(991, 5, &accounts()), user);
        assert_eq!(SystemUser::from_name("nobody", &accounts()), None);
    }

    #[test]
    fn an_owner_without_an_account_is_known_by_its_number() {
        let user = SystemUser::from_id(12345, 54321, &accounts());
        assert_eq!((user.to_string().as_str(), user.gid, user.groups.as_slice()), ("12345", 54321, &[54321][..]));
    }

    /// Needs root; the container checks run as root.
    #[test]
    fn root_creates_files_as_the_owner_and_is_root_again_afterwards() {
        use std::os::unix::fs::{PermissionsExt as _, chown};

        if !is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o750)).unwrap();
        chown(folder.path(), Some(12345), Some(54321)).unwrap();
        let database = folder.path().join("lectern.db");
        let user = owner_of(&database).unwrap();
        user.run(|| fs::write(&database, "x")).unwrap().unwrap();
        let meta = fs::metadata(&database).unwrap();
        assert_eq!((meta.uid(), meta.gid(), is_root()), (12345, 54321, true));
    }
}

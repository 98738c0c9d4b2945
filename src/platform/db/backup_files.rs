//! The backups of a database: in folders, and beside the database.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};

use crate::platform::config::Keep;

/// The format of the time in the name of a backup (UTC); without colons, which some file systems reject.
pub(super) const TIME_IN_NAME: &str = "%Y-%m-%dT%H%M%SZ";
/// How names of backups beside the database continue after its own name: those before a migration and before a restore,
/// and what was saved of a removed file.
const BESIDE: [&str; 2] = [".before-", ".rescued-"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalBackup {
    pub path: PathBuf,
    /// When it was made, or if its name does not say it, when it was changed last.
    pub taken_at: DateTime<Utc>,
    pub bytes: u64,
}

/// The order of backups by their times: the newest first, then those with a time in the future, which were made while the
/// clock was wrong.
pub fn newest_first(taken_at: DateTime<Utc>, now: DateTime<Utc>) -> impl Ord {
    (taken_at > now, Reverse(taken_at))
}

/// The backups of a database beside it and in a folder, as [`newest_first`]. A folder that can't be read has none.
pub fn local_backups(database: &Path, folder: Option<&Path>, now: DateTime<Utc>) -> Vec<LocalBackup> {
    let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_beside = |file: &str| {
        let is_backup = file.strip_prefix(&name).is_some_and(|rest| BESIDE.iter().any(|word| rest.starts_with(word)));
        is_backup && !["-wal", "-shm", "-journal"].iter().any(|end| file.ends_with(end))
    };
    let mut found: Vec<_> = files_in(folder_of(database))
        .filter(|path| path.file_name().is_some_and(|name| is_beside(&name.to_string_lossy())))
        .filter_map(|path| {
            let meta = path.metadata().ok()?;
            Some(LocalBackup { taken_at: meta.modified().ok()?.into(), bytes: meta.len(), path })
        })
        .collect();
    found.extend(folder.map(|folder| backups_in(folder, database)).unwrap_or_default());
    found.sort_by_cached_key(|backup| (newest_first(backup.taken_at, now), backup.path.clone()));
    found
}

/// The backups in a folder by their times, the latest first, also those with a time in the future.
pub fn backups_in(folder: &Path, database: &Path) -> Vec<LocalBackup> {
    let mut found: Vec<_> = files_in(folder)
        .filter_map(|path| {
            let taken_at = time_in(&path.file_name()?.to_string_lossy(), database)?;
            Some(LocalBackup { taken_at, bytes: path.metadata().ok()?.len(), path })
        })
        .collect();
    found.sort_by_key(|backup| Reverse(backup.taken_at));
    found
}

/// The backups, given the newest first, that are not the newest of one of the last days, weeks or months. Those with a time
/// in the future are not among them and do not count: either they or the present time are of a wrong clock.
pub(super) fn expired<T>(
    backups: &[T],
    keep: Keep,
    now: DateTime<Utc>,
    taken_at: impl Fn(&T) -> DateTime<Utc>,
) -> Vec<&T> {
    let backups: Vec<&T> = backups.iter().filter(|backup| taken_at(backup) <= now).collect();
    let mut retained = vec![false; backups.len()];
    if let Some(newest) = retained.first_mut() {
        *newest = true;
    }
    for (period, count) in [("%Y-%m-%d", keep.daily), ("%G-%V", keep.weekly), ("%Y-%m", keep.monthly)] {
        let mut seen = Vec::new();
        for (backup, is_retained) in backups.iter().zip(&mut retained) {
            let name = taken_at(backup).format(period).to_string();
            if seen.len() < count as usize && !seen.contains(&name) {
                *is_retained = true;
                seen.push(name);
            }
        }
    }
    backups.into_iter().zip(retained).filter(|(_, is_retained)| !is_retained).map(|(backup, _)| backup).collect()
}

/// Unfinished backups of a process that was killed, also those before a migration: not modified for an hour.
pub(super) fn unfinished_in(folder: &Path, database: &Path) -> Vec<PathBuf> {
    let prefix = format!(".{}-", stem(database));
    let prefix_before_migration = format!(".{}.before-v", database.file_name().unwrap_or_default().to_string_lossy());
    old_parts(folder, |name| name.starts_with(&prefix) || name.starts_with(&prefix_before_migration))
}

/// The same, of a file with another name.
pub(super) fn unfinished_of(dest: &Path) -> Vec<PathBuf> {
    let prefix = format!(".{}.", dest.file_name().unwrap_or_default().to_string_lossy());
    old_parts(folder_of(dest), |name| name.starts_with(&prefix))
}

fn old_parts(folder: &Path, is_own: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let is_old = |path: &Path| {
        let modified = path.metadata().and_then(|meta| meta.modified()).ok();
        modified.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > Duration::from_hours(1))
    };
    let is_part = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        is_own(&name) && name.contains(".part") && is_old(path)
    };
    files_in(folder).filter(is_part).collect()
}

/// The newest backup in a folder. One with a time in the future was made while the clock was wrong, and does not count.
pub fn last_backup(folder: &Path, database: &Path, now: DateTime<Utc>) -> Option<LocalBackup> {
    backups_in(folder, database).into_iter().find(|backup| backup.taken_at <= now)
}

/// `lectern-2026-11-22T023000Z.db`: the name of a backup of `lectern.db`.
pub(super) fn backup_name(database: &Path, taken_at: DateTime<Utc>) -> String {
    format!("{}-{}.db", stem(database), taken_at.format(TIME_IN_NAME))
}

/// `lectern-TIME.db`: the names of the backups of `lectern.db`.
pub(super) fn backup_name_pattern(database: &Path) -> String {
    format!("{}-TIME.db", stem(database))
}

/// When the backup with this name was made; `None` if it is not a backup of this database.
pub(super) fn time_in(name: &str, database: &Path) -> Option<DateTime<Utc>> {
    let time = name.strip_prefix(&stem(database))?.strip_prefix('-')?.strip_suffix(".db")?;
    NaiveDateTime::parse_from_str(time, TIME_IN_NAME).ok().map(|time| time.and_utc())
}

fn stem(database: &Path) -> String {
    database.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn files_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.is_file())
}

/// What follows the name of a database in that of the file which a restore has replaced, before the time.
pub(super) const BEFORE_RESTORE: &str = ".before-restore-";

/// The folder of a file; `.` for a name alone.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// The database file, its write-ahead log (`-wal`) and its wal-index (`-shm`). The latter two exist only while it is open or
/// after a crash.
pub fn files_of(database: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| with_suffix(database, suffix))
}

/// `path` with a suffix, such as that of the write-ahead log.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(every_hours: i64, count: i64, keep: Keep) -> Vec<String> {
        let newest = DateTime::parse_from_rfc3339("2026-11-22T02:30:00Z").expect("a time").to_utc();
        let backups: Vec<_> = (0..count)
            .map(|number| {
                let taken_at = newest - chrono::TimeDelta::hours(number * every_hours);
                LocalBackup { path: backup_name(Path::new("x/lectern.db"), taken_at).into(), taken_at, bytes: 1 }
            })
            .collect();
        let mut all = backups.clone();
        let future = newest + chrono::TimeDelta::days(400);
        all.insert(0, LocalBackup { path: "x/wrong-clock.db".into(), taken_at: future, bytes: 1 });
        let expired = expired(&all, keep, newest, |backup| backup.taken_at);
        assert!(!expired.contains(&&all[0]), "a backup of a wrong clock is neither counted nor deleted");
        let kept = backups.iter().filter(|backup| !expired.contains(backup));
        kept.map(|backup| backup.taken_at.format("%m-%d %H").to_string()).collect()
    }

    #[test]
    fn the_newest_backup_of_each_of_the_last_days_weeks_and_months_is_kept() {
        let keep = Keep { daily: 3, weekly: 2, monthly: 3 };
        // 22 November 2026 is a Sunday.
        assert_eq!(kept(24, 100, keep), ["11-22 02", "11-21 02", "11-20 02", "11-15 02", "10-31 02", "09-30 02"]);
        assert_eq!(kept(6, 12, keep), ["11-22 02", "11-21 20", "11-20 20"]);
        assert_eq!(kept(24, 9, Keep { daily: 0, weekly: 0, monthly: 0 }), ["11-22 02"], "the newest stays");
        assert_eq!(kept(1, 0, keep), Vec::<String>::new());
    }

    #[test]
    fn only_the_names_of_backups_of_the_database_are_read_as_such() {
        let database = Path::new("/srv/lectern.db");
        let taken_at = time_in("lectern-2026-11-22T023000Z.db", database).expect("a backup");
        assert_eq!(backup_name(database, taken_at), "lectern-2026-11-22T023000Z.db");
        for name in ["lectern.db", "lectern-old.db", "other-2026-11-22T023000Z.db", "lectern-2026-11-22T023000Z.db-wal"]
        {
            assert_eq!(time_in(name, database), None, "{name}");
        }
    }
}

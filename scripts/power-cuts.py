#!/usr/bin/python3
"""Cuts the power of a running server again and again, on ext4 and XFS, and looks for acknowledged writes that are lost.

    apt-get install python3-fusepy xfsprogs
    scripts/power-cuts.py target/release/lectern [--cuts 30] [--fs ext4,xfs] [--seed 1]

The disk is a file of a FUSE file system with a volatile cache, as a disk has one: what the kernel writes is durable
only after it flushes the cache. At a power cut, a random part of the cache reaches the disk (all of it, nothing, or
single sectors in any order), all later writes fail, and the server is killed. Then the file system is mounted and
checked, the server starts again, and every write that it had acknowledged must be there. With `--ignore-flushes` the disk
ignores flushes: then writes must be lost, which shows that the test can fail.
"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

SECTOR = 512
DISK_BYTES = 512 << 20
PASSWORD = "a fine password"
EMAIL = "ada@example.com"


# The disk

class Disk:
    """A FUSE file system with one file, `disk`, whose unflushed writes a power cut loses."""

    def __init__(self, image):
        try:
            import fusepy as fuse  # Its name in Debian.
        except ImportError:
            import fuse

        self.image = os.open(image, os.O_RDWR)
        self.ignores_flushes = False
        self.volatile = []
        self.is_off = False
        self.lock = threading.Lock()
        self.fuse = fuse

    def operations(self):
        disk, fuse = self, self.fuse

        class Operations(fuse.Operations):
            def getattr(self, path, handle=None):
                if path == "/":
                    return {"st_mode": 0o40700, "st_nlink": 2}
                if path == "/disk":
                    return {"st_mode": 0o100600, "st_nlink": 1, "st_size": DISK_BYTES}
                raise fuse.FuseOSError(2)

            def readdir(self, path, handle):
                return [".", "..", "disk"]

            def open(self, path, flags):
                return 1

            def read(self, path, size, offset, handle):
                return disk.read(size, offset)

            def write(self, path, data, offset, handle):
                if not disk.write(bytes(data), offset):
                    raise fuse.FuseOSError(5)
                return len(data)

            def fsync(self, path, datasync, handle):
                if not disk.flush():
                    raise fuse.FuseOSError(5)
                return 0

            def flush(self, path, handle):
                return 0

        return Operations()

    def read(self, size, offset):
        with self.lock:
            data = bytearray(os.pread(self.image, size, offset).ljust(size, b"\0"))
            for start, written in self.volatile:
                first, last = max(start, offset), min(start + len(written), offset + size)
                if first < last:
                    data[first - offset:last - offset] = written[first - start:last - start]
            return bytes(data)

    def write(self, data, offset):
        with self.lock:
            if not self.is_off:
                self.volatile.append((offset, data))
            return not self.is_off

    def flush(self):
        with self.lock:
            if not self.is_off and not self.ignores_flushes:
                for offset, data in self.volatile:
                    os.pwrite(self.image, data, offset)
                self.volatile.clear()
            return not self.is_off

    def cut(self, share, seed):
        """Turns the disk off after `share` of the cached sectors were written."""
        with self.lock:
            self.is_off = True
            sectors = []
            for offset, data in self.volatile:
                sectors += [(offset + at, data[at:at + SECTOR]) for at in range(0, len(data), SECTOR)]
            survivors = [sector for sector in sectors if random.Random(f"{seed} {sector[0]}").random() < share]
            for offset, data in survivors:
                os.pwrite(self.image, data, offset)
            return len(sectors), len(survivors)

    def serve(self, control):
        for line in control.makefile():
            command, *arguments = line.split()
            if command == "cut":
                share, seed = arguments
                result = self.cut(float(share), seed)
            else:
                result = self.ignores_flushes = True
            control.sendall((json.dumps(result) + "\n").encode())


class MountedDisk:
    """The process that serves the disk."""

    def __init__(self, image, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.control, other = socket.socketpair()
        self.child = os.fork()
        if self.child == 0:
            # Its output is of no use, and signals of the terminal are for the parent.
            os.setsid()
            self.control.close()
            disk = Disk(image)
            threading.Thread(target=disk.serve, args=(other,), daemon=True).start()
            disk.fuse.FUSE(disk.operations(), folder, foreground=True, nothreads=False, big_writes=True, max_write=131072)
            os._exit(0)
        other.close()
        wait_until(lambda: os.path.exists(f"{folder}/disk"), "the disk")

    def cut(self, share, seed):
        return self.send(f"cut {share} {seed}")

    def ignore_flushes(self):
        self.send("ignore-flushes")

    def send(self, command):
        self.control.sendall(f"{command}\n".encode())
        return json.loads(self.control.makefile().readline())

    def remove(self):
        # A file system that is shut down can be busy for a moment.
        wait_until(lambda: run(["umount", self.folder], check=False).returncode == 0, "umount of the disk")
        os.waitpid(self.child, 0)
        self.control.close()


# The file system on it

def run(command, check=True):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if check and result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.returncode}\n{result.stdout}")
    return result


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"{what} did not happen")
        time.sleep(0.02)


def mount(disk, folder):
    os.makedirs(folder, exist_ok=True)
    loop = run(["losetup", "--find", "--show", f"{disk.folder}/disk"]).stdout.strip()
    run(["mount", loop, folder])
    return loop


def unmount(folder, loop):
    wait_until(lambda: run(["umount", folder], check=False).returncode == 0, f"umount of {folder}")
    run(["losetup", "--detach", loop])
    # Detaching ends when nothing uses the device any more.
    wait_until(lambda: loop not in run(["losetup", "--all"]).stdout, f"detaching {loop}")


def check(kind, loop):
    """Errors of a file system whose journal was replayed."""
    command = ["e2fsck", "-f", "-n", loop] if kind == "ext4" else ["xfs_repair", "-n", loop]
    result = run(command, check=False)
    return "" if result.returncode == 0 else result.stdout


# The server and its clients

class Server:
    def __init__(self, binary, folder):
        environment = {"PATH": "/usr/bin:/bin", "LECTERN_LIMITS__VISITOR_BURST": "0"}
        self.log = open(f"{folder}.log", "a")
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0"],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if "listening on" not in line:
            sys.exit(f"the server did not start; see {folder}.log")
        self.address = re.search(r"http://([\d.]+:\d+)", line).group(1)

    def request(self, connection, method, path, body=None, cookie=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if cookie:
            headers["Cookie"] = cookie
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        return response, response.read()

    def connect(self):
        return http.client.HTTPConnection(self.address, timeout=30)

    def sign_in(self):
        response, _ = self.request(self.connect(), "POST", "/api/auth/login", {"email": EMAIL, "password": PASSWORD})
        assert response.status == 200, response.status
        return response.headers["Set-Cookie"].split(";")[0]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()


def write(server, stop, cookie, event, client, acknowledged):
    """Registers visitors and adds speakers until the disk is off."""
    connection, number = server.connect(), 0
    while not stop.is_set():
        number += 1
        visitor = f"user_{number}_{client}"
        try:
            body = {"action": "add", "userId": visitor}
            response, _ = server.request(connection, "PUT", f"/api/events/{event}/interest", body)
            if response.status == 200:
                acknowledged.append(visitor)
            if number % 5 == 0:
                speaker = f"Speaker {client} {number}"
                response, _ = server.request(connection, "POST", "/api/speakers", speaker_of(speaker), cookie)
                if response.status == 201:
                    acknowledged.append(speaker)
        except (OSError, http.client.HTTPException):
            connection.close()
            connection = server.connect()


def speaker_of(name):
    return {"name": name, "title": "Analyst", "bio": "", "imageUrl": "", "type": "Guest"}


def lost(database, acknowledged):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    integrity = connection.execute("PRAGMA integrity_check").fetchone()[0]
    stored = {row[0] for row in connection.execute("SELECT user_id FROM user_event_interests")}
    stored |= {row[0] for row in connection.execute("SELECT name FROM speakers")}
    connection.close()
    return integrity, [name for name in acknowledged if name not in stored]


def fill(binary, folder):
    """A database with sample events and an admin. Returns the id of an event that visitors can attend."""
    environment = {"PATH": "/usr/bin:/bin"}
    command = [binary, "serve", "--demo", "--database", "lectern.db", "--listen", "127.0.0.1:0"]
    demo = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    demo.stdout.readline()
    demo.terminate()
    demo.wait()
    demo.stdout.close()
    subprocess.run([binary, "create-admin", "--email", EMAIL, "--password-stdin"], cwd=folder, env=environment,
                   input=PASSWORD, text=True, check=True, stdout=subprocess.DEVNULL)
    query = "SELECT e.id FROM public_events e JOIN event_locations l ON l.event_id = e.id ORDER BY e.starts_at DESC LIMIT 1"
    connection = sqlite3.connect(f"{folder}/lectern.db")
    event = connection.execute(query).fetchone()[0]
    connection.close()
    return event


def cut_often(binary, kind, options):
    """Returns whether something was lost."""
    folder = tempfile.mkdtemp(prefix=f"power-cuts-{kind}-")
    image, site = f"{folder}/image", f"{folder}/mnt/site"
    with open(image, "wb") as file:
        file.truncate(DISK_BYTES)
    run([f"mkfs.{kind}", "-q", image])
    disk = MountedDisk(image, f"{folder}/fuse")
    loop = mount(disk, f"{folder}/mnt")
    os.mkdir(site)
    event = fill(binary, site)
    server = Server(binary, site)
    cookie = server.sign_in()
    randomness = random.Random(options.seed)
    acknowledged, problems, total_lost = [], [], 0
    os.sync()
    for cut in range(1, options.cuts + 1):
        if options.ignore_flushes:
            disk.ignore_flushes()
        stop, threads = threading.Event(), []
        before = len(acknowledged)
        for client in range(4):
            arguments = (server, stop, cookie, event, f"{cut}_{client}", acknowledged)
            threads.append(threading.Thread(target=write, args=arguments))
            threads[-1].start()
        wait_until(lambda: len(acknowledged) > before, "an acknowledged write")
        time.sleep(randomness.uniform(0.0, 1.5))
        share = randomness.choice([0.0, 0.0, 0.5, 1.0])
        cached, survived = disk.cut(share, f"{options.seed}/{cut}")
        # What is acknowledged now was durable before.
        time.sleep(0.2)
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        unmount(f"{folder}/mnt", loop)
        disk.remove()

        disk = MountedDisk(image, f"{folder}/fuse")
        # Mounting replays the journal.
        loop = mount(disk, f"{folder}/mnt")
        unmount(f"{folder}/mnt", loop)
        loop = run(["losetup", "--find", "--show", f"{disk.folder}/disk"]).stdout.strip()
        damage = check(kind, loop)
        run(["mount", loop, f"{folder}/mnt"])
        if damage:
            problems.append(f"cut {cut}: {kind} is damaged: {damage}")
        try:
            server = Server(binary, site)
            integrity, missing = lost(f"{site}/lectern.db", acknowledged)
        except (OSError, SystemExit, sqlite3.Error) as error:
            problems.append(f"cut {cut}: everything is lost: {error}")
            total_lost += len(acknowledged)
            break
        if integrity != "ok" or missing:
            problems.append(f"cut {cut}: integrity {integrity}, {len(missing)} lost, such as {missing[:3]}")
            total_lost += len(missing)
            acknowledged = [name for name in acknowledged if name not in set(missing)]
        added = len(acknowledged) - before
        print(f"{kind} {cut}: {added} writes acknowledged, {survived} of {cached} cached sectors survived", flush=True)
    server.kill()
    unmount(f"{folder}/mnt", loop)
    disk.remove()
    print(f"{kind}: {options.cuts} power cuts, {len(acknowledged)} acknowledged writes, {total_lost} lost")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"The files are in {folder}", file=sys.stderr)
    else:
        shutil.rmtree(folder)
    return bool(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--cuts", type=int, default=30)
    parser.add_argument("--fs", default="ext4,xfs")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--ignore-flushes", action="store_true")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("run this as root: it mounts file systems")
    binary = os.path.abspath(options.binary)
    failed = False
    for kind in options.fs.split(","):
        failed |= cut_often(binary, kind, options)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

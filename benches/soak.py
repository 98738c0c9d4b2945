#!/usr/bin/env python3
"""Keeps a server busy with everything at once: benches/soak.py BINARY [--minutes 10] [--rate 200]

Reads, attendance, edits, syncs that finish (in the portal and on the command line), backups every minute and reloads
of the configuration, at a fixed rate. Exits with 1 if a response was a 5xx, if memory or file descriptors of the last
minute are more than 10 % above those of the second, if `/healthz` was 200 while `/` was not, or if `lectern check`
finds a problem afterwards. Needs Linux.
"""
import argparse
import collections
import http.client
import http.server
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

EMAIL, PASSWORD = "ada@example.com", "a fine password"
ITEMS = 40
READERS = 4
# A read after the content has changed builds a response; most others come from the cache.
PAGES = ["/", "/calendar", "/search?q=market", "/embed", "/api/events", "/api/speakers", "/api/page-content/home",
         "/calendar.ics", "/feed.xml", "/sitemap.xml"]


class Provider(http.server.BaseHTTPRequestHandler):
    """Events of which some change with every sync."""
    syncs = 0

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        page = int(query.get("page", ["1"])[0])
        if page == 1:
            Provider.syncs += 1
        items = [item(number, Provider.syncs) for number in range(ITEMS)] if page == 1 else []
        body = json.dumps({"data": items}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def item(number, syncs):
    return {
        "uuid": f"id-{number}", "name": f"Webinar {number} ({syncs if number % 10 == syncs % 10 else 'as before'})",
        "start_date": f"2031-03-{number % 28 + 1:02}T23:00:00Z", "timezone": "America/New_York", "duration": 45,
        "summary": "One deal, read line by line.", "description": "<p>Bring an offering.</p>",
        "registration_url": f"https://live.example.com/{number}", "status": "published",
    }


class Soak:
    def __init__(self, options):
        self.options = options
        self.binary = os.path.abspath(options.binary)
        self.folder = tempfile.mkdtemp(prefix="soak-")
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.statuses, self.problems = collections.Counter(), []
        self.samples = []
        self.slowest = 0.0

    def problem(self, text):
        with self.lock:
            self.problems.append(text)
            if len(self.problems) < 20:
                print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)

    def start(self):
        provider = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        with open(os.open(f"{self.folder}/config.toml", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(f"""
                [limits]
                visitor_burst = 0
                [backup]
                dir = "backups"
                every = "1 minute"
                [brandlive]
                base_url = "http://127.0.0.1:{provider.server_port}"
                api_key = "key"
                api_secret = "secret"
            """)
        self.command("create-admin", "--email", EMAIL, "--password-stdin", input=PASSWORD)
        self.log = open(f"{self.folder}/log", "w")
        command = [self.binary, "serve", "--demo", "--database", "lectern.db", "--listen", "127.0.0.1:0"]
        self.server = subprocess.Popen(command, cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                       stderr=self.log, text=True)
        self.address = self.server.stdout.readline().split("http://")[1].strip()
        connection = http.client.HTTPConnection(self.address, timeout=60)
        response, _ = self.request(connection, "POST", "/api/auth/login", {"email": EMAIL, "password": PASSWORD})
        self.cookie = response.headers["Set-Cookie"].split(";")[0]
        _, body = self.request(connection, "GET", "/api/events")
        self.events = json.loads(body)
        self.in_person = [event for event in self.events if event.get("location") and event["date"] > time.strftime("%F")]
        _, sitemap = self.request(connection, "GET", "/sitemap.xml")
        self.pages = PAGES + sorted(set(re.findall(r"http://[^/]+(/events/[^<]+)", sitemap.decode())))

    def environment(self):
        # Root reads the configuration of a folder only if it is named.
        return {"PATH": "/usr/bin:/bin", "LECTERN_CONFIG": "config.toml"}

    def command(self, *arguments, input=None):
        return subprocess.run([self.binary, *arguments], cwd=self.folder, env=self.environment(), input=input, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def request(self, connection, method, path, body=None, cookie=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if cookie:
            headers["Cookie"] = cookie
        began = time.monotonic()
        for attempt in range(2):
            try:
                connection.request(method, path, json.dumps(body) if body is not None else None, headers)
                response = connection.getresponse()
                content = response.read()
                break
            except (http.client.HTTPException, OSError) as error:
                # The server closes connections that were idle.
                connection.close()
                if attempt == 1:
                    self.problem(f"{method} {path}: {error!r}")
                    return None, b""
        with self.lock:
            self.statuses[response.status] += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
        # The sync waits for the one on the command line.
        if response.status >= 400 and not (response.status == 409 and path == "/api/sync-brandlive"):
            self.problem(f"{method} {path}: {response.status} {content[:200]!r}")
        return response, content

    def every(self, seconds, work):
        """A thread that works at this interval until the end."""
        def loop():
            connection, number = http.client.HTTPConnection(self.address, timeout=60), 0
            next_at = time.monotonic() + random.uniform(0, seconds)
            while not self.done.wait(max(0.0, next_at - time.monotonic())):
                number += 1
                work(connection, number)
                # On a machine that is too slow, the rate falls and nothing piles up.
                next_at = max(next_at + seconds, time.monotonic())
        thread = threading.Thread(target=loop)
        thread.start()
        return thread

    def read(self, connection, number):
        event = random.choice(self.in_person)["id"]
        paths = self.pages + [f"/api/events/{event}/interest?userId=user_1_x"] * 5
        self.request(connection, "GET", random.choice(paths))

    def attend(self, connection, number):
        event = random.choice(self.in_person)["id"]
        body = {"action": random.choice(["add", "remove"]), "userId": f"user_{random.randrange(2_000)}_soak"}
        self.request(connection, "PUT", f"/api/events/{event}/interest", body)

    def edit(self, connection, number):
        words = {"heroTitle": f"Edit {number % 10}", "heroSubtitle": "Words"}
        self.request(connection, "PUT", "/api/page-content/home", words, self.cookie)
        event = dict(random.choice(self.in_person), summary=f"Edit {number}")
        body = {"event": event, "location": event["location"], "speakerIds": [1]}
        self.request(connection, "PUT", f"/api/events/{event['id']}", body, self.cookie)
        speaker = {"name": f"Speaker {number}", "title": "Analyst", "bio": "", "imageUrl": "", "type": "Guest"}
        response, body = self.request(connection, "POST", "/api/speakers", speaker, self.cookie)
        if response is not None and response.status == 201:
            self.request(connection, "DELETE", f"/api/speakers/{json.loads(body)['id']}", cookie=self.cookie)

    def sync_in_portal(self, connection, number):
        response, body = self.request(connection, "POST", "/api/sync-brandlive", {}, self.cookie)
        # 409: the one on the command line runs.
        if response is not None and response.status not in (200, 409):
            self.problem(f"sync: {response.status} {body[:200]!r}")

    def sync_by_cron(self, connection, number):
        result = self.command("sync-brandlive", "--database", "lectern.db")
        if result.returncode not in (0, 75):
            self.problem(f"sync-brandlive: {result.returncode} {result.stdout}")

    def reload(self, connection, number):
        self.server.send_signal(signal.SIGHUP)

    def watch(self, connection, number):
        before, _ = self.request(connection, "GET", "/healthz")
        home, _ = self.request(connection, "GET", "/")
        after, _ = self.request(connection, "GET", "/healthz")
        healthy = all(response is not None and response.status == 200 for response in (before, after))
        if healthy and (home is None or home.status != 200):
            self.problem("/healthz is 200 and / is not")

    def sample(self, connection, number):
        with open(f"/proc/{self.server.pid}/status") as file:
            resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        descriptors = len(os.listdir(f"/proc/{self.server.pid}/fd"))
        self.samples.append((time.monotonic() - self.began, resident / 1024, descriptors))

    def run(self):
        self.start()
        self.began = time.monotonic()
        rate = self.options.rate
        threads = [self.every(READERS / (rate * 0.9), self.read) for _ in range(READERS)]
        threads += [self.every(10 / rate, self.attend), self.every(1, self.edit), self.every(0.5, self.watch),
                    self.every(1, self.sample), self.every(15, self.sync_in_portal),
                    self.every(40, self.sync_by_cron), self.every(20, self.reload)]
        end = self.began + 60 * self.options.minutes
        while time.monotonic() < end and self.server.poll() is None:
            time.sleep(min(60, max(0.1, end - time.monotonic())))
            seconds, memory, descriptors = self.samples[-1]
            print(f"{seconds / 60:4.1f} min  {sum(self.statuses.values()):>7} responses  {memory:6.1f} MB  "
                  f"{descriptors} descriptors", flush=True)
        self.done.set()
        for thread in threads:
            thread.join()
        return self.evaluate()

    def evaluate(self):
        self.server.terminate()
        if self.server.wait(60) != 0:
            self.problem(f"the server ended with {self.server.returncode}")
        with open(f"{self.folder}/log") as file:
            log = file.read()
        counts = {words: log.count(words) for words in
                  ("a backup was made", "the configuration was reloaded", "the Brandlive sync finished")}
        for words, count in counts.items():
            if count == 0:
                self.problem(f"not in the log: {words}")
        for line in log.splitlines():
            if " ERROR " in line or "panicked" in line:
                self.problem(line)
        check = self.command("check", "--database", "lectern.db")
        if check.returncode != 0:
            self.problem(f"lectern check: {check.stdout}")

        def at(values, index):
            return statistics.median(sample[index] for sample in values)
        # With less than three minutes, the last third of the time instead of the minutes.
        length = min(60.0, 20.0 * self.options.minutes)
        last = self.samples[-1][0]
        early = [sample for sample in self.samples if length <= sample[0] < 2 * length]
        late = [sample for sample in self.samples if sample[0] >= last - length]
        for name, index in (("memory in MB", 1), ("file descriptors", 2)):
            first, then = at(early, index), at(late, index)
            print(f"{name}: {first:.1f} in the second minute, {then:.1f} in the last ({(then / first - 1) * 100:+.1f} %)")
            if then > first * 1.1:
                self.problem(f"{name} grow from {first:.1f} to {then:.1f}")
        print(f"responses: {dict(sorted(self.statuses.items()))}, the slowest after {self.slowest:.2f} s")
        print(f"{counts}, load average {os.getloadavg()}")
        print(f"{len(self.problems)} problems" + (f"; the files are in {self.folder}" if self.problems else ""))
        return 1 if self.problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=200, help="requests per second")
    sys.exit(Soak(parser.parse_args()).run())


main()

#!/usr/bin/env python3
"""The third-party packages in the program: their licenses, and a software bill of materials.

    packaging/third-party.py                 writes packaging/third-party-notices.txt.br, which the binary contains
    packaging/third-party.py --check         fails if that file is out of date
    packaging/third-party.py --sbom FILE     writes a bill of materials (CycloneDX 1.5)

The packages are those that are linked into the binary for Linux (cargo metadata) and the npm packages with a module in
the web bundle (listed by its build). It fails if a license is not in ACCEPTED. Needs the sources of the packages and the
bundle: run `cargo fetch`, and `npm ci` and `npm run build` in web/ first. Node.js compresses.
"""

import base64
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTICES = ROOT / "packaging/third-party-notices.txt.br"
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]

# Licenses that allow to ship the program under MIT. Of alternatives (OR), the first in this order is chosen.
ACCEPTED = [
    "MIT", "ISC", "BSD-3-Clause", "BSD-2-Clause", "Zlib", "Apache-2.0", "0BSD", "Unicode-3.0", "BSL-1.0", "OFL-1.1",
    "CDLA-Permissive-2.0", "MPL-2.0", "Unlicense", "CC0-1.0",
]
# A phrase by which the text of a license is recognized.
PHRASES = {
    "MIT": "Permission is hereby granted, free of charge",
    "ISC": "Permission to use, copy, modify, and",
    "BSD-3-Clause": "Redistribution and use in source and binary forms",
    "BSD-2-Clause": "Redistribution and use in source and binary forms",
    "Zlib": "This software is provided 'as-is'",
    "Apache-2.0": "Apache License",
    "0BSD": "Permission to use, copy, modify, and",
    "Unicode-3.0": "UNICODE LICENSE V3",
    "BSL-1.0": "Boost Software License",
    "OFL-1.1": "SIL OPEN FONT LICENSE",
    "CDLA-Permissive-2.0": "Community Data License Agreement",
    "MPL-2.0": "Mozilla Public License",
    "Unlicense": "This is free and unencumbered software",
    "CC0-1.0": "Creative Commons",
}
# C sources inside of Rust packages, with a license of their own: package, file, name, license, its notice.
BUNDLED = [
    ("libsqlite3-sys", "sqlite3/sqlite3.h", r'SQLITE_VERSION\s+"([^"]+)"', "SQLite", "blessing"),
    ("rquickjs-sys", "quickjs/quickjs.h", None, "QuickJS", "MIT"),
]


def fail(message):
    sys.exit(f"third-party.py: {message}")


def choose(expression):
    """The licenses of an SPDX expression that apply, with the preferred one of alternatives."""
    if not expression:
        return []
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))

    def parse_or():
        options = [parse_and()]
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            options.append(parse_and())
        rank = lambda names: max((ACCEPTED.index(name) if name in ACCEPTED else 99 for name in names), default=0)
        return min(options, key=rank)

    def parse_and():
        names = parse_one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            names = names + parse_one()
        return names

    def parse_one():
        token = tokens.pop(0)
        if token == "(":
            names = parse_or()
            tokens.pop(0)
            return names
        if tokens and tokens[0] == "WITH":
            del tokens[:2]
        return [token]

    return list(dict.fromkeys(parse_or()))


class Package:
    def __init__(self, kind, name, version, expression, folder, authors, digest, url):
        self.kind, self.name, self.version, self.folder = kind, name, version, folder
        self.expression, self.authors, self.digest, self.url = expression, authors, digest, url
        self.depends_on = []

    @property
    def label(self):
        return f"{self.name} {self.version}"

    @property
    def purl(self):
        return f"pkg:{self.kind}/{self.name.replace('@', '%40')}@{self.version}"

    def license_files(self):
        """Texts of licenses, of the package and of sources of others in it."""
        names = re.compile(r"^(licen[cs]e|copying|copyright|notice|ofl)", re.I)
        skipped = {"node_modules", "target", "tests", "test", "benches", "examples", "fuzz", ".git", "third_party"}
        found = []
        for folder, folders, files in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if name.lower() not in skipped)
            if len(Path(folder).relative_to(self.folder).parts) > 2:
                folders[:] = []
            for name in sorted(files):
                path = Path(folder) / name
                if names.match(name) and path.suffix.lower() not in {".rs", ".js", ".ts", ".json", ".c", ".h", ".py"}:
                    text = path.read_text(encoding="utf-8", errors="replace").strip()
                    if text:
                        found.append((name, text))
        return found


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def rust_packages():
    checksums = {}
    for entry in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        checksums[(entry["name"], entry["version"])] = entry.get("checksum")
    packages = {}
    for target in TARGETS:
        metadata = json.loads(
            run("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target)
        )
        by_id = {package["id"]: package for package in metadata["packages"]}
        nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
        is_macro = lambda id: any("proc-macro" in part["kind"] for part in by_id[id]["targets"])
        waiting, seen = [metadata["resolve"]["root"]], set()
        while waiting:
            id = waiting.pop()
            if id in seen:
                continue
            seen.add(id)
            linked = [
                dependency["pkg"]
                for dependency in nodes[id]["deps"]
                if any(kind["kind"] is None for kind in dependency["dep_kinds"]) and not is_macro(dependency["pkg"])
            ]
            waiting.extend(linked)
            entry = by_id[id]
            package = packages.setdefault(
                id,
                Package(
                    "cargo", entry["name"], entry["version"], entry["license"] or "", Path(entry["manifest_path"]).parent,
                    entry["authors"], checksums.get((entry["name"], entry["version"])), entry.get("repository"),
                ),
            )
            package.depends_on = sorted(set(package.depends_on) | {f"{by_id[it]['name']} {by_id[it]['version']}" for it in linked})
    root = packages.pop(metadata["resolve"]["root"])
    return root, sorted(packages.values(), key=lambda it: (it.name, it.version))


def npm_packages():
    lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    packages = []
    names = set()
    for bundle in ["dist", "dist-server"]:
        path = ROOT / f"web/node_modules/.cache/bundled-packages-{bundle}.json"
        if not path.exists():
            fail("the bundled packages are not known: run `npm ci` and `npm run build` in web/ first")
        names.update(json.loads(path.read_text()))
    for name in sorted(names):
        path = f"node_modules/{name}"
        entry, folder = lock[path], ROOT / "web" / path
        manifest = json.loads((folder / "package.json").read_text())
        author = manifest.get("author")
        author = author if isinstance(author, str) else (author or {}).get("name")
        name = path.rpartition("node_modules/")[2]
        expression = manifest.get("license") or entry.get("license") or ""
        digest = entry.get("integrity", "").partition("sha512-")[2]
        packages.append(
            Package("npm", name, entry["version"], expression, folder, [author] if author else [], digest, None)
        )
    return sorted(packages, key=lambda it: (it.name, it.version))


COPYRIGHT = re.compile(r"^\W*(copyright\b|\(c\)|©).*(\d{4}|\bby\b|authors|contributors|developers)", re.I)


def split_text(text):
    """The copyright lines of a license's text, and the rest without differences of layout."""
    lines = [line.strip() for line in text.replace("\r", "").split("\n")]
    # In long texts, such as Apache's, the lines at the beginning are part of the text.
    copyrights = [line for line in lines if COPYRIGHT.match(line) and "[yyyy]" not in line]
    rest = "\n".join(line for line in lines if line not in copyrights)
    return list(dict.fromkeys(copyrights)), re.sub(r"\n{3,}", "\n\n", rest).strip()


def notices(packages):
    """The text with all notices, in which each text of a license occurs once."""
    groups, bare = {}, []
    for package in packages:
        chosen = choose(package.expression)
        unknown = [name for name in chosen if name not in ACCEPTED]
        if unknown or not chosen:
            fail(f"{package.label} has the license {package.expression!r}, which is not in ACCEPTED")
        files = package.license_files()
        used = False
        for name, text in files:
            kinds = [kind for kind, phrase in PHRASES.items() if phrase.lower() in text.lower()]
            is_notice = name.lower().startswith(("notice", "copyright"))
            # The text of an alternative that was not chosen is left out.
            if kinds and not set(kinds) & set(chosen) and not is_notice and package.expression != "":
                if set(kinds) & set(re.findall(r"[\w.-]+", package.expression)):
                    continue
            # Of a file with several texts, all are kept.
            copyrights, rest = split_text(text)
            key = re.sub(r"[^a-z0-9]+", " ", rest.lower())
            group = groups.setdefault(key, (rest, {}))
            group[1].setdefault(package.label, []).extend(copyrights)
            used = used or bool(kinds)
        if not used:
            bare.append((package, chosen))
    # A package without a text has the one that most others with this license have.
    for package, chosen in bare:
        for kind in chosen:
            texts = [it for it in groups.items() if PHRASES[kind].lower() in it[1][0].lower()]
            if not texts:
                fail(f"{package.label} has no text of the license {kind}, and no other package has one")
            _, (_, users) = max(texts, key=lambda it: (len(it[1][1]), it[0]))
            users.setdefault(package.label, []).extend(f"Copyright {author}" for author in package.authors)
    out = [
        "Third-party software in lectern\n",
        f"Lock files: {lock_digest()}\n",
        "Packages of Rust and npm, in groups with the same text. The Rust standard library is under the MIT license,\n"
        "copyright (c) The Rust Project Contributors. SQLite, in libsqlite3-sys, is in the public domain.\n",
    ]
    for rest, users in sorted(groups.values(), key=lambda it: (-len(it[1]), it[0])):
        out.append("=" * 100)
        lines = {}
        for label, copyrights in sorted(users.items()):
            lines.setdefault(tuple(dict.fromkeys(copyrights)), []).append(label)
        for copyrights, labels in lines.items():
            out.append(", ".join(labels))
            out.extend(f"    {line}" for line in copyrights)
        out.append("-" * 100)
        out.append(rest + "\n")
    return "\n".join(out) + "\n"


def lock_digest():
    """A hash of both lock files, by which a test notices that the notices are out of date."""
    digest = hashlib.sha256()
    for name in ["Cargo.lock", "web/package-lock.json"]:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


BROTLI = "const z = require('zlib'), i = require('fs').readFileSync(0); process.stdout.write("


def compress(text):
    script = BROTLI + "z.brotliCompressSync(i, {params: {[z.constants.BROTLI_PARAM_QUALITY]: 11, " \
        "[z.constants.BROTLI_PARAM_LGWIN]: 24, [z.constants.BROTLI_PARAM_SIZE_HINT]: i.length}}))"
    return subprocess.run(["node", "-e", script], input=text.encode(), check=True, capture_output=True).stdout


def decompress(data):
    return subprocess.run(
        ["node", "-e", BROTLI + "z.brotliDecompressSync(i))"], input=data, check=True, capture_output=True
    ).stdout.decode()


def bundled_components(packages):
    """C sources in Rust packages."""
    found = []
    for package, file, pattern, name, license in BUNDLED:
        for entry in packages:
            if entry.name != package:
                continue
            path = entry.folder / file
            version = None
            if pattern and path.is_file():
                version = re.search(pattern, path.read_text(errors="replace")).group(1)
            version = version or entry.version
            choice = {"license": {"id": license}}
            found.append({
                "type": "library", "bom-ref": f"{name} {version}", "name": name, "version": version,
                "licenses": [choice], "description": f"Sources in {entry.label}",
            })
    return found


def sbom(root, rust, npm):
    components = []
    for package in rust + npm:
        component = {
            "type": "library", "bom-ref": package.purl, "name": package.name, "version": package.version,
            "purl": package.purl, "licenses": [{"expression": package.expression.replace("/", " OR ")}],
        }
        if package.digest:
            kind, digest = ("SHA-256", package.digest) if package.kind == "cargo" else (
                "SHA-512", base64.b64decode(package.digest).hex()
            )
            component["hashes"] = [{"alg": kind, "content": digest}]
        if package.url:
            component["externalReferences"] = [{"type": "vcs", "url": package.url}]
        components.append(component)
    refs = {package.label: package.purl for package in rust}
    dependencies = [
        {"ref": package.purl, "dependsOn": sorted(refs[label] for label in package.depends_on)} for package in rust
    ]
    top = sorted(refs[label] for label in root.depends_on) + sorted(package.purl for package in npm)
    dependencies.insert(0, {"ref": f"pkg:generic/lectern@{root.version}", "dependsOn": top})
    components.extend(bundled_components(rust))
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    time = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = json.dumps(components)
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, root.version + text)}",
        "metadata": {
            "timestamp": time,
            "component": {
                "type": "application", "bom-ref": f"pkg:generic/lectern@{root.version}", "name": "lectern",
                "version": root.version, "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": components, "dependencies": dependencies,
    }


def main(arguments):
    root, rust = rust_packages()
    npm = npm_packages()
    if arguments[:1] == ["--sbom"] and len(arguments) == 2:
        Path(arguments[1]).write_text(json.dumps(sbom(root, rust, npm), indent=1) + "\n")
        print(f"{arguments[1]}: {len(rust)} packages of Rust, {len(npm)} of npm")
        return
    text = notices(rust + npm)
    if arguments == ["--check"]:
        if not NOTICES.exists() or decompress(NOTICES.read_bytes()) != text:
            fail(f"{NOTICES.relative_to(ROOT)} is out of date: run packaging/third-party.py")
        print(f"{NOTICES.relative_to(ROOT)} is up to date.")
        return
    if arguments:
        fail(__doc__)
    data = compress(text)
    NOTICES.write_bytes(data)
    print(f"{NOTICES.relative_to(ROOT)}: {len(rust)} packages of Rust, {len(npm)} of npm, {len(text) // 1024} KiB, "
          f"compressed {len(data) / 1024:.1f} KiB")


main(sys.argv[1:])

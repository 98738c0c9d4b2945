#!/usr/bin/env python3
"""Writes a container image as an OCI archive, the same bytes for the same input, without a daemon.

    image.py --binary FILE --libc DEB --architecture amd64|arm64 --version V --output FILE.tar

The image contains the program, glibc of a Debian package, a user and an empty /data; no shell. The archive is an OCI
image layout (image-spec 1.1) that also has the manifest.json which `docker load` of older releases reads.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile
from datetime import datetime, timezone
from pathlib import Path

USER = 10001
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
# The program's libraries, and those that glibc loads to resolve names.
LIBRARIES = ("ld-linux-", "ld-2.", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libresolv.so", "libnss_")
HEALTH_SECONDS = 30


def add(layer, name, data=None, mode=0o755, owner=0, link=None):
    entry = tarfile.TarInfo(name)
    entry.mtime, entry.mode, entry.uid, entry.gid = EPOCH, mode, owner, owner
    if link is not None:
        entry.type, entry.linkname = tarfile.SYMTYPE, link
        layer.addfile(entry)
    elif data is None:
        entry.type = tarfile.DIRTYPE
        layer.addfile(entry)
    else:
        entry.size = len(data)
        layer.addfile(entry, io.BytesIO(data))


def glibc(deb):
    """The libraries of the Debian package: name, mode, content or target of a link."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        for entry in sorted(package.getmembers(), key=lambda it: it.name):
            name = entry.name.removeprefix("./")
            base = os.path.basename(name)
            is_library = name.startswith(("lib/", "lib64/")) and base.startswith(LIBRARIES)
            if name == "usr/share/doc/libc6/copyright" or is_library:
                if entry.issym():
                    yield name, entry.mode, None, entry.linkname
                elif entry.isfile():
                    yield name, entry.mode, package.extractfile(entry).read(), None


def base_layer(deb):
    files = list(glibc(deb))
    folders = {"etc", "usr", "usr/bin", "tmp", "data"}
    for name, *_ in files:
        parts = name.split("/")[:-1]
        folders.update("/".join(parts[: count + 1]) for count in range(len(parts)))
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as layer:
        for folder in sorted(folders):
            mode = {"tmp": 0o1777, "data": 0o750}.get(folder, 0o755)
            add(layer, folder + "/", mode=mode, owner=USER if folder == "data" else 0)
        users = f"root:x:0:0:root:/root:/sbin/nologin\nlectern:x:{USER}:{USER}::/data:/sbin/nologin\n"
        add(layer, "etc/passwd", users.encode(), 0o644)
        add(layer, "etc/group", f"root:x:0:\nlectern:x:{USER}:\n".encode(), 0o644)
        add(layer, "etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n", 0o644)
        for name, mode, data, link in files:
            add(layer, name, data, mode & 0o755, link=link)
    return out.getvalue()


def program_layer(binary, license):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as layer:
        add(layer, "usr/bin/lectern", binary.read_bytes())
        for folder in ["usr/share/", "usr/share/doc/", "usr/share/doc/lectern/"]:
            add(layer, folder)
        add(layer, "usr/share/doc/lectern/LICENSE", license.read_bytes(), 0o644)
    return out.getvalue()


def main():
    parser = argparse.ArgumentParser()
    for name in ["binary", "libc", "architecture", "version", "output"]:
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    root = Path(__file__).resolve().parent.parent.parent
    blobs = {}

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}

    layers, diffs = [], []
    for layer in [base_layer(options.libc), program_layer(Path(options.binary), root / "LICENSE")]:
        diffs.append("sha256:" + hashlib.sha256(layer).hexdigest())
        layers.append(blob(gzip.compress(layer, 9, mtime=0), "application/vnd.oci.image.layer.v1.tar+gzip"))
    created = datetime.fromtimestamp(EPOCH, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    libc = os.path.basename(options.libc).split("_")
    labels = {
        "org.opencontainers.image.title": "lectern",
        "org.opencontainers.image.description": "A public events calendar with an admin portal",
        "org.opencontainers.image.version": options.version,
        "org.opencontainers.image.licenses": "MIT",
        "org.opencontainers.image.base.name": f"{libc[0]} {libc[1]}" if len(libc) > 1 else libc[0],
    }
    config = {
        "created": created,
        "architecture": options.architecture,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/usr/bin", "LECTERN_DATABASE=/data/lectern.db", "LECTERN_LISTEN=0.0.0.0:8080"],
            "Entrypoint": ["/usr/bin/lectern"],
            "Cmd": ["serve"],
            "WorkingDir": "/data",
            "Volumes": {"/data": {}},
            "ExposedPorts": {"8080/tcp": {}},
            "StopSignal": "SIGTERM",
            "Labels": labels,
            # An extension of Docker, in nanoseconds. Podman does not read it from an OCI image.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/lectern", "healthcheck"],
                "Interval": HEALTH_SECONDS * 10**9,
                "Timeout": 10 * 10**9,
                "StartPeriod": 5 * 10**9,
                "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": diffs},
        "history": [
            {"created": created, "created_by": "glibc of Debian, user and /data"},
            {"created": created, "created_by": "lectern"},
        ],
    }
    encode = lambda value: json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    config_blob = blob(encode(config), "application/vnd.oci.image.config.v1+json")
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config_blob, "layers": layers, "annotations": labels,
    }
    entry = blob(encode(manifest), manifest["mediaType"])
    entry["platform"] = {"architecture": options.architecture, "os": "linux"}
    name = f"lectern:{options.version}"
    entry["annotations"] = {
        "org.opencontainers.image.ref.name": options.version, "io.containerd.image.name": f"docker.io/library/{name}",
    }
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    path = lambda descriptor: "blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")
    compatible = [{"Config": path(config_blob), "RepoTags": [name], "Layers": [path(layer) for layer in layers]}]

    with tarfile.open(options.output, "w", format=tarfile.USTAR_FORMAT) as archive:
        add(archive, "oci-layout", encode({"imageLayoutVersion": "1.0.0"}), 0o644)
        add(archive, "index.json", encode(index), 0o644)
        add(archive, "manifest.json", encode(compatible), 0o644)
        add(archive, "blobs/")
        add(archive, "blobs/sha256/")
        for digest in sorted(blobs):
            add(archive, f"blobs/sha256/{digest}", blobs[digest], 0o644)


main()

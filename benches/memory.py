#!/usr/bin/env python3
"""Attacks a server and prints the memory that it needs: benches/memory.py BINARY

Every upload is crafted to need as much memory as possible. `server` is the peak of the server (VmHWM); `with decoder`
is the largest sum of the memory of the server and of the processes that it started, sampled every 2 ms. Needs Linux.
"""
import http.client
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

MB = 1_000_000


# --- files ------------------------------------------------------------------------------------------------------------

def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, bits=8, kind=6, before=b"", interlaced=0):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    steps = [(8, 8), (8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2)] if interlaced else [(1, 1)]
    size = sum((height + down - 1) // down * (1 + ((width + right - 1) // right * channels * bits + 7) // 8)
               for right, down in steps)
    rows = zlib.compress(bytes(size + 8 if interlaced else size), 1)
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(width, height, frame=0xC0, components=3, interleaved=True, before=b""):
    """All coefficients are zero: each of the two tables has one code, the bit 0."""
    table = bytes([1] + [0] * 15 + [0])
    ids = range(1, components + 1)
    data = segment(0xDB, bytes([0] + [1] * 64)) + segment(0xC4, b"\x00" + table) + segment(0xC4, b"\x10" + table)
    data += segment(frame, struct.pack(">BHHB", 8, height, width, components)
                    + b"".join(bytes([id, 0x11, 0]) for id in ids))
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    # A progressive file begins with a scan of the first coefficient of all components.
    last = 0 if frame == 0xC2 else 63
    for scan in [list(ids)] if interleaved else [[id] for id in ids]:
        data += segment(0xDA, bytes([len(scan)]) + b"".join(bytes([id, 0]) for id in scan) + bytes([0, last, 0]))
        data += bytes((blocks * len(scan) * (1 if frame == 0xC2 else 2) + 7) // 8)
    return b"\xff\xd8" + before + data + b"\xff\xd9"


def riff(*chunks):
    body = b"WEBP"
    for name, data in chunks:
        body += name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def bits(*fields):
    """Fields of (value, bits), the least significant bit first."""
    return "".join(format(value, f"0{count}b")[::-1] for value, count in fields)


def vp8l_header(width, height, alpha=1):
    return bits((0x2F, 8), (width - 1, 14), (height - 1, 14), (alpha, 1), (0, 3))


def to_bytes(text):
    return int(text[::-1], 2).to_bytes((len(text) + 7) // 8 + 8, "little")


def single(symbol):
    """A Huffman code with one symbol, which takes no bits."""
    return bits((1, 1), (0, 1), (1, 1), (symbol, 8))


def flat_vp8l(width, height):
    """One color."""
    return to_bytes(vp8l_header(width, height) + "000" + single(7) + single(1) * 4)


def huffman_bomb():
    """4 x 4 pixels with 65,536 groups of five Huffman codes of 11 symbols, each of which becomes a table of 4 kB."""
    lengths = list(range(1, 11)) + [10]
    # Code lengths 1 to 6 are coded with three bits, 7 to 10 with four.
    order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10]
    of = {symbol: 3 if symbol <= 6 else 4 for symbol in range(1, 11)}
    codes, code = {}, 0
    for length in (3, 4):
        code <<= 1
        for symbol in sorted(symbol for symbol in of if of[symbol] == length):
            codes[symbol] = format(code, f"0{length}b")
            code += 1
    tree = bits((0, 1), (len(order) - 4, 4)) + "".join(bits((of.get(symbol, 0), 3)) for symbol in order)
    tree += bits((1, 1), (1, 3), (len(lengths) - 2, 4)) + "".join(codes[length] for length in lengths)
    entropy = "0" + single(255) + single(255) + single(0) * 3
    return riff((b"VP8L", to_bytes(vp8l_header(4, 4) + "001" + "000" + entropy + tree * 5 * 65_536)))


def three(value):
    return struct.pack("<I", value)[:3]


def animated_webp(width, height):
    frame = flat_vp8l(width, height)
    anmf = three(0) * 2 + three(width - 1) + three(height - 1) + three(100) + b"\0"
    anmf += b"VP8L" + struct.pack("<I", len(frame)) + frame + b"\0" * (len(frame) & 1)
    head = bytes([0b0001_0010, 0, 0, 0]) + three(width - 1) + three(height - 1)
    return riff((b"VP8X", head), (b"ANIM", bytes(6)), (b"ANMF", anmf))


def iccp(size):
    return chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(size), 9))


def uploads():
    text = chunk(b"tEXt", b"k\0")
    profile = segment(0xE2, b"ICC_PROFILE\0\x01\xff" + bytes(65_000))
    compressed = chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(300 * MB), 9))
    yield "JPEG, baseline, 24 MP", jpeg(6000, 4000)
    yield "JPEG, baseline, 50 MP", jpeg(8192, 6144)
    yield "JPEG, gray, 50 MP", jpeg(8192, 6144, components=1)
    yield "JPEG, four components, 50 MP", jpeg(8192, 6144, components=4)
    yield "JPEG, progressive, 24 MP", jpeg(6000, 4000, frame=0xC2)
    yield "JPEG, progressive, 50 MP", jpeg(8192, 6144, frame=0xC2)
    yield "JPEG, one scan a component, 50 MP", jpeg(8192, 6144, interleaved=False)
    yield "JPEG, 24 MP, 5 MB of profile", jpeg(6000, 4000, before=profile * 80)
    yield "JPEG, 24 MP, 7 MB of Exif", jpeg(6000, 4000, before=segment(0xE1, b"Exif\0\0" + bytes(65_000)) * 107)
    yield "JPEG, 1,601 x 30,000", jpeg(1601, 30_000)
    yield "PNG, alpha, 24 MP", png(6000, 4000)
    yield "PNG, alpha, 50 MP", png(8192, 6144)
    yield "PNG, alpha, 16 bit, 50 MP", png(8192, 6144, bits=16)
    yield "PNG, 1 bit, 50 MP", png(8192, 6144, bits=1, kind=0)
    yield "PNG, interlaced, alpha, 24 MP", png(6000, 4000, interlaced=1)
    yield "PNG, profile of 300 MB", png(50, 50, before=iccp(300 * MB))
    yield "PNG, alpha, 24 MP, profile of 100 MB", png(6000, 4000, before=iccp(100 * MB))
    yield "PNG, compressed text of 300 MB", png(50, 50, before=compressed)
    yield "PNG, 590,000 text chunks", png(50, 50, before=text * 590_000)
    yield "PNG, animated, 24 MP", png(6000, 4000, before=chunk(b"acTL", struct.pack(">II", 1000, 0)))
    yield "WebP, lossless, 24 MP", riff((b"VP8L", flat_vp8l(6000, 4000)))
    yield "WebP, lossless, 50 MP", riff((b"VP8L", flat_vp8l(8192, 6144)))
    yield "WebP, animated, 50 MP", animated_webp(8192, 6144)
    yield "WebP, 65,536 groups of codes", huffman_bomb()
    yield "GIF", b"GIF89a\x01\0\x01\0\0\0\0;"


# --- server -----------------------------------------------------------------------------------------------------------

def status(pid, key):
    try:
        with open(f"/proc/{pid}/status") as file:
            return int(re.search(rf"{key}:\s*(\d+)", file.read()).group(1)) * 1024
    except (OSError, AttributeError):
        return 0


class Server:
    def __init__(self, binary):
        self.folder = tempfile.TemporaryDirectory()
        env = {**os.environ, "LECTERN_DATABASE": f"{self.folder.name}/lectern.db", "LECTERN_LOG": "error",
               "LECTERN_SERVER__TRUSTED_PROXIES": "127.0.0.1"}
        subprocess.run([binary, "create-admin", "--email", "ada@example.com", "--password-stdin"],
                       input=b"a fine password\n", cwd=self.folder.name, env=env, check=True, stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen([binary, "serve", "--listen", "127.0.0.1:0"], cwd=self.folder.name, env=env,
                                        stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1])
        response = self.post("/api/auth/login", json.dumps({"email": "ada@example.com", "password": "a fine password"}),
                           {"content-type": "application/json"})
        self.cookie = response[2].split(";")[0]
        self.most = 0
        self.running = True
        threading.Thread(target=self.sample, daemon=True).start()

    def post(self, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=200)
        try:
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            return response.status, response.read(), response.getheader("set-cookie")
        finally:
            connection.close()

    def upload(self, file):
        code, body, _ = self.post("/api/pictures", file, {"content-type": "image/png", "cookie": self.cookie})
        return code, "" if code == 201 else json.loads(body)["error"]

    def sample(self):
        pid = self.process.pid
        while self.running:
            children = []
            try:
                for task in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{task}/children") as file:
                        children += file.read().split()
            except OSError:
                pass
            self.most = max(self.most, sum(status(child, "VmRSS") for child in [pid, *children]))
            time.sleep(0.002)

    def peak(self):
        return status(self.process.pid, "VmHWM")

    def stop(self):
        self.running = False
        self.process.terminate()
        self.process.wait()


def line(name, server, seconds, result):
    print(f"| {name} | {server.peak() / MB:.0f} MB | {server.most / MB:.0f} MB | {seconds:.1f} s | {result} |", flush=True)


def at_once(tasks):
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    binary = os.path.abspath(sys.argv[1])
    print("| attack | server | with decoder | time | result |\n|---|---|---|---|---|")
    files = list(uploads())
    for name, file in files:
        server = Server(binary)
        begun = time.monotonic()
        try:
            code, sentence = server.upload(file)
        except OSError as error:
            code, sentence = 0, f"no response: {error}"
        line(f"{name} ({len(file) / MB:.1f} MB)", server, time.monotonic() - begun, f"{code} {sentence}")
        server.stop()

    server = Server(binary)
    begun = time.monotonic()
    codes = {}

    def count(code):
        codes[code] = codes.get(code, 0) + 1

    at_once([lambda file=file: count(server.upload(file)[0]) for _, file in files * 4])
    line("all of these four times, at once", server, time.monotonic() - begun, codes)
    server.stop()

    # Half-open requests with large heads, sign-ins and uploads.
    server = Server(binary)
    held = []

    def hold(number):
        for _ in range(number):
            connection = socket.create_connection(("127.0.0.1", server.port))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 30_000)
            held.append(connection)

    def sign_in(client):
        for number in range(60):
            body = json.dumps({"email": f"a{number}@example.com", "password": "wrong password"})
            headers = {"content-type": "application/json", "x-forwarded-for": f"10.{client}.{number}.1"}
            try:
                count(f"sign-in {server.post('/api/auth/login', body, headers)[0]}")
            except OSError:
                count("sign-in none")

    def upload(file):
        try:
            count(server.upload(file)[0])
        except OSError:
            count("upload none")

    codes = {}
    begun = time.monotonic()
    at_once([lambda: hold(990)] * 4 + [lambda client=client: sign_in(client) for client in range(20)]
            + [lambda file=file: upload(file) for _, file in files * 2])
    line(f"{len(held)} connections, sign-ins and uploads at once", server, time.monotonic() - begun, codes)
    server.stop()


main()

"""SFTP beside the `sftp` program, bare libssh2 and rclone: 1 GiB, far away, small files, a listing of 100,000 entries."""

import shlex
from contextlib import contextmanager
from pathlib import Path

from FileTransfer.small_files import PROXY
from Harness.files import expect, make_file, make_tree, replace
from Harness.line import memory_line, speed_line, time_line
from Harness.measure import interleaved

SIZE, FAR_SIZE, FILES, ENTRIES, DELAY = 1 << 30, 256 << 20, 1000, 100_000, 20
TRANSPORTS = ("libssh2", "openssh")


class Server:
    """The test sshd, here or behind a proxy, and how each contender reaches a folder of it."""

    def __init__(self, place, port=None):
        self.place, self.served = place, place.sshd
        self.port = port or self.served.port
        self.hosts = place.scratch / f"known_hosts-{self.port}"
        text = Path(self.served.keys, "known_hosts").read_text()
        self.hosts.write_text(text.replace(f"]:{self.served.port} ", f"]:{self.port} "))
        # ssh refuses a key that others can read.
        self.key = place.scratch / "identity"
        self.key.write_text(Path(self.served.keys, "id_ed25519").read_text())
        self.key.chmod(0o600)

    def location(self, path):
        return f"sftp://{self.served.user}@127.0.0.1:{self.port}{self.served.folder}/{path}"

    def fp(self, command, transport, *arguments):
        return self.place.run(
            self.place.fp, command, "--ssh", transport, "--known-hosts", self.hosts, "--identity", self.key, *arguments)

    def sftp(self, *commands):
        script = " && ".join([
            f"printf '%s\\n' {' '.join(shlex.quote(each) for each in commands)}"
            f" | sftp -q -b - -F none -o UserKnownHostsFile={self.hosts} -i {self.key} -P {self.port}"
            f" {self.served.user}@127.0.0.1"])
        return self.place.run("sh", "-c", script)

    def loop(self, direction, path, local):
        """libssh2 alone, in C."""
        return self.place.run(
            self.place.programs / "BareLoop", direction, self.port, self.served.user, self.key,
            self.served.folder / path, local)

    def rclone(self, command, *arguments):
        return self.place.run(
            "rclone", command, "--sftp-host", "127.0.0.1", "--sftp-port", self.port, "--sftp-user", self.served.user,
            "--sftp-key-file", self.key, "--sftp-known-hosts-file", self.hosts, "--sftp-disable-hashcheck", *arguments)


@contextmanager
def far(place):
    """The server, 20 ms away."""
    with place.helper(PROXY, place.sshd.port, DELAY) as port:
        yield Server(place, port)


def get(place):
    """1 GiB, by the better transport."""
    server, target = Server(place), place.scratch / "big"
    make_file(place.sshd.folder / "big", SIZE)

    def ours(transport):
        def run():
            replace(target)
            return server.fp("cp", transport, "--quiet", server.location("big"), target)
        return run

    def theirs():
        replace(target)
        return server.sftp(f"get {place.sshd.folder}/big {target}")

    return best("sftp-get", "1 GiB from sshd", *interleaved(*map(ours, TRANSPORTS), theirs))


def put(place):
    """1 GiB, by the better transport."""
    server, source, target = Server(place), place.scratch / "big", place.sshd.folder / "big"
    make_file(source, SIZE)

    def ours(transport):
        def run():
            replace(target)
            return server.fp("cp", transport, "--quiet", source, server.location("big"))
        return run

    def theirs():
        replace(target)
        return server.sftp(f"put {source} {target}")

    return best("sftp-put", "1 GiB to sshd", *interleaved(*map(ours, TRANSPORTS), theirs))


def best(key, work, libssh2, openssh, theirs):
    """Which transport is the better one depends on the processor: only one of them encrypts outside of fp."""
    name, mine = min(
        zip(TRANSPORTS, (libssh2, openssh)), key=lambda each: sum(cost.wall for cost in each[1]))
    return [time_line(key, f"{work} by {name}", mine, theirs, "sftp")]


def loop_get(place):
    """1 GiB, by libssh2, ours and its own."""
    server, target = Server(place), place.scratch / "big"
    make_file(place.sshd.folder / "big", SIZE)

    def ours():
        replace(target)
        return server.fp("cp", "libssh2", "--quiet", server.location("big"), target)

    def theirs():
        replace(target)
        return server.loop("get", "big", target)

    return [time_line("sftp-loop-get", "1 GiB from sshd by libssh2", *interleaved(ours, theirs), "libssh2 in C")]


def loop_put(place):
    """1 GiB, by libssh2, ours and its own."""
    server, source, target = Server(place), place.scratch / "big", place.sshd.folder / "big"
    make_file(source, SIZE)

    def ours():
        replace(target)
        return server.fp("cp", "libssh2", "--quiet", source, server.location("big"))

    def theirs():
        replace(target)
        return server.loop("put", "big", source)

    return [time_line("sftp-loop-put", "1 GiB to sshd by libssh2", *interleaved(ours, theirs), "libssh2 in C")]


def get_delayed(place):
    """256 MiB, far away, by the transports that fp chooses by itself."""
    target = place.scratch / "big"
    make_file(place.sshd.folder / "big", FAR_SIZE)
    with far(place) as server:
        def ours():
            replace(target)
            return server.fp("cp", "automatic", "--quiet", server.location("big"), target)

        def sftp():
            replace(target)
            return server.sftp(f"get {place.sshd.folder}/big {target}")

        def rclone():
            replace(target)
            return server.rclone("copyto", f":sftp:{place.sshd.folder}/big", target)

        return both("sftp-get-delayed", f"256 MiB from sshd, {DELAY} ms away", *interleaved(ours, sftp, rclone))


def put_delayed(place):
    """256 MiB, far away, by the transports that fp chooses by itself."""
    source, target = place.scratch / "big", place.sshd.folder / "big"
    make_file(source, FAR_SIZE)
    with far(place) as server:
        def ours():
            replace(target)
            return server.fp("cp", "automatic", "--quiet", source, server.location("big"))

        def sftp():
            replace(target)
            return server.sftp(f"put {source} {target}")

        def rclone():
            replace(target)
            return server.rclone("copyto", source, f":sftp:{target}")

        return both("sftp-put-delayed", f"256 MiB to sshd, {DELAY} ms away", *interleaved(ours, sftp, rclone))


def both(key, work, mine, sftp, rclone):
    return [
        speed_line(f"{key}.sftp", work, mine, sftp, "sftp"),
        speed_line(f"{key}.rclone", work, mine, rclone, "rclone"),
    ]


def upload(place):
    """1,000 × 1 KiB."""
    return uploads(place, "sftp-upload", f"{FILES:,} × 1 KiB to sshd", Server(place))


def upload_delayed(place):
    """1,000 × 1 KiB, far away."""
    with far(place) as server:
        return uploads(place, "sftp-upload-delayed", f"{FILES:,} × 1 KiB to sshd, {DELAY} ms away", server)


def uploads(place, key, work, server):
    source, target = place.scratch / "tree", place.sshd.folder / "tree"
    make_tree(source, 10, FILES // 10, 1024)

    def ours():
        replace(target)
        return server.fp("cp", "libssh2", "--quiet", "-r", source, server.location("tree"))

    def rclone():
        replace(target)
        return server.rclone("copy", "--transfers", 16, source, f":sftp:{target}")

    mine, theirs = interleaved(ours, rclone)
    expect(target, FILES, FILES * 1024)
    return [speed_line(f"{key}.rclone", work, mine, theirs, "rclone"), memory_line(key, work, mine, theirs, "rclone")]


def listing(place):
    """100,000 entries of one directory."""
    server, folder = Server(place), place.sshd.folder / "many"
    folder.mkdir()
    for index in range(ENTRIES):
        (folder / f"entry {index}").touch()
    mine, theirs = interleaved(
        lambda: server.fp("ls", "libssh2", "-l", server.location("many/")),
        lambda: server.sftp(f"ls -l {folder}"))
    work = f"{ENTRIES:,} entries of sshd"
    return [speed_line("sftp-listing", work, mine, theirs, "sftp ls -l"), memory_line("sftp-listing", work, mine)]

"""Where a run happens: servers, folders, programs."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from .files import remove_large_files
from .measure import run


class Place:
    """A scratch folder, and a folder on the test servers, both empty at first.

    Their small files are left to who made the place, to be removed when nothing more is measured; see `files.replace`.
    """

    def __init__(self):
        here = Path(__file__).resolve().parent.parent
        (here / ".build").mkdir(exist_ok=True)
        self.scratch = Path(tempfile.mkdtemp(prefix="measured-", dir=here / ".build"))
        self.programs = Path(os.environ["FP_BENCHMARK_PROGRAMS"])
        self.fp = os.environ["FP_BINARY"]
        self.apache = Served("APACHE", self.scratch.name)
        self.nginx = Served("NGINX", self.scratch.name)
        self.sshd = ServedBySSH("SSHD", self.scratch.name)
        self.folders = (self.scratch, self.apache.folder, self.nginx.folder, self.sshd.folder)
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(self.scratch),
            "TMPDIR": str(self.scratch), "RCLONE_CONFIG": "/dev/null",
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for folder in self.folders:
            remove_large_files(folder)

    def remove(self):
        """Removes everything in the place."""
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)

    def run(self, *command):
        """Runs a command with an environment of its own; see `measure.run`."""
        return run(command, self.environment)

    def output(self, *command):
        """What a command writes."""
        run(command, self.environment, output=f"{self.scratch}/output")
        return (self.scratch / "output").read_text()

    def copy(self, *arguments):
        """`fp cp`."""
        return self.run(self.fp, "cp", "--quiet", *arguments)

    def rclone(self, command, url, *arguments):
        """An rclone command on a WebDAV server, which the arguments call `:webdav:`."""
        return self.run("rclone", command, "--webdav-url", url, *arguments)

    @contextmanager
    def helper(self, script, *arguments):
        """Runs a server of this package's while the block runs; gives the port that it prints."""
        command = [sys.executable, script, *map(str, arguments)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                yield int(process.stdout.readline())
            finally:
                process.terminate()


class Served:
    """A folder of its own on one of the test servers."""

    def __init__(self, server, name):
        base = os.environ[f"FP_TEST_{server}_URL"]
        root = Path(os.environ[f"FP_TEST_{server}_ROOT"])
        self.folder = root / name
        self.url = f"{base}{name}"  # For curl and rclone.
        self.location = self.url.replace("http://", "dav://", 1)  # For fp.
        self._log = Path(os.environ[f"FP_TEST_{server}_LOG"])
        self._name = f"/{name}"
        self._owner = root.stat()
        self.make_folder()

    def make_folder(self, name=""):
        """Makes a folder that the server can write to."""
        folder = self.folder / name
        folder.mkdir(mode=0o755)
        if os.geteuid() == 0:
            os.chown(folder, self._owner.st_uid, self._owner.st_gid)

    def through(self, port):
        """The URL and location of the folder through a proxy."""
        old = self.url.split("/")[2]
        return self.url.replace(old, f"127.0.0.1:{port}"), self.location.replace(old, f"127.0.0.1:{port}")

    def requests(self, work):
        """The lines that `work` adds to the server's log about this folder."""
        start = self._log.stat().st_size
        work()
        end = start
        while end != (end := self._settled_size()):
            pass
        with open(self._log, "rb") as log:
            log.seek(start)
            lines = log.read(end - start).decode(errors="replace").splitlines()
        return [line for line in lines if self._name in line]

    def _settled_size(self):
        time.sleep(0.3)  # A line is written just after its reply.
        return self._log.stat().st_size


class ServedBySSH:
    """A folder of its own on an SSH server, which reaches it by its path on this machine."""

    def __init__(self, server, name):
        url = urlsplit(os.environ[f"FP_TEST_{server}_URL"])
        root = Path(os.environ[f"FP_TEST_{server}_ROOT"])
        self.folder = root / name
        self.keys = os.environ[f"FP_TEST_{server}_KEYS"]
        self.user, self.port = url.username, url.port
        self.folder.mkdir(mode=0o755)
        if os.geteuid() == 0:
            os.chown(self.folder, root.stat().st_uid, root.stat().st_gid)

"""A test server to ask, and the list of questions."""

import http.client
import os
import re
import subprocess
import urllib.parse

QUESTIONS = []
OLD = b"old bytes\n"


def question(function):
    """Registers a question; its docstring is the row's title, what it returns is the cell."""
    QUESTIONS.append(function)
    return function


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    @property
    def full(self):
        """The status, followed by those inside a multistatus."""
        inner = " ".join(re.findall(r"HTTP/1\.[01] (\d+)", self.text))
        return f"207 ({inner})" if self.status == 207 else str(self.status)

    def value(self, prop):
        found = re.search(rf"[:<]{prop}[^>/]*>([^<]+)</", self.text)
        return found.group(1).strip() if found else None

    def hrefs(self):
        return re.findall(r":href>([^<]+)</", self.text)

    def __str__(self):
        return str(self.status)


class Server:
    def __init__(self, name):
        prefix = f"FP_TEST_{name.upper()}_"
        self.name = name
        self.url = os.environ[prefix + "URL"]
        self.folder = os.environ[prefix + "ROOT"]
        self.small_url = os.environ.get(prefix + "SMALL_URL")
        self.small_folder = os.environ.get(prefix + "SMALL_ROOT")
        self.address = urllib.parse.urlsplit(self.url)

    def ask(self, method, name, body=None, base=None, **headers):
        """Sends one request on a connection of its own. `name` is relative to the served folder, already encoded."""
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=20)
        path = urllib.parse.urlsplit(base or self.url).path + name
        fields = {key.replace("_", "-"): value for key, value in headers.items()}
        try:
            connection.request(method, path, body, fields, encode_chunked="Transfer-Encoding" in fields)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def put(self, name, body=OLD, **headers):
        return self.ask("PUT", name, body, **headers)

    def mkcol(self, name):
        return self.ask("MKCOL", name)

    def delete(self, name, **headers):
        return self.ask("DELETE", name, **headers)

    def get(self, name, **headers):
        return self.ask("GET", name, **headers)

    def move(self, name, destination, method="MOVE", **headers):
        return self.ask(method, name, Destination=self.url + destination, **headers)

    def propfind(self, name, properties="<getetag/>", **headers):
        body = f'<propfind xmlns="DAV:"><prop>{properties}</prop></propfind>'
        return self.ask("PROPFIND", name, body, **headers)

    def proppatch(self, name, prop, value, space):
        change = f"<x:{prop}>{value}</x:{prop}>"
        body = f'<propertyupdate xmlns="DAV:" xmlns:x="{space}"><set><prop>{change}</prop></set></propertyupdate>'
        return self.ask("PROPPATCH", name, body)

    def connect(self):
        return http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=10)

    def path(self, name):
        return os.path.join(os.fsencode(self.folder), urllib.parse.unquote_to_bytes(name))

    def on_disk(self, folder=None):
        """Every path below the served folder, except sabre's property files."""
        found = subprocess.run(["find", folder or self.folder, "-mindepth", "1", "-printf", "%P\\0"],
                               check=True, stdout=subprocess.PIPE).stdout.split(b"\0")[:-1]
        return sorted(item for item in found if not item.endswith(b".sabredav"))

    def content(self, name):
        """What a GET finds, in a few characters."""
        answer = self.get(name)
        if answer.status != 200:
            return str(answer)
        return short(answer.body) if 0 < len(answer.body) <= 20 else f"{len(answer.body)} bytes"

    def kept(self, name, old=OLD):
        """Whether `name` still holds its old bytes, in words."""
        return "kept" if self.get(name).body == old else f"lost ({self.content(name)})"

    def clear(self):
        for item in os.listdir(self.folder):
            subprocess.run(["rm", "-rf", "--", os.path.join(self.folder, item)], check=True)


def short(raw):
    return repr(raw)[2:-1]


def yes(condition):
    return "yes" if condition else "no"


def put_head(server, name, length, extra=""):
    """The bytes before the body of a PUT, for requests that are sent by hand."""
    return (f"PUT {server.address.path}{name} HTTP/1.1\r\nHost: {server.address.netloc}\r\n"
            f"Content-Length: {length}\r\n{extra}\r\n").encode()

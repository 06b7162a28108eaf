"""A WebDAV server with one collection, /dav/, of as many files as the argument says, and nothing else.

Prints its port. Its replies are made while they are sent, like mod_dav's.
"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from multistatus import multistatus


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16

    def do_PROPFIND(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.rstrip("/") != "/dav":
            self.send_error(404)
            return
        self.send_response(207)
        self.send_header("Content-Type", "text/xml; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in multistatus(b"/dav/", count if self.headers.get("Depth") == "1" else 0):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def do_OPTIONS(self):
        self.send_response(200)
        self.send_header("DAV", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


count = int(sys.argv[1])
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()

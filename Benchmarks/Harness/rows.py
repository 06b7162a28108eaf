"""Every row by name; each gives lines of the table."""

from CloudCore import vault
from FileTransfer import large_trees, relay, small_files
from HTTPFiles import big_file
from LocalFiles import local_copy
from WebDAVFiles import listing, parsing
from fp import starting

ROWS = {
    "get": big_file.get,
    "put": big_file.put,
    "parse": parsing.parse,
    "listing": listing.listing,
    "local-file": local_copy.file,
    "local-tree": local_copy.tree,
    "start": starting.start,
    "upload": small_files.upload,
    "download": small_files.download,
    "upload-delayed": small_files.upload_delayed,
    "download-delayed": small_files.download_delayed,
    "unchanged": large_trees.unchanged,
    "memory": large_trees.memory,
    "relay": relay.relay,
    "vault": vault.vault,
    "million": vault.million,
}

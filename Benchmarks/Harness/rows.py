"""Every row by name; each gives lines of the table."""

from CloudCore import commands, vault
from FileTransfer import large_trees, relay, small_files
from GalleryFiles import decoding
from HTTPFiles import big_file
from LocalFiles import local_copy
from SFTPFiles import sftp_files
from WebDAVFiles import listing, parsing
from fp import starting

ROWS = {
    "get": big_file.get,
    "put": big_file.put,
    "parse": parsing.parse,
    "gallery": decoding.decode,
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
    "sftp-get": sftp_files.get,
    "sftp-put": sftp_files.put,
    "sftp-loop-get": sftp_files.loop_get,
    "sftp-loop-put": sftp_files.loop_put,
    "sftp-get-delayed": sftp_files.get_delayed,
    "sftp-put-delayed": sftp_files.put_delayed,
    "sftp-upload": sftp_files.upload,
    "sftp-upload-delayed": sftp_files.upload_delayed,
    "sftp-listing": sftp_files.listing,
    "vault": vault.vault,
    "million": vault.million,
    "commands": commands.commands,
}

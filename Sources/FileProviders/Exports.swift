@_exported import FileProviding
@_exported import FileTransfer
@_exported import GalleryFiles
@_exported import HTTPFiles
@_exported import LocalFiles
@_exported import MemoryFiles
@_exported import SFTPFiles
@_exported import WebDAVFiles

-- A node is a collection where blob is null; in the trash where parent is null.
CREATE TABLE IF NOT EXISTS node(
    id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT, parent INTEGER, name TEXT, blob TEXT, size INTEGER, mtime INTEGER,
    etag TEXT, checksums TEXT, favorite INTEGER DEFAULT 0, looks INTEGER DEFAULT 0, origin TEXT, trashed INTEGER, UNIQUE(parent, name));
CREATE TABLE IF NOT EXISTS version(id INTEGER PRIMARY KEY AUTOINCREMENT, node INTEGER, blob TEXT, size INTEGER, mtime INTEGER, checksums TEXT);
CREATE TABLE IF NOT EXISTS share(
    id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT, node INTEGER, type INTEGER, receiver TEXT, permissions INTEGER,
    token TEXT, password TEXT, expiration TEXT, name TEXT, time INTEGER);
CREATE TABLE IF NOT EXISTS event(id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT, type TEXT, data TEXT);

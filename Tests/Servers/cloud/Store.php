<?php
// What the accounts have: nodes in SQLite, contents as blobs on disk. Every change is one transaction, renews the tags
// of all collections above it, and leaves an event.
class Store
{
    private PDO $db;
    private int $depth = 0;

    public function __construct(public readonly string $folder, private Face $face)
    {
        $isNew = !file_exists("$folder/cloud.db");
        $this->db = new PDO("sqlite:$folder/cloud.db", null, null, [PDO::ATTR_TIMEOUT => 20]);
        $this->db->exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
        if ($isNew) $this->create();
    }

    private function create(): void
    {
        $this->atomically(function () {
            $this->db->exec(file_get_contents(__DIR__ . '/schema.sql'));
            foreach ([Face::USER, Face::OTHER] as $user) {
                if (!$this->one('SELECT 1 FROM node WHERE parent = 0 AND name = ?', $user)) {
                    $this->insert($user, 0, $user, null, 0, time(), '');
                }
            }
        });
    }

    public function rows(string $sql, ...$values): array
    {
        $statement = $this->db->prepare($sql);
        foreach ($values as $i => $value) {
            $statement->bindValue($i + 1, $value, is_int($value) ? PDO::PARAM_INT : PDO::PARAM_STR);
        }
        $statement->execute();
        return $statement->fetchAll(PDO::FETCH_OBJ);
    }

    public function one(string $sql, ...$values): ?object { return $this->rows($sql, ...$values)[0] ?? null; }

    public function lastID(): int { return (int)$this->db->lastInsertId(); }

    public function atomically(callable $work): mixed
    {
        if ($this->depth++ === 0) $this->db->exec('BEGIN IMMEDIATE');
        try {
            $result = $work();
            if (--$this->depth === 0) $this->db->exec('COMMIT');
            return $result;
        } catch (Throwable $e) {
            if (--$this->depth === 0) $this->db->exec('ROLLBACK');
            throw $e;
        }
    }

    // MARK: Looking

    public function root(string $user): object
    {
        return $this->one('SELECT * FROM node WHERE parent = 0 AND name = ?', $user) ?? throw new Sabre\DAV\Exception\NotFound('no such user');
    }

    public function find(string $user, string $path): ?object
    {
        $node = $this->root($user);
        foreach ($path === '' ? [] : explode('/', trim($path, '/')) as $name) {
            $node = $this->one('SELECT * FROM node WHERE parent = ? AND name = ?', (int)$node->id, $name);
            if (!$node) return null;
        }
        return $node;
    }

    public function node(int $id): ?object { return $this->one('SELECT * FROM node WHERE id = ?', $id); }

    public function children(int $id): array { return $this->rows('SELECT * FROM node WHERE parent = ? ORDER BY id', $id); }

    public function path(object $node): string
    {
        $names = [];
        for (; $node->parent; $node = $this->node((int)$node->parent)) array_unshift($names, $node->name);
        return '/' . implode('/', $names);
    }

    // Whether a node is among its account's files, and not in the trash, alone or with what it is in.
    public function isLive(object $node): bool
    {
        while ($node && $node->parent) $node = $this->node((int)$node->parent);
        return $node && $node->parent !== null;
    }

    // Bytes in everything below.
    public function size(object $node): int
    {
        return (int)$this->one('WITH RECURSIVE below(id, size) AS (SELECT id, size FROM node WHERE id = ? UNION ALL
            SELECT node.id, node.size FROM node, below WHERE node.parent = below.id) SELECT sum(size) AS size FROM below', (int)$node->id)->size;
    }

    public function blobPath(string $blob): string { return "$this->folder/blobs/$blob"; }

    // MARK: Changing

    public function createDirectory(object $parent, string $name): object
    {
        return $this->atomically(function () use ($parent, $name) {
            $node = $this->insert($parent->owner, (int)$parent->id, $name, null, 0, time(), '');
            $this->touch($parent);
            $this->tell('folder-created', $node);
            return $node;
        });
    }

    // Puts a received body under a name; an old one becomes a version. Returns whether the file is new.
    public function put(object $parent, string $name, Body $body, ?int $mtime, bool $mustBeNew = false): bool
    {
        return $this->atomically(function () use ($parent, $name, $body, $mtime, $mustBeNew) {
            $old = $this->one('SELECT * FROM node WHERE parent = ? AND name = ?', (int)$parent->id, $name);
            if ($old && $mustBeNew) throw new Sabre\DAV\Exception\PreconditionFailed('the file exists', 'If-None-Match');
            $quota = $this->face->quota($parent->owner);
            if ($quota && $this->size($this->root($parent->owner)) + $body->size > $quota) {
                throw new Sabre\DAV\Exception\InsufficientStorage('Insufficient space in quota');
            }
            $blob = $body->keep($this);
            if ($old) {
                $this->rows('INSERT INTO version(node, blob, size, mtime, checksums) VALUES (?, ?, ?, ?, ?)',
                    (int)$old->id, $old->blob, (int)$old->size, (int)$old->mtime, $old->checksums);
                $this->rows('UPDATE node SET blob = ?, size = ?, mtime = ?, checksums = ?, etag = ?, looks = 0 WHERE id = ?',
                    $blob, $body->size, $mtime ?? time(), $body->kept, self::tag(), (int)$old->id);
                $node = $this->node((int)$old->id);
            } else {
                $node = $this->insert($parent->owner, (int)$parent->id, $name, $blob, $body->size, $mtime ?? time(), $body->kept);
            }
            $this->touch($parent);
            $this->tell('postprocessing-finished', $node);
            return !$old;
        });
    }

    public function move(object $node, object $parent, string $name): void
    {
        $this->atomically(function () use ($node, $parent, $name) {
            $from = $this->node((int)$node->parent);
            $this->rows('UPDATE node SET parent = ?, name = ?, owner = ? WHERE id = ?', (int)$parent->id, $name, $parent->owner, (int)$node->id);
            if ($from) $this->touch($from);
            $this->touch($parent);
            $kind = !$from ? 'item-restored' : ($from->id === $parent->id ? 'item-renamed' : 'item-moved');
            $this->tell($kind, $this->node((int)$node->id));
        });
    }

    public function copy(object $node, object $parent, string $name): void
    {
        $this->atomically(function () use ($node, $parent, $name) {
            $copy = $this->insert($parent->owner, (int)$parent->id, $name, $node->blob, (int)$node->size, (int)$node->mtime, $node->checksums);
            foreach ($this->children((int)$node->id) as $child) $this->copy($child, $copy, $child->name);
            $this->touch($parent);
            $this->tell($node->blob === null ? 'folder-created' : 'postprocessing-finished', $copy);
        });
    }

    public function trash(object $node): void
    {
        $this->atomically(function () use ($node) {
            $parent = $this->node((int)$node->parent);
            $this->tell('item-trashed', $node);
            $this->rows('UPDATE node SET parent = NULL, origin = ?, trashed = ? WHERE id = ?',
                ltrim($this->path($node), '/'), time(), (int)$node->id);
            $this->touch($parent);
        });
    }

    public function delete(object $node): void
    {
        foreach ($this->children((int)$node->id) as $child) $this->delete($child);
        $this->rows('DELETE FROM share WHERE node = ?', (int)$node->id);
        $this->rows('DELETE FROM node WHERE id = ?', (int)$node->id);
    }

    public function set(object $node, string $column, mixed $value): void
    {
        $this->rows("UPDATE node SET $column = ?, etag = ? WHERE id = ?", $value, self::tag(), (int)$node->id);
        if ($node->parent) $this->touch($this->node((int)$node->parent));
    }

    // New tags for a collection and everything above it.
    public function touch(object $node): void
    {
        $this->rows('WITH RECURSIVE above(id, parent) AS (SELECT id, parent FROM node WHERE id = ? UNION ALL
            SELECT node.id, node.parent FROM node, above WHERE node.id = above.parent)
            UPDATE node SET etag = ?, mtime = ? WHERE id IN (SELECT id FROM above)', (int)$node->id, self::tag(), time());
    }

    public function tell(string $type, object $node): void
    {
        $parent = $node->parent ? $this->node((int)$node->parent) : null;
        $this->rows('INSERT INTO event(owner, type, data) VALUES (?, ?, ?)', $node->owner, $type, json_encode([
            'parentitemid' => $parent ? $this->face->id($parent) : '', 'itemid' => $this->face->id($node),
            'spaceid' => $this->face->space($node->owner), 'initiatorid' => 'x', 'affecteduserids' => null]));
    }

    private function insert(string $owner, int $parent, string $name, ?string $blob, int $size, int $mtime, string $checksums): object
    {
        $this->rows('INSERT INTO node(owner, parent, name, blob, size, mtime, etag, checksums) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
            $owner, $parent, $name, $blob, $size, $mtime, self::tag(), $checksums);
        return $this->node($this->lastID());
    }

    private static function tag(): string { return bin2hex(random_bytes(16)); }
}

<?php
use Sabre\DAV\Exception;

// The files of one account as sabre/dav's tree. Nothing but the nodes: what makes it a cloud is in the plugins.
class CloudTree extends Sabre\DAV\Tree
{
    public function __construct(public readonly Store $store, public readonly Face $face, public readonly string $user) {}

    public function getNodeForPath($path)
    {
        $node = $this->store->find($this->user, $path);
        if (!$node) throw new Exception\NotFound('Resource not found');
        return $this->wrap($node);
    }

    public function wrap(object $node): CloudFile|CloudDirectory
    {
        return $node->blob === null ? new CloudDirectory($this, $node) : new CloudFile($this, $node);
    }

    public function copy($from, $to)
    {
        [$parent, $name] = $this->place($to);
        $this->alone(fn() => $this->store->copy($this->getNodeForPath($from)->row, $parent, $name));
    }

    public function move($from, $to)
    {
        [$parent, $name] = $this->place($to);
        $this->alone(fn() => $this->store->move($this->getNodeForPath($from)->row, $parent, $name));
    }

    // Of two who give one name at the same time, the second is told that it exists.
    private function alone(callable $work): void
    {
        try {
            $work();
        } catch (PDOException $e) {
            throw new Exception\PreconditionFailed('the destination exists');
        }
    }

    // The row of the collection that a path is in, and the last name.
    public function place(string $path): array
    {
        $slash = strrpos($path, '/');
        $parent = $this->store->find($this->user, $slash === false ? '' : substr($path, 0, $slash));
        if (!$parent) throw new Exception\Conflict('the parent does not exist');
        $name = $slash === false ? $path : substr($path, $slash + 1);
        $this->check($name);
        return [$parent, $name];
    }

    // What the products refuse to call a file.
    public function check(string $name): void
    {
        $isBad = !mb_check_encoding($name, 'UTF-8') || strlen($name) >= 255 || strpbrk($name, "\\\n") !== false;
        if (!$this->face->isOpenCloud) $isBad = $isBad || preg_match('/[\x00-\x1f]|\.(file)?part$/i', $name);
        if ($isBad) throw new Exception\BadRequest('the name has characters that are not allowed');
    }
}

abstract class CloudNode implements Sabre\DAV\INode
{
    public function __construct(protected CloudTree $tree, public object $row) {}
    public function getName() { return $this->row->name; }
    public function setName($name) { throw new Exception\NotImplemented('the tree moves'); }
    public function getLastModified() { return (int)$this->row->mtime; }
    public function delete() { $this->tree->store->trash($this->row); }
    public function getETag() { return '"' . $this->row->etag . '"'; }
}

class CloudFile extends CloudNode implements Sabre\DAV\IFile
{
    public function get()
    {
        if ($this->isProcessing()) {
            $this->tree->store->rows('UPDATE node SET looks = looks + 1 WHERE id = ?', (int)$this->row->id);
            throw new TooEarly('the file is still being processed');
        }
        return fopen($this->tree->store->blobPath($this->row->blob), 'rb');
    }

    public function put($data)
    {
        $store = $this->tree->store;
        $body = Body::received($store, $this->tree->face, $data);
        // OpenCloud looks again when it has the whole body.
        $tag = $this->tree->face->expectedTag;
        $now = $store->one('SELECT etag FROM node WHERE parent = ? AND name = ?', (int)$this->row->parent, $this->row->name);
        if ($tag && (!$now || $tag !== "\"$now->etag\"")) throw new Exception\Conflict('');
        $store->put($store->node((int)$this->row->parent), $this->row->name, $body, mtime());
        $this->row = $store->node((int)$this->row->id);
        return $this->getETag();
    }

    // OpenCloud examines an upload before it hands it out; here, by the name's wish, until it was asked for twice.
    public function isProcessing(): bool
    {
        return $this->tree->face->isOpenCloud && str_starts_with($this->row->name, 'processed-')
            && $this->row->looks < 2;
    }

    public function getSize() { return (int)$this->row->size; }
    public function getContentType() { return contentType($this->row->name); }
}

class CloudDirectory extends CloudNode implements Sabre\DAV\ICollection, Sabre\DAV\IQuota
{
    public function getChildren()
    {
        return array_map($this->tree->wrap(...), $this->tree->store->children((int)$this->row->id));
    }

    public function getChild($name)
    {
        $row = $this->tree->store->one('SELECT * FROM node WHERE parent = ? AND name = ?', (int)$this->row->id, $name);
        return $row ? $this->tree->wrap($row) : throw new Exception\NotFound('Resource not found');
    }

    public function childExists($name)
    {
        return (bool)$this->tree->store->one('SELECT 1 FROM node WHERE parent = ? AND name = ?', (int)$this->row->id, $name);
    }

    public function createFile($name, $data = null)
    {
        $this->tree->check($name);
        $body = Body::received($this->tree->store, $this->tree->face, $data);
        $mustBeNew = ($_SERVER['HTTP_IF_NONE_MATCH'] ?? '') === '*';
        $this->tree->store->put($this->row, $name, $body, mtime(), $mustBeNew);
        return $this->getChild($name)->getETag();
    }

    public function createDirectory($name)
    {
        $this->tree->check($name);
        try {
            $this->tree->store->createDirectory($this->row, $name);
        } catch (PDOException $e) {
            throw new Exception\MethodNotAllowed('The resource you tried to create already exists');
        }
    }

    public function getQuotaInfo()
    {
        $store = $this->tree->store;
        $quota = $this->tree->face->quota($this->row->owner);
        $free = $quota ? max(0, $quota - $store->size($store->root($this->row->owner))) : ($this->tree->face->isOpenCloud ? -2 : -3);
        return [$store->size($this->row), $free];
    }
}

class TooEarly extends Sabre\DAV\Exception
{
    public function getHTTPCode() { return 425; }
}

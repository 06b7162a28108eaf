<?php
use Sabre\DAV\Exception;

// Chunked upload: MKCOL of a folder, PUT of parts, MOVE of `.file` to the file's place. Nextcloud's second version wants
// the destination with every request, and parts named by numbers from 1 to 10000.
class Chunks
{
    public function __construct(private Store $store, private Face $face, private string $user) {}

    public function answer(string $method, string $id, string $part): void
    {
        $folder = FOLDER . "/uploads/$this->user-" . sha1($id);
        $this->face->isNextcloud && $method !== 'PROPFIND' && $method !== 'DELETE' && $this->destination();
        if ($method === 'MKCOL') {
            if (!@mkdir($folder)) throw new Exception\MethodNotAllowed('it exists');
            answer(201);
            return;
        }
        if (!is_dir($folder)) throw new Exception\NotFound('no such upload');
        if ($method === 'PUT') {
            if ($this->face->isNextcloud && !((int)$part >= 1 && (int)$part <= 10000)) throw new Exception\BadRequest('Invalid chunk name, must be numeric between 1 and 10000');
            $body = Body::received($this->store, $this->face, fopen('php://input', 'rb'));
            rename($this->store->blobPath($body->keep($this->store)), "$folder/" . rawurlencode($part));
            answer(201);
        } elseif ($method === 'PROPFIND') {
            $base = explode('?', $_SERVER['REQUEST_URI'])[0];
            $responses = [[$base, ['d:resourcetype' => '<d:collection/>']]];
            foreach ($this->parts($folder) as $name) {
                $responses[] = [rtrim($base, '/') . "/$name", ['d:resourcetype' => '', 'd:getcontentlength' => filesize("$folder/$name")]];
            }
            multistatus($responses);
        } elseif ($method === 'DELETE') {
            $this->remove($folder);
            answer(204);
        } elseif ($method === 'MOVE' && $part === '.file') {
            $this->assemble($folder);
        } else {
            throw new Exception\MethodNotAllowed($method);
        }
    }

    private function assemble(string $folder): void
    {
        $tree = new CloudTree($this->store, $this->face, $this->user);
        $destination = $this->destination();
        [$parent, $name] = $tree->place($destination);
        $body = new Body($this->store, $this->face);
        foreach ($this->parts($folder) as $part) $body->append(fopen("$folder/$part", 'rb'));
        $length = $_SERVER['HTTP_OC_TOTAL_LENGTH'] ?? null;
        $body->expect($length === null ? null : (int)$length)->verify($_SERVER['HTTP_OC_CHECKSUM'] ?? null);
        $existing = $this->store->find($this->user, $destination);
        if ($existing && $existing->blob === null) throw new Exception\Conflict('a collection is there');
        if ($existing && ($_SERVER['HTTP_OVERWRITE'] ?? 'T') === 'F') throw new Exception\PreconditionFailed('the file exists');
        $this->checkConditions($tree);
        $this->face->checkTime();
        $isNew = $this->store->put($parent, $name, $body, mtime(), ($_SERVER['HTTP_OVERWRITE'] ?? 'T') === 'F');
        $this->remove($folder);
        $node = $this->store->find($this->user, $destination);
        $headers = ['ETag' => "\"$node->etag\"", 'OC-ETag' => "\"$node->etag\"", 'OC-FileId' => $this->face->id($node)];
        if (mtime() !== null) $headers['X-OC-MTime'] = 'accepted';
        answer($isNew ? 201 : 204, '', '', $headers);
    }

    // As sabre/dav does: `If-Match` is about `.file`, which has no tag; a list in `If` about the resource it names.
    private function checkConditions(CloudTree $tree): void
    {
        if (isset($_SERVER['HTTP_IF_MATCH'])) throw new Exception\PreconditionFailed('no tag matched', 'If-Match');
        $server = $this->server($tree);
        preg_match_all('/<([^>]*)> *\(\[("[^"]*")\]\)/', $_SERVER['HTTP_IF'] ?? '', $lists, PREG_SET_ORDER);
        foreach ($lists as [, $uri, $tag]) {
            $node = $this->store->find($this->user, $server->calculateUri($uri));
            if (!$node || "\"$node->etag\"" !== $tag) throw new Exception\PreconditionFailed('another version', 'If');
        }
    }

    private function destination(): string
    {
        $header = $_SERVER['HTTP_DESTINATION'] ?? throw new Exception\BadRequest('The destination header was not supplied');
        return $this->server(new CloudTree($this->store, $this->face, $this->user))->calculateUri($header);
    }

    private function server(CloudTree $tree): CloudServer { return new CloudServer($tree, "/remote.php/dav/files/$this->user/"); }

    private function parts(string $folder): array
    {
        $parts = array_values(array_diff(scandir($folder), ['.', '..']));
        natsort($parts);
        return $parts;
    }

    private function remove(string $folder): void
    {
        foreach ($this->parts($folder) as $part) unlink("$folder/$part");
        rmdir($folder);
    }
}

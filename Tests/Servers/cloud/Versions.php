<?php
use Sabre\DAV\Exception;

// Earlier versions of a file: listed by PROPFIND, read by GET, restored by COPY (Nextcloud: by MOVE).
class Versions
{
    public function __construct(private Store $store, private Face $face, private string $user, private string $base) {}

    public function answer(string $method, int $id, string $key): void
    {
        $node = $this->store->node($id);
        if (!$node || !$this->store->isLive($node) || $node->owner !== $this->user) throw new Exception\NotFound('no such file');
        $versions = $this->store->rows('SELECT * FROM version WHERE node = ? ORDER BY id DESC', $id);
        if ($method === 'PROPFIND' && $key === '') {
            $responses = [["$this->base/", ['d:resourcetype' => '<d:collection/>']]];
            // Nextcloud lists the present version first, although it is at no address.
            if ($this->face->isNextcloud) array_unshift($versions, (object)['id' => $node->mtime, 'size' => $node->size, 'mtime' => $node->mtime]);
            foreach ($versions as $version) {
                $responses[] = ["$this->base/$version->id", ['d:resourcetype' => '', 'd:getcontentlength' => $version->size,
                    'd:getlastmodified' => gmdate('D, d M Y H:i:s \G\M\T', $version->mtime)]];
            }
            multistatus($responses);
            return;
        }
        $version = array_values(array_filter($versions, fn($version) => (string)$version->id === $key))[0] ?? throw new Exception\NotFound('no such version');
        if ($method === 'GET') {
            $body = file_get_contents($this->store->blobPath($version->blob));
            if (preg_match('/^bytes=(\d+)-(\d*)$/', $_SERVER['HTTP_RANGE'] ?? '', $range)) {
                $last = $range[2] === '' ? strlen($body) - 1 : min((int)$range[2], strlen($body) - 1);
                $part = substr($body, (int)$range[1], $last - (int)$range[1] + 1);
                answer(206, contentType($node->name), $part, ['Content-Range' => "bytes $range[1]-$last/" . strlen($body)]);
                return;
            }
            answer(200, contentType($node->name), $body);
        } elseif ($method === ($this->face->isNextcloud ? 'MOVE' : 'COPY')) {
            $this->restore($node, $version);
        } else {
            throw new Exception\MethodNotAllowed($method);
        }
    }

    private function restore(object $node, object $version): void
    {
        $body = (new Body($this->store, $this->face))->append(fopen($this->store->blobPath($version->blob), 'rb'))->verify(null);
        $this->store->put($this->store->node((int)$node->parent), $node->name, $body, (int)$version->mtime);
        answer($this->face->isNextcloud ? 201 : 204);
    }
}

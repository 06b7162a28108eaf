<?php
use Sabre\DAV\Exception;

// The trash of an account, listed by PROPFIND; items go back by MOVE and for good by DELETE.
class Trash
{
    private readonly string $base;

    // - Parameters: `/dav/`, as the client reaches it, and the trash below.
    public function __construct(private Store $store, private Face $face, private string $user, private string $dav, string $trash)
    {
        $this->base = $dav . $trash;
    }

    public function answer(string $method, string $path): void
    {
        if ($this->face->isNextcloud) $path = preg_replace('#^trash/?#', '', $path);
        $items = $this->store->rows('SELECT * FROM node WHERE owner = ? AND parent IS NULL ORDER BY trashed, id', $this->user);
        if ($method === 'PROPFIND' && $path !== '') {
            $items = array_values(array_filter($items, fn($item) => $this->name($item) === $path)) ?: throw new Exception\NotFound('not in the trash');
        }
        if ($method === 'PROPFIND') {
            $this->list($items, $path === '');
            return;
        }
        if ($method === 'DELETE' && $path === '') {
            $this->store->atomically(fn() => array_map($this->store->delete(...), $items));
            answer(204);
            return;
        }
        $item = array_values(array_filter($items, fn($item) => $this->name($item) === $path))[0] ?? throw new Exception\NotFound('not in the trash');
        if ($method === 'DELETE') {
            $this->store->atomically(fn() => $this->store->delete($item));
            answer(204);
        } elseif ($method === 'MOVE') {
            $this->restore($item);
        } else {
            throw new Exception\MethodNotAllowed($method);
        }
    }

    // Nextcloud puts it where it was, under another name if need be; the others where `Destination` says.
    private function restore(object $item): void
    {
        $tree = new CloudTree($this->store, $this->face, $this->user);
        if ($this->face->isNextcloud) {
            $target = $item->origin;
            $slash = strrpos($target, '/');
            // Without its folder it goes to the top.
            if ($slash !== false && !$this->store->find($this->user, substr($target, 0, $slash))) $target = substr($target, $slash + 1);
            while ($this->store->find($this->user, $target)) $target .= ' (restored)';
        } else {
            $target = (new CloudServer($tree, $this->dav . $this->files()))->calculateUri($_SERVER['HTTP_DESTINATION'] ?? throw new Exception\BadRequest('no destination'));
            if ($this->store->find($this->user, $target)) throw new Exception\PreconditionFailed('the target exists');
        }
        [$parent, $name] = $tree->place($target);
        $this->store->move($item, $parent, $name);
        $this->store->rows('UPDATE node SET trashed = NULL, origin = NULL WHERE id = ?', (int)$item->id);
        answer(201);
    }

    // What the trash takes for the account's files; no other address of theirs will do.
    private function files(): string
    {
        return $this->face->isOpenCloud ? 'spaces/' . $this->face->space($this->user) . '/' : "files/$this->user/";
    }

    private function list(array $items, bool $isWhole): void
    {
        $collection = $this->base . ($this->face->isNextcloud ? '/trash/' : '/');
        $responses = $isWhole ? [[$collection, ['d:resourcetype' => '<d:collection/>']]] : [];
        foreach ($items as $item) {
            $properties = ['d:resourcetype' => $item->blob === null ? '<d:collection/>' : '', 'd:getcontentlength' => $this->store->size($item),
                'oc:fileid' => $this->face->isOpenCloud ? $this->face->id($item) : $item->id];
            $path = text($item->origin);
            $name = text($item->name);
            $properties += $this->face->isNextcloud
                ? ['nc:trashbin-filename' => $name, 'nc:trashbin-original-location' => $path, 'nc:trashbin-deletion-time' => $item->trashed]
                : ['oc:trashbin-original-filename' => $name, 'oc:trashbin-original-location' => $path,
                    'oc:trashbin-delete-timestamp' => $item->trashed,
                    'oc:trashbin-delete-datetime' => gmdate('D, d M Y H:i:s \G\M\T', $item->trashed)];
            $responses[] = [$collection . rawurlencode($this->name($item)) . ($item->blob === null ? '/' : ''), $properties];
        }
        multistatus($responses);
    }

    private function name(object $item): string
    {
        return $this->face->isNextcloud ? "$item->name.d$item->trashed-$item->id" : "key-$item->id";
    }
}

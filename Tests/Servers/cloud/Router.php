<?php
// Which part of the cloud a path belongs to.
class Router
{
    public function __construct(private Store $store, private Face $face, private string $user) {}

    public function route(string $method, string $path): void
    {
        [$store, $face, $user] = [$this->store, $this->face, $this->user];
        if (preg_match('#^/ocs/v[12].php/(.*)$#', $path, $part)) {
            (new OCS($store, $face, $user))->answer($method, $part[1]);
            return;
        }
        if ($face->isOpenCloud && $path === '/graph/v1.0/me/drives') {
            (new Drives($store, $face, $user))->list();
            return;
        }
        if ($face->isNextcloud && $path === '/index.php/core/preview') {
            (new Preview($store))->answer($store->node((int)($_GET['fileId'] ?? 0)), $user);
            return;
        }
        if (preg_match('#^/remote\.php/webdav(/.*)?$#', $path)) {
            $this->files($method, $path, '/remote.php/webdav/');
            return;
        }
        if (!preg_match('#^/remote\.php/dav/(.*)$#', $path, $part)
            && !($face->isOpenCloud && preg_match('#^/dav/(.*)$#', $path, $part))) {
            throw new Sabre\DAV\Exception\NotFound('no such page');
        }
        $this->dav($method, $part[1], substr($path, 0, -strlen($part[1])) ?: $path);
    }

    // - Parameters: the path below `…/dav/`, and that prefix.
    private function dav(string $method, string $path, string $base): void
    {
        [$store, $face, $user] = [$this->store, $this->face, $this->user];
        $trash = $face->isOpenCloud ? 'spaces/trash-bin/' . rawurlencode($face->space($user))
            : ($face->isNextcloud ? "trashbin/$user" : "trash-bin/$user");
        // Clients may or may not escape the dollar sign.
        $plain = str_replace('%24', '$', $path);
        $trash = str_replace('%24', '$', $trash);
        $space = 'spaces/' . $face->space($user);
        if (str_starts_with("$plain/", "$trash/")) {
            (new Trash($store, $face, $user, $base, $trash))->answer($method, rawurldecode(trim(substr($plain, strlen($trash)), '/')));
        } elseif (preg_match('#^meta/([^/]+)/v(?:/(\d+))?/?$#', $path, $part) && !$face->isNextcloud) {
            (new Versions($store, $face, $user, "{$base}meta/$part[1]/v"))->answer($method, $face->number($part[1]), $part[2] ?? '');
        } elseif (preg_match('#^meta/([^/]+)/?$#', $path, $part) && !$face->isNextcloud) {
            $node = $store->node($face->number($part[1])) ?? throw new Sabre\DAV\Exception\NotFound('no such file');
            if (!$store->isLive($node) || $node->owner !== $user) throw new Sabre\DAV\Exception\NotFound('no such file');
            multistatus([[$base . $path, ['oc:meta-path-for-user' => text($store->path($node))]]]);
        } elseif ($face->isNextcloud && preg_match("#^versions/$user/versions/(\d+)(?:/(\d+))?/?$#", $path, $part)) {
            (new Versions($store, $face, $user, "{$base}versions/$user/versions/$part[1]"))->answer($method, (int)$part[1], $part[2] ?? '');
        } elseif (!$face->isOpenCloud && preg_match("#^uploads/$user/([^/]+)(?:/([^/]+))?/?$#", $path, $part)) {
            (new Chunks($store, $face, $user))->answer($method, $part[1], $part[2] ?? '');
        } elseif ($face->isNextcloud && $path === 'bulk' && $method === 'POST') {
            (new Bulk($store, $face, $user))->receive();
        } elseif ($face->isNextcloud && $method === 'SEARCH' && trim($path, '/') === '') {
            (new Search($store, $face, $user))->basicSearch();
        } elseif ($face->isOpenCloud && $method === 'REPORT' && str_starts_with($path, 'spaces')) {
            (new Search($store, $face, $user))->report('/remote.php/dav/' . $space);
        } elseif (str_starts_with("$path/", "files/$user/")) {
            $this->files($method, $path, "{$base}files/$user/");
        } elseif ($face->isOpenCloud && str_starts_with("$plain/", "$space/")) {
            $this->files($method, $path, $base . (str_contains($path, '%24') ? str_replace('$', '%24', $space) : $space) . '/');
        } else {
            throw new Sabre\DAV\Exception\NotFound("File not found: $path");
        }
    }

    private function files(string $method, string $path, string $root): void
    {
        if ($method === 'REPORT' && !$this->face->isOpenCloud) {
            (new Search($this->store, $this->face, $this->user))->report(rtrim($root, '/'));
            return;
        }
        if ($method === 'GET' && isset($_GET['preview'])) {
            $below = rawurldecode(substr(explode('?', $_SERVER['REQUEST_URI'])[0], strlen($root)));
            (new Preview($this->store))->answer($this->store->find($this->user, $below), $this->user);
            return;
        }
        $server = new CloudServer(new CloudTree($this->store, $this->face, $this->user), $root);
        $server->addPlugin(new OwnCloudPlugin($this->face));
        $server->addPlugin(new Sabre\DAV\Locks\Plugin(new Sabre\DAV\Locks\Backend\File(FOLDER . '/locks-' . $this->user)));
        if ($this->face->isOpenCloud) $server->addPlugin(new Tus($this->store, $this->face));
        $server->exec();
    }
}

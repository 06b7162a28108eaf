<?php
use Sabre\DAV\Exception;

// Resumable uploads by TUS 1.0.0 with creation and creation-with-upload. The address of an upload is its own secret.
class Tus extends Sabre\DAV\ServerPlugin
{
    private $server;
    const HEADERS = ['Tus-Resumable' => '1.0.0', 'Tus-Extension' => 'creation,creation-with-upload,checksum,expiration'];

    public function __construct(private Store $store, private Face $face) {}

    public function initialize(Sabre\DAV\Server $server)
    {
        $this->server = $server;
        $server->subscribeEvent('unknownMethod', fn($method, $uri) => $method !== 'POST' || $this->create($uri));
    }

    private function create($uri)
    {
        try {
            $parent = $this->server->tree->getNodeForPath($uri)->row;
        } catch (Exception\NotFound $e) {
            throw new Exception\PreconditionFailed('no such folder');
        }
        foreach (explode(',', $_SERVER['HTTP_UPLOAD_METADATA'] ?? '') as $pair) {
            [$key, $value] = explode(' ', trim($pair), 2) + [1 => ''];
            $metadata[$key] = base64_decode($value);
        }
        try {
            $this->server->tree->check($metadata['filename']);
        } catch (Exception\BadRequest $e) {
            throw new Exception\PreconditionFailed('no such name');
        }
        $length = (int)$_SERVER['HTTP_UPLOAD_LENGTH'];
        $upload = ['owner' => $parent->owner, 'parent' => (int)$parent->id, 'length' => $length, 'metadata' => $metadata,
            'match' => $_SERVER['HTTP_IF_MATCH'] ?? null];
        $headers = self::HEADERS;
        if ($length === 0) {
            $this->finish($upload, (new Body($this->store, $this->face))->verify(null));
            header('Location: ');
        } else {
            $token = bin2hex(random_bytes(24));
            file_put_contents(FOLDER . "/tus/$token", '');
            file_put_contents(FOLDER . "/tus/$token.json", json_encode($upload));
            $headers['Location'] = 'http://' . $_SERVER['HTTP_HOST'] . "/data/$token";
        }
        answer(201, '', '', $headers);
        return false;
    }

    // HEAD and PATCH of an upload; whoever sends a credential here gives it away.
    public function transfer(string $method, string $token): void
    {
        $file = FOLDER . "/tus/$token";
        if (isset($_SERVER['HTTP_AUTHORIZATION']) || isset($_SERVER['PHP_AUTH_USER'])) {
            file_put_contents(FOLDER . '/credential-leaked', 'yes');
        }
        if (!file_exists("$file.json")) {
            answer(404);
            return;
        }
        $upload = json_decode(file_get_contents("$file.json"), true);
        if ($method === 'HEAD') {
            answer(200, '', '', self::HEADERS + ['Upload-Offset' => filesize($file), 'Upload-Length' => $upload['length'], 'Cache-Control' => 'no-store']);
        } elseif ($method === 'DELETE') {
            unlink($file);
            unlink("$file.json");
            answer(204, '', '', self::HEADERS);
        } elseif ($method === 'PATCH') {
            $this->patch($file, $upload);
        } else {
            answer(405);
        }
    }

    private function patch(string $file, array $upload): void
    {
        if ((int)($_SERVER['HTTP_UPLOAD_OFFSET'] ?? -1) !== filesize($file)) {
            answer(409, '', '', self::HEADERS);
            return;
        }
        $out = fopen($file, 'ab');
        stream_copy_to_stream(fopen('php://input', 'rb'), $out);
        fclose($out);
        clearstatcache();
        $offset = filesize($file);
        if ($offset >= $upload['length']) {
            try {
                $this->finish($upload, (new Body($this->store, $this->face))->append(fopen($file, 'rb'))->expect($upload['length'])->verify(null));
            } catch (Exception\PreconditionFailed $e) {
                answer(412, '', '', self::HEADERS);
                return;
            }
            unlink($file);
            unlink("$file.json");
        }
        answer(204, '', '', self::HEADERS + ['Upload-Offset' => $offset]);
    }

    private function finish(array $upload, Body $body): void
    {
        $parent = $this->store->node($upload['parent']);
        $name = $upload['metadata']['filename'];
        $old = $this->store->one('SELECT * FROM node WHERE parent = ? AND name = ?', (int)$parent->id, $name);
        if ($upload['match'] && $upload['match'] !== '"' . ($old->etag ?? '') . '"') throw new Exception\PreconditionFailed('another version');
        $mtime = $upload['metadata']['mtime'] ?? null;
        $this->store->put($parent, $name, $body, $mtime === null ? null : (int)$mtime);
    }
}

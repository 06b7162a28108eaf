<?php
// Many small files in one request: multipart/related, each part with X-File-Path, X-File-MD5, X-File-Mtime and its length.
class Bulk
{
    public function __construct(private Store $store, private Face $face, private string $user) {}

    public function receive(): void
    {
        preg_match('/boundary="?([^";]+)"?/', $_SERVER['CONTENT_TYPE'] ?? '', $boundary);
        $in = fopen('php://input', 'rb');
        $result = [];
        while (($line = fgets($in)) !== false && rtrim($line) !== "--$boundary[1]--") {
            if (rtrim($line) !== "--$boundary[1]") continue;
            $headers = [];
            while (($line = rtrim(fgets($in))) !== '') {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower($name)] = trim($value);
            }
            $path = $headers['x-file-path'];
            $result[$path] = $this->store($path, $headers, $in);
        }
        answer(200, 'application/json', json_encode($result));
    }

    private function store(string $path, array $headers, $in): array
    {
        $bytes = stream_get_contents($in, (int)$headers['content-length']);
        if (md5($bytes) !== $headers['x-file-md5']) return ['error' => true, 'message' => 'Computed md5 hash is incorrect'];
        $stream = fopen('php://temp', 'w+b');
        fwrite($stream, $bytes);
        rewind($stream);
        try {
            [$parent, $name] = (new CloudTree($this->store, $this->face, $this->user))->place(trim($path, '/'));
            $body = (new Body($this->store, $this->face))->append($stream)->verify($headers['oc-checksum'] ?? null);
            $this->store->put($parent, $name, $body, isset($headers['x-file-mtime']) ? (int)$headers['x-file-mtime'] : null);
            return ['error' => false, 'etag' => $this->store->find($this->user, trim($path, '/'))->etag];
        } catch (Throwable $e) {
            return ['error' => true, 'message' => $e->getMessage()];
        }
    }
}

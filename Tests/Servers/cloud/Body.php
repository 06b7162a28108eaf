<?php
// A file's bytes on their way in: written down and hashed once, kept when they are complete and as announced.
class Body
{
    public int $size = 0;
    // The checksums to keep with the file, in ownCloud's form.
    public string $kept = '';
    private string $file;
    private array $hashes;

    public function __construct(Store $store, private Face $face)
    {
        $this->file = tempnam("$store->folder/tmp", 'body');
        $this->hashes = ['SHA1' => hash_init('sha1'), 'MD5' => hash_init('md5'), 'ADLER32' => hash_init('adler32')];
    }

    public function __destruct() { if (file_exists($this->file)) unlink($this->file); }

    public function append($stream): self
    {
        $out = fopen($this->file, 'ab');
        while (!feof($stream)) {
            $chunk = fread($stream, 262144);
            if ($chunk === false || $chunk === '') break;
            foreach ($this->hashes as $hash) hash_update($hash, $chunk);
            fwrite($out, $chunk);
            $this->size += strlen($chunk);
        }
        fclose($out);
        return $this;
    }

    public function expect(?int $length): self
    {
        if ($length !== null && $length !== $this->size) {
            throw new Sabre\DAV\Exception\BadRequest("expected $length bytes, got $this->size");
        }
        return $this;
    }

    // Compares with an OC-Checksum header. Nextcloud believes it, and knows no other.
    public function verify(?string $announced): self
    {
        foreach ($this->hashes as $name => $hash) $found[$name] = hash_final($hash);
        if ($announced && $this->face->verifiesChecksums) {
            [$name, $value] = explode(':', $announced, 2) + [1 => ''];
            if (isset($found[$name]) && $found[$name] !== strtolower($value)) {
                throw new Sabre\DAV\Exception\BadRequest('The computed checksum does not match the one received from the client.');
            }
        }
        $all = implode(' ', array_map(fn($name) => "$name:$found[$name]", array_keys($found)));
        $this->kept = $this->face->computesChecksums ? ($this->size ? $all : '') : (string)$announced;
        return $this;
    }

    public function keep(Store $store): string
    {
        $blob = bin2hex(random_bytes(12));
        rename($this->file, $store->blobPath($blob));
        return $blob;
    }

    public static function received(Store $store, Face $face, $stream): self
    {
        $length = $_SERVER['CONTENT_LENGTH'] ?? '';
        $body = (new self($store, $face))->append($stream)->expect($length === '' ? null : (int)$length);
        return $body->verify($_SERVER['HTTP_OC_CHECKSUM'] ?? null);
    }
}

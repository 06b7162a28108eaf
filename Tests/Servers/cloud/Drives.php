<?php
// The spaces of an account, as Microsoft Graph describes drives.
class Drives
{
    public function __construct(private Store $store, private Face $face, private string $user) {}

    public function list(): void
    {
        $id = $this->face->space($this->user);
        $root = $this->store->root($this->user);
        // Behind a proxy the server may call itself something else.
        $url = "https://cloud.invalid/dav/spaces/$id";
        answer(200, 'application/json', json_encode(['value' => [
            ['driveAlias' => "personal/$this->user", 'driveType' => 'personal', 'id' => $id, 'name' => ucfirst($this->user),
                'quota' => ['remaining' => 1 << 40, 'state' => 'normal', 'total' => 0, 'used' => $this->store->size($root)],
                'root' => ['eTag' => "\"$root->etag\"", 'id' => $id, 'webDavUrl' => $url]],
            ['driveAlias' => 'virtual/shares', 'driveType' => 'virtual', 'id' => 'a0ca$a0ca', 'name' => 'Shares',
                'root' => ['eTag' => 'DECAFC00FEE', 'id' => 'a0ca$a0ca', 'webDavUrl' => 'https://cloud.invalid/dav/spaces/a0ca$a0ca']],
        ]], JSON_UNESCAPED_SLASHES));
    }
}

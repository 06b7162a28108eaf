<?php
// The Open Collaboration Services: account, capabilities, shares, people to share with, events.
class OCS
{
    public function __construct(private Store $store, private Face $face, private string $user) {}

    public function answer(string $method, string $path): void
    {
        if ($this->face->isNextcloud && ($_SERVER['HTTP_OCS_APIREQUEST'] ?? '') !== 'true') {
            $this->fail(412, 997, 'CSRF check failed');
            return;
        }
        $shares = 'apps/files_sharing/api/v1/shares';
        if ($path === 'cloud/capabilities') {
            $version = $this->face->status()['versionstring'];
            $this->succeed(['version' => ['string' => $version], 'capabilities' => $this->face->capabilities($this->user)]);
        } elseif ($path === 'cloud/user') {
            $name = $this->face->isNextcloud ? 'displayname' : 'display-name';
            $this->succeed(['id' => $this->user, $name => ucfirst($this->user), 'email' => "$this->user@example.org"]);
        } elseif ($path === $shares || str_starts_with($path, "$shares/")) {
            (new Shares($this->store, $this->face, $this->user, $this))->answer($method, rawurldecode(substr($path, strlen($shares) + 1)));
        } elseif ($path === 'apps/files_sharing/api/v1/sharees') {
            $this->sharees();
        } elseif ($path === 'apps/notifications/api/v1/notifications/sse' && $this->face->isOpenCloud) {
            (new Events($this->store, $this->user))->stream();
        } else {
            $this->fail(404, 998, 'Invalid query, please check the syntax.');
        }
    }

    public function succeed(mixed $data): void
    {
        $meta = ['status' => 'ok', 'statuscode' => 200, 'message' => 'OK'];
        answer(200, 'application/json; charset=utf-8', json_encode(['ocs' => ['meta' => $meta, 'data' => $data]], JSON_UNESCAPED_SLASHES));
    }

    public function fail(int $status, int $code, string $message): void
    {
        // Nextcloud and ownCloud may say 200 and mean it otherwise; only `meta` tells.
        $meta = ['status' => $this->face->isOpenCloud ? 'error' : 'failure', 'statuscode' => $code, 'message' => $message];
        answer($status, 'application/json; charset=utf-8', json_encode(['ocs' => ['meta' => $meta, 'data' => []]]));
    }

    private function sharees(): void
    {
        $found = ['exact' => ['users' => [], 'groups' => [], 'remotes' => []], 'users' => [], 'groups' => [], 'remotes' => []];
        $text = $_GET['search'] ?? '';
        foreach (array_keys(Face::PASSWORDS) as $user) {
            if ($user === $this->user || !str_starts_with($user, $text)) continue;
            $sharee = ['label' => ucfirst($user), 'value' => ['shareType' => 0, 'shareWith' => $user]];
            if ($user === $text) $found['exact']['users'][] = $sharee;
            else $found['users'][] = $sharee;
        }
        if (str_starts_with('everyone', $text)) $found['groups'][] = ['label' => 'Everyone', 'value' => ['shareType' => 1, 'shareWith' => 'everyone']];
        $this->succeed($found);
    }
}

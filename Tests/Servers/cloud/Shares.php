<?php
// The share API: links, users and groups.
class Shares
{
    public function __construct(private Store $store, private Face $face, private string $user, private OCS $ocs) {}

    public function answer(string $method, string $id): void
    {
        parse_str($method === 'PUT' ? file_get_contents('php://input') : '', $changes);
        if ($id === '') {
            $method === 'POST' ? $this->create($_POST) : $this->list();
            return;
        }
        $share = $this->store->one('SELECT * FROM share WHERE id = ? AND (owner = ? OR receiver = ?)', (int)$id, $this->user, $this->user);
        if (!$share) {
            $this->ocs->fail(404, 404, 'Wrong share ID, share does not exist');
        } elseif ($method === 'DELETE') {
            $this->store->rows('DELETE FROM share WHERE id = ?', (int)$id);
            $this->ocs->succeed([]);
        } elseif ($method === 'PUT') {
            $this->update($share, $changes);
        } else {
            $this->ocs->succeed([$this->described($share)]);
        }
    }

    private function create(array $form): void
    {
        $node = isset($form['space_ref']) ? $this->store->node($this->face->number($form['space_ref']))
            : $this->store->find($this->user, $form['path'] ?? '');
        if (!$node || !$this->store->isLive($node)) {
            $this->ocs->fail(404, 404, 'Wrong path, file/folder does not exist');
            return;
        }
        $type = (int)($form['shareType'] ?? -1);
        $receiver = $form['shareWith'] ?? '';
        if ($type === 0 && !isset(Face::PASSWORDS[$receiver])) {
            $this->ocs->fail(404, $this->face->isOpenCloud ? 998 : 404, $this->face->isOpenCloud ? 'user not found' : 'Please specify a valid user');
            return;
        }
        if ($type !== 3 && $this->store->one('SELECT 1 FROM share WHERE node = ? AND type = ? AND receiver = ?', (int)$node->id, $type, $receiver)) {
            $this->ocs->fail(403, 104, 'Path already shared with this user');
            return;
        }
        if ($type === 3 && $this->isPasswordMissing($form)) return;
        $this->store->rows('INSERT INTO share(owner, node, type, receiver, permissions, token, password, expiration, name, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
            $this->user, (int)$node->id, $type, $receiver, (int)($form['permissions'] ?? ($type === 3 ? 1 : 31)),
            $type === 3 ? bin2hex(random_bytes(8)) : '', $form['password'] ?? '', $form['expireDate'] ?? '', $form['name'] ?? '', time());
        $id = $this->store->lastID();
        // Nextcloud adds the right to share further to each link.
        if ($type === 3 && $this->face->isNextcloud) $this->store->rows('UPDATE share SET permissions = permissions | 16 WHERE id = ?', (int)$id);
        $this->store->tell('share-created', $node);
        $this->ocs->succeed($this->described($this->store->one('SELECT * FROM share WHERE id = ?', $id)));
    }

    private function isPasswordMissing(array $form): bool
    {
        if (!$this->face->enforcesPasswords($this->user)) return false;
        $password = $form['password'] ?? '';
        if ($password === '') $this->ocs->fail(400, 400, 'missing required password');
        elseif (strlen($password) < 8) $this->ocs->fail(400, 400, 'at least 8 characters are required');
        else return false;
        return true;
    }

    private function update(object $share, array $changes): void
    {
        foreach (['permissions', 'password', 'expireDate' => 'expiration', 'name'] as $key => $column) {
            $value = $changes[is_int($key) ? $column : $key] ?? null;
            if ($value !== null) $this->store->rows("UPDATE share SET $column = ? WHERE id = ?", $value, (int)$share->id);
        }
        $this->ocs->succeed($this->described($this->store->one('SELECT * FROM share WHERE id = ?', (int)$share->id)));
    }

    private function list(): void
    {
        if (($_GET['shared_with_me'] ?? '') === 'true') {
            $shares = $this->store->rows('SELECT * FROM share WHERE type = 0 AND receiver = ?', $this->user);
        } elseif (isset($_GET['path']) || isset($_GET['space_ref'])) {
            $node = isset($_GET['space_ref']) ? $this->store->node($this->face->number($_GET['space_ref']))
                : $this->store->find($this->user, $_GET['path']);
            if (!$node || !$this->store->isLive($node)) {
                $this->ocs->fail(404, 404, 'Wrong path, file/folder does not exist');
                return;
            }
            $shares = $this->store->rows('SELECT * FROM share WHERE owner = ? AND node = ?', $this->user, (int)$node->id);
        } else {
            $shares = $this->store->rows('SELECT * FROM share WHERE owner = ?', $this->user);
        }
        $this->ocs->succeed(array_map($this->described(...), $shares));
    }

    private function described(object $share): array
    {
        $node = $this->store->node((int)$share->node);
        $path = $this->store->path($node);
        $isMine = $share->owner === $this->user;
        $all = ['id' => (string)$share->id, 'share_type' => (int)$share->type, 'uid_owner' => $share->owner,
            'displayname_owner' => ucfirst($share->owner), 'permissions' => (int)$share->permissions, 'stime' => (int)$share->time,
            'expiration' => $share->expiration === '' ? ($this->face->isOpenCloud ? '' : null) : "$share->expiration 23:59:59",
            'token' => $share->token, 'uid_file_owner' => $share->owner,
            'path' => $isMine ? $path : ($this->face->isOpenCloud ? '/Shares/' : '/') . $node->name,
            'item_type' => $node->blob === null ? 'folder' : 'file',
            'item_source' => $this->face->isOpenCloud ? $this->face->id($node) : (int)$node->id,
            'file_source' => $this->face->isOpenCloud ? $this->face->id($node) : (int)$node->id,
            'share_with' => $share->type == 3 ? ($share->password === '' ? null : '***redacted***') : $share->receiver,
            'share_with_displayname' => $share->type == 3 ? ($share->password === '' ? null : '***redacted***') : ucfirst($share->receiver),
            'name' => $share->name, $this->face->isNextcloud ? 'label' : 'alias' => $share->name];
        if ($share->type == 3) $all['url'] = 'http://' . $_SERVER['HTTP_HOST'] . "/s/$share->token";
        if ($this->face->isOpenCloud) $all['space_id'] = $this->face->space($share->owner);
        return $all;
    }
}

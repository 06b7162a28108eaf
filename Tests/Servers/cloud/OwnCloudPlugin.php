<?php
use Sabre\DAV\Exception;

// What all three products add to plain WebDAV: their properties, headers, and where they are stricter or laxer.
class OwnCloudPlugin extends Sabre\DAV\ServerPlugin
{
    private $server;

    public function __construct(private Face $face) {}

    public function initialize(Sabre\DAV\Server $server)
    {
        $this->server = $server;
        $server->xmlNamespaces['http://owncloud.org/ns'] = 'oc';
        $server->xmlNamespaces['http://nextcloud.org/ns'] = 'nc';
        $server->subscribeEvent('beforeMethod', $this->beforeMethod(...), 5);
        $server->subscribeEvent('beforeGetProperties', $this->beforeGetProperties(...));
        $server->subscribeEvent('afterGetProperties', $this->afterGetProperties(...));
        $server->subscribeEvent('updateProperties', $this->updateProperties(...));
        foreach (['afterCreateFile', 'afterWriteContent'] as $event) $server->subscribeEvent($event, $this->afterWrite(...));
    }

    private function beforeMethod($method, $uri)
    {
        if ($this->face->isOpenCloud) {
            if ($method === 'PROPFIND' && ($_SERVER['HTTP_DEPTH'] ?? '') === 'infinity') {
                throw new Exception\BadRequest('Invalid Depth header value: infinity');
            }
            if ($method === 'PUT' && isset($_SERVER['HTTP_TRANSFER_ENCODING'])) throw new Exception\BadRequest('no length');
            $request = $this->server->httpRequest;
            $headers = $_SERVER;
            unset($headers['HTTP_IF_NONE_MATCH'], $_SERVER['HTTP_IF_NONE_MATCH']);
            if ($method === 'PUT' && ($tag = $headers['HTTP_IF_MATCH'] ?? null)) {
                $found = $this->server->tree->nodeExists($uri) ? $this->server->tree->getNodeForPath($uri)->getETag() : '';
                if ($tag !== $found) throw new Exception\Conflict('');
                $this->face->expectedTag = $tag;
            }
            unset($headers['HTTP_IF_MATCH']);
            $request->__construct($headers);
        } elseif ($method === 'PROPFIND' && ($_SERVER['HTTP_DEPTH'] ?? 'infinity') === 'infinity') {
            throw new Exception\Forbidden('Depth infinity is not allowed');
        }
        $this->face->checkTime();
        if ($method === 'DELETE' && $uri === '') {
            // The real thing removes the account's files for good: let the tests see it.
            file_put_contents(FOLDER . '/home-root-deleted', 'yes');
        }
        if (in_array($method, ['GET', 'HEAD'])) $this->addFileHeaders($uri);
        return true;
    }

    private function addFileHeaders($uri)
    {
        if (!$this->server->tree->nodeExists($uri)) return;
        $row = $this->server->tree->getNodeForPath($uri)->row;
        $this->server->httpResponse->setHeader('OC-FileId', $this->face->id($row));
        if (preg_match('/SHA1:\w+/', $row->checksums, $sha1)) $this->server->httpResponse->setHeader('OC-Checksum', $sha1[0]);
    }

    private function afterWrite($uri)
    {
        $node = $this->server->tree->getNodeForPath($uri);
        $response = $this->server->httpResponse;
        $response->setHeader('OC-ETag', $node->getETag());
        $response->setHeader('OC-FileId', $this->face->id($node->row));
        if (mtime() !== null) $response->setHeader('X-OC-MTime', 'accepted');
        return true;
    }

    private function beforeGetProperties($path, $node, &$wanted, &$properties)
    {
        $row = $node->row;
        $isFile = $node instanceof CloudFile;
        $all = [
            '{DAV:}getetag' => $node->getETag(),
            '{http://owncloud.org/ns}id' => $this->face->id($row),
            '{http://owncloud.org/ns}fileid' => $this->face->isOpenCloud ? $this->face->id($row) : $row->id,
            '{http://owncloud.org/ns}permissions' => $this->face->isOpenCloud ? ($isFile ? 'RDNVWZP' : 'RDNVCKZP') : ($isFile ? 'RDNVW' : 'RDNVCK'),
            '{http://owncloud.org/ns}favorite' => (string)$row->favorite,
            '{http://owncloud.org/ns}owner-id' => $row->owner,
            '{http://owncloud.org/ns}owner-display-name' => ucfirst($row->owner),
        ];
        if (in_array('{http://owncloud.org/ns}size', $wanted)) {
            $all['{http://owncloud.org/ns}size'] = $isFile ? $row->size : $this->server->tree->store->size($row);
        }
        if ($isFile && $row->checksums) $all['{http://owncloud.org/ns}checksums'] = new Elements('oc:checksum', [$row->checksums]);
        if (in_array('{http://owncloud.org/ns}share-types', $wanted)) {
            $types = array_column($this->server->tree->store->rows('SELECT DISTINCT type FROM share WHERE node = ?', (int)$row->id), 'type');
            if ($types) $all['{http://owncloud.org/ns}share-types'] = new Elements('oc:share-type', $types);
        }
        foreach ($all as $name => $value) {
            if (($key = array_search($name, $wanted)) === false) continue;
            unset($wanted[$key]);
            $properties[200][$name] = $value;
        }
        return true;
    }

    private function afterGetProperties($path, &$properties, $node)
    {
        if ($node instanceof CloudFile && $node->isProcessing()) {
            $properties[425] = $properties[200];
            $properties[200] = [];
        }
        return true;
    }

    private function updateProperties(&$changes, &$result, $node)
    {
        foreach ($changes as $name => $value) {
            $store = $this->server->tree->store;
            if ($name === '{http://owncloud.org/ns}favorite') $store->set($node->row, 'favorite', (int)$value);
            elseif ($name === '{DAV:}lastmodified') { if (!$this->face->isOpenCloud) $store->set($node->row, 'mtime', (int)$value); }
            else continue;
            $result[200][$name] = null;
            unset($changes[$name]);
        }
        return true;
    }
}

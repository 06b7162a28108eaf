<?php
// Search by name: ownCloud's and OpenCloud's REPORT, and the SEARCH of RFC 5323 with Nextcloud.
class Search
{
    public function __construct(private Store $store, private Face $face, private string $user) {}

    public function report(string $root): void
    {
        $xml = simplexml_load_string(file_get_contents('php://input'));
        $oc = $xml->children('http://owncloud.org/ns');
        if ($xml->getName() === 'filter-files') {
            if ($this->face->isOpenCloud) throw new Sabre\DAV\Exception\BadRequest('error decoding REPORT body: missing search-files tag');
            $this->reply(fn($node) => (bool)$node->favorite, $root, PHP_INT_MAX);
            return;
        }
        $pattern = (string)$oc->search->children('http://owncloud.org/ns')->pattern;
        if (preg_match('/^name:"?\*?(.*?)\*?"?$/s', $pattern, $match)) $pattern = $match[1];
        $limit = (int)$oc->search->children('http://owncloud.org/ns')->limit ?: 30;
        $this->reply(fn($node) => mb_stripos($node->name, $pattern) !== false, $root, $limit);
    }

    public function basicSearch(): void
    {
        $xml = simplexml_load_string(file_get_contents('php://input'));
        foreach (['d' => 'DAV:', 'oc' => 'http://owncloud.org/ns'] as $prefix => $uri) $xml->registerXPathNamespace($prefix, $uri);
        $scope = trim((string)($xml->xpath('//d:scope/d:href')[0] ?? ''), '/');
        $pattern = (string)($xml->xpath('//d:like/d:literal')[0] ?? '%');
        $limit = (int)($xml->xpath('//d:limit/d:nresults')[0] ?? PHP_INT_MAX);
        $number = $xml->xpath('//d:eq[d:prop/oc:fileid]/d:literal')[0] ?? null;
        $below = rawurldecode(substr($scope, strlen("files/$this->user")));
        $expression = '/^' . str_replace(['\\\\%', '%'], ['%', '.*'], preg_quote($pattern, '/')) . '$/isu';
        $matches = $number === null ? fn($node) => preg_match($expression, $node->name) === 1 : fn($node) => (int)$node->id === (int)$number;
        $this->reply($matches, "/remote.php/dav/files/$this->user", $limit, trim($below, '/'));
    }

    private function reply(callable $matches, string $root, int $limit, string $below = ''): void
    {
        $responses = [];
        foreach ($this->walk($this->store->find($this->user, $below) ?? throw new Sabre\DAV\Exception\NotFound('no such scope')) as $node) {
            if (!$matches($node) || count($responses) >= $limit) continue;
            $href = $root . encoded($this->store->path($node)) . ($node->blob === null ? '/' : '');
            $properties = ['d:resourcetype' => $node->blob === null ? '<d:collection/>' : '', 'oc:fileid' => $this->face->id($node),
                'd:getlastmodified' => gmdate('D, d M Y H:i:s \G\M\T', $node->mtime),
                'd:getetag' => $this->face->isOpenCloud ? '' : "\"$node->etag\""];
            if ($node->blob !== null) $properties['d:getcontentlength'] = $node->size;
            $responses[] = [$href, $properties];
        }
        multistatus($responses);
    }

    private function walk(object $node): Generator
    {
        foreach ($this->store->children((int)$node->id) as $child) {
            yield $child;
            yield from $this->walk($child);
        }
    }
}

<?php
// An ownCloud 10, Nextcloud or OpenCloud as far as clients can see it: sabre/dav for the files, and around it what these
// products add. FACE says which one; FOLDER is where everything is kept.
require 'Sabre/autoload.php';
spl_autoload_register(function ($class) {
    $file = ['CloudFile' => 'CloudTree', 'CloudDirectory' => 'CloudTree', 'TooEarly' => 'CloudTree'][$class] ?? $class;
    if (file_exists(__DIR__ . "/$file.php")) require_once __DIR__ . "/$file.php";
});

function mtime(): ?int { return isset($_SERVER['HTTP_X_OC_MTIME']) ? (int)$_SERVER['HTTP_X_OC_MTIME'] : null; }

function contentType(string $name): string
{
    $types = ['txt' => 'text/plain', 'png' => 'image/png', 'jpg' => 'image/jpeg', 'md' => 'text/markdown'];
    return $types[strtolower(pathinfo($name, PATHINFO_EXTENSION))] ?? 'application/octet-stream';
}

function answer(int $status, string $type = '', string $body = '', array $headers = []): void
{
    http_response_code($status);
    if ($type !== '') header("Content-Type: $type");
    foreach ($headers as $name => $value) header("$name: $value");
    if ($status !== 204) header('Content-Length: ' . strlen($body));
    echo $body;
}

function refuse(int $status, string $exception, string $message): void
{
    answer($status, 'application/xml; charset=utf-8', '<?xml version="1.0" encoding="utf-8"?>' . "\n"
        . '<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>Sabre\DAV\Exception\\' . $exception
        . '</s:exception><s:message>' . htmlspecialchars($message, ENT_XML1) . '</s:message></d:error>');
}

// Responses to PROPFIND of what is no file: each a reference and its properties as XML.
function multistatus(array $responses): void
{
    $xml = '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" '
        . 'xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">';
    foreach ($responses as [$href, $properties]) {
        $xml .= "<d:response><d:href>$href</d:href><d:propstat><d:prop>";
        foreach ($properties as $name => $value) $xml .= "<$name>$value</$name>";
        $xml .= '</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
    }
    answer(207, 'application/xml; charset=utf-8', "$xml</d:multistatus>");
}

function text(string $text): string { return htmlspecialchars($text, ENT_XML1 | ENT_SUBSTITUTE); }

function encoded(string $path): string { return implode('/', array_map('rawurlencode', explode('/', $path))); }

function user(Face $face): string
{
    $user = $_SERVER['PHP_AUTH_USER'] ?? '';
    if ((Face::PASSWORDS[$user] ?? null) === ($_SERVER['PHP_AUTH_PW'] ?? '')) return $user;
    if ($face->isOpenCloud) header('Www-Authenticate: Bearer realm="cloud", charset="UTF-8"');
    header('Www-Authenticate: Basic realm="cloud", charset="UTF-8"', false);
    refuse(401, 'NotAuthenticated', 'Authentication error');
    exit;
}

// Whole addresses come from clients that take the server for their proxy.
$_SERVER['REQUEST_URI'] = preg_replace('#^http://[^/]+#', '', $_SERVER['REQUEST_URI']);
$face = new Face(FACE);
$store = new Store(FOLDER, $face);
$path = explode('?', $_SERVER['REQUEST_URI'])[0];
$method = $_SERVER['REQUEST_METHOD'];
if ($path === '/status.php') {
    answer(200, 'application/json', json_encode($face->status(), JSON_PRETTY_PRINT));
} elseif (preg_match('#^/data/([0-9a-f]+)$#', $path, $part)) {
    (new Tus($store, $face))->transfer($method, $part[1]);
} else {
    try {
        $isPublic = $face->isNextcloud && $path === '/ocs/v2.php/cloud/capabilities';
        $user = $isPublic && !isset($_SERVER['PHP_AUTH_USER']) ? '' : user($face);
        (new Router($store, $face, $user))->route($method, $path);
    } catch (Sabre\DAV\Exception $e) {
        refuse($e->getHTTPCode(), (new ReflectionClass($e))->getShortName(), $e->getMessage());
    }
}

<?php
// A sabre/dav server with locks and partial updates. FSExt is the folder class that stores properties, patches files.
require 'Sabre/autoload.php';

$base = str_starts_with($_SERVER['REQUEST_URI'], '/small/files') ? 'small/files' : 'dav';
$server = new Sabre\DAV\Server(new Sabre\DAV\FSExt\Directory(__DIR__ . "/www/$base"));
$server->setBaseUri("/$base/");
$locks = __DIR__ . '/run/locks-' . basename($base);
$server->addPlugin(new Sabre\DAV\Locks\Plugin(new Sabre\DAV\Locks\Backend\File($locks)));
$server->addPlugin(new Sabre\DAV\PartialUpdate\Plugin());
$server->exec();

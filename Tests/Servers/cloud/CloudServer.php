<?php
// sabre/dav 1.8 guesses the encoding of names and knows no status 425; these products do otherwise.
class CloudServer extends Sabre\DAV\Server
{
    public function __construct($tree, string $base)
    {
        parent::__construct($tree);
        $this->setBaseUri($base);
        $this->httpResponse = new CloudResponse();
    }

    public function calculateUri($uri)
    {
        if ($uri[0] !== '/' && strpos($uri, '://')) $uri = parse_url($uri, PHP_URL_PATH);
        $uri = rawurldecode(preg_replace('#/+#', '/', $uri));
        $base = rawurldecode($this->getBaseUri());
        if (!str_starts_with("$uri/", $base)) throw new Sabre\DAV\Exception\Forbidden("$uri is out of base uri ($base)");
        return trim(substr($uri, strlen($base)), '/');
    }
}

class CloudResponse extends Sabre\HTTP\Response
{
    public function getStatusMessage($code, $httpVersion = '1.1')
    {
        return $code === 425 ? "HTTP/$httpVersion 425 TOO EARLY" : parent::getStatusMessage($code, $httpVersion);
    }
}

<?php
// sabre/dav 1.8 guesses the encoding of names and knows no status 425; these products do otherwise.
class CloudServer extends Sabre\DAV\Server
{
    public function __construct($tree)
    {
        parent::__construct($tree);
        $this->httpResponse = new CloudResponse();
    }

    public function calculateUri($uri)
    {
        if ($uri[0] !== '/' && strpos($uri, '://')) $uri = parse_url($uri, PHP_URL_PATH);
        // Any address of the account's files is as good as another.
        $same = '#^(/remote\.php)?/dav/(files/' . $this->tree->user . '|spaces/storage(\$|%24)space-' . $this->tree->user . ')(/|$)#';
        if (!preg_match($same, $uri, $prefix)) throw new Sabre\DAV\Exception\Forbidden("$uri is not below the base");
        return trim(rawurldecode(preg_replace('#/+#', '/', substr($uri, strlen($prefix[0])))), '/');
    }
}

class CloudResponse extends Sabre\HTTP\Response
{
    public function getStatusMessage($code, $httpVersion = '1.1')
    {
        return $code === 425 ? "HTTP/$httpVersion 425 TOO EARLY" : parent::getStatusMessage($code, $httpVersion);
    }
}

<?php
// sabre/dav 1.8 guesses the encoding of names; these products do not.
class CloudServer extends Sabre\DAV\Server
{
    public function calculateUri($uri)
    {
        if ($uri[0] !== '/' && strpos($uri, '://')) $uri = parse_url($uri, PHP_URL_PATH);
        // Any address of the account's files is as good as another.
        $same = '#^(/remote\.php)?/dav/(files/' . $this->tree->user . '|spaces/storage(\$|%24)space-' . $this->tree->user . ')(/|$)#';
        if (!preg_match($same, $uri, $prefix)) throw new Sabre\DAV\Exception\Forbidden("$uri is not below the base");
        return trim(rawurldecode(preg_replace('#/+#', '/', substr($uri, strlen($prefix[0])))), '/');
    }
}

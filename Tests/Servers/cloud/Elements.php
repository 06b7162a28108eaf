<?php
// A property that is a list of elements, each with a text.
class Elements extends Sabre\DAV\Property
{
    public function __construct(private string $name, private array $texts) {}

    public function serialize(Sabre\DAV\Server $server, DOMElement $parent)
    {
        foreach ($this->texts as $text) {
            $element = $parent->ownerDocument->createElement($this->name);
            $element->appendChild($parent->ownerDocument->createTextNode((string)$text));
            $parent->appendChild($element);
        }
    }
}

<?php
// Small pictures of pictures; of anything else there is none.
class Preview
{
    public function __construct(private Store $store) {}

    public function answer(?object $node, string $user): void
    {
        $image = $node && $node->owner === $user && $node->blob !== null
            ? @imagecreatefromstring(file_get_contents($this->store->blobPath($node->blob))) : false;
        if (!$image) throw new Sabre\DAV\Exception\NotFound('no preview');
        [$width, $height] = [imagesx($image), imagesy($image)];
        $scale = min(1, (int)($_GET['x'] ?? 32) / $width, (int)($_GET['y'] ?? 32) / $height);
        ob_start();
        imagepng(imagescale($image, max(1, (int)($width * $scale)), max(1, (int)($height * $scale))));
        answer(200, 'image/png', ob_get_clean());
    }
}

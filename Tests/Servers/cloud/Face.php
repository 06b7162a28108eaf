<?php
// Which product the server plays, and what is different about it.
class Face
{
    const USER = 'tester', OTHER = 'other';
    const PASSWORDS = [self::USER => 'secret', self::OTHER => 'other secret'];
    // The tag that a file must still have when it is replaced.
    public ?string $expectedTag = null;
    public readonly bool $isOpenCloud, $isNextcloud, $verifiesChecksums, $computesChecksums;

    public function __construct(public readonly string $name)
    {
        $this->isOpenCloud = $name === 'OpenCloud';
        $this->isNextcloud = $name === 'Nextcloud';
        $this->verifiesChecksums = !$this->isNextcloud;
        $this->computesChecksums = !$this->isNextcloud;
    }

    // The second account has little room.
    // Nextcloud stores no file with a time of 1970's first day or before, and says so with a 500.
    public function checkTime(): void
    {
        if ($this->isNextcloud && mtime() !== null && mtime() <= 86400) {
            throw new Sabre\DAV\Exception('X-OC-MTime header must be a valid positive integer');
        }
    }

    public function quota(string $user): ?int { return $user === self::OTHER ? 1 << 20 : null; }

    // OpenCloud wants a password for each link unless it is told otherwise; here, of the second account only.
    public function enforcesPasswords(string $user): bool { return $this->isOpenCloud && $user === self::OTHER; }

    public function id(object $node): string
    {
        if ($this->isOpenCloud) return $this->space($node->owner) . '!node-' . $node->id;
        return sprintf('%08doc', $node->id);
    }

    public function space(string $user): string { return "storage\$space-$user"; }

    // The node behind an identifier of `id`, or behind the plain number.
    public function number(string $id): int
    {
        return (int)preg_replace('/^.*node-/', '', rawurldecode($id));
    }

    public function status(): array
    {
        $version = ['ownCloud' => '10.15.0', 'Nextcloud' => '31.0.2', 'OpenCloud' => '0.1.0'][$this->name];
        $status = ['installed' => true, 'maintenance' => false, 'needsDbUpgrade' => false, 'version' => "$version.0",
            'versionstring' => $version, 'edition' => 'Community', 'productname' => $this->name];
        // Owners of a Nextcloud give it names of their own.
        if ($this->isNextcloud) $status = ['productname' => 'Files of the town', 'extendedSupport' => false] + $status;
        if ($this->isOpenCloud) $status += ['product' => 'OpenCloud', 'productversion' => '1.0.0+test'];
        return $status;
    }

    // Nextcloud tells a few things to everybody.
    public function capabilities(string $user): array
    {
        if ($user === '') return ['bruteforce' => ['delay' => 0, 'allow-listed' => false]];
        $sharing = ['api_enabled' => true, 'public' => ['enabled' => true, 'password' => ['enforced' => false,
            'enforced_for' => ['read_only' => $this->enforcesPasswords($user), 'read_write' => $this->enforcesPasswords($user)]]]];
        $files = ['bigfilechunking' => !$this->isOpenCloud, 'undelete' => true, 'versioning' => true, 'favorites' => true];
        $all = ['core' => ['pollinterval' => 60, 'webdav-root' => 'remote.php/webdav'], 'files' => $files, 'files_sharing' => $sharing];
        $types = ['supportedTypes' => ['sha1', 'md5', 'adler32'], 'preferredUploadType' => 'sha1'];
        if ($this->isNextcloud) return $all + ['dav' => ['chunking' => '1.0', 'bulkupload' => '1.0']];
        if (!$this->isOpenCloud) {
            return $all + ['checksums' => $types, 'dav' => ['chunking' => '1.0', 'trashbin' => '1.0', 'reports' => ['search-files']]];
        }
        $all['core'] += ['support-sse' => true, 'status' => $this->status()];
        $all['files']['tus_support'] = ['version' => '1.0.0', 'resumable' => '1.0.0',
            'extension' => 'creation,creation-with-upload', 'max_chunk_size' => 1000000, 'http_method_override' => ''];
        return $all + ['checksums' => $types, 'dav' => ['chunking' => '', 'trashbin' => '1.0', 'reports' => ['search-files']],
            'spaces' => ['version' => '1.0.0', 'enabled' => true]];
    }
}

<?php
// Server-sent events: what happens to the account's files, until the client goes.
class Events
{
    public function __construct(private Store $store, private string $user) {}

    public function stream(): void
    {
        header('Content-Type: text/event-stream');
        header('Cache-Control: no-cache');
        $last = (int)($this->store->one('SELECT max(id) AS id FROM event')->id ?? 0);
        $last = (int)($_SERVER['HTTP_LAST_EVENT_ID'] ?? $last);
        echo ": welcome\n\n";
        for ($quiet = 0; !connection_aborted(); usleep(20000)) {
            foreach ($this->store->rows('SELECT * FROM event WHERE id > ? AND owner = ? ORDER BY id', $last, $this->user) as $event) {
                echo "id: $event->id\ndata: $event->data\nevent: $event->type\n\n";
                $last = (int)$event->id;
                $quiet = 0;
            }
            if ($quiet++ % 25 === 0) {
                if ($quiet > 1) echo ": still here\n\n";
                @ob_flush();
                flush();
            }
        }
    }
}

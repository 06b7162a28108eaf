"""A gallery's list turned into entries, beside JSONDecoder making plain values of it."""

import json
import statistics

from Harness.line import Line

IMAGES = 20_000
ARRIVING = (16 << 10, 64 << 10)
ROUNDS = 5


def decode(place):
    """As many bytes a second as our decoder and as JSONDecoder alone take."""
    reply = place.scratch / "list.json"
    reply.write_text(json.dumps([
        {"name": f"不是 {i}.jpg", "path": f"Weibo/album {i // 100}/不是 {i}.jpg", "width": 1000 + i % 900, "height": 800}
        for i in range(IMAGES)
    ], ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    megabytes = reply.stat().st_size / 1e6

    def seconds(piece):
        time, count = place.output(place.programs / "DecodeImages", reply, piece).split()
        if int(count) != IMAGES:
            raise RuntimeError(f"{count} images found")
        return float(time)

    lines = []
    for piece in ARRIVING:
        pairs = [(seconds(piece), seconds(0)) for _ in range(ROUNDS + 1)][1:]
        mine, theirs = (megabytes / statistics.median(column) for column in zip(*pairs))
        lines.append(
            Line(
                f"gallery.{piece >> 10}.speed", f"{IMAGES:,} images ({megabytes:.1f} MB) in pieces of {piece >> 10} KiB",
                f"{mine:.0f} MB/s", f"JSONDecoder alone {theirs:.0f} MB/s",
                statistics.median(peer / own for own, peer in pairs), "×"))
    return lines

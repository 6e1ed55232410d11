"""A chart of how programs grow: sizes to the right, processor seconds upwards, both in powers.

Knows: SVG. Never: what was measured.
"""

import math

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 300, 56, 40, 44
COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2", "#7f6a3d"]


def lines(title, series):
    """One picture of `{name: [(size, seconds), ...]}`; a size that was not decided in time is not in it."""
    points = [it for those in series.values() for it in those]
    if not points:
        return ""
    low, high = min(it[0] for it in points), max(it[0] for it in points)
    least = math.floor(math.log10(min(max(it[1], 0.01) for it in points)))
    most = max(math.ceil(math.log10(max(it[1] for it in points))), least + 1)
    right, down = WIDTH - 110, HEIGHT - BOTTOM

    def x(size):
        return LEFT + (right - LEFT) * (math.log(size / low) / math.log(high / low) if high > low else 0.5)

    def y(seconds):
        return down - (down - TOP) * (math.log10(max(seconds, 0.01)) - least) / (most - least)

    out = [f'<text x="{LEFT}" y="20" font-weight="bold">{title}</text>']
    for power in range(least, most + 1):
        at = y(10.0**power)
        out.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for size in sorted({it[0] for it in points}):
        out.append(f'<text x="{x(size):.1f}" y="{down + 18}" text-anchor="middle">{size}</text>')
    labels = []
    for (name, those), colour in zip(series.items(), COLOURS):
        if not those:
            continue
        path = " ".join(f"{x(size):.1f},{y(seconds):.1f}" for size, seconds in those)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x(size):.1f}" cy="{y(seconds):.1f}" r="3" fill="{colour}"/>' for size, seconds in those]
        labels.append([y(those[-1][1]), x(those[-1][0]), name, colour])
    # Names that would lie upon each other go down.
    labels.sort()
    for before, it in zip(labels, labels[1:]):
        it[0] = max(it[0], before[0] + 14)
    out += [f'<text x="{at_x + 8:.1f}" y="{at + 4:.1f}" fill="{colour}">{name}</text>' for at, at_x, name, colour in labels]
    return "\n".join(out)


def page(pictures):
    """The pictures side by side."""
    parts = [f'<g transform="translate({at * WIDTH},0)">\n{it}\n</g>' for at, it in enumerate(pictures)]
    whole = "\n".join(parts)
    size = f'width="{WIDTH * len(pictures)}" height="{HEIGHT}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">\n'
            f'<rect {size} fill="#ffffff"/>\n{whole}\n</svg>\n')

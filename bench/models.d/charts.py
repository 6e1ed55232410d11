"""Curves of seconds over size as SVG, by hand: no package to install, and a text that diffs.

Knows: scales, colours, where labels stand. Never: what is measured.
"""

import math

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 170, 40, 52
COLOURS = ["#1f6fb2", "#d9822b", "#2a9d5c", "#7fb3dd", "#86cfa6"]
DASHES = ["", "", "", "6 3", "6 3"]
MARKS = 3.5

# Shorter times are noise.
LEAST = 0.001


def chart(title, size, series):
    """`series`: from names to points (size, seconds). Both axes are logarithmic."""
    points = [it for series_points in series.values() for it in series_points]
    if not points:
        points = [(1, LEAST)]
    sizes = sorted({it[0] for it in points})
    low_x, high_x = math.log(sizes[0]), math.log(sizes[-1])
    seconds = [max(it[1], LEAST) for it in points]
    low_y, high_y = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    high_y = max(high_y, low_y + 1)

    def x(value):
        share = (math.log(value) - low_x) / (high_x - low_x) if high_x > low_x else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(value):
        share = (math.log10(max(value, LEAST)) - low_y) / (high_y - low_y)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    res = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{escaped(title)}</text>',
    ]
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for power in range(low_y, high_y + 1):
        at = y(10.0**power)
        res.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}" stroke="#ddd"/>')
        res.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    last = -math.inf
    for value in sizes:
        res.append(f'<line x1="{x(value):.1f}" y1="{bottom}" x2="{x(value):.1f}" y2="{bottom + 5}" stroke="#333"/>')
        if x(value) - last >= 18:
            res.append(f'<text x="{x(value):.1f}" y="{bottom + 19}" text-anchor="middle">{value}</text>')
            last = x(value)
    res.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#333"/>')
    res.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escaped(size)}</text>')
    middle = (TOP + bottom) / 2
    res.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">seconds</text>')
    for at, (name, its) in enumerate(series.items()):
        colour, dash = COLOURS[at % len(COLOURS)], DASHES[at % len(DASHES)]
        style = f'fill="none" stroke="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")
        if its:
            line = "L".join(f"{x(n):.1f} {y(s):.1f}" for n, s in its)
            res.append(f'<path d="M{line}" {style}/>')
        res.extend(f'<circle cx="{x(n):.1f}" cy="{y(s):.1f}" r="{MARKS}" fill="{colour}"/>' for n, s in its)
        top = TOP + 12 + 22 * at
        res.append(f'<path d="M{right + 16} {top}h26" {style}/>')
        res.append(f'<text x="{right + 50}" y="{top + 4}">{escaped(name)}</text>')
    res.append("</svg>")
    return "\n".join(res) + "\n"


def escaped(text):
    """`text` as it stands in XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

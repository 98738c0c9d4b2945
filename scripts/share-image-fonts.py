#!/usr/bin/env python3
"""Creates the fonts of the share images from the variable font of the page.

Needs fonttools and brotli (pip install fonttools brotli) and web/node_modules. Its output is
committed: run it only after a change of the font or of a weight.
"""

import io
import tempfile
from pathlib import Path

import brotli
from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "web/node_modules/@fontsource-variable/archivo/files"
TARGET = ROOT / "src/features/share_images/fonts"
# Name, width and weight of each font.
INSTANCES = [("display", 110, 600), ("text", 100, 450), ("strong", 100, 600)]

for name, width, weight in INSTANCES:
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for script in ("latin", "latin-ext", "vietnamese"):
            font = TTFont(SOURCE / f"archivo-{script}-wdth-normal.woff2")
            font = instancer.instantiateVariableFont(font, {"wdth": width, "wght": weight})
            font.flavor = None
            for table in ("STAT", "gasp", "prep"):
                if table in font:
                    del font[table]
            parts.append(str(Path(folder) / f"{script}.ttf"))
            font.save(parts[-1])
        merged = Merger().merge(parts)
    options = subset.Options(
        layout_features=["kern", "mark", "mkmk", "ccmp", "liga", "tnum"],
        hinting=False,
        glyph_names=False,
        notdef_outline=False,
        name_IDs=[0, 1, 2, 13, 14],
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=set(merged.getBestCmap()))
    subsetter.subset(merged)
    content = io.BytesIO()
    merged.save(content)
    (TARGET / f"archivo-{name}.ttf.br").write_bytes(brotli.compress(content.getvalue()))

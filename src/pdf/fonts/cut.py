"""Cuts a font of printed books out of a font of Inter 4 (Debian: fonts-inter).

    python3 cut.py /usr/share/fonts/opentype/inter/Inter-Regular.otf Inter-Regular.otf

Keeps Latin, Greek, Cyrillic and some signs; digits become those of equal width. Needs fonttools.
"""

import sys

from fontTools import subset
from fontTools.ttLib import TTFont

CHARACTERS = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *range(0x218, 0x21C),
    *range(0x370, 0x400),
    *range(0x400, 0x460),
    *range(0x2010, 0x2027),
    *map(ord, "′″‹›€™−×≈≤≥←↑→↓□✓ẞ"),
]

source, target = sys.argv[1:]
font = TTFont(source)
features = font["GSUB"].table.FeatureList.FeatureRecord
lookups = font["GSUB"].table.LookupList.Lookup
equal_width = {}
for at in {at for record in features if record.FeatureTag == "tnum" for at in record.Feature.LookupListIndex}:
    for table in lookups[at].SubTable:
        equal_width |= getattr(table, "ExtSubTable", table).mapping
for table in font["cmap"].tables:
    for digit in filter(table.cmap.get, range(ord("0"), ord("9") + 1)):
        table.cmap[digit] = equal_width.get(table.cmap[digit], table.cmap[digit])
options = subset.Options(layout_features=[], name_IDs=[0, 1, 2, 4, 5, 6, 13, 14], notdef_outline=True)
options.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT"]
cutter = subset.Subsetter(options)
cutter.populate(unicodes=CHARACTERS)
cutter.subset(font)
font.save(target)

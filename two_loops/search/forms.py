"""Which words are forms of one word: boiler and boilers, serviced and service."""

# Endings of English that many languages share, the longest first, and what stood in their place.
_ENDINGS = (
    *(("ations", ""), ("ation", ""), ("ions", ""), ("ion", ""), ("ings", ""), ("ing", ""), ("edly", ""), ("ies", "y")),
    *(("ied", "y"), ("ed", ""), ("es", ""), ("ly", ""), ("s", ""), ("e", "")),
)
_NO_PLURALS = ("ss", "us", "is")
_KEPT_DOUBLE = "lsz"
_SHORTEST_STEM = 3
_VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """The word without its ending: two words with one stem are likely forms of one."""
    return _rounded(_without_ending(word)) if word.isascii() and word.isalpha() else word


def _without_ending(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not (ending == "s" and word.endswith(_NO_PLURALS)):
            rest = word.removesuffix(ending)
            if len(rest) >= _SHORTEST_STEM and not _VOWELS.isdisjoint(rest):
                return rest + instead
    return word


def _rounded(stem: str) -> str:
    """The stem as it is left by every form: stop, of stopped; carry, of carries and carried."""
    if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in _KEPT_DOUBLE:
        stem = stem[:-1]
    if len(stem) > _SHORTEST_STEM:
        stem = stem.removesuffix("e")
    return stem[:-1] + "i" if len(stem) > _SHORTEST_STEM and stem.endswith("y") else stem

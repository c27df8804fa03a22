"""The few words of English that the stand-in knows something about, as stems where they are compared."""

from functools import lru_cache

from two_loops.stand_ins.offline.words import stem


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


FUNCTION_WORDS = _set("""
    a about again am an and any are as at be been being but by can could did do does doing don done each find for from
    get gets give go goes going got had has have having he her here hers him his how i if in into is it its just know
    let ll look may me might mine more most much many my no not note notes of off on once one or our ours out over
    please re said say says shall she should show so some someone something tell than that the their them then there
    these they thing this those to too until up us ve very was we were what when where which while who whom whose why
    will with would yes you your yours
""")
"""Words of a question that say nothing about its subject."""

BROAD_WORDS = _set("all anything collect every everything list overview summarise summarize summary things")
"""Words that ask for more than one finding."""

LIGHT_STEMS = frozenset(
    map(
        stem,
        _set("""
    already called current date day exact exactly happen happened last latest long month name need new next often old
    plan planned soon still time today usual usually want year
"""),
    )
)
"""Words that a line may lack and still answer."""

_TOGETHER = (
    "renew renewal expire extend",
    "due deadline payable",
    "want ask request need wish",
    "pay paid payment",
    "cost price fee charge euros pounds dollars",
    "buy bought purchase",
    "appointment visit checkup check",
    "service maintenance overhaul",
    "holiday trip vacation journey travel",
    "bicycle bike cycle",
    "car vehicle",
    "phone telephone mobile call ring",
    "email mail",
    "start begin begins began",
    "end finish",
    "fix repair mend",
    "replace swap change",
    "broken leak fault",
    "wifi router internet",
    "doctor physician surgery",
    "child children kids",
    "store keep kept",
    "send sent",
)

_TOPICS = {
    "money": "euros invoice paid bill cost price payment budget fee premium pounds dollars rent savings refund",
    "finance": "money euros invoice paid bill cost price payment budget fee premium pounds dollars rent savings",
    "travel": "trip train flight hotel passport journey ticket",
    "health": "doctor dentist hospital medicine appointment",
    "food": "recipe bake cook eat dinner lunch breakfast flour",
}


@lru_cache(maxsize=4096)
def also(word: str) -> tuple[str, ...]:
    """Other words for the same thing or topic; none for most words."""
    root = stem(word)
    groups = [group.split() for group in _TOGETHER]
    same = [other for group in groups if root in map(stem, group) for other in group if stem(other) != root]
    topic = next((others.split() for name, others in _TOPICS.items() if stem(name) == root), [])
    return tuple(dict.fromkeys(same + topic))

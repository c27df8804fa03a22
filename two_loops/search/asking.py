"""Words that ask: they tell what kind of answer is wanted, and seldom stand in it."""

from two_loops.search.words import fold

# Of English, German, French, Spanish, Russian and Hindi; not those that mean much else in another of these languages.
_ASKING = frozenset(
    fold(word)
    for words in (
        "what who whom whose when where which why how did does do",
        "wer wen wem wessen wie wann wo woher wohin welche welcher welches welchen welchem warum wieso weshalb",
        "qui quoi quel quelle quels quelles quand où pourquoi combien",
        "qué quién quiénes cuál cuáles cuándo dónde cuánto cuánta cuántos cuántas",
        "кто что когда где куда откуда какой какая какое какие каких сколько почему зачем",
        "क्या कौन कब कहाँ कहां क्यों कैसे कितने कितनी कितना किस किसने किसे किसका किसके किसकी",
    )
    for word in words.split()
)


def asks(word: str) -> bool:
    """Whether the folded word only asks."""
    return word in _ASKING

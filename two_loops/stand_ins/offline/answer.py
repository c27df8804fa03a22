"""The answer: the lines that hold the question's words, quoted and cited."""

from collections import Counter
from collections.abc import Sequence

from two_loops.stand_ins.offline.agreement import agreement, found_nowhere, rarity, share_held
from two_loops.stand_ins.offline.calendar import months_in
from two_loops.stand_ins.offline.distrust import is_secret
from two_loops.stand_ins.offline.evidence import Line
from two_loops.stand_ins.offline.question import Question
from two_loops.stand_ins.offline.words import Held, Word
from two_loops.text import well_formed
from two_loops.values.citation import NOT_IN_NOTES

_LONGEST_QUOTE = 200
_MOST_QUOTES, _MOST_QUOTES_TO_THE_POINT = 5, 3
_AS_GOOD, _WORTH_ADDING = 0.95, 0.5
_IN_FAVOUR = 0.2
_HEADING = 0.5
_WORDS_FOR_ONE_ELSEWHERE, _WORDS_FOR_ONE_LOST = 4, 5


def answer_text(question: Question, lines: Sequence[Line]) -> str:
    """What the stand-in says with ``lines`` at hand."""
    quotes = [quote(line) for line in answering(question, lines)]
    if not quotes:
        return NOT_IN_NOTES
    said = f"From the notes: {quotes[0]}" if len(quotes) == 1 else "\n- ".join(["From the notes:", *quotes])
    return well_formed(said)


def answering(question: Question, lines: Sequence[Line]) -> list[Line]:
    """The lines that answer, best first; none when a word that matters is in none of them or near them."""
    if not question.words or any(is_secret(word.typed) for word in question.words):
        return []
    lost = found_nowhere(question.words, lines)
    weights = rarity(question.words, lines)
    scores = {line: _score(line, question, weights, lost) for line in lines if _is_about(line, question, lost)}
    ranked = sorted(scores, key=lambda line: -scores[line])
    best = scores[ranked[0]] if ranked else 0.0
    if question.broad:
        return _spread([line for line in ranked if scores[line] >= _WORTH_ADDING * best])[:_MOST_QUOTES]
    return [line for line in ranked if scores[line] >= _AS_GOOD * best][:_MOST_QUOTES_TO_THE_POINT]


def _is_about(line: Line, question: Question, lost: set[Word]) -> bool:
    if question.months and not months_in(line.text).intersection(question.months):
        return False
    return _has_the_subject(line, question, lost) and _says_more(line, question)


def _has_the_subject(line: Line, question: Question, lost: set[Word]) -> bool:
    """Whether few enough of the words that matter are missing around the line; a word found nowhere weighs more."""

    def held(word: Word, *texts: Held) -> bool:
        return any(agreement(word, text, forgiven=word in lost) for text in texts)

    words = question.specific
    missing = [word for word in words if not held(word, line.around)]
    if len(missing) > len(words) // _WORDS_FOR_ONE_ELSEWHERE:
        return False
    if len(lost.intersection(missing)) > len(words) // _WORDS_FOR_ONE_LOST:
        return False
    return not question.broad or any(held(word, line.own, line.named) for word in words)


def _says_more(line: Line, question: Question) -> bool:
    return bool(line.own.stems - {word.stem for word in question.words})


def _score(line: Line, question: Question, weights: dict[Word, float], lost: set[Word]) -> float:
    score = share_held(line, weights, lost) + (_IN_FAVOUR if question.wanted.search(line.text) else 0.0)
    return score * _HEADING if line.is_heading else score


def _spread(ranked: list[Line]) -> list[Line]:
    """The best line of each file first, then the second of each, and so on."""
    taken: Counter[str] = Counter()
    places: dict[Line, int] = {}
    for line in ranked:
        places[line] = taken[line.file]
        taken[line.file] += 1
    return sorted(ranked, key=places.__getitem__)


def quote(line: Line) -> str:
    """The line's text in quotation marks, and its citation."""
    text = uncited(line.text)
    text = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1].rstrip() + "…"
    return f'"{text}" {line.citation}'


def uncited(text: str) -> str:
    """Somebody else's words, in which square brackets would read as a citation of ours."""
    return text.replace("[", "(").replace("]", ")")

"""What holds for a search of any notes with any query."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from two_loops.search import search_notes
from two_loops.search.analysing import analysed, words_in
from two_loops.search.forgiving import edits, is_forgivable
from two_loops.search.query import terms_of

WORDS = ["boiler", "Pump", "été", "12/03", "锅炉维修", "हिन्दी", "art", "party", "a", "ß", "\u200d", "x" * 50]
LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), max_size=12)


@settings(max_examples=60)
@given(st.lists(LINES, min_size=1, max_size=4), st.lists(st.sampled_from(WORDS[:-2]), min_size=1), st.integers(10, 60))
def test_results_keep_every_bound_and_show_what_the_notes_say(
    tmp_path_factory: pytest.TempPathFactory, notes: list[list[str]], words: list[str], width: int
) -> None:
    folder = tmp_path_factory.mktemp("notes")
    for number, lines in enumerate(notes):
        (folder / f"n{number}.txt").write_text("\n".join(lines), encoding="utf-8")
    query = " ".join(words)

    results = search_notes(query, folder, 4, width)

    assert results == search_notes(query, folder, 4, width)
    assert len(results) <= 4
    files = [found.file for found in results]
    assert all(files.count(file) <= 3 for file in files)
    seen: set[tuple[str, int]] = set()
    for found in results:
        lines = notes[int(found.file[1])]
        covered = {(found.file, line) for line in range(found.line, found.last_line + 1)}
        assert 1 <= found.line <= found.last_line <= len(lines)
        assert len(found.snippet) <= width
        assert found.snippet.strip("…").strip() in "\n".join(lines[found.line - 1 : found.last_line])
        assert any(
            _counts_as(term.text, word)
            for term in terms_of(query)
            for word in words_in(analysed(lines[found.line - 1]))
        )
        assert not covered & seen
        seen |= covered


def _counts_as(term: str, word: str) -> bool:
    return term in word or (is_forgivable(term) and edits(term, word) <= 2)

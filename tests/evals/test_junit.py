"""The report that continuous integration reads."""

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

from tests.evals.making import run, trial
from two_loops.evals.junit import junit
from two_loops.evals.scored import EvalRun, Fault, Key


def read(made: EvalRun) -> Element:
    """The report, parsed again."""
    return fromstring(junit(made))


def test_a_suite_for_each_agent_counts_its_trials() -> None:
    report = read(run("p", "f", "-", agents=("manual", "runner")))

    counts = [
        [suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped", "time")] for suite in report
    ]
    assert counts == [[agent, "3", "1", "0", "1", "3.000"] for agent in ("manual", "runner")]
    assert [item.get("value") for item in report.iter("property") if item.get("name") == "model"] == ["m", "m"]


def test_each_trial_is_a_test_case() -> None:
    report = read(run("pf"))

    cases = [(case.get("classname"), case.get("name"), [part.tag for part in case]) for case in report.iter("testcase")]
    assert cases == [("manual", "a [1]", ["system-out"]), ("manual", "a [2]", ["failure", "system-out"])]
    failure = report.find(".//failure")
    assert failure is not None
    assert (failure.get("message"), failure.text) == ("contains", "contains: 'May' is not in it")


def test_an_error_is_told_and_a_missing_answer_is_none() -> None:
    made = replace(run("p"), scored=(trial(Key("a", "manual", 1), error=ValueError("no"), answer=None),))

    (case,) = read(made).iter("testcase")

    assert [(part.tag, part.get("message")) for part in case] == [("error", "ValueError: no")]


def test_whatever_a_model_says_the_report_can_be_read() -> None:
    hostile = "".join(map(chr, [*range(0x20), 0x7F, 0xFFFE, 0xFFFF, 0x202E, 0x1F600])) + "]]></system-out><x>&amp;\nb"

    said = read(run("p", answer=hostile)).find(".//system-out")

    assert said is not None
    assert said.text is not None
    assert said.text.endswith("]]></system-out><x>&amp;\nb")
    assert "\\x1b" in said.text


def test_hostile_names_leave_the_report_well_formed() -> None:
    hostile = "bad\x01<x>\x1b&\uffff"
    fault = Fault(rule=hostile, why=hostile)
    whole = run("p")
    made = replace(
        whole,
        header=whole.header.model_copy(update={"agents": [hostile], "cases": [hostile]}),
        scored=(trial(Key(hostile, hostile, 1)).model_copy(update={"faults": [fault]}),),
    )

    failure = read(made).find(".//failure")

    assert failure is not None
    assert failure.get("message") == "bad\\x01<x>\\x1b&\ufffd"

"""A run as a JUnit report, which continuous integration can show."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from two_loops.evals.scored import EvalRun, Key, Scored
from two_loops.text import visible

_NO_CHARACTERS = re.compile("[\ufffe\uffff]")  # which XML can't hold, though no reader would miss them


def junit(run: EvalRun) -> bytes:
    """The report: a suite for each agent, a test case for each trial; one that was not made is skipped."""
    root = Element("testsuites", name="two-loops eval")
    made = {trial.key: trial for trial in run.scored}
    keys = [Key(*key) for key in run.header.planned()]
    for agent in run.header.agents:
        _add_suite(root, agent, [(key, made.get(key)) for key in keys if key.agent == agent], run)
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


def _add_suite(root: Element, agent: str, trials: Sequence[tuple[Key, Scored | None]], run: EvalRun) -> None:
    made = [trial for _, trial in trials if trial is not None]
    suite = SubElement(
        root,
        "testsuite",
        name=_text(agent),
        tests=str(len(trials)),
        failures=str(sum(bool(trial.faults) for trial in made)),
        errors=str(sum(trial.error is not None for trial in made)),
        skipped=str(len(trials) - len(made)),
        time=f"{sum(trial.duration_s for trial in made):.3f}",
    )
    properties = SubElement(suite, "properties")
    for name in ("model", "started", "cases_sha256", "system_sha256", "tools_sha256", "version", "sdk_version"):
        SubElement(properties, "property", name=name, value=_text(getattr(run.header, name)))
    for key, trial in trials:
        _add_case(suite, key, trial, run.header.trials)


def _add_case(suite: Element, key: Key, trial: Scored | None, trials: int) -> None:
    name = f"{key.case} [{key.trial}]" if trials > 1 else key.case
    seconds = f"{0.0 if trial is None else trial.duration_s:.3f}"
    case = SubElement(suite, "testcase", classname=_text(key.agent), name=_text(name), time=seconds)
    if trial is None:
        SubElement(case, "skipped", message="not made")
        return
    if trial.error is not None:
        SubElement(case, "error", message=_text(trial.error))
    if trial.faults:
        failure = SubElement(case, "failure", message=_text(", ".join(fault.rule for fault in trial.faults)))
        failure.text = "\n".join(_text(f"{fault.rule}: {fault.why}") for fault in trial.faults)
    if trial.answer is not None:
        SubElement(case, "system-out").text = "\n".join(_text(line) for line in trial.answer.split("\n"))


def _text(text: str) -> str:
    return _NO_CHARACTERS.sub("\ufffd", visible(text))

"""Evals: rules written before the run, and every score checkable from the answer and the log alone.

cases.py         what a person writes down: questions, their notes, and what a right answer must hold
reading.py       case files, the shipped ones by name, with errors that name file, case and field
rules.py         the table of rules: what each looks at, and what it says when it does not hold
folders.py       the notes of a case, be they a folder or written in the case itself
header.py        what a run was made with
scored.py        one trial and its score, and a run of many
run_file.py      a run on disk, which survives a kill and can go on
judging.py       a model that grades an answer against a reference
book.py          which trials are done, what they cost, and which are left
running.py       every case through every agent, so many times
workers.py       several trials at once, and what Ctrl-C does to them
purse.py         what a whole run may cost
comparing.py     a run held against an earlier one
junit.py         a run as a report for continuous integration
"""

from two_loops.evals.comparing import compare_runs
from two_loops.evals.judging import Judge
from two_loops.evals.reading import load_cases
from two_loops.evals.running import run_cases

__all__ = ["Judge", "compare_runs", "load_cases", "run_cases"]

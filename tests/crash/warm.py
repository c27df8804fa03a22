"""A process in which each agent has asked once: it forks the children, which can ask at once, and waits for them.

Requests and answers are pickled, on its standard input and output: a job is answered with the child's process id, an
id with how that child ended (negative: the signal that killed it).
"""

import os
import pickle
import sys
import traceback

from tests.both.ways import AGENTS
from tests.crash.jobs import Job, one_run


def serve() -> None:
    """Fork and wait, until the input ends."""
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answer = forked(request) if isinstance(request, Job) else os.waitstatus_to_exitcode(os.waitpid(request, 0)[1])
        pickle.dump(answer, sys.stdout.buffer)
        sys.stdout.flush()


def forked(job: Job) -> int:
    """Start a child."""
    if pid := os.fork():
        return pid
    try:
        with job.report.open("wb", buffering=0) as report:
            for value in job.function(*job.arguments):
                report.write(pickle.dumps(value))
    except BaseException:  # noqa: BLE001  # a child never goes on with its parent's work
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    for agent in AGENTS:
        list(one_run(agent, None))
    serve()

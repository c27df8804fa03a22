"""Several jobs at once, each in a thread; and Ctrl-C, which starts no more of them and waits for those that run."""

from collections.abc import Callable, Iterator
from threading import Condition, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


def work(
    jobs: Iterator[T], do: Callable[[T], None], workers: int, on_wait: Callable[[int], object] | None = None
) -> None:
    """Do each job. With one worker it is done here, and Ctrl-C ends it at once.

    What a job raises ends the work: no other is started, and it is raised again when those that run are done. So is
    Ctrl-C, after which on_wait hears how many jobs still run; pressed again it does not wait for them any more.
    """
    if workers == 1:
        for job in jobs:
            do(job)
        return
    crew = _Crew(jobs, do)
    try:
        for _ in range(workers):
            Thread(target=crew.work, daemon=True).start()
        crew.wait()
    except KeyboardInterrupt:
        running = crew.stop()
        if on_wait is not None and running:
            on_wait(running)
        crew.wait()
        raise
    if crew.raised is not None:
        raise crew.raised


class _Crew(Generic[T]):
    """Threads that take jobs from one list. raised: the first exception of a job."""

    def __init__(self, jobs: Iterator[T], do: Callable[[T], None]) -> None:
        self._jobs = jobs
        self._do = do
        self._change = Condition()
        self._running = 0
        self._over = False  # no job will be handed out any more
        self.raised: BaseException | None = None

    def work(self) -> None:
        """Do job after job, until none is handed out."""
        for job in iter(self._next, None):
            try:
                self._do(job)
            except BaseException as error:  # noqa: BLE001  # raised again by the one who waits
                self.raised = self.raised or error
                self._over = True
            finally:
                self._count(-1)

    def wait(self) -> None:
        """Return when no job runs and none will be handed out."""
        with self._change:
            self._change.wait_for(lambda: self._over and not self._running)

    def stop(self) -> int:
        """Hand out no more jobs. Returns how many run."""
        with self._change:
            self._over = True
            return self._running

    def _next(self) -> T | None:
        with self._change:
            job = None if self._over else next(self._jobs, None)
            if job is None:
                self._over = True
            self._count(0 if job is None else 1)
        return job

    def _count(self, more: int) -> None:
        with self._change:
            self._running += more
            self._change.notify_all()

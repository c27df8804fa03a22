"""Every error of ours, by who must hear it.

    TwoLoopsError
    ├── WrongUse         the caller: the arguments can't work; nothing was logged or sent
    │   └── NoCredentials
    ├── UnusableReply    the caller: the server answered something that is no message
    └── ToolError        the model: a tool says, in words meant for the model, what to do instead

An API failure is not here: the SDK's own exception reaches the caller unchanged. After money was spent, an exception
that ends a run carries what there is of its result as ``error.partial``.
"""


class TwoLoopsError(Exception):
    """Any error that this project raises by itself; ``exit_code`` is what the command line ends with."""

    exit_code = 1


class WrongUse(TwoLoopsError, ValueError):
    """The call can't work as it was made; the text says what to change. Raised before anything is logged or sent."""

    exit_code = 2


class NoCredentials(WrongUse):
    """No API key, token or other credentials for the client."""


class UnusableReply(TwoLoopsError):
    """The server's answer can't be used as a message; ``__cause__`` holds what was wrong with it."""


class ToolError(TwoLoopsError):
    """Raised by a tool to tell the model something: its text is the error result that the model reads."""

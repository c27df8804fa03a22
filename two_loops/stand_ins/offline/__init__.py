"""The offline model: a deterministic stand-in that answers a Messages API request without any model.

It is no language model. It compares words: it searches with the question's own words, tries others when nothing useful
came back, and quotes the lines that hold the most of them, or says "Not in the notes". It understands nothing, keeps
nothing between two requests, and reads everything it knows from the request's own history.
"""

from two_loops.stand_ins.offline.reply import reply_to

__all__ = ["reply_to"]

"""The commands ``two-loops eval`` and ``two-loops eval-diff``, and what they show."""

"""Both agents, in every way, on conversations that nobody wrote: ``make prove`` tries many thousands of them."""

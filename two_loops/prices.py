"""What a reply costs, in exact decimals: genai-prices gives a model's table once, the sums are done here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Context, Decimal
from functools import lru_cache, reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice, TieredPrices

    Table = Mapping[str, Decimal | TieredPrices]

# The caller's program may have set its own decimal precision or traps.
_EXACT = Context(prec=100, traps=[])

_MILLION = Decimal(1_000_000)
_THOUSAND = Decimal(1_000)

# Where a table has no price for a kind of token, the library counts those tokens as the next wider kind.
_WIDER_KINDS = {
    "input": ("input_mtok",),
    "output": ("output_mtok",),
    "cache_write_5m": ("cache_write_5m_mtok", "cache_write_mtok", "input_mtok"),
    "cache_write_1h": ("cache_write_1h_mtok", "cache_write_mtok", "input_mtok"),
    "cache_read": ("cache_read_mtok", "input_mtok"),
}
_WEB_SEARCH = "web_searches_kcount"
_COUNTED = {_WEB_SEARCH, *(key for kinds in _WIDER_KINDS.values() for key in kinds)}

# Prices of what the Messages API never reports, or of server tools that no agent here declares.
_NEVER_CHARGED = (
    "audio",
    "code_executions",
    "image",
    "pixels",
    "rerank",
    "social_searches",
    "storage_searches",
    "video",
)


@dataclass(frozen=True, slots=True)
class PriceTier:
    """What a request costs whose prompt is longer than `over` tokens: USD per million tokens, per thousand searches."""

    over: int
    input: Decimal
    output: Decimal
    cache_write_5m: Decimal
    cache_write_1h: Decimal
    cache_read: Decimal
    web_search: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """A model's prices, shortest prompts first; the first tier's `over` is -1, so that every prompt has a tier."""

    tiers: tuple[PriceTier, ...]

    def tier(self, prompt_tokens: int) -> PriceTier:
        """Return the tier that prices the whole of a request with this many prompt tokens, cached ones included."""
        return next(tier for tier in reversed(self.tiers) if prompt_tokens > tier.over)


def prices_for(model: str, on: date | None = None) -> Prices | None:
    """Return the prices of an Anthropic model on a UTC day (today), or None when the library knows no price for it."""
    return _prices_on(model, on or datetime.now(UTC).date())


def cost(
    prices: Prices,
    *,
    input_tokens: int,
    output_tokens: int,
    cache_creation_input_tokens: int = 0,
    cache_creation_1h: int = 0,
    cache_read_input_tokens: int = 0,
    web_searches: int = 0,
) -> Decimal:
    """Return the price of one reply in USD.

    As in the Messages API, `input_tokens` leaves cached tokens out; `cache_creation_1h` is a part of
    `cache_creation_input_tokens`. Counts that can't be (negative, a part above its whole) or that have no price raise
    ValueError.
    """
    written_5m = cache_creation_input_tokens - cache_creation_1h
    counts = (input_tokens, output_tokens, written_5m, cache_creation_1h, cache_read_input_tokens, web_searches)
    if min(counts) < 0:
        raise ValueError("token counts can't be negative, nor more be cached for an hour than were cached at all")
    tier = prices.tier(input_tokens + cache_creation_input_tokens + cache_read_input_tokens)
    rates = (tier.input, tier.output, tier.cache_write_5m, tier.cache_write_1h, tier.cache_read)
    tokens = Decimal(0)
    for rate, count in zip(rates, counts, strict=False):
        tokens = _EXACT.fma(rate, count, tokens) if count else tokens
    return total(_EXACT.divide(tokens, _MILLION), _search_cost(tier, web_searches))


def total(*amounts: Decimal) -> Decimal:
    """Return the exact sum, whatever decimal precision the caller's program has set."""
    return reduce(_EXACT.add, amounts, Decimal(0))


def _search_cost(tier: PriceTier, web_searches: int) -> Decimal:
    if not web_searches:
        return Decimal(0)
    if tier.web_search is None:
        raise ValueError("web searches have no known price with this model")
    return _EXACT.divide(_EXACT.multiply(tier.web_search, web_searches), _THOUSAND)


# Bounded: a server can make up a new model name for each reply. By day: prices change while a long process runs.
@lru_cache(maxsize=256)
def _prices_on(model: str, day: date) -> Prices | None:
    table = _table(model, day)
    if table is None or not {"input_mtok", "output_mtok"} <= table.keys() or any(map(_may_be_charged, table)):
        return None
    starts = {tier.start for price in table.values() if not isinstance(price, Decimal) for tier in price.tiers}
    return Prices(tuple(_price_tier(table, over) for over in sorted({-1, *starts})))


def _table(model: str, day: date) -> Table | None:
    # A heavy import (every provider's prices), needed only once something is priced.
    import genai_prices

    noon = datetime.combine(day, time(12), UTC)
    try:
        found = genai_prices.calc_price(
            genai_prices.Usage(), model, provider_id="anthropic", genai_request_timestamp=noon
        )
    except (LookupError, ValueError, UserWarning):  # not known, not valid, or of a kind that this release can't count
        return None
    return _present(found.model_price)


def _present(prices: ModelPrice) -> Table:
    return {key: price for key, price in vars(prices).items() if price is not None}


def _may_be_charged(price_key: str) -> bool:
    """Whether a reply's price could be wrong when this price is left out of the sum."""
    return price_key not in _COUNTED and not any(word in price_key for word in _NEVER_CHARGED)


def _price_tier(table: Table, over: int) -> PriceTier:
    rates = {kind: _rate(table[_first_known(table, keys)], over) for kind, keys in _WIDER_KINDS.items()}
    web_search = _rate(table[_WEB_SEARCH], over) if _WEB_SEARCH in table else None
    return PriceTier(over=over, **rates, web_search=web_search)


def _first_known(table: Table, keys: tuple[str, ...]) -> str:
    return next(key for key in keys if key in table)


def _rate(price: Decimal | TieredPrices, over: int) -> Decimal:
    if isinstance(price, Decimal):
        return price
    reached = [tier.price for tier in price.tiers if tier.start <= over]
    return reached[-1] if reached else price.base

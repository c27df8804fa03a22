"""Prices: exact sums from genai-prices' tables, with genai-prices' own calculation as the oracle."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, getcontext, localcontext
from typing import get_args

import genai_prices
import pytest
from anthropic.types.model import Model
from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot
from genai_prices.types import ClauseEquals, ConditionalPrice, ModelInfo, ModelPrice, Provider, Tier, TieredPrices
from hypothesis import given, settings
from hypothesis import strategies as st

from two_loops.prices import Prices, cost, prices_for

MODELS = get_args(get_args(Model)[0])
PRICED = [model for model in MODELS if prices_for(model)]

counts = st.one_of(st.just(0), st.integers(0, 1_000), st.integers(0, 10**9))


def priced(model: str) -> Prices:
    prices = prices_for(model)
    assert prices is not None
    return prices


@pytest.fixture
def tables(request: pytest.FixtureRequest) -> str:
    """Let the library know one model, `made-up-<test>`, with the prices that the test is parametrised with."""
    model = f"made-up-{request.node.name}".lower()
    info = ModelInfo(id=model, match=ClauseEquals(equals=model), prices=request.param)
    provider = Provider(id="anthropic", name="Anthropic", api_pattern="x", models=[info])
    set_custom_snapshot(DataSnapshot(providers=[provider], from_auto_update=False))
    request.addfinalizer(lambda: set_custom_snapshot(None))  # noqa: PT021 - the fixture returns the name
    return model


@pytest.mark.parametrize(
    ("model", "tokens", "expected"),
    [
        ("claude-haiku-5-5", {"input_tokens": 100_000, "output_tokens": 1_000_000}, "0.51"),
        ("claude-haiku-5-5", {"input_tokens": 100_001, "output_tokens": 1_000_000}, "2.5500005"),
        ("claude-haiku-5-5", {"input_tokens": 1_000_000, "output_tokens": 0}, "0.5"),
        ("claude-haiku-5-5", {"input_tokens": 0, "output_tokens": 0}, "0"),
        ("claude-haiku-5-5", {"input_tokens": 500, "output_tokens": 60}, "0.00008"),
        ("claude-sonnet-5-5", {"input_tokens": 1_000_000, "output_tokens": 1_000_000}, "12"),
        ("claude-opus-5-5", {"input_tokens": 1_000_000, "output_tokens": 1_000_000}, "24"),
    ],
)
def test_input_and_output_cost_what_the_price_list_says(model: str, tokens: dict[str, int], expected: str) -> None:
    price = cost(priced(model), **tokens)

    assert price == Decimal(expected)


@pytest.mark.parametrize(
    ("model", "written_5m", "written_1h", "read"),
    [
        ("claude-haiku-5-5", "0.0125", "0.02", "0.001"),
        ("claude-sonnet-5-5", "0.25", "0.4", "0.01"),
        ("claude-opus-5-5", "0.5", "0.8", "0.02"),
    ],
)
def test_cache_writes_and_reads_have_prices_of_their_own(
    model: str, written_5m: str, written_1h: str, read: str
) -> None:
    prices = priced(model)
    n = 100_000

    assert cost(prices, input_tokens=0, output_tokens=0, cache_creation_input_tokens=n) == Decimal(written_5m)
    assert cost(prices, input_tokens=0, output_tokens=0, cache_creation_input_tokens=n, cache_creation_1h=n) == Decimal(
        written_1h
    )
    assert cost(prices, input_tokens=0, output_tokens=0, cache_read_input_tokens=n) == Decimal(read)


def test_the_one_hour_part_of_a_cache_write_is_not_counted_twice() -> None:
    prices = priced("claude-haiku-5-5")

    price = cost(prices, input_tokens=0, output_tokens=0, cache_creation_input_tokens=1_000, cache_creation_1h=400)

    assert price == (600 * Decimal("0.125") + 400 * Decimal("0.2")) / 1_000_000


@pytest.mark.parametrize("kind", ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"])
def test_every_prompt_token_counts_towards_the_tier_and_the_tier_prices_the_whole_request(kind: str) -> None:
    prices = priced("claude-haiku-5-5")
    filled = {"input_tokens": 0, "output_tokens": 7, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}

    at_the_boundary = cost(prices, **filled | {kind: 100_000})
    one_token_less = cost(prices, **filled | {kind: 99_999})
    one_token_more = cost(prices, **filled | {kind: 100_001})

    token = at_the_boundary - one_token_less
    assert one_token_more == 5 * (at_the_boundary + token)


def test_cached_tokens_that_fit_alone_reach_the_dear_tier_together() -> None:
    prices = priced("claude-haiku-5-5")

    price = cost(prices, input_tokens=60_000, output_tokens=0, cache_read_input_tokens=60_000)

    assert price == Decimal("0.033")


def test_two_small_replies_cost_the_sum_of_their_prices() -> None:
    prices = priced("claude-haiku-5-5")

    total = cost(prices, input_tokens=500, output_tokens=60) + cost(prices, input_tokens=500, output_tokens=60)

    assert total == Decimal("0.00016")


@pytest.mark.parametrize("searches", [0, 1, 1_000])
def test_web_searches_are_priced_by_the_thousand(searches: int) -> None:
    price = cost(priced("claude-opus-5-5"), input_tokens=0, output_tokens=0, web_searches=searches)

    assert price == Decimal(searches) / 100


@pytest.mark.parametrize("model", MODELS)
def test_a_model_has_a_price_exactly_when_the_library_has_one(model: str) -> None:
    try:
        genai_prices.calc_price(genai_prices.Usage(), model, provider_id="anthropic")
    except LookupError:
        known = False
    else:
        known = True

    assert (prices_for(model) is not None) == known


def test_most_of_the_sdks_models_have_a_price() -> None:
    assert len(PRICED) > len(MODELS) / 2


@pytest.mark.parametrize("model", PRICED)
@settings(max_examples=30, deadline=None)
@given(tokens=st.tuples(counts, counts, counts, counts, counts), searches=st.integers(0, 50))
def test_every_usage_costs_exactly_what_the_library_calculates(
    model: str, tokens: tuple[int, int, int, int, int], searches: int
) -> None:
    fresh, output, written_5m, written_1h, read = tokens
    usage = genai_prices.Usage(
        input_tokens=fresh + written_5m + written_1h + read,
        output_tokens=output,
        cache_write_tokens=written_5m + written_1h,
        cache_write_5m_tokens=written_5m,
        cache_write_1h_tokens=written_1h,
        cache_read_tokens=read,
        web_searches=searches,
    )

    price = cost(
        priced(model),
        input_tokens=fresh,
        output_tokens=output,
        cache_creation_input_tokens=written_5m + written_1h,
        cache_creation_1h=written_1h,
        cache_read_input_tokens=read,
        web_searches=searches,
    )

    assert price == genai_prices.calc_price(usage, model, provider_id="anthropic").total_price


@settings(deadline=None)
@given(fresh=st.integers(99_990, 100_010), written=st.integers(0, 20), read=st.integers(0, 20))
def test_usages_around_the_tier_cost_what_the_library_makes_of_the_reply_itself(
    fresh: int, written: int, read: int
) -> None:
    usage = {"input_tokens": fresh, "output_tokens": 3}
    cached = {"cache_creation_input_tokens": written, "cache_read_input_tokens": read}
    reply = {"model": "claude-haiku-5-5", "usage": usage | cached}

    price = cost(priced("claude-haiku-5-5"), **usage, **cached)

    assert price == genai_prices.extract_usage(reply, provider_id="anthropic").calc_price().total_price


@pytest.mark.parametrize("model", ["offline", "gpt-5", "llama-3", "", "x" * 10_000])
def test_a_model_that_the_library_does_not_know_has_no_price(model: str) -> None:
    assert prices_for(model) is None


def test_a_dated_name_has_the_price_of_its_model() -> None:
    assert prices_for("claude-haiku-5-5-20260901") == prices_for("claude-haiku-5-5")


def test_a_models_prices_are_taken_from_the_library_once() -> None:
    assert prices_for("claude-haiku-5-5") is prices_for("claude-haiku-5-5")


def test_the_day_chooses_between_a_models_old_and_new_prices() -> None:
    old = prices_for("claude-opus-4-6", date(2026, 3, 12))
    new = prices_for("claude-opus-4-6", date(2026, 3, 13))

    assert old is not None
    assert new is not None
    assert cost(old, input_tokens=200_001, output_tokens=0) == Decimal("2.00001")
    assert cost(new, input_tokens=200_001, output_tokens=0) == Decimal("1.000005")


@pytest.mark.parametrize(
    "tokens",
    [
        {"input_tokens": -1, "output_tokens": 0},
        {"input_tokens": 5, "output_tokens": -1},
        {"input_tokens": 5, "output_tokens": 0, "cache_read_input_tokens": -1},
        {"input_tokens": 5, "output_tokens": 0, "cache_creation_input_tokens": 3, "cache_creation_1h": 4},
        {"input_tokens": 5, "output_tokens": 0, "web_searches": -1},
    ],
)
def test_counts_that_cannot_be_are_refused(tokens: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="negative") as refused:
        cost(priced("claude-haiku-5-5"), **tokens)

    assert type(refused.value) is ValueError


def test_the_callers_decimal_settings_change_no_price_and_stay_as_they_were() -> None:
    prices = priced("claude-haiku-5-5")

    with localcontext() as coarse:
        coarse.prec = 2
        price = cost(prices, input_tokens=99_999, output_tokens=1)
        precision_after = getcontext().prec

    assert price == Decimal("0.0100004")
    assert precision_after == 2


@pytest.mark.parametrize("tables", [ModelPrice(input_mtok=Decimal(8), output_mtok=Decimal(24))], indirect=True)
def test_cached_tokens_without_a_price_of_their_own_cost_what_input_costs(tables: str) -> None:
    prices = priced(tables)
    cached = {"cache_creation_input_tokens": 1_000, "cache_creation_1h": 400, "cache_read_input_tokens": 2_000}
    usage = genai_prices.Usage(
        input_tokens=3_010,
        output_tokens=5,
        cache_write_tokens=1_000,
        cache_write_1h_tokens=400,
        cache_read_tokens=2_000,
    )

    price = cost(prices, input_tokens=10, output_tokens=5, **cached)

    assert price == Decimal("0.0242")
    assert price == genai_prices.calc_price(usage, tables, provider_id="anthropic").total_price
    with pytest.raises(ValueError, match="no known price"):
        cost(prices, input_tokens=0, output_tokens=0, web_searches=1)


@pytest.mark.parametrize(
    "tables",
    [
        ModelPrice(
            input_mtok=TieredPrices(Decimal(1), [Tier(200, Decimal(3)), Tier(100, Decimal(2))]),
            output_mtok=TieredPrices(Decimal(10), [Tier(150, Decimal(20))]),
        )
    ],
    indirect=True,
)
@pytest.mark.parametrize(
    ("prompt", "expected"), [(0, 10), (100, 110), (101, 212), (150, 310), (151, 322), (200, 420), (201, 623)]
)
def test_each_price_has_tiers_of_its_own(tables: str, prompt: int, expected: int) -> None:
    price = cost(priced(tables), input_tokens=prompt, output_tokens=1)
    by_library = genai_prices.calc_price(
        genai_prices.Usage(input_tokens=prompt, output_tokens=1), tables, provider_id="anthropic"
    ).total_price

    assert price == Decimal(expected) / 1_000_000 == by_library


BASE = {"input_mtok": Decimal(1), "output_mtok": Decimal(2)}


@pytest.mark.parametrize(
    "tables",
    [
        pytest.param([], id="no prices"),
        pytest.param(ModelPrice(input_mtok=Decimal(1)), id="no price for output"),
        pytest.param(ModelPrice(output_mtok=Decimal(1)), id="no price for input"),
        pytest.param(ModelPrice(**BASE, requests_kcount=Decimal(5)), id="a price for each request"),
        pytest.param(ModelPrice(**BASE, output_reasoning_mtok=Decimal(5)), id="a price for thinking"),
        pytest.param(ModelPrice(**BASE, of_tomorrow_mtok=Decimal(5)), id="a price of an unknown kind"),
        pytest.param(ModelPrice(input_mtok=Decimal(-1), output_mtok=Decimal(1)), id="a price below zero"),
    ],
    indirect=True,
)
def test_a_table_that_can_not_price_every_reply_is_no_price(tables: str) -> None:
    assert prices_for(tables) is None


@pytest.mark.parametrize(
    "tables",
    [
        pytest.param([ConditionalPrice(prices=ModelPrice(**BASE))], id="a list of one"),
        pytest.param(ModelPrice(**BASE, cache_read_mtok=None), id="a price that is None"),
        pytest.param(ModelPrice(**BASE, input_audio_mtok=Decimal(9)), id="a price for sound"),
    ],
    indirect=True,
)
def test_a_price_for_what_is_never_charged_changes_nothing(tables: str) -> None:
    price = cost(priced(tables), input_tokens=1_000_000, output_tokens=0)

    assert price == 1

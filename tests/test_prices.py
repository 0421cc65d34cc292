"""What tokens cost."""

from decimal import Decimal
from pathlib import Path

import pytest

from tripgauge.conversation import Usage
from tripgauge.errors import UsageError
from tripgauge.prices import Price, read_prices


def test_tokens_from_a_cache_have_a_price_of_their_own() -> None:
    price = Price(input=Decimal("2"), output=Decimal("10"), cached_input=Decimal("0.5"))

    cost = price.cost(Usage(input_tokens=1_000_000, output_tokens=100_000, cached_tokens=400_000))

    assert cost == Decimal("1.2") + Decimal("0.2") + Decimal("1")


def test_without_one_they_cost_what_others_do() -> None:
    assert Price(Decimal(2), Decimal(0)).cost(Usage(1_000_000, 0, 400_000)) == 2


def test_unknown_tokens_cost_an_unknown_amount() -> None:
    assert Price(Decimal(2), Decimal(0)).cost(Usage()) == "unknown"


def test_a_table_is_read_from_json_and_a_fault_in_it_is_named(tmp_path: Path) -> None:
    table = tmp_path / "prices.json"
    table.write_text('{"openai/some": {"input": "1.25", "output": 10}}', encoding="utf-8")

    assert read_prices(table)["openai/some"] == Price(Decimal("1.25"), Decimal(10))
    table.write_text('{"openai/some": {"input": "cheap", "output": 10}}', encoding="utf-8")
    with pytest.raises(UsageError, match=r"prices\.json, openai/some\.input"):
        read_prices(table)


@pytest.mark.parametrize("price", ["-1", '"-0.5"', '"NaN"', '"Infinity"'])
def test_no_token_has_a_price_below_nothing_or_none_at_all(tmp_path: Path, price: str) -> None:
    table = tmp_path / "prices.json"
    table.write_text(f'{{"openai/some": {{"input": 1, "output": {price}}}}}', encoding="utf-8")

    with pytest.raises(UsageError, match=r"prices\.json, openai/some\.output"):
        read_prices(table)

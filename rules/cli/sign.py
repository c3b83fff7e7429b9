"""``python -m rules sign``: what a table's sign states, from the table's own approved settings.

The minimums and maximums, the odds each wager is paid at and by which approved schedule, the chance of each wager and
its house edge, and the readings of the rules it hangs on. Where a maximum payout limits what is paid, the sign says so:
for which results, on bets of more than how much; the chances count every win in full. ``--table`` takes the table's
settings as JSON: ``limits``, ``settings`` and ``schedules`` as a round's record has them. ``--terms`` adds the
jackpot's prizes, with the fingerprint of the terms they are promised in, and ``--meter`` its chance at that meter.
"""

from argparse import Namespace
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from rules.cli.files import Output, fault_text, read_terms
from rules.cli.odds import jackpot_rows
from rules.games import GAMES, Game
from rules.games.sic_bo import AREAS
from rules.limits import LARGEST_WAGER_CENTS
from rules.odds import Row, decimal_text, exact_text, rows_chosen
from rules.records import RecordError
from rules.records.tables import Approved, read_table
from rules.settings import Settings
from rules.terms import Terms, fingerprint
from rules.wagers import paid_in_full_cents

_LIMITS_RULES = {"caribbean_stud": "CSP 6.1", "sic_bo": "SIC 4.1"}
_COVERED = {"winnings": "the stake not counted", "with_stake": "the stake counted"}


def add(commands: Any) -> None:
    """Declare the command and its arguments."""
    sign = commands.add_parser("sign", help="what a table's sign states", description=__doc__)
    sign.add_argument("game", choices=list(GAMES), metavar="GAME", help=f"one of {', '.join(GAMES)}")
    sign.add_argument(
        "--table", type=Path, metavar="FILE", help="limits, settings and schedules as JSON; else defaults"
    )
    sign.add_argument("--terms", type=Path, metavar="FILE", help="a link's terms, for the jackpot")
    sign.add_argument("--meter", type=int, metavar="CENTS", help="the jackpot's meter; else the seed of its main pool")
    sign.add_argument("--json", action="store_true", help="one object on standard output")
    sign.set_defaults(run=run)


def run(chosen_: Namespace, console: Console) -> int:
    """Show a sign; returns the exit code: 0, or 2 where a file cannot be read or the call cannot be."""
    game = GAMES[chosen_.game]
    try:
        asked = _approved(game, chosen_.table)
        terms = _terms(game, chosen_)
        _check_jackpot(asked, terms)
    except (OSError, ValueError) as error:
        console.print(f"rules sign: {fault_text(error)}", markup=False)
        return 2
    with console.status("counting"):
        rows = [row for row in rows_chosen(game.name, asked.schedules) if _read_so(row, asked)]
    if terms is not None:
        meter = terms.pools[0].seed_cents if chosen_.meter is None else chosen_.meter
        rows += jackpot_rows(meter, terms)
    stated = _sign(game, asked, rows, terms)
    if chosen_.json:
        print(msgspec.json.encode(stated).decode())
    else:
        _print(stated)
    return 0


def _terms(game: Game, chosen_: Namespace) -> Terms | None:
    """The terms asked for. Raises ``ValueError`` where terms or meter make no sense."""
    if not game.linked and (chosen_.terms is not None or chosen_.meter is not None):
        raise ValueError(f"--terms, --meter: no jackpot is linked to {game.name}")
    if chosen_.meter is not None and not 0 <= chosen_.meter <= LARGEST_WAGER_CENTS:
        raise ValueError(f"--meter: {chosen_.meter}: not from 0 to {LARGEST_WAGER_CENTS} cents")
    return None if chosen_.terms is None else read_terms(chosen_.terms)


def _check_jackpot(asked: Approved, terms: Terms | None) -> None:
    """Refuse a sign that asks another jackpot wager than the terms (CSP 11.3, 11.9.3). Raises ``ValueError``."""
    stated = getattr(asked.limits, "jackpot_cents", None)
    if terms is not None and stated not in {None, terms.qualifying_wager_cents}:
        raise ValueError(
            f"limits.jackpot_cents: {stated}: by the terms the wager is {terms.qualifying_wager_cents} cents (CSP 11.3)"
        )


def _approved(game: Game, path: Path | None) -> Approved:
    """What a table's file states. Raises ``ValueError`` naming file and field, or ``OSError``."""
    try:
        return read_table(game.name, b"{}" if path is None else path.read_bytes())
    except RecordError as error:
        raise ValueError(f"{path}: {error}") from None


def _read_so(row: Row, asked: Approved) -> bool:
    """Whether a row is of the table's readings, and of a bet that it offers."""
    area = AREAS.get(row.wager) or AREAS.get(f"{row.wager}_1_2_3_4")
    if row.game == "sic_bo" and area is not None and not asked.limits.offers(area):
        return False
    return all(getattr(asked.settings, name) == value for name, value in row.settings)


def _sign(game: Game, asked: Approved, rows: list[Row], terms: Terms | None) -> dict[str, Any]:
    """A sign in its JSON form."""
    stated = {
        "game": game.name,
        "title": game.title,
        "edition": game.edition,
        "reference": game.reference,
        "limits": {"rule": _LIMITS_RULES.get(game.name, f"{game.book} 6.1"), **_limits(asked.limits)},
        "odds": [
            {
                "wager": wager,
                "result": result,
                "odds": str(odds),
                "schedule": schedule.name,
                "rule": schedule.rule,
                "approval": schedule.approval,
            }
            for wager, schedule in asked.schedules.items()
            if game.name != "sic_bo"
            or wager not in {"odd", "even", "four_numbers", "super_streak"}
            or wager in asked.limits.offered
            for result, odds in schedule.odds[wager].items()
        ],
        "chances": [_chance(row) for row in rows],
        "rulings": {name: value for row in rows if row.wager != "jackpot" for name, value in row.settings},
    }
    settings = asked.settings
    if isinstance(settings, Settings) and settings.max_payout_cents is not None:
        stated["maximum_payout"] = {
            "rule": "CSP 10.2",
            "wager": "bet",
            "cents": settings.max_payout_cents,
            "covers": settings.max_payout_covers,
            "limits": _limited(asked, settings),
            "chances_count_it": False,
        }
    if terms is not None:
        stated["jackpot"] = {
            "terms": fingerprint(terms),
            "wager_cents": terms.qualifying_wager_cents,
            "prizes": [
                {
                    "prize": each.name,
                    "share_ppm": each.share_ppm,
                    "minimum_cents": each.minimum_cents,
                    "amount_cents": each.amount_cents,
                }
                for each in terms.pay_table
            ],
        }
    return stated


def _limited(asked: Approved, settings: Settings) -> list[dict[str, Any]]:
    """The results whose odds a maximum payout limits on bets that this table takes, and up to which bet they hold."""
    sign = asked.limits
    twice = None if sign.ante_max_cents is None else 2 * sign.ante_max_cents  # A bet is twice the ante (CSP 5.6).
    most = min((each for each in (twice, sign.bet_max_cents) if each is not None), default=LARGEST_WAGER_CENTS)
    odds = asked.schedules["bet"].odds["bet"]
    full = {result: paid_in_full_cents(each, settings) for result, each in odds.items()}
    return [
        {"result": result, "paid_in_full_up_to_cents": cents}
        for result, cents in full.items()
        if cents is not None and cents < most
    ]


def _limits(limits: Any) -> dict[str, Any]:
    """What the sign states of amounts, without what it does not."""
    return {each.name: value for each in fields(limits) if (value := getattr(limits, each.name)) not in (None, {})}


def _chance(row: Row) -> dict[str, Any]:
    wins = sum((each.chance for each in row.outcomes if each.pays > 0), Fraction())
    return {
        "wager": row.wager,
        "strategy": row.strategy,
        "settings": dict(row.settings),
        "wins": exact_text(wins),
        "wins_decimal": decimal_text(wins, 9),
        "house_edge": exact_text(row.house_edge),
        "house_edge_decimal": decimal_text(row.house_edge, 9),
    }


def _print(stated: dict[str, Any]) -> None:
    """A sign for people."""
    console = Output(highlight=False)
    reference = f" ({stated['reference']})" if stated["reference"] else ""
    console.print(f"{stated['title']}, rules of {stated['edition']}{reference}", markup=False)
    amounts = Table("limit", "cents", box=None, pad_edge=False, title=stated["limits"]["rule"], title_justify="left")
    for name, value in stated["limits"].items():
        if name != "rule":
            amounts.add_row(name, _words(value))
    odds = Table("wager", "result", "pays", "schedule", box=None, pad_edge=False)
    for each in stated["odds"]:
        odds.add_row(each["wager"], each["result"], each["odds"], f"{each['schedule']} ({each['approval']})")
    chances = Table("wager", "wins", "house edge", "played", box=None, pad_edge=False)
    for each in stated["chances"]:
        wins, edge = (f"{decimal_text(100 * Fraction(each[name]), 3)} %" for name in ("wins", "house_edge"))
        played = ", ".join([*(f"{name} {value}" for name, value in each["settings"].items()), each["strategy"]])
        chances.add_row(each["wager"], wins, edge, played.removesuffix(", "))
    for table in (amounts, odds, chances):
        console.print(table)
        console.print()
    if "maximum_payout" in stated:
        most = stated["maximum_payout"]
        covers = _COVERED[most["covers"]]
        console.print(f"Maximum payout on a {most['wager']}: {most['cents']} cents, {covers} ({most['rule']})")
        for each in most["limits"]:
            result, full = each["result"].replace("_", " "), each["paid_in_full_up_to_cents"]
            console.print(f"  {result}: limited by it on a bet of more than {full} cents", markup=False)
        if most["limits"]:
            console.print("  The chances and house edges above count every win as paid in full.")
    if "jackpot" in stated:
        jackpot = stated["jackpot"]
        console.print(f"Progressive jackpot, wager of {jackpot['wager_cents']} cents, terms {jackpot['terms']}")
        for each in jackpot["prizes"]:
            console.print(f"  {_prize(each)}", markup=False)


def _prize(prize: dict[str, Any]) -> str:
    name = prize["prize"].replace("_", " ")
    if prize["amount_cents"] is not None:
        return f"{name}: {prize['amount_cents']} cents"
    share = decimal_text(Fraction(prize["share_ppm"], 10_000), 0)
    return f"{name}: {share} % of the jackpot, {prize['minimum_cents']} cents at least"


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {cents}" for name, cents in value.items())
    return ", ".join(value) if isinstance(value, list | tuple) else str(value)

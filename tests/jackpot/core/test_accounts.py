"""How balanced entries are made: versions without gaps, runs in one entry, nothing owed to players below nought."""

import pytest

from jackpot.core.accounts import (
    CAUSES,
    HOUSE,
    PAID,
    RECOVERABLE,
    RESERVE,
    RETAINED,
    WAGERS,
    Balance,
    Book,
    BrokenInvariant,
    Entry,
    overflow_account,
    payable_account,
    pool_account,
)


def test_a_run_of_increments_is_one_entry_an_account() -> None:
    """However many wagers: what each account took, under the last commit, and no entry for nought."""
    book = Book({"pool/main": Balance(4, 100)})
    for commit in (7, 8, 9):
        book.run({"pool/main": 22, "overflow/main": 0, WAGERS: -22}, commit)
    assert book.balance("pool/main") == 166
    assert book.entries == []
    book.close_run()
    assert book.entries == [
        Entry("pool/main", 5, 66, 166, "increment", 9, ""),
        Entry(WAGERS, 1, -66, -66, "increment", 9, ""),
    ]
    assert book.touched == {"pool/main", WAGERS}


def test_what_is_no_increment_stands_for_itself() -> None:
    """A movement ends the run before it, and is two entries of its own with its cause and on whose account."""
    book = Book({"pool/main": Balance(1, 1_000)})
    book.run({"pool/main": 22, WAGERS: -22}, 7)
    book.move("pool/main", "payable/x", 500, "award", 8, "x")
    book.run({"pool/main": 22, WAGERS: -22}, 9)
    book.move(HOUSE, "payable/x", 0, "topup", 9, "x")
    book.close_run()
    assert [(entry.account, entry.version, entry.balance_after, entry.cause) for entry in book.entries] == [
        ("pool/main", 2, 1_022, "increment"),
        (WAGERS, 1, -22, "increment"),
        ("pool/main", 3, 522, "award"),
        ("payable/x", 1, 500, "award"),
        ("pool/main", 4, 544, "increment"),
        (WAGERS, 2, -44, "increment"),
    ]
    assert sum(entry.amount for entry in book.entries) == 0


@pytest.mark.parametrize("account", [pool_account("main"), overflow_account("main"), payable_account("x"), RESERVE])
def test_what_is_owed_to_players_is_never_below_nought(account: str) -> None:
    """One microcent too much is a broken invariant that names the account, the cause and whose it is."""
    book = Book({account: Balance(1, 10)})
    book.move(account, HOUSE, 10, "award", 1, "x")
    with pytest.raises(BrokenInvariant, match=rf"award x: {account} would fall to -1 microcents"):
        book.move(account, HOUSE, 1, "award", 1, "x")


@pytest.mark.parametrize("account", [HOUSE, WAGERS, RETAINED, PAID, RECOVERABLE])
def test_where_money_comes_from_may_be_below(account: str) -> None:
    """The house's own accounts may go below nought."""
    book = Book({})
    book.move(account, RESERVE, 10, "seed", 1, "x")
    assert book.balance(account) == -10


def test_money_moves_forwards_and_for_a_reason() -> None:
    """An amount below nought, or a cause that is not on the closed list, is a broken invariant."""
    book = Book({})
    with pytest.raises(BrokenInvariant, match="-1 microcents cannot be moved"):
        book.move(HOUSE, RESERVE, -1, "seed", 1, "x")
    with pytest.raises(BrokenInvariant, match="'tip' is not a cause"):
        book.move(HOUSE, RESERVE, 1, "tip", 1, "x")
    assert book.entries == []
    assert "tip" not in CAUSES


def test_the_balances_given_stay_as_they_were() -> None:
    """A book keeps its own: an attempt that is thrown away has changed nothing."""
    given = {"pool/main": Balance(1, 10)}
    book = Book(given)
    book.move("pool/main", HOUSE, 10, "award", 1, "x")
    assert given == {"pool/main": Balance(1, 10)}

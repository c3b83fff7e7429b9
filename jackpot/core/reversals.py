"""How a wager that is void or withdrawn goes back: from the accounts its own row names, never worked out from rates."""

from jackpot.core.accounts import HOUSE, MICROCENTS, RESERVE, RETAINED, WAGERS, overflow_account, pool_account
from jackpot.core.meters import holds
from jackpot.core.state import Draft, OpenRound
from jackpot.wire.messages import Moved


def reverse(draft: Draft, opened: OpenRound, seats: frozenset[int], ref: str) -> tuple[list[int], list[Moved]]:
    """Return the accepted wagers of these seats; say which seats, and what that moved.

    **Always** the whole wager. What went into a pool comes out of it again while it is in there, also below its seed.
    **Never** takes players' money below nought: what is missing comes from the reserve, then from the house. A pool
    that was won since is left alone too (`void_after_award`): that increment went to the winner, while that one has it.
    """
    if not opened.runs:
        return [], []
    terms = draft.older[opened.terms].terms
    names = [pool.name for pool in terms.pools]
    accounts = [*map(pool_account, names), *map(overflow_account, names), RESERVE, RETAINED]
    for place, name in enumerate(names):
        if terms.rulings.void_after_award == "reserve" and not in_its_meter(draft, opened, place, name):
            accounts[place] = RESERVE
    watched = dict.fromkeys([*map(pool_account, names), *accounts, WAGERS, HOUSE])
    before = {account: draft.book.balance(account) for account in watched}
    done: list[int] = []
    for run in opened.runs:
        chosen = [seat for seat in run.seats if seat in seats]
        done += chosen
        for account, part in zip(accounts, run.parts, strict=True):
            _give_back(draft, account, part * len(chosen), ref)
        tokens = sum(tender == "token" for seat, tender in zip(run.seats, run.tenders, strict=True) if seat in seats)
        # A token was no money: what the house had paid in for it goes back to the house.
        draft.book.move(WAGERS, HOUSE, run.wager_cents * MICROCENTS * tokens, "reversal", draft.commit, ref)
    for name in names:
        if draft.book.balance(pool_account(name)) < before[pool_account(name)]:
            draft.fell(name, "reversal")
    draft.room = 0
    after = {account: draft.book.balance(account) - held for account, held in before.items()}
    return sorted(done), [Moved(account, str(amount)) for account, amount in after.items() if amount]


def in_its_meter(draft: Draft, opened: OpenRound, place: int, name: str) -> bool:
    """Say whether what this round's wagers put into a pool is in its meter, not with a winner who took it whole.

    Where nobody noted the falls of the pool (decide versions 1 and 2), the epoch of the round says it.
    """
    known = holds(draft.pools[name], opened.commit)
    return draft.pools[name].epoch == opened.epochs[place] if known is None else known


def _give_back(draft: Draft, account: str, amount: int, ref: str) -> None:
    """Move an amount back to the wagers: from the account as far as it goes, then the reserve, then the house.

    The retained share is the house's own: it gives its part whole, whatever it has spent since.
    """
    if account == RETAINED:
        draft.book.move(RETAINED, WAGERS, amount, "reversal", draft.commit, ref)
        return
    for source in (account, RESERVE):
        taken = min(max(draft.book.balance(source), 0), amount)
        draft.book.move(source, WAGERS, taken, "reversal", draft.commit, ref)
        amount -= taken
    draft.book.move(HOUSE, WAGERS, amount, "reversal", draft.commit, ref)

"""A table between and around rounds: limits and people over time, for all five books.

A ``Table`` is a value; each act is a function of it and of the time (microseconds since 1970, UTC; no clock) that gives
a ``Step``: the table after it, what people are told, what is written down, and moves for a round in progress. An act
that is not allowed raises ``ActRefused``, as text ``rule: reason``, and changes nothing. Before each round ``coming``
says by which limits every seat plays and which seats may not wager; ``lay`` puts that on a game's felt.

==========================  ======================================================  =================================
what                        function                                                rules
==========================  ======================================================  =================================
sign, unit, alteration      ``alter``                                               CSP TCP FCP WAR 6.1, 6.5; SIC 4.5
raise, 20 minutes' sign     ``show_minimum``, ``take_down``, ``advance``            6.5; SIC 4.5
raise at once, marker       ``raise_at_once``, ``leave``, ``markers``               6.5.1, 6.5.1.1-3; not SIC
old minimum raised          ``show_old_minimum``                                    6.5.2
two minimums on signs       ``on_display``                                          6.5.3
newcomers                   ``join``, ``Table.limits_of``                           6.5.4
own limits                  ``give_own_limits``, ``end_own_limits``                 CSP TCP WAR 6.6; SIC 4.6; not FCP
low limit gaming            ``open_table``, ``change_device``                       TCP 6.7; FCP 6.6
cash, cashless              ``open_table``, ``set_cash``, ``purchase_refused``      CSP 2.5; TCP 2.4; SIC 2.7.3
closing                     ``show_closing``, ``close``                             CSP 16.9 and kin; SIC 6.6
cards                       ``CardStatus``, ``meaning``, ``join``, ``coming``       CSP TCP 5.1; SIC 3.1; carded_play
own card, no proxy          ``placing_refused``                                     CSP 16.1; TCP 14.1; SIC 9.1, 9.20
one hand; several areas     ``placing_refused``, ``take_area``, ``give_up_area``    CSP 5.8, TCP 5.6, FCP 5.5; WAR 5.6
reserved areas              ``reserve``, ``coming``                                 WAR 5.9
number of players           ``limit_players``                                       SIC 3.15
refused wager               ``refuse_wager``                                        CSP 16.12 and kin; not WAR
three rounds without        ``begin_round``, ``end_round``, ``ask_for_seat``        CSP 16.10 and kin
collusion                   ``direct``, ``coming``                                  CSP 14.13; TCP 12.11; FCP 12.12
devices, exclusion          ``find_device``, ``find_ineligible``                    CSP 16.2-16.4 and kin
employees                   ``find_employee``                                       CSP 16.15
disputes, complaints        ``raise_dispute``, ``decide_dispute``, ``ask_review``,  CSP 16.13, 16.14 and kin
                            ``review_dispute``, ``advise``
==========================  ======================================================  =================================

Does not know: a Loss Limit's amounts (``rules.games.sic_bo.loss_limits``), what is on the layout (the felts), nor what
an invalid wager comes to (the games' settling). Which clause says each thing in each book stands in ``books``.
"""

from rules.tables.books import ABSTAINED_ROUNDS, CARDS_FROM_US, NOTICE_US, PROVISIONS, Provisions
from rules.tables.cards import Answer, CardStatus, KnownCards, Meaning, meaning
from rules.tables.disputes import Role, advise, ask_review, decide_dispute, raise_dispute, review_dispute
from rules.tables.laying import lay, lay_around, wagered
from rules.tables.opening import change_device, close, open_table, purchase_refused, set_cash, show_closing
from rules.tables.people import (
    MEASURES,
    Measure,
    ask_for_seat,
    change_seat,
    direct,
    find_device,
    find_employee,
    find_ineligible,
    give_up_area,
    join,
    leave,
    limit_players,
    reserve,
    take_area,
    to_give_up,
    wait_for_seat,
)
from rules.tables.signs import (
    OnDisplay,
    advance,
    alter,
    end_own_limits,
    give_own_limits,
    markers,
    maximums,
    minimums,
    on_display,
    raise_at_once,
    show_minimum,
    show_old_minimum,
    take_down,
    with_old_minimums,
)
from rules.tables.table import ActRefused, Dispute, Due, Entry, Player, Posted, Step, Table
from rules.tables.wagers import Coming, Placing, begin_round, coming, end_round, placing_refused, refuse_wager

__all__ = [
    "ABSTAINED_ROUNDS",
    "CARDS_FROM_US",
    "MEASURES",
    "NOTICE_US",
    "PROVISIONS",
    "ActRefused",
    "Answer",
    "CardStatus",
    "Coming",
    "Dispute",
    "Due",
    "Entry",
    "KnownCards",
    "Meaning",
    "Measure",
    "OnDisplay",
    "Placing",
    "Player",
    "Posted",
    "Provisions",
    "Role",
    "Step",
    "Table",
    "advance",
    "advise",
    "alter",
    "ask_for_seat",
    "ask_review",
    "begin_round",
    "change_device",
    "change_seat",
    "close",
    "coming",
    "decide_dispute",
    "direct",
    "end_own_limits",
    "end_round",
    "find_device",
    "find_employee",
    "find_ineligible",
    "give_own_limits",
    "give_up_area",
    "join",
    "lay",
    "lay_around",
    "leave",
    "limit_players",
    "markers",
    "maximums",
    "meaning",
    "minimums",
    "on_display",
    "open_table",
    "placing_refused",
    "purchase_refused",
    "raise_at_once",
    "raise_dispute",
    "refuse_wager",
    "reserve",
    "review_dispute",
    "set_cash",
    "show_closing",
    "show_minimum",
    "show_old_minimum",
    "take_area",
    "take_down",
    "to_give_up",
    "wagered",
    "wait_for_seat",
    "with_old_minimums",
]

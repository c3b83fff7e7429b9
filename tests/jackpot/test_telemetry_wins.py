"""How long a win is on no board: what wakes somebody because a room does not see that one of its players has won."""

from jackpot.core.hits import PAID
from jackpot.telemetry import Telemetry
from jackpot.web.shown import Shown, Told, Words
from tests.support.chains import Link

ROYAL = {1: "As Ks Qs Js Ts"}
MINUTE_US = 60_000_000


def test_a_win_is_unshown_until_a_board_has_come_so_far() -> None:
    """From the win on its age counts; a board that shows its commit ends that, as does a link on which none speaks."""
    now_us = [0]
    telemetry, link = Telemetry(now_us=lambda: now_us[0]), Link()
    telemetry.opened("southern")
    link.decide(link.play("T1", 1, ROYAL))
    [hit] = link.state.hits.values()
    telemetry.won("southern", {hit.key: 0})
    now_us[0] = MINUTE_US

    def unshown(furthest: tuple[int, int] | None) -> float | None:
        telemetry.displayed("southern", link.state, furthest)
        return telemetry.registry.get_sample_value("jackpot_win_unshown_seconds", {"link": "southern"})

    assert hit.state != PAID
    assert unshown((1, hit.commit - 1)) == 60
    assert unshown((0, 0)) == 60
    assert unshown((1, hit.commit)) == 0
    assert unshown(None) == 0


def test_a_board_without_an_amount_shows_no_win() -> None:
    """How far boards have come is what the best of them shows; one that shows none has not come at all."""
    words, told = Words(lambda _link, _shown, _fault: None), Told()
    assert words.furthest("southern") is None
    words.say("southern", Shown("hall", 1, 12, 1, ""), told, 0)
    assert words.furthest("southern") == (0, 0)
    words.say("southern", Shown("bar", 1, 10, 1, "5000000"), told, 0)
    words.say("southern", Shown("door", 1, 9, 1, "5000000"), told, 0)
    assert words.furthest("southern") == (1, 10)
    assert words.furthest("northern") is None

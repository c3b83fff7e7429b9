"""Which agent is a table: admission, a supervisor's word, and hellos (PROTOCOL 1)."""

from collections.abc import Sequence
from dataclasses import replace

from jackpot.core.answers import AdmittedAnswer, ConnectedAnswer, HelloRefusedAnswer, WordAnswer
from jackpot.core.commands import Admit, Connect, Word
from jackpot.core.facts import Fact
from jackpot.core.hits import person
from jackpot.core.state import ADMITTED, DIFFERS, LINKED, QUARANTINED, Draft, Journal, Table, TermsInForce
from jackpot.core.verdicts import Undecided, refused
from jackpot.wire.codec import FrameError
from jackpot.wire.messages import FieldDifference, RefusedAnswer
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import settings_differences, table_settings
from rules.terms import TermsError, differences, parse_form

ANY = "any"
"""A word that is for whichever spool asks next."""
TAKEOVERS = 3
"""So many takeovers between live connections within a minute are two agents that fight over one table."""
MINUTE_US = 60_000_000
JOURNALS_OF_A_LIFE = 1_000_000
"""Each life of the ledger numbers the journals it grants from its own million: no table needs so many."""


def admit(draft: Draft, act: Admit) -> AdmittedAnswer | RefusedAnswer:
    """Admit a table with its approved settings; enrolling it is the word for its first journal.

    **Never** lifts a quarantine: that takes a supervisor's word.
    """
    if draft.terms is None:
        return refused(Refusal.NOT_OPEN)
    if not person(act.by):
        return refused(Refusal.NAME_NEEDED, "by")
    settings = bytes(act.settings).decode()
    try:
        table_settings(settings)
    except FrameError as error:
        return refused(Refusal.SETTINGS_DIFFER, f"{error.field} {error.value}")
    table = draft.tables.get(act.table)
    if table is None:
        draft.put_table(Table(act.table, act.key, settings, ADMITTED, word=ANY))
    else:
        status = QUARANTINED if table.status == QUARANTINED else ADMITTED
        draft.put_table(replace(table, key=act.key, settings=settings, status=status))
    return AdmittedAnswer(act.table)


def word(draft: Draft, act: Word) -> WordAnswer | RefusedAnswer:
    """Note a supervisor's word: which spool is the table, or that the next that says hello is.

    A table that is linked plays on until then.
    """
    table = draft.tables.get(act.table)
    if table is None:
        return refused(Refusal.NO_SUCH_TABLE, act.table)
    if not person(act.by):
        return refused(Refusal.NAME_NEEDED, "by")
    if not act.reason.strip():
        return refused(Refusal.REASON_NEEDED)
    status = LINKED if table.status == LINKED else ADMITTED
    draft.put_table(replace(table, word=act.spool or ANY, status=status, takeovers=()))
    return WordAnswer(act.table)


def connect(draft: Draft, hello: Connect, facts: list[Fact]) -> ConnectedAnswer | HelloRefusedAnswer:
    """Decide a hello whose signature held.

    **Always** names every field in which the table is not the link (11.9). The same journal takes over its older
    connection. **Never** grants a journal to an empty, damaged or older spool without a word; two agents of one spool
    are quarantined.
    """
    table = draft.tables.get(hello.table)
    if table is None or draft.terms is None:
        raise Undecided(Refusal.NOT_ENROLLED)
    found = _differences(hello, table, draft.terms)
    if table.status == QUARANTINED:
        return _refuse(draft, table, QUARANTINED, Refusal.QUARANTINED, hello, facts, found)
    if table.word not in {"", ANY, hello.spool}:
        # A supervisor has named another spool: this one is not the table, and takes no wagers from now on.
        return _refuse(draft, table, ADMITTED, Refusal.NO_WORD, hello, facts, found)
    if found:
        code = Refusal.SETTINGS_DIFFER if all(d.field.startswith("settings") for d in found) else Refusal.TERMS_DIFFER
        return _refuse(draft, table, DIFFERS, code, hello, facts, found)
    journal = draft.journals.get((table.name, table.journal))
    if journal is None or not _is_of(hello, journal) or _is_older(hello, journal):
        return _grant(draft, table, journal, hello, facts)
    if hello.connection <= table.connection and not table.word:
        return _quarantine(draft, table, Refusal.CONNECTION_NOT_RISING, hello, facts)
    recent = [at for at in table.takeovers if draft.time_us - at < MINUTE_US]
    if hello.alive:
        recent.append(draft.time_us)
        if len(recent) >= TAKEOVERS:
            return _quarantine(draft, table, Refusal.QUARANTINED, hello, facts)
    return _linked(draft, replace(table, takeovers=tuple(recent)), journal, hello, facts)


def _is_of(hello: Connect, journal: Journal) -> bool:
    """Say whether a spool is the one this journal was granted to; one that never heard of the grant asks again."""
    return hello.spool == journal.spool and hello.journal in {journal.journal, 0}


def _is_older(hello: Connect, journal: Journal) -> bool:
    return hello.next_round <= journal.highest or (hello.journal == 0 and journal.highest > 0)


def _grant(
    draft: Draft, table: Table, journal: Journal | None, hello: Connect, facts: list[Fact]
) -> ConnectedAnswer | HelloRefusedAnswer:
    """Grant a new journal to an empty, damaged, older or other spool where there is a word for it.

    **Never** a number that a lost life of the ledger may have granted, to a spool that is lost too: its ids are used.
    """
    if table.word:
        lost = (draft.generation - 1) * JOURNALS_OF_A_LIFE
        granted = Journal(table.name, max(table.journal, lost) + 1, hello.spool, month=draft.month)
        draft.put_journal(granted)
        return _linked(draft, replace(table, takeovers=()), granted, hello, facts)
    if not hello.journal and (journal is None or hello.spool != journal.spool):
        # A new spool that nobody has spoken for: whoever is the table plays on.
        return _refuse(draft, table, table.status, Refusal.NO_WORD, hello, facts)
    same = journal is not None and hello.journal == journal.journal and hello.spool == journal.spool
    return _quarantine(draft, table, Refusal.NO_WORD if same else Refusal.WRONG_JOURNAL, hello, facts)


def _linked(draft: Draft, table: Table, journal: Journal, hello: Connect, facts: list[Fact]) -> ConnectedAnswer:
    draft.put_table(replace(table, status=LINKED, journal=journal.journal, connection=hello.connection, word=""))
    facts.append(Fact("connected", table.name, 0, {"journal": journal.journal, "connection": hello.connection}))
    fingerprint = draft.terms.fingerprint if draft.terms else ""
    return ConnectedAnswer(journal.journal, hello.connection, journal.highest, fingerprint)


def _quarantine(draft: Draft, table: Table, refusal: Refusal, hello: Connect, facts: list[Fact]) -> HelloRefusedAnswer:
    facts.append(Fact("quarantined", table.name, 0, {"why": refusal.code}))
    return _refuse(draft, table, QUARANTINED, refusal, hello, facts)


def _refuse(
    draft: Draft,
    table: Table,
    status: str,
    refusal: Refusal,
    hello: Connect,
    facts: list[Fact],
    found: Sequence[FieldDifference] = (),
) -> HelloRefusedAnswer:
    """Refuse a hello; written only where it changes what the table is: one that asks each second fills no ledger."""
    facts.append(Fact("hello_refused", table.name, 0, {"code": refusal.code, "fields": [d.field for d in found]}))
    answer = HelloRefusedAnswer(refusal.code, refusal.text, refusal.rule, list(found), hello.journal or table.journal)
    if table.status == status:
        raise Undecided(refusal, answer)
    draft.put_table(replace(table, status=status))
    return answer


def _differences(hello: Connect, table: Table, link: TermsInForce) -> list[FieldDifference]:
    found: list[FieldDifference] = []
    shown = bytes(hello.terms)
    if shown != link.raw.encode():
        try:
            theirs = parse_form(shown)
        except TermsError as error:
            return [FieldDifference(error.field or "terms", error.value, f"readable terms ({error.reason})"[:40])]
        found = [FieldDifference(d.field, d.mine[:40], d.theirs[:40]) for d in differences(theirs, link.terms)]
    settings = bytes(hello.settings).decode()
    if settings != table.settings:
        try:
            found += settings_differences(settings, table.settings)
        except FrameError as error:
            found.append(FieldDifference(f"settings.{error.field}", error.value, error.reason[:40]))
    return found

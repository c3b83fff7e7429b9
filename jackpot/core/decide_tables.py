"""Which agent is a table: admission, a supervisor's word, and hellos (PROTOCOL 1)."""

from dataclasses import replace

from jackpot.core.answers import AdmittedAnswer, ConnectedAnswer, HelloRefusedAnswer, WordAnswer
from jackpot.core.commands import Admit, Connect, Word
from jackpot.core.facts import Fact
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


def admit(draft: Draft, act: Admit) -> AdmittedAnswer | RefusedAnswer:
    """Admit a table with its approved settings; enrolling it is the word for its first journal."""
    if draft.terms is None:
        return refused(Refusal.NOT_OPEN)
    if not act.by:
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
        draft.put_table(replace(table, key=act.key, settings=settings, status=ADMITTED))
    return AdmittedAnswer(act.table)


def word(draft: Draft, act: Word) -> WordAnswer | RefusedAnswer:
    """Note a supervisor's word: which spool is the table, or that the next that asks gets a new journal."""
    table = draft.tables.get(act.table)
    if table is None:
        return refused(Refusal.NO_SUCH_TABLE, act.table)
    if not act.by:
        return refused(Refusal.NAME_NEEDED, "by")
    if not act.reason:
        return refused(Refusal.REASON_NEEDED)
    draft.put_table(replace(table, word=act.spool or ANY, status=ADMITTED, takeovers=()))
    return WordAnswer(act.table)


def connect(draft: Draft, hello: Connect, facts: list[Fact]) -> ConnectedAnswer | HelloRefusedAnswer:
    """Decide a hello whose signature held.

    **Always** names every field in which the table is not the link (11.9). The same journal takes over its older connection.
    **Never** grants a journal to an empty, damaged or older spool without a word; two agents of one spool are quarantined.
    """
    table = draft.tables.get(hello.table)
    if table is None or draft.terms is None:
        raise Undecided(Refusal.NOT_ENROLLED)
    found = _differences(hello, table, draft.terms)
    if found:
        code = Refusal.SETTINGS_DIFFER if all(d.field.startswith("settings") for d in found) else Refusal.TERMS_DIFFER
        facts.append(Fact("hello_refused", hello.table, 0, {"fields": [d.field for d in found]}))
        return _refuse(draft, table, DIFFERS, code, hello, found)
    if table.status == QUARANTINED:
        return _refuse(draft, table, QUARANTINED, Refusal.QUARANTINED, hello)
    if hello.journal == 0:
        return _grant(draft, table, hello, facts)
    journal = draft.journals.get((hello.table, hello.journal))
    named = table.word == hello.spool
    if journal is None or hello.journal != table.journal or journal.spool != hello.spool:
        return _quarantine(draft, table, Refusal.WRONG_JOURNAL, hello, facts)
    if hello.next_round <= journal.highest:
        return _quarantine(draft, table, Refusal.NO_WORD, hello, facts)
    if hello.connection <= table.connection and not named:
        return _quarantine(draft, table, Refusal.CONNECTION_NOT_RISING, hello, facts)
    recent = [at for at in table.takeovers if draft.time_us - at < MINUTE_US]
    if hello.alive:
        recent.append(draft.time_us)
        if len(recent) >= TAKEOVERS:
            return _quarantine(draft, table, Refusal.QUARANTINED, hello, facts)
    return _linked(draft, replace(table, takeovers=tuple(recent)), journal, hello, facts)


def _grant(draft: Draft, table: Table, hello: Connect, facts: list[Fact]) -> ConnectedAnswer | HelloRefusedAnswer:
    current = draft.journals.get((table.name, table.journal))
    if current is not None and current.spool == hello.spool:
        if current.highest or hello.connection <= table.connection:
            # A copy of the spool from before its journal was granted.
            return _quarantine(draft, table, Refusal.WRONG_JOURNAL, hello, facts)
        return _linked(draft, table, current, hello, facts)
    if table.word not in (ANY, hello.spool):
        return _refuse(draft, table, table.status, Refusal.NO_WORD, hello)
    journal = Journal(table.name, table.journal + 1, hello.spool, month=draft.month)
    draft.put_journal(journal)
    return _linked(draft, replace(table, journal=journal.journal, word=""), journal, hello, facts)


def _linked(draft: Draft, table: Table, journal: Journal, hello: Connect, facts: list[Fact]) -> ConnectedAnswer:
    kept = "" if table.word == hello.spool else table.word
    draft.put_table(replace(table, status=LINKED, journal=journal.journal, connection=hello.connection, word=kept))
    facts.append(Fact("connected", table.name, 0, {"journal": journal.journal, "connection": hello.connection}))
    fingerprint = draft.terms.fingerprint if draft.terms else ""
    return ConnectedAnswer(journal.journal, hello.connection, journal.highest, fingerprint)


def _quarantine(draft: Draft, table: Table, refusal: Refusal, hello: Connect, facts: list[Fact]) -> HelloRefusedAnswer:
    facts.append(Fact("quarantined", table.name, 0, {"why": refusal.code}))
    return _refuse(draft, table, QUARANTINED, refusal, hello)


def _refuse(
    draft: Draft,
    table: Table,
    status: str,
    refusal: Refusal,
    hello: Connect,
    found: list[FieldDifference] | None = None,
) -> HelloRefusedAnswer:
    """Refuse a hello; written only where it changes what the table is, so that a table that asks each second fills no ledger."""
    answer = HelloRefusedAnswer(refusal.code, refusal.text, refusal.rule, found or [], hello.journal or table.journal)
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

"""Every way in which the site is broken, as a table: a name, and what is done while the tables play.

stop PART POINT NTH [MS]     SIGKILL at the NTH time that a program reaches a point, MS later; then start it again
stop-again PART POINT        the same, under the lock: answers of the database are lost until it is reached
arm PART POINT NTH           it will die so; meanwhile other steps bring it there
dead PART                    it has died so; all lines pass again, and it is started
kill PART [SECONDS]          SIGKILL, kept down so long, started again (postgres: the postmaster alone)
both PART PART               SIGKILL of two parts, the first started again first
child postgres               SIGKILL of one of its backends: all sessions end, and it recovers
crash postgres [SECONDS]     SIGKILL of all its processes at once
freeze PART SECONDS          SIGSTOP, SIGCONT
hold LINE up|down|both [S]   nothing passes for so long, or until cleared, and till something is held; that comes late
clear LINE                   everything passes again
lose LINE up|down|both S     as hold, and then every connection is cut and what was held is lost
late LINE S                  what is held arrives so long after its connections died and others were opened
cut LINE [TIMES]             every connection is reset
refuse LINE SECONDS          every connection is reset, and new ones too
slow LINE MS [SECONDS]       so much later each way, for so long or until cleared
hasty LINE MS SECONDS        for so long every connection is reset so soon after it has sent wagers or a record
abandon NUMBER               so many requests of every kind are broken off at a moment of chance
end PART [BOARDS]            SIGTERM, with so many boards; it must end in 5 s by itself, and is started again
hand-over                    SIGTERM to the server while a second one is there
takeover SECONDS             the server is frozen, the tables go on at a second one, the first wakes
full disk                    the tables cannot write (RLIMIT_FSIZE), until they have ended of it
exhaust SECONDS              no connection is left in Postgres, and the server's own are ended
lock SECONDS                 somebody holds the link's row
boards NUMBER SECONDS        so many boards that read nothing, and vanish
people ACT TABLE HOW         two people end the round that a table plays (void, void-seat, forfeit, record), while its
                             words are held and come late, are lost, or its program is dead
word TABLE                   a supervisor's word, where a table's record quarantined it after that
back-up; restore             a base backup of the ledger; it is brought back to that under the running programs
reopen ACT                   people open it again, and do again as ACT what they had done to rounds and nobody holds
forget old|all SECONDS       Redis is killed, and comes back with what it held before, or with nothing
play NUMBER                  go on until so many more commits
"""

from dataclasses import dataclass
from typing import Final

FEW: Final = 4
MANY: Final = 100
"""Tables of a row that begins with `@` (case 34)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A row: its name, its steps, whether it belongs to the quick ones, and how many tables play."""

    name: str
    steps: tuple[tuple[str, ...], ...]
    quick: bool
    tables: int = FEW


TABLE = """
  server dies before its statement                   | stop server before-statement 4
* server dies with a statement under way             | stop server statement-begun 4 2
* server dies when a batch is durable, nobody knows  | stop server durable 4
  server dies with all answers due                   | stop server answers-due 4
  server dies with commands waiting                  | stop server commands-waiting 4
  server dies when answered, before it publishes     | stop server before-publishing 3
  server dies when it has published                  | stop server published 3
  server dies twice while tables come back           | stop server durable 5; stop server durable 1
  server dies holding the lock after a lost statement| stop-again server lock-held
  server dies with a batch written under the lock    | stop-again server written-under-lock
  server dies when that batch is durable             | stop-again server durable-under-lock
  tables die before wagers are in the spool          | stop tables step-begun/wagers 6
  tables die when wagers are written, not durable    | stop tables step-written/wagers 6
* tables die when wagers are durable, not sent       | stop tables step-durable/wagers 6
  tables die when wagers are the table's next step   | stop tables step-taken/wagers 6
  tables die when a frame is sent                    | stop tables frame-sent 8
  tables die when the answer to wagers has come      | stop tables step-begun/answer-wagers 6
  tables die when that answer is written, not durable| stop tables step-written/answer-wagers 6
* tables die when it is durable, no lamp is lit      | stop tables step-durable/answer-wagers 6
  tables die when its lamps are lit                  | stop tables step-taken/answer-wagers 6
  tables die at a card or a decision, not durable    | stop tables step-written/step 25
  tables die at a card or a decision, durable        | stop tables step-durable/step 25
  tables die when a record is written, not durable   | stop tables step-written/record 5
  tables die when a record is durable, not sent      | stop tables step-durable/record 5
  tables die when the award statement has come       | stop tables step-begun/answer-record 5
  tables die when the award statement is durable     | stop tables step-durable/answer-record 5
  tables die when a hello is numbered                | arm tables hello-numbered 2; cut tables; dead tables
  tables die while they withdraw                     | arm tables step-written/withdraw 1; slow tables 2500; dead tables
  tables die when a withdrawal is durable            | arm tables step-durable/withdraw 1; slow tables 2500; dead tables
* Postgres is killed, all of it at once              | crash postgres
  Postgres' postmaster is killed                     | kill postgres
  Postgres is kept down for 6 s                      | crash postgres 6
  one of Postgres' processes is killed               | child postgres
  Redis is killed                                    | kill redis
  Redis is kept down for 8 s                         | kill redis 8
  Redis and the server are killed together           | both redis server
  server is killed and kept down for 4 s             | kill server 4
  tables are killed and kept away for 4 s            | kill tables 4
  black hole between server and Postgres             | lose database both 3
  statements go out, answers never come              | lose database down 3
  Postgres hears nothing more of the server          | lose database up 3
  answers of Postgres come 4 s late                  | hold database down 4
* a lost statement arrives after its connection died | late database 1
  a lost statement arrives 4 s later                 | late database 4
  connections to Postgres are reset five times       | cut database 5
  Postgres refuses connections for 4 s               | refuse database 4
  slow database: 100 ms each way                     | slow database 100 4
  no connection is left in Postgres                  | exhaust 4
  somebody holds the link's row for 5 s              | lock 5
  black hole between tables and server               | lose tables both 4
* messages arrive, answers are lost                  | lose tables down 3
  messages of the tables arrive 4 s late             | hold tables up 4
  messages of dead connections arrive late           | late tables 2
  connections of tables are reset five times         | cut tables 5
  tables are refused for 4 s                         | refuse tables 4
  slow network to the tables: 200 ms each way        | slow tables 200 4
  black hole to Redis                                | lose redis both 6
  Redis comes late                                   | slow redis 700 6
  server stands still for 60 s                       | freeze server 60
  Postgres stands still for 10 s                     | freeze postgres 10
  Redis stands still for 10 s                        | freeze redis 10
  tables stand still for 10 s                        | freeze tables 10
  SIGTERM to the server under load, with 200 boards  | end server 200
  SIGTERM to one of two servers                      | hand-over
  server stands still, tables go on at a second one  | takeover 6
  SIGTERM to the tables under load                   | end tables
  the tables' disk is full                           | full disk
  boards that read nothing, and vanish               | boards 200 4
  tables are gone 5 ms after they have sent          | hasty tables 5 6
  1,000 requests broken off at random                | abandon 1000
  Postgres dies while answers are held               | hold database down; crash postgres; clear database
  server dies while Postgres is away                 | both postgres server
  two people void a round; its record comes late     | people void T1 late
  they void one whose table is cut off, and the next | people void T1 lost; people void T1 lost
  they void one whose table is dead                  | people void T1 dead
  they void a seat of one whose table is dead        | people void-seat T1 dead; word T1
  they forfeit a wager of one whose record comes late| people forfeit T1 late
  they forfeit a wager of one whose table is dead    | people forfeit T1 dead
  they type a record in; the table's own comes late  | people record T1 late
  they type a record in for a table that is dead     | people record T1 dead
  the ledger goes back and is opened again           | back-up; play 8; restore; reopen void
  it goes back to before two people voided a round   | back-up; people void T1 dead; play 4; restore; reopen void
  it goes back to before they forfeited a wager      | back-up; people forfeit T1 dead; play 4; restore; reopen forfeit
  it goes back to before they typed a record in      | back-up; people record T1 dead; play 4; restore; reopen record
  Redis comes back with what it held long before     | forget old 2
  Redis comes back empty, and the server with it     | forget all 2; kill server
@ SIGTERM to the server: 100 tables and 200 boards   | end server 200
@ SIGTERM to one of two servers with 100 tables      | hand-over
"""


def _fault(line: str) -> Fault:
    name, _, steps = line.partition("|")
    done = tuple(tuple(step.split()) for step in steps.split(";"))
    return Fault(name[1:].strip(), done, quick=name.startswith("*"), tables=MANY if name.startswith("@") else FEW)


FAULTS = tuple(_fault(line) for line in TABLE.splitlines() if line.strip())
"""All of them, in the order in which they are tried."""

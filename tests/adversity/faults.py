"""Every way in which the site is broken, as a table: a name, and what is done while the tables play.

stop PART POINT NTH [MS]     SIGKILL at the NTH time that a program reaches a point, MS later; then start it again
kill PART [SECONDS]          SIGKILL, kept down so long, started again (postgres: the postmaster alone)
crash postgres               SIGKILL of all its processes at once
freeze PART SECONDS          SIGSTOP, SIGCONT
hold LINE up|down|both S     nothing passes that way for so long; what was held is delivered late
lose LINE up|down|both S     as hold, and then every connection is cut and what was held is lost
cut LINE [TIMES]             every connection is reset
refuse LINE SECONDS          every connection is reset, and new ones too
slow LINE MS SECONDS         so much later each way
end PART                     SIGTERM; it must end by itself, and is started again
full disk SECONDS            the tables cannot write (RLIMIT_FSIZE)
exhaust SECONDS              no connection is left in Postgres, and the server's own are ended
lock SECONDS                 somebody holds the link's row
boards NUMBER                so many boards that read nothing, and vanish
play NUMBER                  go on until so many more commits
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """A row: its name, its steps, and whether it belongs to the quick ones."""

    name: str
    steps: tuple[tuple[str, ...], ...]
    quick: bool


TABLE = """
* server dies before its statement                 | stop server before-statement 4
* server dies with a statement under way           | stop server statement-begun 4 2
* server dies when a batch is durable              | stop server durable 4
  server dies with answers due                     | stop server answers-due 4
  server dies with commands waiting                | stop server commands-waiting 4
* server dies when answered, before it publishes   | stop server before-publishing 3
  server dies when it has published                | stop server published 3
* tables die when wagers are written, not durable  | stop tables step-written/wagers 6
* tables die when wagers are durable               | stop tables step-durable/wagers 6
  tables die when an answer has come               | stop tables step-begun/answer-wagers 6
* tables die when an answer is durable             | stop tables step-durable/answer-wagers 6
* Postgres is killed                               | crash postgres
"""


def _fault(line: str) -> Fault:
    name, _, steps = line.partition("|")
    done = tuple(tuple(step.split()) for step in steps.split(";"))
    return Fault(name[1:].strip(), done, quick=name.startswith("*"))


FAULTS = tuple(_fault(line) for line in TABLE.splitlines() if line.strip())
"""All of them, in the order in which they are tried."""

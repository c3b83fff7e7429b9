r"""The protocol between a table and the server, versions 1 to 4.

This is its specification; the examples are run by the tests, the bytes of every frame are frozen in
`tests/jackpot/wire/golden`. The names of modules in here: `messages` (frames and answers), `codec` (bytes), `clocks`
(a table's time of day), `ids`, `refusals`, `settings` (what is approved for a table), `signing` (which bytes are
signed), `snapshots` (what comes down over Redis). Nothing in here decides, waits or knows the time.

**Transport.** A table has one WebSocket, at `/tables/{table}`. Each frame is one message of it, in UTF-8. The server
speaks first. Frames are told apart by `kind`, which stands first.

    server                                  table
    challenge                           ->
                                        <-  hello
    welcome, or refused                 ->
                                        <-  wagers | withdraw | record | void, bare or signed
    answer | later | bad_frame          ->
                                        <-  ask
    hits                                ->
    eject                               ->  (at any time)
    hand_in                             ->  (after refused; version 2)
                                        <-  handing_in

A table pings every ten seconds and right after it was welcomed; the payload is its time of day, milliseconds since 1970
in decimal digits (`clocks`). It is in no frame, is stored nowhere and decides nothing: it shows a clock that is off.

**Bytes.** A frame is compact JSON, its fields in the order of `messages`, a field left out where it has its default.
It equals its own re-encoding to the byte: repeated or unknown fields, another order, white space, `1e2` for 100 are
refused. An integer fits 64 bits with its sign; a text holds no NUL and no half of a surrogate pair; a frame has at most
65,536 bytes. Money is an integer with its unit in the name. What cannot be read is answered by `bad_frame` with the
field, the value cut at 40 characters and the reason; nothing was done.

>>> import re
>>> from jackpot.wire import codec, ids, messages, refusals, settings, signing, snapshots
>>> def show(frame):
...     for part in re.findall(".{1,100}", codec.encode(frame).decode()):
...         print(part)
>>> codec.FRAME_BYTES
65536
>>> try:
...     codec.decode_from_table(b'{"kind":"withdraw","table":"T1","journal":"1"}')
... except codec.FrameError as error:
...     show(messages.BadFrame(error.field, error.value, error.reason))
{"kind":"bad_frame","field":"journal","value":"\"1\"","reason":"Expected `int`, got `str`"}

**Versions.** `challenge` and `hello` list the protocol versions each side speaks; the highest in both is used, and
named in `welcome`. A version's frames never change: a field is never added to one. Version 2 has the frames of version
1, and two more: `hand_in` and `handing_in`; version 3 has one more field in `welcome` and
`refused`: `round`; version 4 one more in that: `people`. A table's spool keeps the bytes it first sent, and they are
sent for ever, after upgrades too.

>>> show(messages.Challenge(nonce="0c" * 16, protocols=list(codec.VERSIONS)))
{"kind":"challenge","nonce":"0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c","protocols":[1,2,3,4]}

**Hello.** The table says who it is: its journal (0 while its spool has none), sixteen random bytes made with the spool,
a connection number that it writes down before it says it and that only rises, the next round's number, the last receipt
it holds, and **its own** terms and settings, as on its felt and sign. The body is signed with the table's Ed25519 key,
over `jackpot hello 1`, a line feed, the sixteen bytes of the challenge and the body's bytes. (Hexadecimal texts and
terms are shortened in these examples.)

>>> body = messages.HelloBody(table="T1", journal=1, spool="0f0f", connection=9, next_round=18, protocols=[1],
...     program="tablelink 0.1.0", terms=messages.Raw(b'{"form":1}'), settings=messages.Raw(b'{"device":"shoe"}'),
...     last_receipt=messages.Receipt(generation=1, commit=4711, digest="5d5d"))
>>> signing.hello_bytes(bytes.fromhex("0c0c"), codec.encode(body))[:40]
b'jackpot hello 1\n\x0c\x0c{"table":"T1","journal'
>>> show(messages.Hello(body=messages.Raw(codec.encode(body)), signature="abab"))
{"kind":"hello","body":{"table":"T1","journal":1,"spool":"0f0f","connection":9,"next_round":18,"prot
ocols":[1],"program":"tablelink 0.1.0","terms":{"form":1},"settings":{"device":"shoe"},"last_receipt
":{"generation":1,"commit":4711,"digest":"5d5d"}},"signature":"abab"}

It is decided like any command, and posted, so that every process knows which agent is the table:

- Terms or settings that are not the link's are refused, each differing field named with both values (rule 11.9): first
  the terms' in the order of their form (`pay_table.flush.amount_cents`), then `settings.` fields.
- The same journal with a higher connection number takes over from its older connection, which the server closes (4000).
- A journal is granted to a spool without one (journal 0), an older one (its next round is not above the journal's
  highest) or another one **only on a supervisor's word**; enrolling a table is the word for its first. The next hello
  that is accepted uses the word up. `welcome` names the journal from here on; where it is another than the table said,
  the spool begins a new life. A spool that says journal 0 again, because the answer was lost before any round was
  played, is granted the same one.
- `quarantined` until a supervisor speaks: another journal than the table's own, an older spool without a word, a number
  that does not rise, two live connections taking over from each other three times in a minute.

After `refused` the connection stays: the jackpot is closed (`table_closed`), the spool may still be handed in.

>>> show(messages.Welcome(protocol=1, link="southern", table="T1", journal=1, connection=9, highest_round=17,
...     month="2026-11", terms="7e7e", link_key="cdcd", receipt=body.last_receipt))
{"kind":"welcome","protocol":1,"link":"southern","table":"T1","journal":1,"connection":9,"highest_ro
und":17,"month":"2026-11","terms":"7e7e","link_key":"cdcd","receipt":{"generation":1,"commit":4711,"
digest":"5d5d"}}
>>> show(messages.Refused("terms_differ", "the table's terms are not the link's",
...     [messages.FieldDifference("pools.0.seed_cents", table="500000", link="5000000")], journal=1, month="2026-11"))
{"kind":"refused","code":"terms_differ","text":"the table's terms are not the link's","differences":
[{"field":"pools.0.seed_cents","table":"500000","link":"5000000"}],"journal":1,"month":"2026-11"}
>>> show(messages.Eject("terms_differ", "the table's terms are not the link's"))
{"kind":"eject","code":"terms_differ","text":"the table's terms are not the link's"}

In version 3 either word tells how the last round of the table's journal stands. A spool may have lost its last rows, on
a disk that did not keep what it had confirmed, or be a copy of some minutes ago: its next round tells nothing of it
then. One that holds that round as going on where it is over or withdrawn, or seats of it in play that are not, is older
than the ledger: the table stops, before a stored answer lights a lamp, and begins another spool on a supervisor's word.

>>> show(messages.Refused("table_closed", "the table is not linked now", journal=1, month="2026-11",
...     round=messages.RoundNow(journal=1, round=17, state="open", seats=[3, 5])))
{"kind":"refused","code":"table_closed","text":"the table is not linked now","journal":1,"month":"20
26-11","round":{"journal":1,"round":17,"state":"open","seats":[3,5]}}

In version 4 that round tells, too, what two people did to it at the server while its table had not ended it: a void, of
the whole round or of seats, or the record that they typed in. The table takes it as its own: it writes it down, puts
the lamps out, says who did it and under which rule, and goes on with the next round. What it still sends of a round
that is over so is answered `round_voided` or `round_recorded`, for good. A table that is connected meanwhile has its
connection ended (close code 4001), and hears of it at the hello that follows. One of version 3 takes such a round for
rows that it has lost, and stops; one of version 1 or 2 plays the round to its end, and has its record refused.

>>> by = messages.ByPeople("void", "CSP 16.5", "A. Manager", "S. Upervisor")
>>> show(messages.RoundNow(journal=1, round=17, state="voided", people=[by]))
{"journal":1,"round":17,"state":"voided","people":[{"act":"void","rule":"CSP 16.5","by":"A. Manager"
,"second":"S. Upervisor"}]}

**The ledger going back.** At each hello the server holds the table's last receipt against its ledger. Where the ledger
ends before it, or holds another digest there, the ledger was restored to an earlier moment: the link is stopped, the
hello is refused as `ledger_behind` and the table is asked to hand in what its spool holds answered past a place that
both hold: the ledger's end may be of acts that people posted before anyone saw that it had gone back. It answers with
messages, answers and receipts as they lie in its spool, oldest receipt first, as many as a frame takes; while there are
`more` it is asked again, from the last one. With them go its open hits as it was told last, and its hits as the last
snapshot showed them. When people have opened the link again, each of those messages stands under its own id with the
answer it had, and receipts are of the ledger's next generation. A last receipt that no ledger of the link can have
given (a life more than a thousand past the furthest that is known of it, a digest that is none) is a `bad_frame` and
stops nothing.

>>> show(messages.HandIn(generation=1, commit=4700))
{"kind":"hand_in","generation":1,"commit":4700}
>>> old = messages.Void("T1", 1, "2026-11", 18, 1, "CSP 14.4", "S. Upervisor")
>>> held = messages.Held(messages.Raw(codec.encode(old)), messages.Raw(codec.encode(messages.VoidAnswer([]))),
...     body.last_receipt)
>>> show(messages.HandingIn("T1", [held], more=True))
{"kind":"handing_in","table":"T1","held":[{"message":{"kind":"void","table":"T1","journal":1,"month"
:"2026-11","round":18,"revision":1,"rule":"CSP 14.4","by":"S. Upervisor"},"answer":{"kind":"voided",
"seats":[]},"receipt":{"generation":1,"commit":4711,"digest":"5d5d"}}],"more":true}

A table's settings are text in one canonical form, every field written, so that no later default changes a table.

>>> settings.settings_text(settings.TableSettings(capture="claims"))[:73]
'{"device":"shoe","capture":"claims","seats":7,"least_round_s":10,"answer_'

**Identity.** A message's id is its place: table, journal, gaming month, round, kind, revision. A void of some seats
names them. Rounds only rise within a journal; a round keeps the month it was numbered in, which `welcome`, `answer` and
`hits` tell. One id, one answer, for ever: the same bytes again get the first answer, other bytes `id_reused`.

>>> ids.message_id("T1", 1, "2026-11", 17, "wagers", 1), ids.void_kind((5, 3))
('T1/1/2026-11/17/wagers/1', 'void.3.5')

**A round.** One message is in flight per table; the next goes when it has its `answer`. Each is in the spool before it
is sent, the answer in the spool before a lamp is lit. A table has one open round: until its record or void no wagers of
a later one are taken.

`wagers`, at "no more bets" and before the first card (5.7): per seat the ante (11.1), what the dealer counted, what the
sensor saw, the tender where it is a token; and the snapshot the players saw. Seats are decided one by one. It is sent
again until it is answered or the table goes on without.

>>> at = {"table": "T1", "journal": 1, "month": "2026-11", "round": 17, "revision": 1}
>>> shown = messages.Shown(generation=1, commit=4700, epoch=2, cents=5_012_345)
>>> show(messages.Wagers(**at, terms="7e7e", shown=shown, seats=[
...     messages.SeatWager(3, ante_cents=2500, jackpot_cents=100, sensor_cents=100),
...     messages.SeatWager(5, ante_cents=0, jackpot_cents=100, sensor_cents=100, tender="token")]))
{"kind":"wagers","table":"T1","journal":1,"month":"2026-11","round":17,"revision":1,"terms":"7e7e","
shown":{"generation":1,"commit":4700,"epoch":2,"cents":5012345},"seats":[{"seat":3,"ante_cents":2500
,"jackpot_cents":100,"sensor_cents":100},{"seat":5,"ante_cents":0,"jackpot_cents":100,"sensor_cents"
:100,"tender":"token"}]}
>>> accepted = messages.WagersAnswer([messages.SeatAnswer(3, accepted=True),
...     messages.SeatAnswer(5, accepted=False, refusal="no_ante", rule="CSP 11.1", value="ante_cents 0")])
>>> show(accepted)
{"kind":"wagers","seats":[{"seat":3,"accepted":true},{"seat":5,"accepted":false,"refusal":"no_ante",
"rule":"CSP 11.1","value":"ante_cents 0"}]}

`withdraw`: the jackpot seats are out of this round, which plays on and is recorded. `void`: no result, for the whole
round or the seats named, with the rule, who asked, and the cards seen so far. Both are taken for a round never seen
too, whose wagers are refused from then on. Both reverse what had been accepted, and say which accounts that moved.
A void of seats tells only what lies face up; its second revision, once nobody decides and before the round's record,
tells the hands of its seats, each once, and moves nothing: a prize among them is an alarm. The third is the word of two
people at the server, whom the table repeats where it was told; the fourth is theirs who opened a ledger again that went
back. Of what it cannot repeat, a forfeited wager or a record that they typed in, it says that it has heard, with the
hands: the second revision of a void of seat 0, which takes nobody out.

>>> show(messages.Withdraw(**at, reason="no answer within 2 s"))
{"kind":"withdraw","table":"T1","journal":1,"month":"2026-11","round":17,"revision":1,"reason":"no a
nswer within 2 s"}
>>> show(messages.WithdrawAnswer([3], [messages.Moved("pool/main", "-22000000"), messages.Moved("wagers", "22000000")]))
{"kind":"withdrawn","seats":[3],"moved":[{"account":"pool/main","microcents":"-22000000"},{"account"
:"wagers","microcents":"22000000"}]}
>>> void = messages.Void(**at, rule="CSP 14.8", by="S. Upervisor", seats=[5])
>>> show(void)
{"kind":"void","table":"T1","journal":1,"month":"2026-11","round":17,"revision":1,"rule":"CSP 14.8",
"by":"S. Upervisor","seats":[5]}
>>> show(messages.VoidAnswer([5]))
{"kind":"voided","seats":[5]}

`record`, when the last hand has been turned: `rules.records.RoundRecord`, the one JSON form of a round, with `kind`,
`table`, `journal`, `month`, `round`, `revision`, `terms` and `capture`, and without anything the link says (`awards`,
`commit`, meters). Prizes are claimed by name, never by amount. Its answer is the award statement, in paying order
(12.2, 12.4). A record whose wagers were accepted is never refused for good: where table and server differ the jackpot
is resolved from the cards, its hits are `disputed`, and `differences` says why.

>>> from rules.records import ClaimRecord, RoundRecord, SeatRecord, encode_record
>>> record = RoundRecord(kind="record", **at, terms="7e" * 32, capture="claims", seats=(
...     SeatRecord(seat=3, ante_cents=2500, jackpot_cents=100, cards="9h 8h 7h 6h 5h"),),
...     claims=(ClaimRecord(3, "straight_flush"),), no_other_hand=True, declared_by="D. Ealer")
>>> encode_record(record)[:76]
b'{"kind":"record","table":"T1","journal":1,"month":"2026-11","round":17,"revi'
>>> show(messages.RecordAnswer([messages.MeterAround("main", before_cents=5_012_345, after_cents=4_511_111)],
...     [messages.AwardLine(str(ids.HitKey("T1", 1, 17, 3, "main")), 3, "straight_flush", "main", amount_cents=501_234,
...         from_pool_cents=501_234, topup_cents=0, bonus_cents=0, state="pending", rules=["CSP 12.1.2"])]))
{"kind":"recorded","meters":[{"pool":"main","before_cents":5012345,"after_cents":4511111}],"awards":
[{"hit":"T1/1/17/3/main","seat":3,"prize":"straight_flush","pool":"main","amount_cents":501234,"from
_pool_cents":501234,"topup_cents":0,"bonus_cents":0,"state":"pending","rules":["CSP 12.1.2"]}]}

A record that holds a prize, and each hundredth end of a round, comes `signed`: with the head of the journal, a SHA-256
chain over the ends of its rounds (records, and voids of the whole round), signed with the table's key over
`jackpot signed 1`, a line feed, the head's 32 bytes and the message's. A message is signed once, and keeps its id.

>>> head = signing.next_head(signing.NO_HEAD, codec.encode(void))
>>> signing.signed_bytes(head, codec.encode(void))[:17]
b'jackpot signed 1\n'
>>> show(messages.Signed(head="5d5d", signature="abab", message=messages.Raw(codec.encode(void))))
{"kind":"signed","head":"5d5d","signature":"abab","message":{"kind":"void","table":"T1","journal":1,
"month":"2026-11","round":17,"revision":1,"rule":"CSP 14.8","by":"S. Upervisor","seats":[5]}}

**Answers.** `answer` holds what was decided then, word for word as it is stored, with its receipt (the ledger's life,
the commit, the batch's digest), and the table's open hits **as they are now**; `ask` asks for those alone.

>>> hit = messages.HitNow("T1/1/17/3/main", "straight_flush", "pending", amount_cents=501_234)
>>> show(messages.Answer("T1/1/2026-11/17/wagers/1", messages.Raw(codec.encode(accepted)), body.last_receipt,
...     month="2026-11", hits=[hit]))
{"kind":"answer","id":"T1/1/2026-11/17/wagers/1","answer":{"kind":"wagers","seats":[{"seat":3,"accep
ted":true},{"seat":5,"accepted":false,"refusal":"no_ante","rule":"CSP 11.1","value":"ante_cents 0"}]
},"receipt":{"generation":1,"commit":4711,"digest":"5d5d"},"month":"2026-11","hits":[{"hit":"T1/1/17
/3/main","prize":"straight_flush","state":"pending","amount_cents":501234}]}
>>> show(messages.Ask())
{"kind":"ask"}
>>> show(messages.Hits(month="2026-11", hits=[hit]))
{"kind":"hits","month":"2026-11","hits":[{"hit":"T1/1/17/3/main","prize":"straight_flush","state":"p
ending","amount_cents":501234}]}

**Refusals** are values with a code, in one order of precedence: when several hold, the first is said, whichever
process decides. A *final* one is the id's answer for ever (kind `refused`), a *later* one is not stored: the message
stays in the spool and is sent again.

>>> show(messages.RefusedAnswer("round_recorded", "the round is already recorded", "CSP 5.7"))
{"kind":"refused","code":"round_recorded","text":"the round is already recorded","rule":"CSP 5.7"}
>>> show(messages.Later("T1/1/2026-11/18/wagers/1", "hit_open", "a hit of this table is not yet settled", [hit]))
{"kind":"later","id":"T1/1/2026-11/18/wagers/1","code":"hit_open","text":"a hit of this table is not
 yet settled","hits":[{"hit":"T1/1/17/3/main","prize":"straight_flush","state":"pending","amount_cen
ts":501234}]}
>>> print(*[refusal.code for refusal in refusals.Refusal if not refusal.final])  # doctest: +NORMALIZE_WHITESPACE
link_stopped ledger_behind ledger_unreachable busy kept_aside not_enrolled unknown_journal month_ahead round_open
hit_open
>>> def between(first, last):
...     codes = [refusal.code for refusal in refusals.Refusal if refusal.final]
...     return " ".join(codes[codes.index(first) : codes.index(last) + 1])
>>> between("id_reused", "wagers_twice")  # of a message, the first ones
'id_reused wrong_journal round_voided round_withdrawn round_recorded round_overtaken wagers_twice'
>>> between("too_old", "other_terms")  # and those that follow
'too_old wrong_month table_closed other_terms'
>>> between("seat_twice", "sensor_differs")  # of a seat
'seat_twice no_such_seat no_ante not_qualifying_wager sensor_differs'

`busy` is said of what was never taken up; `kept_aside` of what could not be decided or stored: it is kept with its
error and people look at it. Codes that only a hello is refused with are `no_word`, `connection_not_rising`,
`quarantined`, `terms_differ`, `settings_differ` and `wrong_journal`; the edge adds `wrong_key` and `no_protocol`,
which end the connection.

**Meters** come down over Redis, on the channel `jackpot:{link}`: absolute, versioned, signed, never a delta. The link's
Ed25519 key signs `jackpot snapshot 1`, a line feed and the body's bytes. Order is (generation, commit). A copy is
retained under `jackpot:{link}:last`; it tells a newcomer where things stood and is never live.

>>> snapshot = snapshots.Snapshot(link="southern", generation=1, commit=4711, status="running", terms="7e7e",
...     month="2026-11", pools=[snapshots.PoolShown("main", epoch=2, cents=4_511_111, last_fall_commit=4711,
...         last_fall_cause="award")], hits=[], publisher="one", beat=815, elapsed_ms=123_456)
>>> snapshots.channel("southern"), snapshots.retained("southern"), snapshots.signed_bytes(b"{}")
('jackpot:southern', 'jackpot:southern:last', b'jackpot snapshot 1\n{}')
>>> show(snapshots.Published(body=messages.Raw(codec.encode(snapshot)), signature="abab"))
{"kind":"published","body":{"kind":"snapshot","link":"southern","generation":1,"commit":4711,"status
":"running","terms":"7e7e","month":"2026-11","pools":[{"pool":"main","epoch":2,"cents":4511111,"last
_fall_commit":4711,"last_fall_cause":"award"}],"hits":[],"publisher":"one","beat":815,"elapsed_ms":1
23456},"signature":"abab"}

**Fresh** is a mirror that heard a beat it had not seen before (beats of one publisher rise), signed, live, within five
seconds of its own elapsed time, on a stream not more than five seconds behind its own best (`elapsed_ms` against own
time). Wall clocks are never compared. A shown meter goes down only in a snapshot whose `last_fall_commit` is past what
was shown. The jackpot at a table is open while all of this holds: session up, mirror fresh in the last thirty seconds,
generation and terms its own, link `running`, no open round and no open hit at this table.
"""

// Steps of the service: requests, the dispatcher's prepare, polls with their commands, sends with
// their answers, leases and crashes.
import {
  AFTER_LOSS,
  KEYS,
  LANE,
  NOOP,
  holder,
  idOf,
  isFinal,
  isFree,
  isNoop,
  isOpen,
  label,
  live,
  mayBeLate,
  own,
  payment,
  price,
  put,
  sameConsumer,
  unfinal,
  wrongEnd,
} from './state.mjs';
import { deliver, markOut } from './chain.mjs';

/** Returns the data of one nonce that a poll reads from the rows. */
function content(s, L, n) {
  const sl = s.slot[L][n];
  if (!isOpen(sl)) return { o: '', v: -1, z: 0, t: [], by: sl ? sl.by : '*' };
  return {
    o: idOf(holder(s, L, n)),
    v: Math.max(-1, ...sl.map((e) => price(e.tx))),
    z: +sl.some((e) => isNoop(e.tx)),
    t: sl.map((e) => e.tx),
    ...(s.dead[L][n] && { d: s.dead[L][n] }),
  };
}

/**
 * Records in all concurrent polls, prepares and refusals that the nonce's row has changed. Must be
 * called before each write that increments the nonce's version.
 */
function touch({ o }, t, L, n) {
  let read;
  for (let w = 0; w < o.workers.length; w++) {
    const l = t.poll[w * o.lanes + L];
    if (!l || l.rows[n] !== '=') continue;
    read ??= o.keepsContent ? content(t, L, n) : '!';
    t.poll[w * o.lanes + L] = { ...l, rows: l.rows.with(n, read) };
  }
  if (o.names.prepare)
    t.plan.forEach((p, w) => p && p.n === n && p.L === L && (t.plan[w] = { ...p, s: 1 }));
  if (o.names.refusal)
    t.wire.forEach((x, j) => x.n === n && x.L === L && (t.wire[j] = { ...x, s: 1 }));
}

const byTx = (a, b) => (a.tx < b.tx ? -1 : 1);

/**
 * Stores bytes with their first claim. From then on, the worker's send is in flight. `call` is the
 * number of the call in the bytes. This is the call of the row, unless the row's call was replaced
 * after the bytes were signed.
 */
function store(f, t, w, L, n, tx, as, call = t.subs.find((r) => idOf(r) === own(tx))?.c) {
  touch(f, t, L, n);
  const entry = {
    tx,
    c: 1,
    ...(as && as !== own(tx) && { as }),
    ...(call !== undefined && { call }),
  };
  t.slot[L][n] = [...t.slot[L][n].filter((e) => e.tx !== tx), entry].sort(byTx);
  t.wire.push({ w, L, n, tx, old: 0, ans: 0, s: 0 });
}

// Requests, and ends of attempts that wait

export function requests(f, w) {
  const { s, o, step } = f;
  const keys = [...KEYS.slice(0, o.keys)];
  keys.forEach((k, j) => {
    if (j && !s.subs.some((r) => r.k === keys[j - 1])) return; // symmetry: A is accepted before B
    const r = s.subs.filter((x) => x.k === k).at(-1);
    const a = s.lost ? Math.max(AFTER_LOSS, r ? r.a + 1 : 0) : r ? r.a + 1 : 1;
    if (!s.q && mayQueryAgain(s, o, k, r)) {
      if (a <= o.attempts + (s.lost ? AFTER_LOSS - 1 : 0))
        step(
          { do: 'request', w, attempt: k + a },
          true,
          (t) => void t.subs.push({ k, a, st: 'acc', L: -1, n: -1, ...(o.renews && { c: 0 }) }),
        );
    } else if (o.explain && r)
      step({ do: 'request', w, attempt: idOf(r), applied: false }, true, () => {});
  });
  s.subs.forEach((r, x) => {
    const wrong = wrongEnd(s, o, r);
    if (wrong)
      return step(
        { do: 'adopt', w, attempt: idOf(r), tx: wrong.slice(0, 4), good: true, corrects: true },
        true,
        (t) => {
          t.subs[x] = { ...r, a: +wrong[1] };
          put(t, t.subs[x], 'ok');
        },
      );
    if (r.st !== 'acc')
      return void (
        o.explain &&
        step({ do: 'end_waiting', w, attempt: idOf(r), applied: false }, true, () => {})
      );
    const paid = s.lost && o.adoptChain && payment(s, r.k, true);
    const old = s.lost && o.adoptChain && !s.q && reverted(s, r);
    if (paid || old)
      step(
        { do: 'adopt', w, attempt: idOf(r), tx: (paid || old).slice(0, 4), good: !!paid },
        true,
        (t) => {
          t.subs[x] = { ...r, a: +(paid || old)[1] };
          put(t, t.subs[x], paid ? 'ok' : 'rev');
        },
      );
    else if ((!s.q || o.endsUnjudged) && mayEnd(s, o, r))
      step({ do: 'end_waiting', w, attempt: idOf(r) }, true, (t) => leave(t, o, r, 'end'));
    else if (o.explain)
      step({ do: 'end_waiting', w, attempt: idOf(r), applied: false }, true, () => {});
  });
}

const mayQueryAgain = (s, o, k, last) => {
  if (!last) return true;
  if (
    live(last) ||
    last.st === 'ok' ||
    (o.adopt === 'all' && s.subs.some((r) => r.k === k && r.st === 'ok'))
  )
    return false;
  return o.moveAt === 'l2' || !unfinal(s, idOf(last));
};

/** Returns an inclusion that reverted the attempt and that the old copy does not contain. */
const reverted = (s, r) => {
  for (let L = 0; L < s.inc.length; L++)
    for (let n = 0; n < s.fin[L]; n++)
      if (s.slot[L][n] === 1 && own(s.inc[L][n]) === idOf(r) && s.inc[L][n][4] === 'R')
        return s.inc[L][n];
};

/**
 * An attempt accepts a newer call with the same effect if no bytes of the attempt were signed (row
 * A4 of the transition table).
 */
export function renewals(f, w) {
  const { s, o, step } = f;
  s.subs.forEach((r, x) => {
    if (r.c === undefined || r.c >= o.renews) return;
    const info = { do: 'renew', w, attempt: idOf(r), call: r.c + 1 };
    const isLive = r.st === 'acc' || (r.st === 'bc' && !o.onlyUnsigned);
    if (isLive && !(r.g && o.onlyUnsigned) && !s.q)
      step(info, false, (t) => void (t.subs[x] = { ...r, c: r.c + 1 }));
    else if (o.explain) step({ ...info, applied: false }, false, () => {});
  });
}

// Quarantine after a loss

export function quarantine(f, w, L) {
  const { s, o, step } = f;
  if (!s.q) return;
  const lane = s.slot[L];
  const to = Math.min(s.base + o.window, o.maxN);
  if (o.quarantine === 'age')
    return step({ do: 'quarantine_over', w, by: 'age' }, true, (t) => void (t.q = 0));
  if (s.copyUsed && lane.length < s.fin[L])
    return step({ do: 'import', w, L, n: lane.length }, true, (t) => void t.slot[L].push([]));
  let n = s.copyUsed ? s.fin[L] : 0;
  while (n < lane.length && !(isOpen(lane[n]) && !lane[n].some((e) => isNoop(e.tx)))) n++;
  if (n < to && f.room) {
    const tx = `${NOOP}v${o.maxV}`;
    step({ do: 'store', kind: 'quarantine', w, L, n, tx }, true, (t) => {
      t.slot[L][n] ??= [];
      store(f, t, w, L, n, tx);
    });
  } else if (n >= to && lane.length >= to && lane.every(isFinal))
    step({ do: 'quarantine_over', w }, true, (t) => void (t.q = 0));
  if (o.explain && !lane.every((sl) => !isOpen(sl)))
    step({ do: 'quarantine_over', w, applied: false, because: 'not all consumed' }, true, () => {});
}

// Prepare: the dispatcher assigns nonces while polls run

export function prepares(f, w) {
  const { s, o, step } = f;
  if (s.plan[w]) {
    const p = s.plan[w];
    const info = prepareInfo(s, w, p);
    if (f.room) step(info, !mayBeLate(o, info.tx), (t) => ((t.plan[w] = 0), prepare(f, t, w, p)));
    if (mayBeLate(o, info.tx))
      step(
        { do: 'prepare_ended', w, L: p.L, n: p.n, tx: info.tx },
        true,
        (t) => void (t.plan[w] = 0),
      );
    return;
  }
  if (!f.room || s.q) return;
  s.subs.forEach((r, x) => {
    if (
      r.st !== 'acc' ||
      (o.moveAt === 'l1' && unfinal(s, idOf(r))) ||
      (s.lost && o.adoptChain && (payment(s, r.k) || reverted(s, r)))
    )
      return;
    for (const L of o.laneNumbers)
      if (s.lease[L] === o.workers[w] && !s.rest[L] && (L === 0 || s.slot[0].length || s.key[0]))
        for (const n of nextNonces(s, o, L)) offer(r, x, L, n);
  });
  function offer(r, x, L, n) {
    if (n >= o.maxN || ((o.lose || o.restore) && o.windowed && n >= s.fin[L] + o.window)) return;
    for (let v = 0; v <= (o.reprice ? o.maxV : 0); v++) {
      const p = { x, L, n, v, s: 0, ...(r.c !== undefined && { call: r.c }) };
      // With a single worker, rows are read and written in one step.
      if (o.several)
        step(
          { do: 'read_for_prepare', w, L, n, tx: `${idOf(r)}v${v}` },
          true,
          (t) => void (t.plan[w] = p),
        );
      else step(prepareInfo(s, w, p), !mayBeLate(o, idOf(r)), (t) => prepare(f, t, w, p));
    }
  }
}

const prepareInfo = (s, w, p) => ({
  do: 'store',
  kind: 'prepare',
  w,
  L: p.L,
  n: p.n,
  tx: `${idOf(s.subs[p.x])}v${p.v}`,
  attempt: idOf(s.subs[p.x]),
  current: !p.s,
  ...(p.call !== undefined && { call: p.call }),
});

/**
 * Returns the lowest free nonce, or else the lane's next nonce. The account nonce that the
 * dispatcher knows may be outdated, so there may be two results.
 */
function nextNonces(s, o, L) {
  const after = (head) => {
    for (let n = head; n < s.slot[L].length; n++) if (isFree(s.slot[L][n])) return n;
    return Math.max(s.slot[L].length, head);
  };
  const now = after(s.fin[L]);
  if (!o.lag || !s.fin[L]) return [now];
  const old = after(0);
  return old === now ? [now] : [now, old];
}

function prepare(f, t, w, { x, L, n, v, s: written, call }) {
  const r = t.subs[x];
  const lane = t.slot[L];
  if (written) return { applied: false, because: 'another version' };
  if (r.st !== 'acc' || (n < lane.length && !isFree(lane[n])))
    return { applied: false, because: 'nonce or attempt in use' };
  if (f.o.callNamed && call !== r.c) return { applied: false, because: 'another call' };
  if (f.o.moveAt === 'l1' && unfinal(t, idOf(r))) return { applied: false, because: 'not final' };
  while (lane.length < n) lane.push([]); // rows of nonces that foreign transactions consumed
  touch(f, t, L, n);
  lane[n] ??= [];
  put(t, r, 'bc', L, n);
  store(f, t, w, L, n, `${idOf(r)}v${v}`, undefined, call);
}

// Poll: reads rows, reads the chain, writes commands; other steps may happen in between

export function poll(f, w, L) {
  const { s, o } = f;
  const at = w * o.lanes + L;
  const l = s.poll[at];
  if (s.lease[L] === o.workers[w]) beginPoll(f, w, L, at, l);
  if (!l) return;
  if (l.f < 0) readChain(f, w, L, at);
  else {
    endPoll(f, w, L, at, l);
    l.rows.forEach((was, n) => commands(f, w, L, n, l, was));
  }
}

function beginPoll({ s, o, step }, w, L, at, l) {
  if (o.chainFirst && !l && s.slot[L].length)
    step(
      { do: 'look_chain', w, L, nonce: s.fin[L] },
      true,
      (t) => void (t.poll[at] = { f: s.fin[L], rows: [] }),
    );
  if (o.chainFirst ? l && !l.rows.length : !l && s.slot[L].length)
    step(
      { do: 'look_rows', w, L },
      true,
      (t) => void (t.poll[at] = { f: l ? l.f : -1, rows: s.slot[L].map(() => '=') }),
    );
}

function readChain({ s, o, step }, w, L, at) {
  const answer = (nonce, fair, info, inc) =>
    step({ do: 'look_chain', w, L, nonce, ...info }, fair, (t) => {
      t.poll[at] = { ...t.poll[at], f: nonce, ...(inc && { inc }), ...(info?.lags && { lags: 1 }) };
    });
  const now = o.settleAt === 'pre' ? s.inc[L].length : s.fin[L];
  answer(now, true, null, o.undo ? s.inc[L].slice(0, now) : null);
  if (o.fork && s.old) answer(s.old[L].length, false, { fork: true }, s.old[L]);
  if (o.lag)
    for (let nonce = 0; nonce < now; nonce++)
      answer(nonce, false, { lags: true }, o.undo ? s.inc[L].slice(0, nonce) : null);
}

function endPoll({ s, o, step }, w, L, at, l) {
  const lost = o.names.settle
    ? l.rows.findIndex((was, n) => was !== '=' && l.f > n && isOpen(s.slot[L][n]))
    : -1;
  step(
    { do: 'look_end', w, L, ...(lost >= 0 && { refused: lost }) },
    true,
    (t) => void (t.poll[at] = 0),
  );
}

/**
 * Emits all commands that a poll may issue for one nonce. The rows at the time of the write decide
 * whether a command applies.
 */
function commands(f, w, L, n, l, was) {
  const { s, o } = f;
  const stale = was !== '=';
  if (stale && was === '!') return; // every command of this poll for the nonce is refused
  const sl = s.slot[L][n];
  const c = { w, L, n, l, sl, stale, now: holder(s, L, n) };
  if (stale && o.explain) refusedCommands(f, { ...c, seen: was });
  if (isOpen(sl)) c.seen = stale ? was : content(s, L, n);
  if (!isOpen(sl)) return reopen(f, c);
  if (l.f > n) {
    if (!(stale && o.names.settle)) settle(f, c);
    if (!o.claimsPassed) return;
  }
  if (!f.room) return;
  if (l.f <= n && !(stale && o.names.store)) {
    if (c.seen.o && (!s.q || !s.copyUsed)) outbid(f, c);
    if (!c.seen.o && o.fillGaps) fillGap(f, c);
    if (!c.seen.o && o.late && o.cancel) cancelWithoutOwner(f, c);
  }
  if (!(stale && o.names.claim) && o.resend) claims(f, c);
}

function outbid(f, { w, L, n, sl, seen, now, stale }) {
  const { o, step } = f;
  if (o.owner && idOf(now) !== seen.o) return; // refused, because another attempt owns the nonce
  const rivals = Math.max(-1, ...sl.map((e) => price(e.tx)));
  const v = seen.v + 1;
  const info = { do: 'store', w, L, n, attempt: seen.o, current: !stale };
  // The bytes are signed for the owner that the poll read.
  if (o.replace && v <= o.maxV && sl.length && rivals < v) {
    const tx = `${seen.o}v${v}`;
    const as = idOf(now) || NOOP;
    step(
      { ...info, kind: 'replace', tx, ...(now && as !== seen.o && { as }) },
      !mayBeLate(o, tx),
      (t) => store(f, t, w, L, n, tx, as),
    );
  }
  const c = o.ceiling ? Math.min(v, o.maxV) : v;
  if (!o.cancel || !o.maxV || c > o.maxV || !now) return;
  // A further no-op outbids earlier no-ops. At the price ceiling, a no-op need not outbid calls.
  const noops = Math.max(-1, ...sl.filter((e) => isNoop(e.tx)).map((e) => price(e.tx)));
  if (o.again ? noops >= c : seen.z || noops >= 0)
    return void (
      o.explain &&
      step(
        {
          ...info,
          kind: 'cancel',
          tx: `${NOOP}v${c}`,
          applied: false,
          because: 'a no-op is as dear',
        },
        true,
        () => {},
      )
    );
  if ((o.ceiling && c === o.maxV) || rivals < c) {
    const tx = `${NOOP}v${c}`;
    const bad =
      idOf(now) !== seen.o &&
      `S6: a no-op was sent against ${idOf(now)} because ${seen.o} was unwanted`;
    step({ ...info, kind: 'cancel', tx, ...(bad && { bad }) }, true, (t) =>
      store(f, t, w, L, n, tx),
    );
  }
}

/**
 * A no-op against a call whose attempt has moved on. Without a last block, the call itself is sent
 * again, so the no-op is not needed.
 */
function cancelWithoutOwner(f, { w, L, n, sl, seen, now, stale }) {
  const { o, step } = f;
  const c = Math.min(seen.v + 1, o.maxV);
  const isLate = seen.t.some((tx) => mayBeLate(o, tx));
  if (now || !isLate || !o.maxV || sl.some((e) => isNoop(e.tx) && price(e.tx) >= c)) return;
  const tx = `${NOOP}v${c}`;
  step({ do: 'store', kind: 'cancel', w, L, n, tx, current: !stale }, true, (t) =>
    store(f, t, w, L, n, tx),
  );
}

function fillGap(f, { w, L, n, sl, seen, stale }) {
  const { s, o, step } = f;
  if (seen.t.length || !isFree(sl)) return;
  const tx = `${NOOP}v0`;
  if (!s.slot[L].some((b, m) => m > n && isOpen(b) && b.length))
    return void (
      o.explain &&
      !s.q &&
      step(
        { do: 'store', kind: 'fill', w, L, n, tx, applied: false, because: 'no gap' },
        true,
        () => {},
      )
    );
  step({ do: 'store', kind: 'fill', w, L, n, tx, current: !stale }, true, (t) =>
    store(f, t, w, L, n, tx),
  );
}

function claims(f, { w, L, n, sl, seen, stale }) {
  const { s, o, step } = f;
  sl.forEach((e, x) => {
    if (e.as !== undefined || !seen.t.includes(e.tx)) return;
    if (s.wire.some((y) => y.L === L && y.n === n && y.tx === e.tx && y.w === w)) return;
    if (s.q && s.copyUsed && !o.resendCopy && !isNoop(e.tx)) return;
    step({ do: 'claim', w, L, n, tx: e.tx, current: !stale }, !mayBeLate(o, e.tx), (t) => {
      if (o.quiet !== 'claim') touch(f, t, L, n);
      t.slot[L][n] = t.slot[L][n].with(x, { ...e, c: 2 });
      t.wire.push({ w, L, n, tx: e.tx, old: 0, ans: 0, s: 0 });
    });
  });
}

/**
 * Settles a nonce whose consumer is known. Determines whether the consumer is a transaction of this
 * ledger, and which attempt loses the nonce.
 */
function settle(f, c) {
  const { s, o, step } = f;
  const { w, L, n, l, sl, seen, now, stale } = c;
  const entry = (l.inc ?? s.inc[L])[n];
  if (!entry) return; // the inclusion was undone after the poll read it as PRE_CONFIRMED
  const tx = entry.slice(0, 4);
  const good = entry[4] === 'S';
  const row = sl.find((e) => e.tx === tx);
  const ours = o.hash ? !!row : seen.t.includes(tx) || (seen.d ?? []).includes(tx);
  if (ours && !row) return; // refused, because no row contains this transaction
  const mine = ours && now && label(row) === idOf(now);
  if (o.owner && now && !mine && idOf(now) !== seen.o) return; // refused, because the poll has read another owner
  const ends = !s.q && !(o.endAt === 'l1' && o.undo);
  const verdicts = now && !mine ? (ends ? ['acc', 'end'] : ['acc']) : [''];
  for (const to of verdicts) {
    const bad =
      to === 'end' &&
      idOf(now) !== seen.o &&
      `S6: ${idOf(now)} was ended by a verdict on ${seen.o || 'no attempt'}`;
    const info = {
      do: 'settle',
      w,
      L,
      n,
      tx,
      good,
      ours,
      current: !stale,
      ...(to && { loser: idOf(now), to }),
      ...(bad && { bad }),
    };
    step(info, true, (t) => {
      touch(f, t, L, n);
      const r = holder(t, L, n);
      if (r) leave(t, o, r, mine ? (good ? 'ok' : 'rev') : to, { L, n });
      if (o.adopt)
        for (const id of new Set(sl.map(label)))
          if (id !== NOOP && id !== idOf(now) && (o.adopt === 'all' || id === own(tx)))
            adoptOutcome(t, o, id, { L, n, entry });
      t.slot[L][n] = {
        by: entry,
        was: o.keep ? t.slot[L][n] : [],
        ...(!ours && s.copyUsed && { unknown: 1 }),
      };
    });
  }
}

/**
 * Returns the outcomes that an attempt has at other settled nonces. After a rollback, an attempt
 * may have transactions under several nonces.
 */
function outcomesElsewhere(t, id, { L, n }) {
  const found = [];
  t.slot.forEach((lane, K) =>
    lane.forEach((sl, m) => {
      const entry = isFinal(sl) ? t.inc[K][m] : sl.by;
      if (entry && own(entry) === id && !(K === L && m === n))
        found.push({ result: entry[4], at: `${K}.${m}` });
    }),
  );
  return found;
}

const successOf = (outcomes) => outcomes.find(({ result }) => result === 'S');
const NOWHERE = { L: -1, n: -1 };

/**
 * Moves an attempt off its nonce, or ends the attempt's wait. The attempt's other transactions may
 * decide its new state: one success makes the attempt succeed.
 */
function leave(t, o, r, to, { L, n } = NOWHERE, b = r.b) {
  const all = o.adopt === 'all' ? outcomesElsewhere(t, idOf(r), { L, n }) : [];
  const paid = successOf(all);
  const reverted = to === 'end' && all[0];
  const st = paid ? 'ok' : reverted ? 'rev' : to;
  putOutcome(t, o, r, st, (paid ?? reverted)?.at ?? `${L}.${n}`, b);
}

/** Stores the outcome of an attempt. `h` is the nonce that the outcome comes from. */
const putOutcome = (t, o, r, st, h, b) =>
  put(t, r, st, -1, -1, b, o.adopt === 'all' && (st === 'ok' || st === 'rev') ? h : undefined);

/**
 * Updates an attempt that has moved on from this nonce to another nonce. The attempt has succeeded
 * if any of its transactions has succeeded. If none has succeeded but one has reverted, the attempt
 * has reverted.
 */
function adoptOutcome(t, o, id, { L, n, entry }) {
  const r = t.subs.find((x) => idOf(x) === id);
  if (!r || r.st === 'bc') return; // the outcome of this attempt is written when the nonce that it holds now is settled
  const all = outcomesElsewhere(t, id, { L, n });
  const here = own(entry) === id && { result: entry[4], at: `${L}.${n}` };
  if (here) all.unshift(here);
  const paid = successOf(all);
  if (paid) putOutcome(t, o, r, 'ok', paid.at);
  else if (here || !live(r)) putOutcome(t, o, r, all.length ? 'rev' : 'end', all[0]?.at);
}

/**
 * Reopens a nonce whose settling block was undone. Transactions of this nonce can then land again.
 */
function reopen(f, { w, L, n, l, sl, stale }) {
  const { o, step } = f;
  if (!o.undo || !o.reopen || isFinal(sl)) return;
  if (stale) return; // the nonce was settled after the poll began, by evidence that is at least as new as the poll's evidence
  if (l.lags && !o.lagReopens) return; // a lagging account nonce proves no rollback
  const undone = l.f <= n || (o.reopen !== 'nonce' && !sameConsumer(sl.by, l.inc[n], o));
  if (!undone)
    return void (
      o.explain &&
      step({ do: 'reopen', w, L, n, applied: false, because: 'same block' }, true, () => {})
    );
  step({ do: 'reopen', w, L, n, current: true }, true, (t) => {
    touch(f, t, L, n);
    t.slot[L][n] = sl.was.map((e) => ({ ...e, c: 2 }));
    const id = sl.was.map(label).find((x) => x !== NOOP);
    const r = t.subs.find((x) => idOf(x) === id);
    if (!r) return;
    const at = `${L}.${n}`;
    const isLast = !t.subs.some((x) => x.k === r.k && x.a > r.a);
    if (r.n < 0 && isLast && (r.h === undefined || r.h === at)) return put(t, r, 'bc', L, n);
    if (r.h === at) leave(t, o, r, 'end', { L, n }); // removes the outcome of this nonce
    return { movedOn: id };
  });
}

/**
 * Emits the commands that a poll issues from outdated rows, and that the version check refuses.
 * These commands are needed only for traces.
 */
function refusedCommands(f, { w, L, n, l, sl, seen, now }) {
  const { s, o, step } = f;
  const refused = (info) =>
    step(
      { ...info, w, L, n, current: false, applied: false, because: 'another version' },
      true,
      () => {},
    );
  if (seen.by !== undefined) return;
  if (l.f > n) {
    const entry = (l.inc ?? s.inc[L])[n];
    if (entry)
      refused({
        do: 'settle',
        tx: entry.slice(0, 4),
        good: entry[4] === 'S',
        loser: idOf(now),
        to: 'acc',
      });
  } else if (seen.o) {
    if (seen.v < o.maxV)
      refused({ do: 'store', kind: 'replace', attempt: seen.o, tx: `${seen.o}v${seen.v + 1}` });
    if (o.maxV && (o.again || !seen.z))
      refused({ do: 'store', kind: 'cancel', attempt: seen.o, tx: `${NOOP}v${o.maxV}` });
  } else if (!seen.t.length && isOpen(sl)) refused({ do: 'store', kind: 'fill', tx: `${NOOP}v0` });
}

// Sends in flight

export function sends(f) {
  f.s.wire.forEach((x, j) => (x.ans ? recordRejection(f, x, j) : send(f, x, j)));
}

const entryOf = (s, { L, n, tx }) => isOpen(s.slot[L][n]) && s.slot[L][n].find((y) => y.tx === tx);
/**
 * Returns true if the send has the row's only claim and the current fence. Otherwise its answer is
 * no evidence.
 */
const isOnlyClaim = (s, x) => {
  const e = entryOf(s, x);
  return !!e && e.c === 1 && !x.old;
};
const setClaims = (t, { L, n, tx }, c) =>
  (t.slot[L][n] = t.slot[L][n].map((e) => (e.tx === tx ? { ...e, c } : e)));
/**
 * Processes the answer to a send. The bytes count as possibly broadcast unless the answer is
 * conclusive.
 */
function learn(t, x, j, only) {
  t.wire.splice(j, 1);
  if (only) setClaims(t, x, 2);
}

function send(f, x, j) {
  const { s, o, step } = f;
  const { w, L, n, tx } = x;
  const only = isOnlyClaim(s, x);
  const counts = !o.strict && (only || (!o.onlyClaim && !!entryOf(s, x)));
  const info = (answer) => ({ do: 'send', w, L, n, tx, answer });
  const isOpenThere = n >= s.inc[L].length;
  const hates = isOpenThere && o.refuses === tx[0];
  const forLane = isOpenThere && (s.key[L] || o.poison === tx[0]);
  const drop = (t) => void t.wire.splice(j, 1);
  const answer = (ans) => (t) => void (t.wire[j] = { ...x, ans });
  if (!hates && !forLane) {
    if (!isOpenThere && o.lowIsRejection && counts)
      step(info('52 nonce too low'), true, (t) => {
        markOut(t, L, n, tx);
        t.wire[j] = { ...x, ans: 1 };
      });
    else
      step({ do: 'send', w, L, n, tx }, true, (t) => {
        learn(t, x, j, only);
        return { answer: deliver(t, L, n, tx) };
      });
  }
  step(info('timeout'), false, (t) => {
    learn(t, x, j, only);
    markOut(t, L, n, tx);
    const r = o.freeOnTimeout && holder(t, L, n);
    if (r) put(t, r, 'acc');
  });
  if (o.onward && counts)
    step(info('no answer, and refused by another node'), false, (t) => {
      markOut(t, L, n, tx);
      t.wire[j] = { ...x, ans: 1 };
    });
  if (!isOpenThere) return;
  if (forLane) {
    const noted = counts || (o.moveOn === 'any' && holder(s, L, n) && !isNoop(tx));
    step(info('refused for the lane'), true, noted ? answer(LANE) : drop);
  } else step(info('refused'), hates, counts ? answer(1) : drop);
  if (o.lying && counts)
    step(info('refused, though it arrived'), false, (t) => {
      deliver(t, L, n, tx);
      t.wire[j] = { ...x, ans: 1 };
    });
}

/**
 * Records a refusal (rows K2 and K3 of the transition table). The row at the time of the write
 * decides whether the refusal is evidence. The refusal is evidence only if the row has a single
 * claim, and if this claim is the claim of the send.
 */
function recordRejection(f, x, j) {
  const { s, o, step } = f;
  const { w, L, n, tx, ans } = x;
  const only = isOnlyClaim(s, x);
  const entry = entryOf(s, x);
  const proves = only || (!o.onlyClaim && !!entry);
  const gone = proves && !(x.s && o.names.refusal);
  const holds = entry && holder(s, L, n);
  const frees = gone && s.slot[L][n].length === 1 && holds;
  const cause = ans === LANE ? 'lane' : 'other';
  const anyway = !gone && ans === LANE && o.moveOn === 'any' && holds && idOf(holds) === own(tx);
  const info = {
    do: 'refusal',
    w,
    L,
    n,
    tx,
    cause,
    conclusive: gone,
    ...(!gone && { applied: anyway || false }),
  };
  for (const verdict of verdicts(s, o, { frees: frees || anyway, ans, r: holds, L, tx })) {
    const text = verdict && {
      attempt: idOf(holds),
      to: verdict.st,
      ...(verdict.rest && { rests: true }),
      ...(verdict.bad && { bad: verdict.bad }),
    };
    step({ ...info, ...(only && !gone && !anyway && { lost: true }), ...text }, true, (t) => {
      if (anyway) t.wire.splice(j, 1);
      else learn(t, x, j, only);
      if (gone) {
        touch(f, t, L, n);
        t.slot[L][n] = t.slot[L][n].filter((y) => y.tx !== tx);
        if (o.remembers) remember(t, L, n, tx);
      }
      if (verdict) leave(t, o, holds, verdict.st, NOWHERE, verdict.b);
      if (verdict?.rest) t.rest[L] = verdict.rest;
      if (gone && ans === LANE && isNoop(tx) && s.key[L]) t.rest[L] ||= 1;
    });
  }
}

function remember(t, L, n, tx) {
  while (t.dead[L].length <= n) t.dead[L].push([]);
  t.dead[L][n] = [...new Set([...t.dead[L][n], tx])].sort();
}

/**
 * Returns the states that an attempt may get after its last transaction under its nonce was
 * refused.
 */
function verdicts(s, o, { frees, ans, r, L, tx }) {
  if (!frees) return [null];
  if (ans === LANE) return [laneVerdict(s, o, { r, L, tx })];
  return mayEnd(s, o, r) && !isNoop(tx) ? [{ st: 'acc' }, { st: 'end' }] : [{ st: 'acc' }];
}

const mayEnd = (s, o, r) => o.endAt === 'l2' || !unfinal(s, idOf(r));

/**
 * Decides on an attempt that a lane's account refused. If the lane's check fails, the lane rests
 * and the attempt waits. If the check passes, the attempt may move to one more lane. If that lane
 * refuses it too, the attempt is the cause and ends. A refused no-op proves nothing about the call.
 */
function laneVerdict(s, o, { r, L, tx }) {
  const id = idOf(r);
  const end = {
    st: 'end',
    ...(o.poison !== r.k && { bad: `S9: ${id} was ended for a fault of the lane` }),
  };
  if (o.laneCause === 'call') return end;
  if (!o.restsOnce) return { st: 'acc', b: L + 1, rest: id };
  if (o.checked && s.key[L]) return { st: 'acc', rest: 1 };
  if (isNoop(tx)) return { st: 'acc' };
  if (!r.b) return { st: 'acc', b: L + 1 };
  return mayEnd(s, o, r) ? end : { st: 'acc' };
}

// Crashes, leases, the keys of the lanes' accounts, and losses of the ledger

export function instances(f) {
  const { s, o, step } = f;
  for (const i of new Set(o.workers)) {
    const mine = (w) => o.workers[w] === i;
    const busy =
      o.workers.some(
        (_, w) => mine(w) && (s.plan[w] || o.laneNumbers.some((L) => s.poll[w * o.lanes + L])),
      ) || s.wire.some((x) => mine(x.w));
    if (o.crash && busy)
      step({ do: 'crash', instance: i }, false, (t) => {
        t.poll = t.poll.map((l, x) => (mine(Math.floor(x / o.lanes)) ? 0 : l));
        t.plan = t.plan.map((p, w) => (mine(w) ? 0 : p));
        t.wire = t.wire.filter((x) => !mine(x.w));
      });
    for (const L of o.laneNumbers)
      if (s.lease[L] !== i)
        step({ do: 'lease', L, instance: i }, false, (t) => {
          t.lease[L] = i;
          t.poll = t.poll.map((l, x) => (x % o.lanes === L ? 0 : l));
          t.plan = t.plan.map((p) => (p && p.L === L ? 0 : p));
          t.wire = t.wire.map((x) => (x.L === L ? { ...x, old: 1 } : x));
        });
  }
}

export function accounts({ s, o, step }) {
  for (const L of o.laneNumbers) {
    if (s.key[L] && o.mends) step({ do: 'key_mended', L }, true, (t) => void (t.key[L] = 0));
    if (!s.key[L] && s.faults < o.wrongKeys && (L === 0 || s.slot[0].length || s.key[0]))
      step({ do: 'key_wrong', L }, false, (t) => {
        t.key[L] = 1;
        t.faults++;
      });
    if (s.rest[L] && !s.key[L]) step({ do: 'lane_check', L }, true, (t) => void (t.rest[L] = 0));
  }
}

/** Emits the losses of the ledger. Only models with one lane use this function. */
export function losses({ s, o, step }) {
  const gone = (t, subs, slot) => {
    const base = { account: t.fin[0], row: slot.length, both: Math.max(t.fin[0], slot.length) };
    Object.assign(t, {
      subs,
      slot: [slot],
      wire: [],
      dead: [[]],
      copy: 0,
      lost: t.lost + 1,
      q: +!!o.quarantine,
      base: base[o.mark],
    });
    t.poll.fill(0);
    t.plan.fill(0);
  };
  if (s.lost < o.lose && s.subs.length)
    step({ do: 'ledger_lost' }, false, (t) => gone(t, [], Array(t.fin[0]).fill(0)));
  if (s.lost < o.restore && !s.copy)
    step({ do: 'ledger_copied' }, false, (t) => {
      // The process that uses the copy has sent nothing yet. So no claim in the copy still expects
      // an answer.
      const still = (sl) => (isOpen(sl) ? sl.map((e) => ({ ...e, c: 2 })) : sl);
      t.copy = { subs: s.subs, slot: s.slot[0].map(still) };
    });
  if (s.lost < o.restore && s.copy)
    step({ do: 'ledger_restored' }, false, (t) => {
      gone(t, s.copy.subs, s.copy.slot.slice());
      t.copyUsed = 1;
    });
}

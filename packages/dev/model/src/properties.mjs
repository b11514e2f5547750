// Properties of a state. They are checked against the true state of the chain, not against the
// rows.
import { KEYS, idOf, isFinal, isFree, isOpen, label, live, own, payment } from './state.mjs';

/**
 * Returns two sets of nonces "L.n" of an attempt: nonces under which a transaction may still land,
 * and nonces under which a transaction may land or has landed.
 */
function places(s, id) {
  const may = new Set();
  const all = new Set();
  s.inc.forEach((lane, L) =>
    lane.forEach(
      (e, n) => own(e) === id && (all.add(`${L}.${n}`), n >= s.fin[L] && may.add(`${L}.${n}`)),
    ),
  );
  s.out.forEach((lane, L) =>
    lane.forEach(
      (txs, n) => n >= s.fin[L] && txs.some((x) => own(x) === id) && may.add(`${L}.${n}`),
    ),
  );
  for (const x of s.wire)
    if (!x.ans && own(x.tx) === id && x.n >= s.fin[x.L]) may.add(`${x.L}.${x.n}`);
  for (const p of may) all.add(p);
  return { may, all };
}

/**
 * Returns the result of an attempt in the blocks up to `fin` (ACCEPTED_ON_L2 or ACCEPTED_ON_L1). A
 * success overrides a revert.
 */
function result(s, id, fin = s.fin) {
  let found = '';
  s.inc.forEach((lane, L) =>
    lane.forEach((e, n) => n < fin[L] && own(e) === id && found !== 'S' && (found = e[4])),
  );
  return found;
}

/**
 * Returns true if the transaction that settled the attempt is not on chain, or is no longer on
 * chain. The next poll detects this, so no answer reports the outcome as final.
 */
const undone = (s, id) =>
  s.slot.some((lane, L) =>
    lane.some(
      (sl, n) => sl && sl.by && own(sl.by) === id && !(n < s.fin[L] && s.inc[L][n] === sl.by),
    ),
  );

/**
 * Returns true if a transaction of the attempt is under a nonce that the rows or the chain do not
 * show as finally settled.
 */
function isPending(s, id) {
  if (
    s.slot.some((lane) =>
      lane.some(
        (sl) =>
          !isFinal(sl) &&
          ((isOpen(sl) ? sl : sl.was).some((e) => label(e) === id) || (sl.by && own(sl.by) === id)),
      ),
    )
  )
    return true;
  const after = (L, n) => n >= s.fin1[L];
  if (s.inc.some((lane, L) => lane.some((e, n) => after(L, n) && own(e) === id))) return true;
  if (s.out.some((lane, L) => lane.some((txs, n) => after(L, n) && txs.some((x) => own(x) === id))))
    return true;
  return s.wire.some((x) => own(x.tx) === id && after(x.L, x.n));
}

function brokenOfAttempt(s, o, { r, id, may, all }) {
  const bad = [];
  const weak = o.reports === 'final';
  const spot = (p) => (s.slot.length > 1 ? `L${p.replace('.', 'n')}` : `n${p.slice(2)}`);
  if (all.size > 1 && !weak)
    bad.push(`S3: ${id} can land (or landed) at ${[...all].sort().map(spot).join(' and ')}`);
  if (weak && isPending(s, id)) return bad; // no answer reports this outcome as final
  const is = result(s, id, weak ? s.fin1 : s.fin);
  if (r.st === 'end' && (weak ? is : all.size))
    bad.push(`S5: in the ledger ${id} was refused or expired, but it is included or can still be`);
  if (r.st === 'ok' && is !== 'S' && (weak || !undone(s, id)))
    bad.push(`S5: ${id} succeeded in the ledger, but not on the chain`);
  if (r.st === 'rev' && is !== 'R' && (weak || !undone(s, id)))
    bad.push(`S5: ${id} reverted in the ledger, but not on the chain`);
  return bad;
}

function brokenOfKey(s, o, k) {
  const bad = [];
  const rows = s.subs.filter((r) => r.k === k);
  const paid = s.inc.reduce(
    (sum, lane) => sum + lane.filter((e) => e[0] === k && e[4] === 'S').length,
    0,
  );
  if (paid > 1) bad.push(`S1: ${k} succeeded twice`);
  const last = rows.at(-1);
  // The copy contains a wrong end of the attempt, which an outcome from the chain will correct.
  // Property L requires that this happens eventually.
  const isToCorrect = o.corrects && o.attempts > 1 && last?.st === 'end';
  if (s.lost && last && !live(last) && last.st !== 'ok' && paid && !isToCorrect)
    bad.push(`S7: ${k} was paid before the ledger was lost, and is answered as not paid`);
  const attempts = rows.map((r) => ({ r, id: idOf(r), ...places(s, idOf(r)) }));
  const some = attempts.filter(({ r, may }) => live(r) || (may.size && o.reports !== 'final'));
  if (some.length > 1) bad.push(`S2: ${some.map((x) => x.id).join(' and ')} are live together`);
  for (const a of attempts) bad.push(...brokenOfAttempt(s, o, a));
  return bad;
}

const holds = (sl, tx, o) => {
  const entries = sl && (isOpen(sl) ? sl : sl.was);
  return (
    !!entries && entries.some((e) => e.tx === tx && label(e) === own(tx) && (e.c !== 0 || o.strict))
  );
};

/** Returns the properties that a state breaks, each as a text; empty if all properties hold. */
export function broken(s, o) {
  const bad = [];
  for (const k of KEYS.slice(0, o.keys)) bad.push(...brokenOfKey(s, o, k));
  s.slot.forEach((lane, L) =>
    lane.forEach((_, n) => {
      if (s.subs.filter((r) => r.n === n && r.L === L).length > 1)
        bad.push(`S4: two attempts hold n${n}`);
    }),
  );
  if (!s.lost)
    s.out.forEach((lane, L) =>
      lane.forEach((txs, n) => {
        if (n < s.fin[L]) return;
        for (const tx of txs)
          if (!holds(s.slot[L][n], tx, o))
            bad.push(`S0: ${tx}@n${n} can land, but the ledger does not hold it as that`);
      }),
    );
  for (const lane of s.slot)
    for (const sl of lane)
      for (const { tx, call } of isOpen(sl) ? sl : (sl.was ?? []))
        if (call !== undefined && s.subs.some((r) => idOf(r) === own(tx) && r.c !== call))
          bad.push(`S10: ${tx} carries call ${call}, the row of its attempt has another`);
  const rests = s.rest.filter((r) => typeof r === 'string');
  if (new Set(rests).size < rests.length) bad.push(`S8: ${rests[0]} alone made two lanes rest`);
  return bad;
}

const isPaidAndEnded = (s, r) =>
  r.st === 'end' && s.subs.filter(({ k }) => k === r.k).at(-1) === r && !!payment(s, r.k);

/**
 * Goal of property L: everything is settled and final, no lane has a gap, and no paid key is
 * reported as unpaid.
 */
export const goal = (s) =>
  !s.q &&
  !(s.lost && s.subs.some((r) => isPaidAndEnded(s, r))) &&
  s.subs.every((r) => !live(r)) &&
  s.slot.every((lane) =>
    lane.every((sl, n) => isFinal(sl) || (isFree(sl) && lane.slice(n + 1).every(isFree))),
  );

// Steps of the chain, and the delivery of transactions to the chain.
import { isNoop, mayBeLate, own, price } from './state.mjs';

/**
 * Records bytes that were sent and not refused. Such bytes may land at any time while their nonce
 * is open.
 */
export const markOut = (t, L, n, tx) => {
  if (n >= t.fin1[L] && !t.out[L][n].includes(tx)) t.out[L][n] = [...t.out[L][n], tx].sort();
};

/** Delivers bytes to a correct node and returns the node's answer. */
export function deliver(t, L, n, tx) {
  if (n < t.inc[L].length) {
    markOut(t, L, n, tx);
    return '52 nonce too low';
  }
  const p = t.pool[L][n];
  if (p === tx) return '59 duplicate';
  markOut(t, L, n, tx); // also applies to an underpriced copy, because another node may keep it
  if (p && price(p) >= price(tx)) return '64 underpriced';
  t.pool[L][n] = tx;
  return 'accepted';
}

export function chain(f) {
  for (const L of f.o.laneNumbers) inclusions(f, L);
  blocks(f);
}

function inclusions({ s, o, step }, L) {
  const n = s.inc[L].length;
  const tx = n < o.maxN ? s.pool[L][n] : '';
  if (tx)
    for (const result of results(s, o, tx))
      step(
        { do: 'chain', what: 'preconfirmed', L, n, tx, good: result === 'S' },
        result === 'R' || !mayBeLate(o, tx),
        (t) => {
          t.inc[L].push(tx + result);
          t.pool[L][n] = '';
        },
      );
  for (let m = n; m < o.maxN; m++) {
    if (s.pool[L][m])
      step(
        { do: 'chain', what: 'dropped', L, n: m, tx: s.pool[L][m] },
        false,
        (t) => void (t.pool[L][m] = ''),
      );
    for (const x of s.out[L][m])
      if (x !== s.pool[L][m] && (!s.pool[L][m] || price(s.pool[L][m]) < price(x)))
        step(
          { do: 'chain', what: 'appears', L, n: m, tx: x },
          false,
          (t) => void (t.pool[L][m] = x),
        );
  }
  if (n < o.maxN && o.foreign && s.inc.flat().filter((e) => e[0] === 'X').length < o.foreign)
    step({ do: 'chain', what: 'foreign', L, n, tx: 'XXv0' }, false, (t) => {
      t.inc[L].push('XXv0S');
      t.pool[L][n] = '';
    });
}

function results(s, o, tx) {
  if (isNoop(tx)) return 'S';
  if (o.nullifier && s.inc.some((lane) => lane.some((e) => e[0] === tx[0] && e[4] === 'S')))
    return 'R';
  return o.spurious || mayBeLate(o, tx) ? 'SR' : 'S';
}

function blocks({ s, o, step }) {
  const lanes = o.laneNumbers;
  if (lanes.some((L) => s.inc[L].length > s.fin[L])) {
    step({ do: 'chain', what: 'l2' }, true, (t) => void (t.fin = t.inc.map((l) => l.length)));
    if (o.reorg)
      step(
        { do: 'chain', what: 'reorg' },
        false,
        (t) => void (t.inc = t.inc.map((l, L) => l.slice(0, t.fin[L]))),
      );
  }
  if (!o.undo || !lanes.some((L) => s.fin[L] > s.fin1[L])) return;
  step({ do: 'chain', what: 'l1' }, true, (t) => void (t.fin1 = t.fin.slice()));
  if (s.un >= o.undo) return;
  for (const cut of cuts(s, 0))
    if (cut.some((f, L) => f < s.fin[L]))
      step({ do: 'chain', what: 'undone', cut }, false, (t) => {
        if (o.fork) t.old = t.inc.map((l, L) => l.slice(0, t.fin[L]));
        t.inc = t.inc.map((l, L) => l.slice(0, cut[L]));
        t.fin = cut;
        t.un++;
      });
}

/**
 * Lists all possible rollbacks of inclusions that are not final on L1. In each lane, any number of
 * these inclusions may be undone.
 */
function cuts(s, L) {
  if (L === s.fin.length) return [[]];
  const rest = cuts(s, L + 1);
  const here = [];
  for (let f = s.fin1[L]; f <= s.fin[L]; f++) here.push(...rest.map((r) => [f, ...r]));
  return here;
}

// One nonce, one truth: the submission machine, the chain, and everything that can go wrong between them.
// A state is plain data; `next` lists every step from it; `broken` and `goal` judge it. How states are searched: check.mjs.
//
// tx     "A1v0": key A, attempt 1, version 0 (price step) · "--v1": a no-op · "XXv9": a stranger using our account key
// subs   ledger rows { k, a, st, L, n }; st: acc | prep | bc (live) · ok | rev | end (ended; `end` = refused or expired:
//        the two differ in what the caller is told, not in what the machine does)
// slot   slot[L][n]: signed transactions stored under that nonce, [{ tx, c }]; [] = free nonce; 0 = settled for good
//        send mark c: 0 never claimed · 1 one claim, its answer still to come · 2 may be out. Dead ones are taken out.
// lease  instance with the lane's current fence; work begun under an older fence is `old`
// hand   what a worker is in the middle of, lost in a crash: plan (nonce read, signing) · send (claimed) · ans (refusal to record)
// inc    truth: inclusions in nonce order "A1v0S" / "A1v0R"; the first fin[L] are ACCEPTED_ON_L2, the others PRE_CONFIRMED
// pool   truth: the mempool, one transaction per nonce
// out    truth: bytes that left us and were not refused. They may (re)appear in the pool at ANY later time while their nonce is
//        open. This one set stands for late requests, other nodes' pools and an eviction that only our node did.
// Reductions (bisimilar states merged): crash and restart are one step; an answer that teaches nothing (accepted, duplicate,
// nonce too low, underpriced, time-out) is not a state of its own; c = 1 without its worker is c = 2; settled slots forget prices.

export const defaults = {
  keys: 2,
  attempts: 2,
  lanes: 1,
  maxN: 3,
  maxV: 1,
  workers: [0], // workers[w] = the instance it runs in
  nullifier: true, // the contract refuses a second success; false: exactly-once rests on the machine alone
  reorg: true,
  crash: true,
  spuriousRevert: true,
  alien: 0,
  refuses: '', // a key whose transactions the node refuses for good, fair weather or not
  lyingRefusal: false, // a refusal may come back although the bytes took effect (proxy retry, fan-out provider)
  // the design's rules; each variant turns one off
  fence: true, // writes under an old fence are refused
  cas: true,
  rowCas: true, // prepare's write checks that the nonce is still free, and that the row still waits for one
  strict: false, // true: a refusal proves nothing and nothing is released; only a consumed nonce frees
  claimAtPrepare: false, // store the bytes and claim their first send in one write
  rawResend: '', // anybody, a stale holder too, sends stored bytes without a claim: '' | 'mayBeOut' (c = 2) | 'any'
  firstSendOnly: true, // a refusal is conclusive only for the one and only claimed send
  release: true, // what was never claimed for sending gives its nonce back
  settleAt: 'l2',
  freeAt: 'l2',
  skipAt: 'l2',
  fillHoles: true,
  cancel: true,
  noopAtCeiling: true,
  resend: true,
  fillUndecided: false,
  dupCheck: 'row',
  counter: 'rows',
  resignOnTimeout: false,
  resignOnTtl: false,
  absenceIsEvidence: false,
  followLastHashOnly: false,
  nonceTooLowIsRefusal: false,
  tellFromHand: false,
};

const live = (st) => st === 'acc' || st === 'prep' || st === 'bc';
/** Names of keys: the search takes up to three, real rows that are judged may have more. */
const KEYS = 'ABCDEFGH';
const NOOP = '--';
const own = (tx) => tx.slice(0, 2);
const ver = (tx) => +tx[3];
const free = (sl) => sl !== 0 && sl.length === 0;
const holders = (s, L, n) => s.subs.filter((r) => r.n === n && r.L === L); // ended and unassigned rows have n = -1
const put = (r, st, L = -1, n = -1) => {
  r.st = st;
  r.L = L;
  r.n = n;
};

export const initial = (o) => ({
  subs: [],
  slot: Array.from({ length: o.lanes }, () => []),
  lease: Array(o.lanes).fill(0),
  hand: o.workers.map(() => 0),
  inc: Array.from({ length: o.lanes }, () => []),
  fin: Array(o.lanes).fill(0),
  pool: Array.from({ length: o.lanes }, () => Array(o.maxN).fill('')),
  out: Array.from({ length: o.lanes }, () => Array.from({ length: o.maxN }, () => [])),
  ...(o.dupCheck === 'memory' && { mem: o.workers.map(() => '') }),
  ...(o.counter !== 'rows' && { cnt: Array(o.lanes).fill(0) }),
  ...(o.tellFromHand && { told: '' }),
});

const clone = (s) => ({
  subs: s.subs.map((r) => ({ ...r })),
  slot: s.slot.map((l) => l.map((sl) => (sl === 0 ? 0 : sl.map((e) => ({ ...e }))))),
  lease: [...s.lease],
  hand: s.hand.map((h) => (h ? { ...h } : 0)),
  inc: s.inc.map((l) => [...l]),
  fin: [...s.fin],
  pool: s.pool.map((l) => [...l]),
  out: s.out.map((l) => [...l]),
  ...(s.mem && { mem: [...s.mem] }),
  ...(s.cnt && { cnt: [...s.cnt] }),
  ...('told' in s && { told: s.told }),
});

/** Merge states that nothing can tell apart. */
const tidy = (s) => {
  s.slot.forEach((lane, L) =>
    lane.forEach((sl, n) => {
      if (sl === 0) {
        if (n < s.fin[L]) s.inc[L][n] = own(s.inc[L][n]) + 'v0' + s.inc[L][n][4];
      } else for (const e of sl) if (e.c === 1 && !s.hand.some((h) => h && !h.old && h.tx === e.tx && h.n === n && h.L === L)) e.c = 2;
    }),
  );
  return s;
};

/** All steps from s: [label, fair, state]. Fair steps are what a healthy service, node and chain do; the rest is faults and bad luck. */
export function next(s, o) {
  const steps = [];
  const step = (label, fair, change) => {
    const t = clone(s);
    const more = change(t);
    steps.push([label + (more ?? ''), fair, tidy(t)]);
  };
  const at = (L, n) => `${o.lanes > 1 ? 'L' + L : ''}n${n}`;
  const name = (tx, L, n) => `${own(tx) === NOOP ? 'no-op v' + ver(tx) : tx}@${at(L, n)}`;
  const markOut = (t, L, n, tx) => {
    if (n >= t.fin[L] && !t.out[L][n].includes(tx)) t.out[L][n] = [...t.out[L][n], tx].sort();
  };
  /** What a correct node does with bytes that reach it; returns its answer. */
  const deliver = (t, L, n, tx) => {
    if (n < t.inc[L].length) return '52 nonce too low';
    const p = t.pool[L][n];
    if (p === tx) return '59 duplicate';
    markOut(t, L, n, tx); // also an underpriced copy: another node may keep it
    if (p && ver(p) >= ver(tx)) return '64 underpriced';
    t.pool[L][n] = tx;
    return 'accepted';
  };

  o.workers.forEach((i, w) => {
    const I = o.workers.length > 1 ? `[w${w}] ` : '';
    const h = s.hand[w];
    const first = o.workers.indexOf(i) === w;
    const writer = (L) => s.lease[L] === i || (!o.fence && i === 0); // without fencing the first holder writes on for ever

    if (first) {
      // accept: insert by key; the next attempt only after the last one ended without success
      [...KEYS.slice(0, o.keys)].forEach((k, j, all) => {
        if (j && !s.subs.some((r) => r.k === all[j - 1])) return; // symmetry: A is accepted before B
        const r = s.subs.filter((x) => x.k === k).at(-1),
          a = r ? r.a + 1 : 1;
        const mayInsert = o.dupCheck === 'memory' ? !s.mem[i].includes(k) : !r || (!live(r.st) && r.st !== 'ok');
        if (a <= o.attempts && mayInsert)
          step(`${I}accept ${k}${a}`, true, (t) => {
            t.subs.push({ k, a, st: 'acc', L: -1, n: -1 });
            if (t.mem) t.mem[i] += k;
          });
      });
      s.subs.forEach((r, x) => {
        if (r.st === 'acc')
          step(`${I}${r.k}${r.a} ends, no nonce assigned (expired, or refused by a repeated admission)`, true, (t) =>
            put(t.subs[x], 'end'),
          );
      });
    }

    for (let L = 0; L < o.lanes; L++)
      if (writer(L)) {
        // plan: read the rows, take the lowest free nonce, sign. Then store, as a write of its own (see hand)
        if (!h)
          s.subs.forEach((r, x) => {
            if (r.st !== 'acc' || (L > 0 && s.slot[0].length === 0)) return;
            const hole = o.fillHoles ? s.slot[L].findIndex(free) : -1;
            const n = s.cnt ? s.cnt[L] : hole >= 0 ? hole : Math.max(s.slot[L].length, o.skipAt === 'l2' ? s.fin[L] : s.inc[L].length);
            if (n >= o.maxN) return;
            if (o.workers.length === 1 && !s.cnt) step(`${I}prepare ${r.k}${r.a}v0@${at(L, n)}`, true, (t) => store(t, w, { x, L, n }));
            else
              step(`${I}plan ${r.k}${r.a} at ${at(L, n)}${o.counter === 'before' ? `, counter := ${n + 1}` : ''}`, true, (t) => {
                t.hand[w] = { op: 'plan', x, L, n, old: 0 };
                if (o.counter === 'before') t.cnt[L]++; // (d) the counter moves in a write of its own
              });
          });
        if (first)
          s.slot[L].forEach((sl, n) => {
            if (sl === 0) return;
            const owners = holders(s, L, n),
              top = Math.max(-1, ...sl.map((e) => ver(e.tx))),
              v = top + 1;
            const ends = (label, targets, change) => {
              for (const st of targets)
                step(`${label}${st ? ` -> ${st}` : ''}`, true, (t) => {
                  for (const r of holders(t, L, n)) put(r, st);
                  change?.(t);
                });
            };
            if (owners.length && o.maxV && sl.some((e) => e.c)) {
              const id = owners[0].k + owners[0].a;
              if (v <= o.maxV)
                step(`${I}replace: ${name(`${id}v${v}`, L, n)} stored`, true, (t) => {
                  t.slot[L][n].push({ tx: `${id}v${v}`, c: 0 });
                });
              // a no-op can always be stored, at the price ceiling if need be: a node that refuses the others holds nothing to outbid
              const c = o.noopAtCeiling ? Math.min(v, o.maxV) : v;
              if (o.cancel && c <= o.maxV && !sl.some((e) => own(e.tx) === NOOP))
                step(`${I}cancel: ${name(`${NOOP}v${c}`, L, n)} stored`, true, (t) => {
                  t.slot[L][n].push({ tx: `${NOOP}v${c}`, c: 0 });
                });
            }
            // a free nonce with something behind it is a hole: a no-op fills it (or the next submission, see plan)
            if (o.fillHoles && free(sl) && s.slot[L].slice(n + 1).some((b) => b !== 0 && !free(b)))
              step(`${I}fill hole: ${name(`${NOOP}v0`, L, n)} stored`, true, (t) => {
                t.slot[L][n] = [{ tx: `${NOOP}v0`, c: 0 }];
              });
            // release: nothing under this nonce was ever claimed for sending
            if (o.release && !o.strict && owners.length && sl.every((e) => e.c === 0))
              ends(`${I}release ${at(L, n)}, nothing was ever sent: ${own(sl[0].tx)}`, ['acc', 'end'], (t) => {
                t.slot[L][n] = [];
              });
            if (o.fillUndecided && owners.length === 1 && v <= o.maxV)
              s.subs.forEach((r, x) => {
                if (r.st === 'acc')
                  step(`${I}fill ${at(L, n)} with ${r.k}${r.a}v${v}`, true, (t) => {
                    t.slot[L][n].push({ tx: `${r.k}${r.a}v${v}`, c: 0 });
                    put(t.subs[x], 'prep', L, n);
                  });
              });
            // settle: which transaction took this nonce, by its receipt at ACCEPTED_ON_L2
            if (n < s.inc[L].length) {
              const tx = s.inc[L][n].slice(0, 4),
                good = s.inc[L][n][4] === 'S',
                id = own(tx);
              const mine = owners.some((r) => r.k + r.a === id),
                losers = owners.some((r) => r.k + r.a !== id);
              if (n < s.fin[L] || (mine ? o.settleAt : o.freeAt) === 'pre')
                for (const st of losers ? ['acc', 'end'] : [''])
                  step(
                    `${I}settle ${at(L, n)}: ${n < s.fin[L] ? 'ACCEPTED_ON_L2' : 'PRE_CONFIRMED'} ${name(tx, L, n)} ${good ? 'succeeded' : 'reverted'}${st ? `, the other -> ${st}` : ''}`,
                    true,
                    (t) => {
                      for (const r of holders(t, L, n)) put(r, r.k + r.a !== id ? st : good ? 'ok' : 'rev');
                      t.slot[L][n] = 0;
                    },
                  );
            }
            // naive conclusions from absence
            if (o.resignOnTtl && owners.length && sl.some((e) => e.c === 2) && !s.pool[L][n] && n >= s.inc[L].length)
              ends(`${I}lifetime over, status 29, account nonce unchanged: ${own(sl[0].tx)} is dead, hole to fill`, ['acc'], (t) => {
                t.slot[L][n] = [{ tx: `${NOOP}v0`, c: 0 }];
              });
            if (
              owners.length &&
              n < s.inc[L].length &&
              (o.absenceIsEvidence || (o.followLastHashOnly && s.inc[L][n].slice(0, 4) !== sl.at(-1).tx))
            )
              ends(
                `${I}account nonce is past ${at(L, n)} and status of ${name(sl.at(-1).tx, L, n)} answers 29${o.absenceIsEvidence ? ' (a node that lags)' : ''}: ${own(sl[0].tx)} lost the nonce`,
                ['acc'],
                (t) => {
                  t.slot[L][n] = 0;
                },
              );
          });
        // claim: the fenced write that comes before a send
        if (!h)
          s.slot[L].forEach(
            (sl, n) =>
              sl !== 0 &&
              sl.forEach((e, x) => {
                if (own(e.tx) !== '??' && (o.resend || e.c === 0))
                  step(`${I}claim the ${e.c ? 'next' : 'first'} send of ${name(e.tx, L, n)}`, true, (t) => {
                    t.slot[L][n][x].c = e.c === 0 ? 1 : 2;
                    for (const r of holders(t, L, n)) r.st = 'bc';
                    t.hand[w] = { op: 'send', L, n, tx: e.tx, old: 0 };
                  });
              }),
          );
      }
    // a send without a claim, by anybody who has the bytes
    if (o.rawResend && first)
      s.slot.forEach((lane, L) =>
        lane.forEach(
          (sl, n) =>
            sl !== 0 &&
            sl.forEach((e) => {
              if (o.rawResend === 'any' || e.c === 2)
                step(`${I}send ${name(e.tx, L, n)} again without a claim: `, false, (t) => deliver(t, L, n, e.tx));
            }),
        ),
      );

    // what is in hand
    if (h && h.old && o.fence && h.op !== 'send')
      step(
        `${I}write refused: old fence${o.tellFromHand && h.op === 'ans' ? `, but the caller is told that ${own(h.tx)} was refused` : ''}`,
        true,
        (t) => {
          t.hand[w] = 0;
          if (o.tellFromHand && h.op === 'ans') t.told = own(h.tx);
        },
      );
    else if (h && h.op === 'plan')
      step(`${I}store ${s.subs[h.x].k}${s.subs[h.x].a}v0@${at(h.L, h.n)}`, true, (t) => {
        t.hand[w] = 0;
        return store(t, w, h);
      });
    else if (h && h.op === 'bump')
      step(`${I}counter := ${h.n + 1}`, true, (t) => {
        t.hand[w] = 0;
        t.cnt[h.L] = h.n + 1;
      });
    else if (h && h.op === 'send') {
      const { L, n, tx } = h,
        S = `${I}send ${name(tx, L, n)}: `;
      const learnt = (t) => {
        t.hand[w] = 0;
        for (const e of t.slot[L][n] || []) if (e.tx === tx && !h.old) e.c = 2;
      };
      const timeout = (t) => {
        learnt(t);
        if (o.resignOnTimeout) for (const r of holders(t, L, n)) put(r, 'acc');
        return o.resignOnTimeout ? ' => back to acc' : '';
      };
      if (o.refuses !== tx[0] || n < s.inc[L].length)
        step(S, true, (t) => {
          learnt(t);
          const a = deliver(t, L, n, tx);
          if (o.nonceTooLowIsRefusal && a.startsWith('52')) t.hand[w] = { ...h, op: 'ans', low: 1 };
          return a;
        });
      step(`${S}takes effect, answer lost`, false, (t) => {
        deliver(t, L, n, tx);
        return timeout(t);
      });
      step(`${S}time-out, request lost or still under way`, false, (t) => {
        markOut(t, L, n, tx);
        return timeout(t);
      });
      if (n >= s.inc[L].length) {
        step(`${S}refused (funds, price, validation)`, o.refuses === tx[0], (t) => {
          t.hand[w] = { ...h, op: 'ans' };
        });
        if (o.lyingRefusal)
          step(`${S}refused, though a hidden retry of it had taken effect`, false, (t) => {
            deliver(t, L, n, tx);
            t.hand[w] = { ...h, op: 'ans' };
          });
      }
    } else if (h && h.op === 'ans') {
      // a refusal, to be recorded
      const { L, n, tx } = h;
      const e = s.slot[L][n] && s.slot[L][n].find((x) => x.tx === tx);
      const dead = e && !o.strict && (e.c === 1 || !o.firstSendOnly || h.low);
      const empties = dead && s.slot[L][n].length === 1 && holders(s, L, n).length;
      for (const st of empties ? ['acc', 'end'] : [''])
        step(
          `${I}record the refusal: ${dead ? `${name(tx, L, n)} can never land${st ? `, ${own(tx)} -> ${st}` : ''}` : 'proves nothing'}`,
          true,
          (t) => {
            t.hand[w] = 0;
            if (dead) {
              t.slot[L][n] = t.slot[L][n].filter((x) => x.tx !== tx);
              if (st) for (const r of holders(t, L, n)) put(r, st);
            } else for (const x of t.slot[L][n] || []) if (x.tx === tx) x.c = 2;
          },
        );
    }
  });

  /** prepare's write: the nonce, the bytes, the row, in one transaction */
  function store(t, w, { x, L, n }) {
    const r = t.subs[x],
      lane = t.slot[L];
    if ((o.rowCas && r.st !== 'acc') || (o.cas && n < lane.length && !free(lane[n])))
      return ': nonce or row taken meanwhile, nothing written';
    // nonces below n without a row: (d) nobody can explain them; a stranger took them, which is written as settled or as open
    while (lane.length < n) lane.push(s.cnt ? [{ tx: '??v0', c: 9 }] : o.skipAt === 'preOpen' ? [] : 0);
    const tx = `${r.k}${r.a}v0`;
    lane[n] = [...(lane[n] || []).filter((e) => e.tx !== tx), { tx, c: o.claimAtPrepare ? 1 : 0 }];
    put(r, o.claimAtPrepare ? 'bc' : 'prep', L, n);
    if (o.claimAtPrepare) t.hand[w] = { op: 'send', L, n, tx, old: 0 };
    if (o.counter === 'after') t.hand[w] = { op: 'bump', L, n, old: 0 };
    return '';
  }

  // instances
  for (const i of new Set(o.workers)) {
    if (o.crash && (s.mem || s.hand.some((h, w) => h && o.workers[w] === i)))
      step(`crash and restart${s.hand.length > 1 ? ` of instance ${i}` : ''}`, false, (t) => {
        o.workers.forEach((j, w) => {
          if (j === i) t.hand[w] = 0;
        });
        if (t.mem) t.mem[i] = '';
      });
    s.lease.forEach((l, L) => {
      if (l !== i)
        step(`lease${o.lanes > 1 ? ' of L' + L : ''} passes to instance ${i}, the old holder still runs`, false, (t) => {
          t.lease[L] = i;
          if (o.fence) for (const h of t.hand) if (h && h.L === L) h.old = 1;
        });
    });
  }

  // the chain
  const spent = (k) => s.inc.some((l) => l.some((e) => e[0] === k && e[4] === 'S'));
  for (let L = 0; L < o.lanes; L++) {
    const n = s.inc[L].length,
      tx = n < o.maxN ? s.pool[L][n] : '';
    if (tx)
      for (const res of own(tx) === NOOP ? 'S' : o.nullifier && spent(tx[0]) ? 'R' : o.spuriousRevert ? 'SR' : 'S')
        step(`chain: ${name(tx, L, n)} PRE_CONFIRMED ${res === 'S' ? 'succeeded' : 'reverted'}`, true, (t) => {
          t.inc[L].push(tx + res);
          t.pool[L][n] = '';
        });
    for (let m = n; m < o.maxN; m++) {
      if (s.pool[L][m])
        step(`chain: ${name(s.pool[L][m], L, m)} dropped without notice`, false, (t) => {
          t.pool[L][m] = '';
        });
      for (const x of s.out[L][m])
        if (x !== s.pool[L][m] && (!s.pool[L][m] || ver(s.pool[L][m]) < ver(x)))
          step(`chain: ${name(x, L, m)} (re)appears in the pool`, false, (t) => {
            t.pool[L][m] = x;
          });
    }
    if (n < o.maxN && s.inc.flat().filter((e) => e[0] === 'X').length < o.alien)
      step(`chain: a stranger's transaction with our key takes ${at(L, n)}`, false, (t) => {
        t.inc[L].push('XXv0S');
        t.pool[L][n] = '';
      });
  }
  if (s.inc.some((l, L) => l.length > s.fin[L])) {
    step('chain: ACCEPTED_ON_L2', true, (t) =>
      t.inc.forEach((l, L) => {
        t.fin[L] = l.length;
        for (let n = 0; n < l.length; n++) t.out[L][n] = [];
      }),
    );
    if (o.reorg)
      step('chain: pre-confirmed block undone', false, (t) =>
        t.inc.forEach((l, L) => {
          l.length = t.fin[L];
        }),
      );
  }
  return steps;
}

/** Broken properties of a state, judged with the chain's truth in hand. */
export function broken(s, o) {
  const bad = [];
  /** nonces at which a transaction of this attempt is included, or could still be */
  const places = (id) => {
    const open = new Set(),
      final = new Set();
    s.inc.forEach((l, L) =>
      l.forEach((e, n) => {
        if (own(e) === id) (n < s.fin[L] ? final : open).add(`${L}.${n}`);
      }),
    );
    s.out.forEach((l, L) =>
      l.forEach((txs, n) => {
        if (n >= s.fin[L] && txs.some((x) => own(x) === id)) open.add(`${L}.${n}`);
      }),
    );
    for (const h of s.hand) if (h && h.op === 'send' && own(h.tx) === id && h.n >= s.fin[h.L]) open.add(`${h.L}.${h.n}`);
    return { open, all: new Set([...open, ...final]) };
  };
  const result = (id) => {
    for (const L in s.inc) for (let n = 0; n < s.fin[L]; n++) if (own(s.inc[L][n]) === id) return s.inc[L][n][4];
  };
  for (const k of KEYS.slice(0, o.keys)) {
    if (s.inc.flat().filter((e) => e[0] === k && e[4] === 'S').length > 1) bad.push(`S1: ${k} succeeded twice`);
    const attempts = s.subs.filter((r) => r.k === k).map((r) => ({ r, id: r.k + r.a, ...places(r.k + r.a) }));
    const open = attempts.filter(({ r, open }) => live(r.st) || open.size);
    if (open.length > 1) bad.push(`S2: ${open.map((x) => x.id).join(' and ')} are live together`);
    for (const { r, id, all } of attempts) {
      if (all.size > 1)
        bad.push(`S3: ${id} can land (or landed) at ${[...all].map((x) => (o.lanes > 1 ? 'L' + x[0] : '') + 'n' + x[2]).join(' and ')}`);
      if (r.st === 'end' && all.size) bad.push(`S5: the ledger says ${id} was refused or expired, but it is included or can still be`);
      if (s.told === id && all.size) bad.push(`S5: the caller was told that ${id} was refused, but it is included or can still be`);
      if (r.st === 'ok' && result(id) !== 'S') bad.push(`S5: the ledger says ${id} succeeded, ACCEPTED_ON_L2 does not`);
      if (r.st === 'rev' && result(id) !== 'R') bad.push(`S5: the ledger says ${id} reverted, ACCEPTED_ON_L2 does not`);
    }
  }
  s.slot.forEach((l, L) =>
    l.forEach((sl, n) => {
      const u = holders(s, L, n);
      if (u.length > 1) bad.push(`S4: n${n} is assigned to ${u.map((r) => r.k + r.a).join(' and ')}`);
    }),
  );
  s.out.forEach((l, L) =>
    l.forEach((txs, n) => {
      for (const tx of txs)
        if (n >= s.fin[L] && !(s.slot[L][n] && s.slot[L][n].some((e) => e.tx === tx && (e.c || o.strict))))
          bad.push(`S0: ${tx}@n${n} can land, but the ledger does not hold it as one that may be out`);
    }),
  );
  return bad;
}

/** Everything accepted is settled and no nonce hole is left. */
export const goal = (s) =>
  s.subs.every((r) => !live(r.st)) &&
  s.slot.every((l) => l.every((sl, n) => sl === 0 || (free(sl) && l.slice(n + 1).every((b) => b !== 0 && free(b)))));

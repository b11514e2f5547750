// Traces as data, to be replayed against the real `decide`: traces of variants and witnesses, and
// random walks through the corrected design. A recorder tracks data that the model merges: version
// numbers, claims, refused and lost rows, and blocks. The recorder throws if the model's flag
// "written since" disagrees with its version numbers, so every walk also tests this abstraction.
import { mended, variants, witnesses } from './cases.mjs';
import { check } from './check.mjs';
import { broken, describe, initial, next, options } from './model.mjs';
import { idOf, isOpen } from './state.mjs';

const STATES = { acc: 'accepted', bc: 'broadcast', ok: 'succeeded', rev: 'reverted', end: 'ended' };

const full = {
  ...mended,
  lanes: 2,
  keys: 2,
  attempts: 2,
  maxN: 3,
  maxV: 1,
  undo: 2,
  wrongKeys: 1,
  reprice: true,
  lag: true,
};
const gone = {
  ...mended,
  keys: 2,
  attempts: 2,
  maxN: 6,
  maxV: 1,
  window: 2,
  quarantine: 'noops',
  nullifier: false,
  lag: true,
};
/** Option sets for walks in which the ledger is lost or replaced by an old copy. */
export const LOSSES = [
  { ...gone, lose: 1 },
  { ...gone, attempts: 1, restore: 1, foreign: 1 },
];

/**
 * Option sets that the walks use one after the other, for two lanes, rollbacks, a wrong key and
 * second attempts. Every option set allows replacements and no-ops.
 */
const PROFILES = [
  { ...full, nullifier: false, maxV: 2 },
  { ...full, nullifier: false, workers: [0, 0, 1], renews: 1 },
  { ...full, maxV: 2, reports: 'final', moveAt: 'l2', endAt: 'l2', adopt: 'all' },
];

/** Option sets for walks in which calls have a last block. */
export const LATE = [
  { ...full, late: 'AB', renews: 2, maxV: 2 },
  { ...full, late: 'A', workers: [0, 1], renews: 1 },
  { ...full, late: 'AB', maxV: 2, reports: 'final', moveAt: 'l2', endAt: 'l2', adopt: 'all' },
];

class Recorder {
  #o;
  #rows;
  #seen = new Map(); // versions that polls and prepares have read, by nonce
  #blocks;
  #abandoned = [];
  #answers = new Map(); // blocks that the chain returned to a poll
  #copy;
  #serial = 0;

  constructor(o) {
    this.#o = o;
    this.#rows = o.laneNumbers.map(() => []);
    this.#blocks = o.laneNumbers.map(() => []);
  }

  /**
   * Converts a step of the model into steps of a ledger: the step itself, and a `final` step for
   * each nonce that L1 has made final.
   */
  record({ state, fair, bad, ...step }, before) {
    const applied = step.applied ?? !(step.do === 'refusal' && !step.conclusive);
    const read = this.#version(step);
    const entry = { ...step, words: describe(step, this.#o), fair, applied, ...read };
    if (bad) entry.bad = bad;
    if (step.current !== undefined && read.current !== undefined && step.current !== read.current)
      throw new Error(`versions differ: ${entry.words}`);
    this.#take(entry, applied, before, state);
    const steps = [{ ...entry, after: this.#after(state) }];
    state.slot.forEach((lane, L) =>
      lane.forEach(
        (sl, n) =>
          this.#rows[L][n]?.state === 'settled' &&
          !isOpen(sl) &&
          !sl.by &&
          steps.push(this.#final(L, n, state)),
      ),
    );
    this.#compare(state, entry.words);
    return steps;
  }

  /**
   * Returns two versions of the row: the version that the command has read, and the version at the
   * time of the write.
   */
  #version({ do: what, kind, w, L, n }) {
    if (!['store', 'claim', 'settle', 'reopen'].includes(what)) return {};
    const version = this.#rows[L][n]?.version ?? 0;
    const saw =
      kind === 'prepare'
        ? (this.#seen.get(`plan ${w}`) ?? version)
        : kind === 'quarantine'
          ? version
          : (this.#seen.get(`${w}.${L}`)?.[n] ?? version);
    return { saw, version, current: saw === version };
  }

  #row(L, n) {
    while (this.#rows[L].length <= n)
      this.#rows[L].push({ state: 'open', version: 0, block: null, transactions: {} });
    return this.#rows[L][n];
  }

  #take(step, applied, before, state) {
    const { do: what, w, L, n, tx } = step;
    if (what === 'look_rows')
      this.#seen.set(
        `${w}.${L}`,
        this.#rows[L].map((row) => row.version),
      );
    if (what === 'read_for_prepare') this.#seen.set(`plan ${w}`, this.#rows[L][n]?.version ?? 0);
    if (what === 'look_chain')
      this.#answers.set(
        `${w}.${L}`,
        (step.fork ? this.#abandoned[L] : this.#blocks[L]).slice(0, step.nonce),
      );
    if (what === 'store' && step.kind === 'prepare') this.#seen.delete(`plan ${w}`);
    if (what === 'chain') this.#chain(step, before);
    if (what === 'ledger_lost')
      this.#rows = state.slot.map((lane) =>
        lane.map(() => ({ state: 'final', version: 0, block: null, transactions: {} })),
      );
    if (what === 'ledger_copied') this.#copy = structuredClone(this.#rows);
    if (what === 'ledger_restored') this.#rows = structuredClone(this.#copy);
    if (what === 'import') this.#row(L, n);
    if (what === 'adopt') this.#adopt(step, state);
    if (what === 'settle') step.block = this.#answers.get(`${w}.${L}`)?.[n] ?? this.#blocks[L][n];
    if (what === 'reopen')
      Object.assign(step, {
        block: this.#rows[L][n].block,
        answer: this.#answers.get(`${w}.${L}`)?.[n] ?? null,
      });
    if (applied && tx !== undefined && ['store', 'claim', 'refusal', 'settle'].includes(what))
      this.#write(step);
    if (applied && what === 'reopen') this.#reopen(L, n);
  }

  #write({ do: what, L, n, tx, ours, block, conclusive }) {
    const row = this.#row(L, n);
    if (what !== 'claim' || this.#o.quiet !== 'claim') row.version += 1;
    if (what === 'store') row.transactions[tx] = { claims: 1, gone: null };
    if (what === 'claim') row.transactions[tx].claims = 2;
    if (what === 'refusal' && conclusive) row.transactions[tx].gone = 'refused';
    if (what !== 'settle') return;
    Object.assign(row, { state: 'settled', block, by: tx, consumer: ours ? tx : 'foreign' });
    for (const [name, it] of Object.entries(row.transactions))
      it.gone = ours && name === tx ? null : (it.gone ?? 'lost');
  }

  /**
   * Adopts a transaction that was sent with the lost ledger, in the row that was settled as
   * foreign. The row needs the full name of the transaction, because the model's name omits prices.
   */
  #adopt(step, state) {
    const entry = `${step.tx}${step.good ? 'S' : 'R'}`;
    const L = state.inc.findIndex((lane) => lane.includes(entry));
    const n = state.inc[L].indexOf(entry);
    const row = this.#rows[L][n];
    Object.assign(step, { L, n, tx: row.by ?? step.tx });
    Object.assign(row, { version: row.version + 1, consumer: step.tx });
    row.transactions[step.tx] = { claims: 2, gone: null };
  }

  #reopen(L, n) {
    const row = this.#rows[L][n];
    for (const [name, it] of Object.entries(row.transactions))
      if (it.gone === 'lost' || name === row.consumer)
        row.transactions[name] = { claims: 2, gone: null };
    this.#rows[L][n] = {
      state: 'open',
      version: row.version + 1,
      block: null,
      transactions: row.transactions,
    };
  }

  #final(L, n, state) {
    const settledBlock = this.#rows[L][n].block;
    this.#rows[L][n].state = 'final';
    const block = this.#blocks[L][n];
    return {
      do: 'final',
      L,
      n,
      block,
      sameBlock: block === settledBlock,
      words: `n${n} of L${L} is final`,
      fair: true,
      applied: true,
      after: this.#after(state),
    };
  }

  #chain({ what, L, cut }, before) {
    if (what === 'preconfirmed' || what === 'foreign')
      this.#blocks[L].push(`b${(this.#serial += 1)}`);
    if (what === 'undone')
      this.#abandoned = this.#blocks.map((lane, K) => lane.slice(0, before.fin[K]));
    if (what === 'undone' || what === 'reorg')
      this.#blocks = this.#blocks.map((lane, K) => lane.slice(0, (cut ?? before.fin)[K]));
  }

  #after(s) {
    const attempts = s.subs.map((r) => ({
      id: idOf(r),
      state: STATES[r.st],
      lane: r.n < 0 ? null : r.L,
      nonce: r.n < 0 ? null : r.n,
      call: r.c ?? null,
      place: r.h === undefined ? null : `L${r.h.replace('.', 'n')}`,
    }));
    const owner = (L, n) => attempts.find((a) => a.lane === L && a.nonce === n)?.id ?? null;
    const nonces = this.#rows.flatMap((lane, L) =>
      lane.map((row, n) => ({ lane: L, nonce: n, owner: owner(L, n), ...structuredClone(row) })),
    );
    return {
      attempts,
      nonces,
      chain: { included: s.inc, accepted: s.fin, final: s.fin1, out: s.out },
    };
  }

  #compare(s, words) {
    if (!this.#o.keep) return;
    s.slot.forEach((lane, L) =>
      lane.forEach((sl, n) => {
        const row = this.#row(L, n);
        const mine = Object.entries(row.transactions).filter(([, it]) => it.gone === null);
        const same =
          !isOpen(sl) ||
          (row.state === 'open' &&
            mine.length === sl.length &&
            sl.every((e) => row.transactions[e.tx]?.gone === null));
        if (!same) throw new Error(`rows differ at n${n} of L${L} after: ${words}`);
      }),
    );
  }
}

const recorded = (steps, o) => {
  const recorder = new Recorder(o);
  let before = initial(o);
  return steps.flatMap((step) => {
    const made = recorder.record(step, before);
    before = step.state;
    return made;
  });
};

/** Returns the shortest trace of a variant (`M1`, `K1`, `C4` …) or a witness (`W1` …), as data. */
export function traceOf(id) {
  const variant = variants.find((v) => v[0] === id);
  if (variant) {
    const [, name, given, property, search] = variant;
    const onlySafety = /[LV]/.test(property) ? {} : { stopAt: property, liveness: false };
    const found = check(given, { limit: 1e6, ...onlySafety, ...search }).bad[property];
    return {
      id,
      name,
      options: given,
      breaks: property,
      text: found.text,
      steps: recorded(found.steps, options(given)),
    };
  }
  const [, name, given, test] = witnesses.find((w) => w[0] === id);
  const { it } = check(given, {
    limit: 1e6,
    witness: { it: test },
    liveness: false,
    stopAtWitness: true,
  }).seen;
  return {
    id,
    name,
    options: given,
    breaks: null,
    text: null,
    steps: recorded(it.steps, options(given)),
  };
}

/** Returns a generator of numbers in [0, 1). Equal seeds return equal numbers (mulberry32). */
function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Weights of the kinds of steps. A kind that is not listed has the weight 10. If all weights were
 * equal, most steps of a walk would be requests without effect and lost leases.
 */
const WEIGHTS = {
  'request false': 1,
  'end_waiting true': 1,
  'end_waiting false': 1,
  'chain foreign true': 3,
  'lease true': 2,
  'send true': 20,
  'crash true': 1,
  'key_wrong true': 3,
  'key_mended true': 2,
  'chain reorg true': 3,
  'chain l1 true': 2,
  'chain undone true': 2,
  'chain preconfirmed true': 30,
  'chain l2 true': 30,
  'settle true': 30,
  'reopen true': 60,
};
const kindOf = (step) =>
  `${step.do} ${step.kind ?? step.what ?? ''} ${step.applied ?? true}`.replace('  ', ' ');

const REOPENS = 60;
/**
 * Selects a kind of step at random, then a step of this kind. A rollback has the highest weight if
 * it undoes settled nonces.
 */
function choose(steps, s, chance) {
  const settled = s.slot.some((lane) => lane.some((sl) => sl.by));
  const weightOf = (kind) =>
    settled && kind === 'chain undone true' ? REOPENS : (WEIGHTS[kind] ?? 10);
  const kinds = [...Map.groupBy(steps, kindOf)].map(([kind, list]) => ({
    list,
    weight: weightOf(kind),
  }));
  let at = chance() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  const { list } = kinds.find(({ weight }) => (at -= weight) < 0) ?? kinds.at(-1);
  return list[Math.floor(chance() * list.length)];
}

/**
 * Returns random walks through the corrected design, including refused commands. Equal seeds return
 * equal walks.
 */
export function walks({ seed = 1, count = 300, length = 80, profiles = PROFILES } = {}) {
  return Array.from({ length: count }, (_, i) => {
    const given = profiles[i % profiles.length];
    const o = options({ ...given, explain: true });
    const chance = random(seed * 100_003 + i);
    const recorder = new Recorder(o);
    const steps = [];
    let s = initial(o);
    while (steps.length < length) {
      const offered = next(s, o);
      if (!offered.length) break;
      const step = choose(offered, s, chance);
      steps.push(...recorder.record(step, s));
      s = step.state;
      const bad = step.bad ?? broken(s, o)[0];
      if (bad) throw new Error(`walk ${i} of seed ${seed} breaks ${bad}`);
    }
    return { seed, index: i, options: given, steps };
  });
}

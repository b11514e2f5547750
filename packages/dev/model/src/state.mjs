// What a state of the model is, and the options it is searched with.
//
// tx "A1v0" key A, attempt 1, price step 0 · "--v1" a no-op · "XXv0" a foreign transaction, signed
// with our key subs attempts { k, a, st, L, n, b? }: acc (waits) · bc (under nonce n of lane L, may
// land) · ok · rev ·
//        end (refused or expired: "nothing of it can land"). b: 1 + the lane that refused it though
//        its check passes; h: "L.n" that an ok or rev comes from (where an attempt can stand under
//        several); with `renews`: c number of its call, g 1 once one was signed
// slot slot[L][n]: what may land under nonce n, [{ tx, c, as? }]; [] free; { by, was } settled, not
// final on L1; 0 settled for good;
//        1 the same, by a transaction that stands in no row (kept after an old copy only)
//        c 1: one claim, its answer still to come · 2: may be out. `as`: the attempt that the row
//        names, where that is untrue; `call`: the number of the call in the bytes (with `renews`)
// lease  instance with the lane's current fence
// look per worker and lane: 0 | { f, rows, inc?, lags? }. f -1: chain not read yet, else the
// account nonce it answered (at
//        ACCEPTED_ON_L2). rows[n] '=': nonce n was not written since it was read (its version is
//        current) · '!': it was · { o, v, z, t, d? }: it was, and this is what was read: owner,
//        highest price step, has a no-op, transactions, refused ones
// plan per worker: 0 | { x, L, n, v, s } a prepare that has read rows and signs; s: nonce written
// since wire claimed sends { w, L, n, tx, old, ans, s }: old = fence lost since; ans = a refusal to
// record (2: for the lane's account);
//        s = nonce written since
// dead   hashes refused for good under a nonce (kept only where something is decided by them)
// key per lane: 1 = its account refuses whatever we sign · rest: 0 | why the lane gives no nonces:
// 1 its check (K3: an attempt) copy 0 | { subs, slot }: the copy of the ledger that may be put in
// its place · copyUsed: it was · lost: losses so far ·
//        q: quarantine, of the nonces from base on
// truth inc (inclusions "A1v0S" / "A1v0R" in nonce order; the first fin at ACCEPTED_ON_L2, the
// first fin1 on L1) · pool (one per
//        nonce) · out (bytes that left us unrefused: they may land at any time while their nonce is
//        open) · un (rollbacks so far) · old (what the abandoned fork had included)
//
// Nested records are never changed in place (see `clone`), so that copies of a state can share
// them. Merged: versions are kept as "written since" bits (versions never repeat, so equality is
// all that matters); a stale holder's look and plan are dropped when the fence moves (each of their
// writes would be refused); crash and restart are one step.

const defaults = {
  keys: 2,
  attempts: 1,
  lanes: 1,
  maxN: 2,
  maxV: 0,
  workers: [0], // workers[w] = the instance it runs in
  maxWire: 2,
  // faults
  // the contract refuses a second success; false: exactly-once rests on the machine alone
  nullifier: true,
  reorg: true,
  crash: true,
  spurious: true, // a call may revert by itself
  foreign: 0, // foreign transactions signed with our key
  refuses: '', // a key whose transactions the node refuses for good
  lag: false, // nodes may lag
  lying: false, // a refusal may come back although the bytes took effect
  // a send that one node does not answer goes on to another under its claim, whose refusal counts
  onward: false,
  // commands
  versioned: '', // which commands name the version they saw: any of COMMANDS
  // commands that do not move the version on (they change neither owner nor what may land)
  quiet: 'claim',
  // settle carries the consumer's hash; ours or foreign is decided in the write (false: on the rows
  // of the look)
  hash: false,
  owner: false, // replace, cancel and settle's verdict name the owner they were made for
  // an attempt that comes back may be signed at another price (another hash under the same nonce)
  reprice: false,
  chainFirst: false, // a look reads the chain, then the rows
  claimsPassed: false, // bytes are claimed again under a nonce that the look knows to be passed
  strict: false, // a refusal proves nothing
  onlyClaim: true, // a refusal counts only for the first and only claim
  cancel: true,
  again: true, // a further, dearer no-op against an owner
  replace: true,
  ceiling: true, // a no-op may be signed at the price ceiling, whatever is there
  resend: true,
  fillGaps: true,
  lowIsRefusal: false, // "nonce too low" is taken for a refusal
  freeOnTimeout: false, // a send that times out gives its attempt back
  settleAt: 'l2', // evidence of settle: 'l2' | 'pre' (PRE_CONFIRMED)
  // newer calls of the same effect
  renews: 0, // how often an attempt that waits may take one
  callNamed: true, // a prepare names the call that it signed
  onlyUnsigned: true, // none is taken once bytes of an older one were signed
  // lanes
  wrongKeys: 0, // how often a lane's account may begin to refuse whatever we sign
  mends: true, // … and is mended
  poison: '', // a key whose calls every account refuses in the same words
  // what such a refusal means for the attempt: 'lane' it may go to another lane | 'call' it ends
  laneCause: 'lane',
  moveOn: 'only', // when it frees the attempt: 'only' the first and only claim | 'any'
  restsOnce: true, // only its own check rests a lane, not each refused attempt
  checked: true, // a refusal counts against the attempt only if the lane's own check passes
  // rollback of ACCEPTED_ON_L2
  undo: 0, // how often
  keep: true, // bytes of settled nonces are kept until L1
  // what is compared until L1: '' nothing | 'nonce' the account nonce | 'consumer' | 'block' of the
  // receipt (so its result too)
  reopen: 'block',
  // when may an attempt that lost its nonce get another one, or its key another attempt: 'l2' |
  // 'l1'
  moveAt: 'l1',
  endAt: 'l1', // when may it end as refused or expired
  lagReopens: false, // a node that lags makes us reopen what is not undone
  fork: false, // a replica may still answer from the abandoned fork
  // whose outcome is written when a nonce settles: '' its owner's | 'consumer' its consumer's
  // attempt too | 'all' every attempt under it,
  adopt: '',
  // and an attempt that leaves a nonce has succeeded if any transaction of it has
  // what S2 and S5 are judged by: 'strict' every answer | 'final' rows alone (S2), what is final on
  // L1 (S5)
  reports: 'strict',
  // a lost ledger: the rows are gone, or those of an old copy; the accounts and what is in flight
  // are not
  lose: 0, // how often it is lost
  restore: 0, // how often an old copy is put in its place
  // '' start at once | 'age' wait until it should have left the mempools | 'noops' consume what the
  // old one may have used
  quarantine: '',
  window: 1, // how many nonces that is (at most what a lane may have in flight)
  // where the window begins: 'account' nonce | 'row' above the copy's highest | 'both' the higher
  // one
  mark: 'both',
  windowed: true, // prepare gives no nonce further than that above the account nonce
  resendCopy: false, // bytes of the copy are sent again in quarantine
  // a key that a transaction of our accounts has paid is answered as paid, and gets no nonce
  adoptChain: true,
  // an outcome found on chain replaces an end that no receipt supports
  corrects: true,
  // what waits may end before the ledger is judged
  endsUnjudged: false,
};

const COMMANDS = ['settle', 'store', 'claim', 'prepare', 'refusal'];
export const KEYS = 'ABCDEFGH';
export const NOOP = '--';
/** First attempt that a ledger numbers after a loss: those before it may have been used. */
export const AFTER_LOSS = 5;
export const LANE = 2;

/** Options with what follows from them. */
export const options = (given = {}) => {
  const o = { ...defaults, ...given };
  const names = Object.fromEntries(COMMANDS.map((c) => [c, o.versioned.includes(c)]));
  return {
    ...o,
    names,
    // rows of refused transactions stay: a settle on old rows knows their hashes
    remembers: !o.hash && !names.settle,
    keepsContent: !!o.explain || !(names.settle && names.store && names.claim),
    several: o.workers.length > 1,
    laneNumbers: Array.from({ length: o.lanes }, (_, L) => L),
  };
};

export const initial = (o) => {
  const lanes = (value) => Array.from({ length: o.lanes }, value);
  return {
    subs: [],
    slot: lanes(() => []),
    lease: lanes(() => 0),
    look: o.workers.flatMap(() => lanes(() => 0)),
    plan: o.workers.map(() => 0),
    wire: [],
    inc: lanes(() => []),
    fin: lanes(() => 0),
    fin1: lanes(() => 0),
    pool: lanes(() => Array(o.maxN).fill('')),
    out: lanes(() => Array.from({ length: o.maxN }, () => [])),
    dead: lanes(() => []),
    key: lanes(() => 0),
    rest: lanes(() => 0),
    faults: 0,
    un: 0,
    old: 0,
    copy: 0,
    copyUsed: 0,
    lost: 0,
    q: 0,
    base: 0,
  };
};

/** A state as the text by which it is known: its values in the order of `initial`. */
export const pack = (s) => JSON.stringify(Object.values(s));
export const unpack = (text, fields) => {
  const values = JSON.parse(text);
  const s = {};
  for (let i = 0; i < fields.length; i++) s[fields[i]] = values[i];
  return s;
};

const two = (lanes) => lanes.map((l) => l.slice());
export const clone = (s) => ({
  ...s,
  subs: s.subs.slice(),
  slot: two(s.slot),
  lease: s.lease.slice(),
  look: s.look.slice(),
  plan: s.plan.slice(),
  wire: s.wire.slice(),
  inc: two(s.inc),
  fin: s.fin.slice(),
  fin1: s.fin1.slice(),
  pool: two(s.pool),
  out: two(s.out),
  dead: two(s.dead),
  key: s.key.slice(),
  rest: s.rest.slice(),
});

export const own = (tx) => tx.slice(0, 2);
export const price = (tx) => +tx[3];
export const isNoop = (tx) => tx[0] === '-';
export const live = (r) => r.st === 'acc' || r.st === 'bc';
export const isOpen = (sl) => Array.isArray(sl);
export const isFree = (sl) => isOpen(sl) && sl.length === 0;
export const isFinal = (sl) => typeof sl === 'number';
export const idOf = (r) => (r ? r.k + r.a : '');
/** The attempt that the row of a transaction names. */
export const label = (e) => e.as ?? own(e.tx);
export const holder = (s, L, n) => s.subs.find((r) => r.n === n && r.L === L);
export const sameConsumer = (by, entry, o) =>
  o.reopen === 'block' ? entry === by : entry.slice(0, 4) === by.slice(0, 4);
const standsUnder = (sl, id) =>
  sl.was && (own(sl.by) === id || sl.was.some((e) => label(e) === id));
/** An attempt that has transactions under a settled nonce that is not final on L1. */
export const unfinal = (s, id) => s.slot.some((lane) => lane.some((sl) => standsUnder(sl, id)));
/**
 * The inclusion at ACCEPTED_ON_L2 that paid this key; `settled`: under a nonce that the ledger
 * knows to be consumed.
 */
export const payment = (s, k, settled = false) => {
  for (let L = 0; L < s.inc.length; L++)
    for (let n = 0; n < s.fin[L]; n++)
      if (
        s.inc[L][n][0] === k &&
        s.inc[L][n][4] === 'S' &&
        !(settled && (n >= s.slot[L].length || isOpen(s.slot[L][n])))
      )
        return s.inc[L][n];
};

/** The payment of a key whose last attempt has ended unpaid, for an outcome that corrects it. */
export const wrongEnd = (s, o, r) =>
  r.st === 'end' &&
  o.corrects &&
  o.adoptChain &&
  s.lost &&
  s.subs.filter(({ k }) => k === r.k).at(-1) === r &&
  payment(s, r.k, true);

export const put = (t, r, st, L = -1, n = -1, b = r.b, h) => {
  const call = r.c !== undefined && { c: r.c, ...((r.g || r.st === 'bc') && { g: 1 }) };
  t.subs[t.subs.indexOf(r)] = {
    k: r.k,
    a: r.a,
    st,
    L,
    n,
    ...(b && (st === 'acc' || st === 'bc') && { b }),
    ...(h && { h }),
    ...call,
  };
};

const byName = (x, y) => (x.sort < y.sort ? -1 : 1);
const sortWire = (wire) => {
  if (wire.length < 2) return wire;
  return wire
    .map((x) => ({ x, sort: x.tx + x.L + x.n + x.w + x.old + x.ans + x.s }))
    .sort(byName)
    .map(({ x }) => x);
};

/** Merges states that no step distinguishes. */
export const tidy = (s, o) => {
  if (!o.undo) s.fin1 = s.fin.slice();
  for (let L = 0; L < o.lanes; L++) {
    const lane = s.slot[L];
    for (let n = 0; n < lane.length; n++) {
      const sl = lane[n];
      if (isOpen(sl)) {
        // A claim whose answer is not waited for may be out.
        if (
          sl.some(
            (e) =>
              e.c === 1 && !s.wire.some((x) => !x.old && x.L === L && x.n === n && x.tx === e.tx),
          )
        )
          lane[n] = sl.map((e) =>
            e.c === 1 && !s.wire.some((x) => !x.old && x.L === L && x.n === n && x.tx === e.tx)
              ? { ...e, c: 2 }
              : e,
          );
      } else if (sl && sl.by && n < s.fin1[L] && sameConsumer(sl.by, s.inc[L][n], o))
        lane[n] = sl.unknown ?? 0;
      if (isFinal(lane[n]) && s.inc[L][n][3] !== '0')
        s.inc[L][n] = own(s.inc[L][n]) + 'v0' + s.inc[L][n][4];
    }
    for (let n = 0; n < s.fin1[L]; n++) if (s.out[L][n].length) s.out[L][n] = [];
  }
  s.wire = sortWire(s.wire);
  return s;
};

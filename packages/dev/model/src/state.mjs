// State of the model, and the options of a search. The fields of a state:
//
// - `tx`: a transaction. "A1v0" is key A, attempt 1, price step 0; "--v1" is a no-op; "XXv0" is a
//   foreign transaction, signed with our key.
// - `subs`: attempts { k, a, st, L, n, b? }. `st` is acc (waits), bc (under nonce n of lane L, may
//   land), ok, rev, or end (refused or expired: no transaction of the attempt can land). `b` is 1 +
//   the lane that refused the attempt although the lane's check passes. `h` is "L.n", the nonce
//   that an ok or rev comes from (if an attempt can have several). With `renews`, `c` is the number
//   of the attempt's call, and `g` is 1 once a call was signed.
// - `slot`: slot[L][n] contains the transactions that may land under nonce n: [{ tx, c, as? }], or
//   [] if the nonce is free. A nonce that is settled but not final on L1 is `{ by, was }`. A
//   finally settled nonce is `0`, or `1` if a transaction without a row settled it (stored after an
//   old copy only). In an entry, `c` 1 means one claim with a pending answer, and `c` 2 means
//   possibly broadcast. `as` is the attempt in the row, if it is wrong. `call` is the number of the
//   call in the bytes (with `renews`).
// - `lease`: instance with the lane's current fence.
// - `poll`: a poll, per worker and lane: 0 | { f, rows, inc?, lags? }. `f` is -1 until the chain
//   was read, then the account nonce that was read (at ACCEPTED_ON_L2). `rows[n]` is '=' if nonce n
//   was not written since the poll read it, so its version is current. If it was written, `rows[n]`
//   is '!', or the data read before: `{ o, v, z, t, d? }`. These fields are the owner, the highest
//   price step, whether a no-op exists, the transactions, and the refused transactions.
// - `plan`: per worker, 0 | { x, L, n, v, s }: a prepare that has read rows and signs. `s` is 1 if
//   the nonce was written since.
// - `wire`: claimed sends { w, L, n, tx, old, ans, s }. `old` is 1 if the fence was lost since.
//   `ans` is a refusal that is not recorded yet (2: by the lane's account). `s` is 1 if the nonce
//   was written since.
// - `dead`: hashes that were refused finally under a nonce (stored only if a decision depends on
//   them).
// - `key`: per lane, 1 if the lane's account refuses everything that we sign.
// - `rest`: per lane, 0, or the reason why the lane assigns no nonces: 1 for its check (K3: an
//   attempt).
// - `copy`: 0 | { subs, slot }, a copy of the ledger that may replace it. `copyUsed` is 1 after the
//   replacement. `lost` is the number of losses.
// - `q`: 1 during the quarantine of the nonces from `base` on.
//
// Fields of the chain's true state:
//
// - `inc`: inclusions "A1v0S" / "A1v0R" in nonce order. The first `fin` are at ACCEPTED_ON_L2, and
//   the first `fin1` are final on L1.
// - `pool`: the mempool, with one transaction per nonce.
// - `out`: bytes that were sent and not refused. They may land at any time while their nonce is
//   open.
// - `un`: number of rollbacks. `old`: inclusions of the abandoned fork.
//
// Nested records are never changed in place (see `clone`), so copies of a state can share them.
//
// Some states are merged. A version is stored as the flag "written since": versions never repeat,
// so only equality matters. When the fence moves, the poll and plan of the earlier holder are
// dropped, since each of their writes would be refused. Crash and restart are one step.

const defaults = {
  keys: 2,
  attempts: 1,
  lanes: 1,
  maxN: 2,
  maxV: 0,
  workers: [0], // workers[w] = the instance it runs in
  maxWire: 2,
  // Faults
  //
  // true: the contract refuses a second success; false: exactly-once depends on the machine alone
  nullifier: true,
  reorg: true,
  crash: true,
  spurious: true, // a call may revert spontaneously
  foreign: 0, // foreign transactions signed with our key
  refuses: '', // a key whose transactions the node refuses for good
  lag: false, // nodes may lag
  lying: false, // a refusal may come back although the bytes took effect
  // a send without an answer is sent to another node under the same claim, and the refusal of that
  // node is evidence
  onward: false,
  // Commands
  versioned: '', // commands that name the version they read: any of COMMANDS
  // commands that do not increment the version, because they change neither the owner nor the
  // transactions that can land
  quiet: 'claim',
  // true: settle contains the consumer's hash, and the write decides whether the consumer is ours
  // or foreign; false: the rows that the poll read decide
  hash: false,
  owner: false, // replace, cancel and the verdict of a settle name their owner
  // true: an attempt may be signed again at another price, as another hash under the same nonce
  reprice: false,
  chainFirst: false, // a poll reads the chain, then the rows
  claimsPassed: false, // bytes are claimed again under a nonce that the poll knows to be passed
  strict: false, // a refusal proves nothing
  onlyClaim: true, // a refusal counts only for the first and only claim
  cancel: true,
  again: true, // a further, higher-priced no-op against an owner
  replace: true,
  ceiling: true, // a no-op may be signed at the price ceiling, whichever prices exist
  resend: true,
  fillGaps: true,
  lowIsRejection: false, // "nonce too low" counts as a refusal
  freeOnTimeout: false, // a send that times out frees its attempt
  settleAt: 'l2', // evidence of settle: 'l2' | 'pre' (PRE_CONFIRMED)
  // Keys whose calls have a last block, which the contract checks. The block may pass at any
  // moment, and a rollback may undo this. Once it has passed, the machine neither signs such a call
  // nor sends its bytes again, and the call reverts. So none of these steps is fair, and their
  // safety does not depend on the moment.
  late: '',
  // Newer calls of the same effect
  renews: 0, // number of calls that a waiting attempt may accept
  callNamed: true, // a prepare names the call that it signed
  onlyUnsigned: true, // none is accepted once bytes of an older one were signed
  // Lanes
  wrongKeys: 0, // number of times that a lane's account may begin to refuse everything we sign
  mends: true, // … and is repaired
  poison: '', // a key whose calls every account refuses in the same words
  // effect on the attempt if the lane's account refuses its call: 'lane': it may move to another
  // lane | 'call': it ends
  laneCause: 'lane',
  moveOn: 'only', // claims that free the attempt: 'only' the first and only one | 'any'
  restsOnce: true, // a lane rests only by its own check, not by each refused attempt
  checked: true, // a refusal counts against the attempt only if the lane's own check passes
  // Rollback of blocks at ACCEPTED_ON_L2
  undo: 0, // number of rollbacks
  keep: true, // bytes of settled nonces are kept until L1
  // data of a settled nonce that a poll compares until L1: '' nothing | 'nonce' the account nonce |
  // 'consumer' | 'block' of the receipt (and thereby the result)
  reopen: 'block',
  // finality at which an attempt that lost its nonce may get another nonce, and a key another
  // attempt: 'l2' | 'l1'
  moveAt: 'l1',
  endAt: 'l1', // finality at which it may end as refused or expired
  lagReopens: false, // a lagging node causes a reopening of nonces that are not undone
  fork: false, // a replica may still answer from the abandoned fork
  // outcomes that are written when a nonce settles: '' the outcome of its owner | 'consumer' also
  // the outcome of its consumer's attempt | 'all' the outcomes of every attempt under it. With
  // 'all', an attempt that leaves a nonce has succeeded if any of its transactions has succeeded
  adopt: '',
  // basis of S2 and S5: 'strict': every answer | 'final': only the rows (S2) and only outcomes that
  // are final on L1 (S5)
  reports: 'strict',
  // A lost ledger: its rows are deleted, or replaced by the rows of an old copy. Accounts and
  // transactions in flight remain.
  lose: 0, // number of losses
  restore: 0, // number of replacements by an old copy
  // condition for the start after a loss. '': start immediately. 'age': wait for the mempool
  // lifetime. 'noops': consume the nonces that may have been used with the old ledger
  quarantine: '',
  window: 1, // number of these nonces (at most as many as a lane may have in flight)
  // start of the window. 'account': the account nonce. 'row': the nonce above the copy's highest
  // row. 'both': the higher of these two nonces
  mark: 'both',
  windowed: true, // prepare assigns no nonce beyond the window above the account nonce
  resendCopy: false, // bytes of the copy are sent again in quarantine
  // true: a key that a transaction of our accounts has paid is reported as paid, and gets no nonce
  adoptChain: true,
  // true: an outcome found on chain replaces an end without a receipt
  corrects: true,
  // true: waiting attempts may end before the ledger was compared with its chain
  endsUnjudged: false,
};

const COMMANDS = ['settle', 'store', 'claim', 'prepare', 'refusal'];
export const KEYS = 'ABCDEFGH';
export const NOOP = '--';
/**
 * First attempt number that a ledger assigns after a loss. The lower numbers may have been used in
 * the lost ledger.
 */
export const AFTER_LOSS = 5;
export const LANE = 2;

/** Returns true if the last block of this call may have passed. A no-op has no last block. */
export const mayBeLate = (o, tx) => o.late.includes(tx[0]);

/** Completes the given options with defaults and derived options. */
export const options = (given = {}) => {
  const o = { ...defaults, ...given };
  const names = Object.fromEntries(COMMANDS.map((c) => [c, o.versioned.includes(c)]));
  return {
    ...o,
    names,
    // true if the rows of refused transactions are kept. A settle that is based on outdated rows
    // may know the hashes of these transactions
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
    poll: o.workers.flatMap(() => lanes(() => 0)),
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

/** Packs a state into its search key: the values in the order of `initial`. */
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
  poll: s.poll.slice(),
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
/** Returns the attempt in the row of a transaction. */
export const label = (e) => e.as ?? own(e.tx);
export const holder = (s, L, n) => s.subs.find((r) => r.n === n && r.L === L);
export const sameConsumer = (by, entry, o) =>
  o.reopen === 'block' ? entry === by : entry.slice(0, 4) === by.slice(0, 4);
const standsUnder = (sl, id) =>
  sl.was && (own(sl.by) === id || sl.was.some((e) => label(e) === id));
/** Returns true if an attempt has transactions under a settled nonce that is not final on L1. */
export const unfinal = (s, id) => s.slot.some((lane) => lane.some((sl) => standsUnder(sl, id)));
/**
 * Returns the inclusion at ACCEPTED_ON_L2 that paid this key. With `settled`, returns it only if
 * the ledger has recorded that its nonce is consumed.
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

/**
 * Returns the transaction that paid a key although the key's last attempt ended as unpaid. This
 * payment corrects the end of the attempt.
 */
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

/** Merges states that differ only in data that no step distinguishes. */
export const tidy = (s, o) => {
  if (!o.undo) s.fin1 = s.fin.slice();
  for (let L = 0; L < o.lanes; L++) {
    const lane = s.slot[L];
    for (let n = 0; n < lane.length; n++) {
      const sl = lane[n];
      if (isOpen(sl)) {
        // The answer to this claim can no longer arrive, so the bytes may have been broadcast.
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

// Cases that are checked. Every design must satisfy all properties, except the properties in its
// `breaks`, which it must break. Every variant must break the property that is listed for it.
export const mended = { versioned: 'settle store claim prepare', hash: true, owner: true };
const byVersion = { versioned: 'settle store claim prepare' };
const byOwner = { hash: true, owner: true };
const instances = { workers: [0, 1] };
const workers = { workers: [0, 0] };
const poor = { nullifier: false };
const calm = { crash: false, reorg: false, spurious: false };
const starve = { starve: true };

/** Rows of the matrix in results.md. The matrix shows which cases need which rule. */
export const rules = [
  ['neither hash nor owner nor version', {}],
  ['settle carries the hash', { hash: true }],
  ['owner is named', { owner: true }],
  ['hash and owner', byOwner],
  ['version on settle only', { versioned: 'settle' }],
  ['version on store (replace, cancel, fill) only', { versioned: 'store' }],
  ['version on settle and store', { versioned: 'settle store' }],
  ['version on settle, store, claim, prepare', byVersion],
  ['the same and on the refusal', { versioned: 'settle store claim prepare refusal' }],
  ['hash on settle, version on store', { hash: true, versioned: 'store' }],
];
export const grounds = [
  ['1 key × 2 attempts', { keys: 1, attempts: 2, ...poor }],
  ['1 key, 2 prices, priced again', { keys: 1, maxV: 1, cancel: false, reprice: true, ...poor }],
  ['1 key, 2 prices, no-op', { keys: 1, maxV: 1, ...poor }],
  ['2 keys', { keys: 2, ...poor }],
  ['2 keys, 2 prices, few faults', { keys: 2, maxV: 1, cancel: false, ...calm, ...poor }],
  ['2 keys, no-op, few faults', { keys: 2, maxV: 1, replace: false, ...calm, ...poor }],
  ['2 instances', { ...instances, keys: 1, attempts: 2, ...poor }],
  ['2 workers in one', { ...workers, keys: 1, ...poor }],
];

export const designs = [
  ['smallest', { ...mended, keys: 1 }, starve],
  [
    'second attempt, no nullifier, lagging node',
    { ...mended, keys: 1, attempts: 2, lag: true, ...poor },
    starve,
  ],
  [
    'replacement, no-op, priced again',
    { ...mended, keys: 1, maxV: 1, reprice: true, ...poor },
    starve,
  ],
  ['two submissions, lagging node', { ...mended, keys: 2, lag: true, ...poor }, starve],
  ['two submissions, three sends in flight', { ...mended, keys: 2, maxWire: 3, ...poor }, starve],
  ['two submissions, second attempts', { ...mended, keys: 2, attempts: 2, ...poor }, starve],
  ['two submissions, three nonces', { ...mended, keys: 2, maxN: 3, ...poor }, starve],
  [
    'foreign transaction, lagging node, old head',
    { ...mended, keys: 1, attempts: 2, maxN: 3, foreign: 1, lag: true },
    starve,
  ],
  [
    'foreign transaction, two submissions',
    { ...mended, keys: 2, maxN: 3, foreign: 1, crash: false },
    starve,
  ],
  ['two instances', { ...mended, ...instances, keys: 1, attempts: 2, lag: true, ...poor }, starve],
  ['two instances, replacement, no-op', { ...mended, ...instances, keys: 1, maxV: 1 }, starve],
  ['two instances, two submissions', { ...mended, ...instances, keys: 2, ...poor }, starve],
  [
    'two workers in one instance: two concurrent polls',
    { ...mended, ...workers, keys: 1, attempts: 2, ...poor },
    starve,
  ],
  ['the node refuses A for good', { ...mended, keys: 1, maxV: 1, refuses: 'A' }, starve],
  ['a further, dearer no-op', { ...mended, keys: 1, maxV: 2, replace: false, ...poor }, starve],
  [
    'a further no-op at the ceiling, in addition to a dearer call',
    { ...mended, keys: 1, maxV: 2, ...calm, ...poor },
    starve,
  ],
  [
    'a further no-op; the node refuses A for good',
    { ...mended, keys: 1, maxV: 2, replace: false, refuses: 'A' },
    starve,
  ],
  ['no attempt is forced to end without success', { ...mended, keys: 2 }, { noGivingUp: true }],
  [
    'strict: refusals prove nothing and may be untrue',
    { ...mended, keys: 1, maxV: 1, strict: true, lying: true, ...poor },
  ],
  [
    'the refusal names the version too: safe and live, see the witness',
    { ...mended, versioned: `${mended.versioned} refusal`, keys: 1, maxV: 1, refuses: 'A' },
    starve,
  ],
  ['claims move the version on', { ...mended, quiet: '', keys: 2, ...poor }, starve],
  [
    'a newer call, second attempt, lagging node',
    { ...mended, keys: 1, attempts: 2, renews: 1, lag: true, ...poor },
    starve,
  ],
  [
    'a newer call, two instances, replacement',
    { ...mended, ...instances, keys: 1, maxV: 1, cancel: false, renews: 1 },
    starve,
  ],
  [
    'a last block: late calls revert, and are neither signed nor sent again',
    { ...mended, keys: 1, maxV: 1, late: 'A' },
    starve,
  ],
  [
    'a last block, two instances',
    { ...mended, ...instances, keys: 1, maxV: 1, replace: false, late: 'A' },
    starve,
  ],
  [
    'a last block, a newer call',
    { ...mended, keys: 1, maxV: 1, replace: false, renews: 1, late: 'A' },
    starve,
  ],
  [
    'no version, but the chain is read before the rows: closes M1 (not M2)',
    { chainFirst: true, keys: 2, ...calm, ...poor },
  ],
  [
    'the same, two prices, priced again',
    { chainFirst: true, keys: 1, maxV: 1, cancel: false, reprice: true, ...poor },
  ],
  [
    'weaker rule (hash and owner), two concurrent polls',
    { ...byOwner, ...workers, keys: 1, attempts: 2, ...poor },
  ],
  ['weaker rule, two submissions, three nonces', { ...byOwner, keys: 2, maxN: 3, ...poor }],
  [
    'weaker rule, replacement, no-op, priced again',
    { ...byOwner, keys: 1, maxV: 1, reprice: true, ...poor },
  ],
];

const pair = { ...mended, lanes: 2, ...poor };
export const lanes = [
  ['two lanes', { ...pair, keys: 1, attempts: 2 }],
  ['two lanes, one key wrong', { ...pair, keys: 1, attempts: 2, wrongKeys: 1 }],
  [
    'two lanes, two submissions, one key wrong',
    { ...pair, keys: 2, maxN: 1, wrongKeys: 1, ...calm },
  ],
  [
    'two lanes, no-op, one key wrong',
    { ...pair, keys: 1, maxN: 1, maxV: 1, replace: false, wrongKeys: 1, ...calm },
  ],
  ['two lanes, two instances, one key wrong', { ...pair, ...instances, keys: 1, wrongKeys: 1 }],
  [
    'a call that every account refuses',
    { ...pair, keys: 1, maxV: 1, replace: false, poison: 'A', ...calm },
  ],
  ['two lanes, one rollback', { ...pair, keys: 1, attempts: 2, undo: 1 }],
  ['two lanes, one key wrong, one rollback', { ...pair, keys: 1, wrongKeys: 1, undo: 1, ...calm }],
  [
    'two keys wrong one after the other (S9: see K6)',
    { ...pair, keys: 1, wrongKeys: 2 },
    { breaks: 'S9' },
  ],
];

export const rollback = [
  [
    'one rollback, second attempt, no nullifier',
    { ...mended, keys: 1, attempts: 2, undo: 1, ...poor },
  ],
  [
    'two rollbacks, a lagging node makes us reopen',
    { ...mended, keys: 1, attempts: 2, undo: 2, lag: true, lagReopens: true, ...poor },
  ],
  ['two submissions, one rollback', { ...mended, keys: 2, undo: 1, ...poor }],
  ['replacement and no-op, one rollback', { ...mended, keys: 1, maxV: 1, undo: 1, ...poor }],
  [
    'two submissions, two rollbacks, lagging node',
    { ...mended, keys: 2, undo: 2, lag: true, lagReopens: true, crash: false, ...poor },
  ],
  [
    'foreign transaction, one rollback',
    { ...mended, keys: 1, attempts: 2, maxN: 3, foreign: 1, undo: 1, ...poor },
  ],
  [
    'two instances, one rollback',
    { ...mended, ...instances, keys: 1, attempts: 2, undo: 1, ...poor },
  ],
  [
    'a replica on the abandoned fork',
    { ...mended, keys: 2, undo: 1, fork: true, crash: false, ...poor },
  ],
  [
    'the same, replacement and no-op',
    { ...mended, keys: 1, maxV: 1, undo: 1, fork: true, crash: false, spurious: false, ...poor },
  ],
  ['weaker rule (hash and owner), one rollback', { ...byOwner, keys: 2, undo: 1, ...poor }],
];

/** Design for calls that a nullifier protects: they may continue at ACCEPTED_ON_L2. */
const early = { ...mended, undo: 1, moveAt: 'l2', endAt: 'l2', adopt: 'all' };
const final = { ...early, reports: 'final' };
export const moved = [
  [
    'second attempt at ACCEPTED_ON_L2, judged strictly',
    { ...early, keys: 1, attempts: 2 },
    { breaks: 'S2 S5' },
  ],
  ['the same, judged by rows and by final outcomes', { ...final, keys: 1, attempts: 2 }],
  ['two rollbacks', { ...final, keys: 1, attempts: 2, undo: 2 }],
  ['another nonce at ACCEPTED_ON_L2: no-op', { ...final, keys: 1, maxV: 1, replace: false }],
  ['the same, a last block', { ...final, keys: 1, maxV: 1, replace: false, late: 'A' }],
  [
    'two submissions, foreign transaction',
    { ...final, keys: 2, foreign: 1, crash: false, reorg: false },
  ],
];

const gone = { ...mended, lose: 1, quarantine: 'noops', ...poor };
export const lost = [
  ['one submission in flight', { ...gone, keys: 1, maxN: 3 }],
  [
    'one submission, replacement, contract with nullifier',
    { ...gone, keys: 1, maxN: 2, maxV: 1, cancel: false, nullifier: true, crash: false },
  ],
  ['two submissions, two nonces in use', { ...gone, keys: 2, maxN: 4, window: 2, ...calm }],
];

const copy = { ...mended, restore: 1, quarantine: 'noops', ...poor };
export const copies = [
  ['one submission', { ...copy, keys: 1, maxN: 3 }],
  [
    'one submission, contract with nullifier, lagging node',
    { ...copy, keys: 1, maxN: 3, lag: true, nullifier: true },
  ],
  [
    'one submission, two nonces in use, lagging node',
    { ...copy, keys: 1, maxN: 3, window: 2, lag: true, ...calm },
  ],
  ['one submission, replacement and no-op', { ...copy, keys: 1, maxN: 3, maxV: 1, ...calm }],
  ['two submissions', { ...copy, keys: 2, maxN: 3, ...calm }],
  [
    'one submission, second attempt: an end in the copy is corrected',
    { ...copy, keys: 1, maxN: 3, attempts: 2, ...calm },
  ],
];

const undone = { ...mended, keys: 1, undo: 1, crash: false, reorg: false, ...poor };
const lossy = { ...gone, ...calm, keys: 2, maxN: 4, window: 2 };
const stale = { ...copy, ...calm, keys: 2, maxN: 3, window: 2 };
const small = { ...mended, keys: 1 };
/**
 * Variants that lack a rule. Each has an id, the effect of the missing rule, options, the property
 * that its trace breaks (or one of several), and search options.
 */
export const variants = [
  [
    'M1',
    'a settle decided on old rows, no nullifier; one submission, priced again',
    { keys: 1, maxV: 1, cancel: false, reprice: true, ...calm, ...poor },
    'S1',
  ],
  ["M1'", 'the same with two submissions, one price', { keys: 2, ...calm, ...poor }, 'S1'],
  [
    "M1''",
    'the same, contract with nullifier: paid, and answered "refused"',
    { keys: 2, ...calm },
    'S5',
  ],
  [
    'M2',
    'M1 mended: replace uses the owner of today’s row',
    { hash: true, keys: 2, maxV: 1, cancel: false, ...calm, ...poor },
    'S3',
  ],
  ["M2'", 'the same: cancel', { hash: true, keys: 2, maxV: 1, replace: false, ...calm }, 'S6'],
  [
    "M2''",
    "the same: settle's verdict on the loser",
    { hash: true, keys: 2, foreign: 1, ...calm },
    'S6',
  ],
  [
    'O',
    'the owner is named but no hash: priced again under the same nonce',
    { owner: true, keys: 1, maxV: 1, cancel: false, reprice: true, ...calm, ...poor },
    'S1',
  ],
  [
    'V',
    'every claim moves the version on, and bytes are claimed again under a nonce known to be passed: starvation',
    { ...mended, ...workers, keys: 1, quiet: '', claimsPassed: true },
    'V',
    starve,
  ],
  [
    'R1',
    'after a time-out the attempt goes to another nonce',
    { ...small, ...calm, ...poor, freeOnTimeout: true },
    'S1',
  ],
  [
    'R2',
    'a refusal counts although an earlier send may have arrived',
    { ...small, ...calm, onlyClaim: false },
    'S5',
  ],
  [
    'R3',
    'one claim, but the HTTP client or a proxy sends it twice',
    { ...small, ...calm, lying: true },
    'S5',
  ],
  [
    "R3'",
    'a send that one node does not answer is repeated to another under the same claim, and its refusal counts',
    { ...small, ...calm, onward: true },
    'S5',
  ],
  [
    'R4',
    '52 "nonce too low" is treated as a refusal',
    { ...small, foreign: 1, lowIsRejection: true },
    'S5',
  ],
  [
    'R5',
    'settle at PRE_CONFIRMED',
    { ...small, ...poor, attempts: 2, settleAt: 'pre', moveAt: 'l2' },
    'S1',
  ],
  [
    'R6',
    'a gap is not filled',
    { ...small, ...calm, keys: 2, maxN: 3, fillGaps: false },
    'L',
    { noGivingUp: true },
  ],
  ['R7', 'stored bytes are never sent twice', { ...small, ...calm, resend: false }, 'L'],
  [
    'R8',
    'no no-op: the node refuses the call for good',
    { ...small, ...calm, maxV: 1, cancel: false, refuses: 'A' },
    'L',
  ],
  [
    'D1',
    'no no-op is stored against a call whose last block has passed',
    { ...small, ...calm, maxV: 1, cancel: false, late: 'A' },
    'L',
  ],
  [
    'R9',
    'replacements may use up the price ceiling, and the no-op must outbid them; the node refuses the call for good',
    { ...small, ...calm, maxV: 1, ceiling: false, refuses: 'A' },
    'L',
  ],
  [
    'K1',
    'a refusal for the lane moves the attempt although it was not the first and only claim',
    { ...pair, ...calm, keys: 1, wrongKeys: 1, moveOn: 'any' },
    'S1',
  ],
  [
    "K1'",
    'the same: the attempt can land on both lanes',
    { ...pair, ...calm, keys: 1, wrongKeys: 1, moveOn: 'any' },
    'S3',
  ],
  [
    'K2',
    'a refusal for the lane’s account is treated as the call’s fault',
    { ...pair, ...calm, keys: 1, wrongKeys: 1, laneCause: 'call' },
    'S9',
  ],
  [
    'K3',
    'one attempt makes every lane rest that it comes to',
    { ...pair, ...calm, keys: 1, poison: 'A', restsOnce: false },
    'S8',
  ],
  [
    'K4',
    'refusals for the lane count against the attempt without a check of the lane',
    { ...pair, ...calm, keys: 1, wrongKeys: 2, checked: false },
    'S9',
  ],
  [
    'K5',
    'the key is never mended: a transaction that was claimed twice there stays open',
    { ...pair, ...calm, keys: 1, maxN: 1, maxV: 1, replace: false, wrongKeys: 1, mends: false },
    'L',
  ],
  [
    'K6',
    'keys wrong twice, mended between refusal and check each time (no rule prevents it: a check speaks of its own moment; nothing is paid)',
    { ...pair, ...calm, keys: 1, wrongKeys: 2 },
    'S9',
  ],
  ['U0', 'rollback: a settled nonce is never reopened', { ...undone, reopen: '' }, 'L'],
  [
    'U1',
    'reopen only while the account nonce is below: consumed again before the next poll',
    { ...undone, maxV: 1, reopen: 'nonce' },
    'S5',
    { stopAt: 'S5' },
  ],
  [
    'U2',
    'reopen when the consumer differs: the same transaction, another result',
    { ...undone, attempts: 2, reopen: 'consumer' },
    'S1',
  ],
  ['U3', 'bytes are wiped when the nonce is settled', { ...undone, keep: false }, 'S0'],
  ["U3'", 'the same: and afterwards', { ...undone, keep: false }, 'S5'],
  [
    'U4',
    'a loser gets another nonce, a reverted key another attempt, at ACCEPTED_ON_L2',
    { ...undone, attempts: 2, moveAt: 'l2' },
    'S1',
  ],
  [
    "U4'",
    'the same with a nullifier: not paid twice, but live twice',
    { ...undone, nullifier: true, attempts: 2, moveAt: 'l2', adopt: 'all' },
    'S2',
  ],
  [
    "U4''",
    'the same: answered as ended while its nonce is open again',
    { ...undone, nullifier: true, attempts: 2, moveAt: 'l2', adopt: 'all' },
    'S5',
  ],
  [
    'U5',
    'an attempt that lost its nonce ends at ACCEPTED_ON_L2',
    { ...undone, maxV: 1, endAt: 'l2' },
    'S5',
  ],
  [
    'U6',
    'moved on at ACCEPTED_ON_L2, and a reopened nonce writes no outcome to an attempt that has moved on',
    { ...final, ...calm, spurious: true, keys: 1, attempts: 2, adopt: '' },
    'S5',
  ],
  [
    "U6'",
    'it writes that of its consumer only: an attempt that loses it after all stays REVERTED, and one that ends elsewhere forgets its success',
    {
      ...final,
      ...calm,
      spurious: true,
      keys: 1,
      attempts: 2,
      maxV: 1,
      replace: false,
      adopt: 'consumer',
    },
    'S5',
  ],
  [
    "U6''",
    'the same with one attempt: refused under its second nonce, paid under its first',
    { ...final, ...calm, keys: 1, maxV: 1, replace: false, adopt: 'consumer' },
    'S5',
  ],
  ['Q0', 'lost ledger: started at once', { ...lossy, quarantine: '' }, 'S1'],
  ['Q1', 'lost ledger: quarantine by time', { ...lossy, quarantine: 'age' }, 'S1'],
  [
    'Q2',
    'lost ledger: fewer no-ops than nonces in use',
    { ...lossy, window: 1, windowed: false },
    'S1',
  ],
  [
    "Q2'",
    'lost ledger: as many no-ops as there were submissions in flight, but gap fillers used more nonces',
    { ...lossy, windowed: false },
    'S1',
  ],
  [
    'Q3',
    "lost ledger: outcomes are not adopted from the accounts' own transactions",
    { ...gone, ...calm, keys: 1, maxN: 3, adoptChain: false },
    'S1',
  ],
  [
    "Q3'",
    'the same with a nullifier: paid, and answered as not paid',
    { ...gone, ...calm, keys: 1, maxN: 3, adoptChain: false, nullifier: true },
    'S7',
  ],
  ['C0', 'old copy: started at once', { ...stale, quarantine: '' }, 'S1'],
  ['C1', 'old copy: quarantine by time', { ...stale, quarantine: 'age' }, 'S1'],
  [
    'C2',
    'old copy: the window begins above the copy’s highest row, and the chain has advanced since',
    { ...stale, window: 1, mark: 'row' },
    'S5',
  ],
  ["C2'", 'the same: paid, and answered as not paid', { ...stale, window: 1, mark: 'row' }, 'S7'],
  [
    'C3',
    'old copy: fewer no-ops than nonces in use',
    { ...stale, maxN: 4, window: 1, windowed: false },
    'S1',
  ],
  [
    'C4',
    'old copy: its bytes are sent again in quarantine; they had been refused, and the call had moved on',
    { ...stale, resendCopy: true },
    'S1',
  ],
  [
    'C5',
    "old copy: outcomes are not adopted from the accounts' own transactions",
    { ...copy, ...calm, keys: 1, maxN: 3, adoptChain: false },
    'S1',
  ],
  [
    "C5'",
    'the same with a nullifier: paid, and answered as not paid',
    { ...copy, ...calm, keys: 1, maxN: 3, adoptChain: false, nullifier: true },
    'S7',
  ],
  [
    'T5',
    'old copy: waiting attempts end before the ledger is judged',
    { ...copy, ...calm, keys: 1, maxN: 3, endsUnjudged: true },
    'S5',
  ],
  [
    "T5'",
    'old copy: an adopted outcome does not correct an end that the copy holds',
    { ...copy, ...calm, keys: 1, maxN: 3, attempts: 2, corrects: false },
    'S7',
  ],
  [
    'N1',
    'a prepare does not name the call that it signed',
    { ...small, ...instances, renews: 1, callNamed: false },
    'S10',
  ],
  [
    'N2',
    'a newer call is accepted though an older one was signed',
    { ...small, renews: 1, onlyUnsigned: false },
    'S10',
  ],
];

/**
 * Situations that the search must reach. If it did not reach them, a search that finds no error
 * would prove nothing. Each has an id, a description, options and a test of (state, step, state
 * before).
 */
export const witnesses = [
  [
    'W1',
    'a poll overlaps a prepare and its settle is refused by version',
    { ...mended, keys: 1 },
    (s, step) => step.refused === 0,
  ],
  [
    'W2',
    'two concurrent polls, the later one settles first',
    { ...mended, ...workers, keys: 1 },
    (s, step) => step.refused === 0 && step.w === 0,
  ],
  [
    'W3',
    'a conclusive refusal is lost, because a replacement was stored before the refusal arrived (refusal names a version)',
    { ...mended, versioned: `${mended.versioned} refusal`, keys: 1, maxV: 1 },
    (s, step) => step.lost === true && step.do === 'refusal',
  ],
  [
    'W4',
    'M2: B is answered SUCCEEDED, nothing of B is on chain',
    { hash: true, keys: 2, maxV: 1, cancel: false, ...calm, ...poor },
    (s) => s.subs[1]?.st === 'ok' && !s.inc[0].some((e) => e[0] === 'B'),
  ],
  [
    'W5',
    'answered SUCCEEDED at ACCEPTED_ON_L2, reverted for good after a rollback',
    { ...mended, keys: 1, undo: 1 },
    (s) => s.slot[0][0]?.by === 'A1v0S' && s.inc[0][0] === 'A1v0R' && s.fin1[0] === 1,
  ],
  [
    'W6',
    'rolled back, reopened, settled again by the same bytes, final',
    { ...mended, keys: 1, undo: 1 },
    (s, step, before) =>
      s.un === 1 &&
      step.what === 'l1' &&
      s.slot[0][0] === 0 &&
      s.subs[0]?.st === 'ok' &&
      before.slot[0][0]?.by === 'A1v0S' &&
      before.inc[0][0] === 'A1v0S',
  ],
  [
    'W7',
    'rolled back after a no-op had won: the cancelled call lands after all',
    { ...mended, keys: 1, maxV: 1, undo: 1 },
    (s) => s.slot[0][0]?.by?.startsWith('--') && s.inc[0][0] === 'A1v0S' && s.fin[0] > 0,
  ],
  [
    'W8',
    'refused for the lane on one account, succeeded on the other',
    { ...pair, keys: 1, wrongKeys: 1 },
    (s) => s.subs[0]?.st === 'ok' && s.inc[1][0] === 'A1v0S' && s.rest[0] === 1,
  ],
  [
    'W9',
    'a lane whose key is wrong refuses its own no-op',
    { ...pair, ...calm, keys: 1, maxN: 1, maxV: 1, replace: false, wrongKeys: 1 },
    (s, step) =>
      step.do === 'refusal' && step.cause === 'lane' && step.conclusive && step.tx[0] === '-',
  ],
  [
    'W10',
    'a call that every account refuses ends at the second lane; both lanes continue to work',
    { ...pair, ...calm, keys: 1, poison: 'A' },
    (s) => s.subs[0]?.st === 'end' && !s.rest[0] && !s.rest[1] && s.slot[1].length === 1,
  ],
  [
    'W11',
    'old copy: an attempt that the copy calls waiting has been paid, and is answered as paid',
    { ...copy, ...calm, keys: 1, maxN: 3 },
    (s, step) => s.copyUsed === 1 && step.do === 'adopt',
  ],
  [
    'W12',
    'a rollback removes REVERTED from an attempt that has moved on, and the settle of its nonce, which has no owner, writes SUCCEEDED',
    { ...final, keys: 1, attempts: 2 },
    (s, step, before) =>
      step.do === 'settle' &&
      before.subs[0]?.st === 'end' &&
      s.subs[0]?.st === 'ok' &&
      s.subs.length === 2,
  ],
  [
    'W13',
    'paid under its first nonce after a rollback, then refused under its second: it has succeeded',
    { ...final, ...calm, keys: 1, foreign: 1 },
    (s, step, before) =>
      step.do === 'refusal' && before.subs[0]?.st === 'bc' && s.subs[0]?.st === 'ok',
  ],
  [
    'W14',
    'reverted under its first nonce after a rollback, then refused under its second: it has reverted',
    { ...final, ...calm, spurious: true, keys: 1, foreign: 1 },
    (s, step, before) =>
      step.do === 'refusal' && before.subs[0]?.st === 'bc' && s.subs[0]?.st === 'rev',
  ],
  [
    'W15',
    'the same, but it loses its second and ends while it waits',
    { ...final, ...calm, spurious: true, keys: 1, foreign: 1 },
    (s, step) => step.do === 'settle' && step.to === 'end' && s.subs[0]?.st === 'rev',
  ],
  [
    'W16',
    'a newer call is accepted while the older one is being signed: the bytes of the older one are refused, and the newer one succeeds',
    { ...mended, ...instances, keys: 1, renews: 1 },
    (s, step) => step.because === 'another call',
  ],
];

/** Cases with large limits. Each needs some minutes and up to 8 GB. */
export const deep = [
  [
    'version only; 2 keys, 2 prices, no-op, all faults, no nullifier',
    { ...byVersion, keys: 2, maxV: 1, ...poor },
  ],
  [
    'two concurrent polls in one instance, 2 prices, no-op',
    { ...mended, ...workers, keys: 1, maxV: 1, ...calm },
    starve,
  ],
  [
    'two lanes, a call that every account refuses, all but crashes',
    { ...pair, keys: 1, maxV: 1, poison: 'A', crash: false },
  ],
  [
    'a call that every account refuses, and a good one',
    { ...pair, keys: 2, maxN: 1, maxV: 1, replace: false, poison: 'A', ...calm },
  ],
  [
    'moved on: second attempts, no-op',
    { ...final, keys: 1, attempts: 2, maxV: 1, replace: false, crash: false, reorg: false },
  ],
  ['old copy: two submissions, two nonces in use', { ...stale }],
  [
    'a further, dearer no-op, one rollback',
    { ...mended, keys: 1, maxV: 2, replace: false, undo: 1, ...calm, ...poor },
  ],
];

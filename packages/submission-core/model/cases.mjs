// What is checked. `designs` must hold everything; `variants` must break, each in the named property.
const two = { workers: [0, 1] };
export const designs = [
  ['core: replacement and no-op, reorg', { keys: 2, attempts: 1, maxN: 2, maxV: 1 }],
  ['core with second attempts: replacement or no-op', { keys: 2, attempts: 2, maxN: 2, maxV: 1, noopAtCeiling: false }],
  ['no nullifier in the contract', { keys: 2, attempts: 1, maxN: 2, maxV: 1, noopAtCeiling: false, nullifier: false }],
  ['nobody is ever forced to give up (stronger L)', { keys: 2, attempts: 1, maxN: 2, maxV: 1, noopAtCeiling: false }, { noGivingUp: true }],
  ['three submissions, three nonces', { keys: 3, attempts: 1, maxN: 3, maxV: 0 }],
  ['second attempts over three nonces', { keys: 2, attempts: 2, maxN: 3, maxV: 0 }],
  ['two instances, two submissions', { ...two, keys: 2, attempts: 1, maxN: 2, maxV: 0 }],
  ['two instances, one key, replacement, no-op, second attempt', { ...two, keys: 1, attempts: 2, maxN: 2, maxV: 1 }],
  ['two workers in one instance', { workers: [0, 0], keys: 2, attempts: 1, maxN: 2, maxV: 0 }],
  ['two lanes', { keys: 2, attempts: 1, maxN: 2, maxV: 0, lanes: 2 }],
  ['two lanes, two instances, no nullifier', { ...two, keys: 1, attempts: 2, maxN: 2, maxV: 0, lanes: 2, nullifier: false }],
  ['a stranger uses our account key', { keys: 2, attempts: 1, maxN: 3, maxV: 0, alien: 1 }],
  [
    'the same, chain ahead of the rows at PRE_CONFIRMED: open rows for the gap',
    { keys: 2, attempts: 1, maxN: 3, maxV: 0, alien: 1, skipAt: 'preOpen' },
  ],
  ['option: first send claimed by the write that stores', { ...two, keys: 2, attempts: 1, maxN: 2, maxV: 0, claimAtPrepare: true }],
  ['option: anybody resends what may be out, unclaimed', { ...two, keys: 2, attempts: 1, maxN: 2, maxV: 0, rawResend: 'mayBeOut' }],
  [
    'strict mode: refusals may lie, anybody resends anything',
    { ...two, keys: 2, attempts: 1, maxN: 2, maxV: 0, strict: true, lyingRefusal: true, rawResend: 'any' },
  ],
  [
    'strict mode, replacement or no-op',
    { keys: 2, attempts: 1, maxN: 2, maxV: 1, noopAtCeiling: false, strict: true, lyingRefusal: true, rawResend: 'any' },
  ],
  ['the node refuses one submission for good', { keys: 2, attempts: 1, maxN: 2, maxV: 1, refuses: 'A' }],
  ['the same in strict mode', { keys: 2, attempts: 1, maxN: 2, maxV: 1, noopAtCeiling: true, refuses: 'A', strict: true }],
  [
    'two instances, nobody is ever forced to give up (stronger L)',
    { ...two, keys: 1, attempts: 2, maxN: 2, maxV: 1, noopAtCeiling: false },
    { noGivingUp: true },
  ],
  ['compare-and-set writes alone, no fence', { ...two, keys: 2, attempts: 1, maxN: 2, maxV: 0, fence: false }],
  ['compare-and-set writes alone, no fence, replacement and no-op', { ...two, keys: 1, attempts: 2, maxN: 2, maxV: 1, fence: false }],
];
export const deep = [
  ['core with second attempts: replacement and no-op', { keys: 2, attempts: 2, maxN: 2, maxV: 1 }],
  ['two instances, two submissions, replacement or no-op', { ...two, keys: 2, attempts: 1, maxN: 2, maxV: 1, noopAtCeiling: false }],
  ['two keys, three nonces, replacement or no-op', { keys: 2, attempts: 1, maxN: 3, maxV: 1, noopAtCeiling: false }],
  ['two price steps and no-op', { keys: 1, attempts: 2, maxN: 2, maxV: 2 }],
];
const small = { keys: 1, attempts: 1, maxN: 2, maxV: 0 };
// id, what it does, options, the property whose trace tells the story, search options
export const variants = [
  ['a', 'after a time-out, sign again at a new nonce', { ...small, resignOnTimeout: true }, 'S3'],
  ["a'", 'the same, contract without nullifier', { ...small, resignOnTimeout: true, nullifier: false }, 'S1'],
  ['b', 'after the mempool lifetime, sign again at a new nonce (and fill the old one with a no-op)', { ...small, resignOnTtl: true }, 'S3'],
  ['c', 'take a refusal for "can never land" although an earlier send may have arrived', { ...small, firstSendOnly: false }, 'S5'],
  ["c'", 'one claimed send, but the HTTP client or a proxy retries it underneath', { ...small, lyingRefusal: true }, 'S5'],
  ["c''", 'take 52 "nonce too low" for a refusal', { ...small, nonceTooLowIsRefusal: true }, 'S5'],
  ['d', 'counter apart from the rows, moved before them', { ...small, keys: 2, maxN: 3, counter: 'before' }, 'L'],
  ["d'", 'counter apart from the rows, moved after them', { ...small, keys: 2, counter: 'after', cas: false }, 'S4'],
  ["d''", 'the same with the compare-and-set of prepare', { ...small, keys: 2, counter: 'after' }, 'L', { noGivingUp: true }],
  ['e', 'no fencing (and no compare-and-set)', { ...small, ...two, keys: 2, fence: false, cas: false }, 'S4'],
  ["e'", 'fencing, but no compare-and-set: two workers of one instance', { ...small, workers: [0, 0], keys: 2, cas: false }, 'S4'],
  ["e''", 'prepare checks the nonce but not the row', { ...small, ...two, keys: 1, lanes: 2, rowCas: false }, 'S3'],
  ['f', 'settle at PRE_CONFIRMED', { ...small, attempts: 2, settleAt: 'pre' }, 'S2'],
  ["f'", 'the same, contract without nullifier', { ...small, attempts: 2, settleAt: 'pre', nullifier: false }, 'S1'],
  ["f''", 'a no-op that is PRE_CONFIRMED frees the submission it replaced', { ...small, maxV: 1, freeAt: 'pre' }, 'S3'],
  ['g', 'duplicate check in memory only', { ...small, attempts: 2, dupCheck: 'memory' }, 'S2'],
  ["g'", 'the same, contract without nullifier', { ...small, attempts: 2, dupCheck: 'memory', nullifier: false }, 'S1'],
  ['h', 'a refused transaction leaves its nonce unfilled', { ...small, keys: 2, maxN: 3, fillHoles: false, release: false }, 'L'],
  ['i', 'nonce has moved on + status 29 = "not ours": a node that lags', { ...small, absenceIsEvidence: true }, 'S3'],
  [
    "i'",
    'the same on a perfect node, but only the last hash of the nonce is followed',
    { ...small, maxV: 1, followLastHashOnly: true },
    'S3',
  ],
  [
    'j',
    'a stale holder resends stored bytes without a claim, refusals being conclusive',
    { ...small, ...two, release: false, rawResend: 'any' },
    'S5',
  ],
  ['k', 'the caller is told "refused" before the fenced write of it succeeded', { ...small, ...two, tellFromHand: true }, 'S5'],
  [
    'l',
    "an undecided nonce is given to another submission (the architecture's text)",
    { ...small, keys: 2, maxV: 1, noopAtCeiling: false, release: false, fillUndecided: true },
    'S4',
  ],
  ['m', 'stored bytes are never sent twice', { ...small, resend: false }, 'L'],
  ['n', "a stranger's PRE_CONFIRMED transaction counts as nonce taken, no row for it", { ...small, alien: 1, maxN: 3, skipAt: 'pre' }, 'L'],
  [
    'o',
    'no no-op: an undecided nonce may only get its own bytes or its own replacement, and the node refuses them',
    { ...small, keys: 2, maxV: 1, cancel: false, refuses: 'A' },
    'L',
  ],
  [
    'p',
    'own replacements may use up the price ceiling, the no-op must outbid them; the node refuses the submission for good',
    { ...small, maxV: 1, noopAtCeiling: false, refuses: 'A' },
    'L',
  ],
];
/** Things that must be able to happen, or a clean result would say nothing. */
export const witnesses = [
  [
    'one key',
    { keys: 1, attempts: 2, maxN: 2, maxV: 0 },
    {
      'attempt 1 reverted, attempt 2 succeeded': (s) => s.subs[0]?.st === 'rev' && s.subs[1]?.st === 'ok',
    },
  ],
  [
    'two keys',
    { keys: 2, attempts: 1, maxN: 2, maxV: 1 },
    {
      'a no-op took the nonce, the same attempt succeeded at the next': (s) => s.inc[0].join() === '--v0S,A1v0S' && s.subs[0].st === 'ok',
      'the old price landed although the new one had been sent': (s) =>
        s.inc[0][0] === 'A1v0S' && s.slot[0][0] && s.out[0][0].includes('A1v1'),
      'a hole in front of a pending transaction is filled by a no-op and everything settles': (s) =>
        s.inc[0].join() === '--v0S,B1v0S' && s.fin[0] === 2 && s.subs[1]?.st === 'ok' && s.subs[0].st === 'end',
      "another submission takes the refused one's nonce": (s) =>
        s.subs[0]?.st === 'end' && s.inc[0][0] === 'B1v0S' && s.subs[1]?.st === 'ok',
    },
  ],
  [
    'two instances',
    { ...two, keys: 1, attempts: 1, maxN: 2, maxV: 1 },
    {
      "an old holder's send is accepted after the lease has passed": (s, label, before) =>
        before.hand[0]?.old === 1 && /w0. send .*: accepted/.test(label),
      '… and the new holder settles the submission by it, although it had sent a no-op meanwhile': (s, label, before) =>
        before.lease[0] === 1 &&
        /w1. settle .*ACCEPTED_ON_L2 A1v0/.test(label) &&
        before.slot[0][0].some((e) => e.tx === '--v1' && e.c === 2),
      "a stale holder's write is refused": (s, label) => /old fence/.test(label),
    },
  ],
];

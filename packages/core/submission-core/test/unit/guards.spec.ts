import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { isFree, refOf } from '../../src/domain/rows.js';
import {
  decide,
  ownerOf,
  type Attempt,
  type Executed,
  type LaneSlot,
  type SubmissionCommand,
  type MachineState,
} from '../../src/index.js';
import { confirming, contradicting, foreign, took } from '../../src/testing/index.js';
import {
  BLOCK,
  CEILING_FRI,
  HASH,
  attempt,
  caller,
  claimOf,
  freeRow,
  lane,
  pricedAt,
  row,
  sent,
  settledRow,
  signed,
  view,
  waiting,
} from '../support/rows.js';

type Of<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

const stored = {
  ...claimOf,
  type: 'store',
  fingerprint: waiting.fingerprint,
  node: 'node-0',
  ceilingL2PriceFri: CEILING_FRI,
  nonceLimit: 6n,
} as const;
const give: Of<'store'> = { ...stored, version: 0, attempt: refOf(waiting), transaction: signed() };
const replace: Of<'store'> = {
  ...stored,
  version: 1,
  attempt: refOf(attempt),
  transaction: signed(30_000_000_000n),
};
const cancel: Of<'store'> = { ...replace, attempt: null };
const fill: Of<'store'> = { ...stored, version: 1, attempt: null, transaction: signed() };
const consume: Of<'store'> = { ...fill, version: 0 };
const claim: Of<'claim'> = { type: 'claim', ...claimOf, hash: HASH, node: 'node-1' };
const rejection: Of<'refusal'> = {
  type: 'refusal',
  ...claimOf,
  hash: HASH,
  code: 'X',
  cause: 'call',
};
const settle: Of<'settle'> = {
  type: 'settle',
  ...claimOf,
  version: 1,
  consumer: foreign,
  evidence: confirming(foreign.block),
};
const finalize: Of<'finalize'> = {
  type: 'finalize',
  ...claimOf,
  block: BLOCK,
  evidence: confirming(BLOCK, BLOCK.number),
  horizonMs: 1_000,
};
const reopen: Of<'reopen'> = {
  type: 'reopen',
  ...claimOf,
  block: BLOCK,
  evidence: contradicting(BLOCK),
  undone: BLOCK,
  earlier: null,
};
const importNonce: Of<'import'> = { type: 'import', ...claimOf, nonce: 6n, through: 6n };
const quarantine: Of<'quarantine'> = {
  type: 'quarantine',
  lane: claimOf.lane,
  fence: 7n,
  until: 9n,
  isAged: false,
};
const introduce: Of<'introduce'> = {
  type: 'introduce',
  lane: claimOf.lane,
  fence: 7n,
  accountNonce: 5n,
  window: 8n,
  isAccepted: false,
  hasSentCalls: false,
};

const endWaiting: Of<'end_waiting'> = {
  type: 'end_waiting',
  attempt: refOf(waiting),
  to: 'refused',
  code: 'X',
  notBeforeMs: 0,
};

/** Transaction of the attempt that reverted under another nonce. */
const executedBy: Executed = {
  lane: claimOf.lane,
  nonce: 1n,
  hash: toFelt('0xdd'),
  feeFri: 3n,
  execution: 'REVERTED',
};
const REVERTED_AT_ONE: Partial<Attempt> = {
  state: 'reverted',
  lane: executedBy.lane,
  nonce: 1n,
  transactionHash: executedBy.hash,
  gasPaidFri: 3n,
  revertReason: null,
  rejectionCode: null,
  endedAtMs: 9_000,
};
const REVERTED = { execution: 'REVERTED', revertReason: 'no' } as const;

const absent = { nonce: null, callers: [], transactions: [] } as const;
const atFive = { ...lane, nextNonce: 5n };
const nextNonce = view({ ...absent, lastAttempt: waiting, lane: atFive });
const gap = view({
  nonce: freeRow,
  callers: [],
  transactions: [sent({ gone: 'refused' })],
  liveAbove: true,
});
const aged = { cause: 'introduced', until: 8n, sinceMs: 0, isAged: true } as const;
const inQuestion = view({ ...absent, lane: { ...atFive, quarantine: aged } });
const settled = view({
  nonce: settledRow,
  callers: [caller({ attempt: { ...attempt, state: 'succeeded', transactionHash: HASH } })],
});

const allowed: readonly (readonly [
  string,
  SubmissionCommand & Pick<LaneSlot, 'fence'>,
  MachineState,
])[] = [
  ['an assigned nonce', give, nextNonce],
  ['a replacement', replace, view()],
  ['a no-op against an owner', cancel, view()],
  ['a nonce gap filled', fill, gap],
  ['a nonce in question consumed', consume, inQuestion],
  ['a claim', claim, view()],
  ['a refusal', rejection, view()],
  ['a settling', settle, view()],
  ['a nonce made final', finalize, settled],
  ['a reopened nonce', reopen, settled],
  ['an import', importNonce, view(absent)],
  ['a quarantine', quarantine, view(absent)],
  ['an introduction', introduce, view({ ...absent, lane: { ...lane, nextNonce: null } })],
];

describe('each event alone', () => {
  it.each(allowed)('the ledger accepts %s only under the current fence', (_what, event, before) => {
    expect(decide(event, before)).toMatchObject({ applied: true });
    for (const found of [null, { ...lane, fence: 8n }, { ...lane, fence: 6n }]) {
      expect(decide(event, { ...before, lane: found })).toEqual({
        applied: false,
        because: 'stale_fence',
      });
    }
  });

  it.each(
    allowed.filter(([, { type }]) => type === 'claim' || type === 'refusal' || type === 'settle'),
  )('the ledger accepts %s only for an open nonce', (_what, event, before) => {
    expect(decide(event, { ...before, nonce: null })).toEqual({
      applied: false,
      because: 'unknown_row',
    });
    expect(decide(event, { ...before, nonce: settledRow })).toEqual({
      applied: false,
      because: 'nonce_settled',
    });
  });

  it.each(allowed.filter(([, event]) => 'version' in event))(
    'the ledger rejects %s if the row version in the command is outdated',
    (_what, event, before) => {
      for (const version of [0, 1, 2].filter((number) => number !== (before.nonce?.version ?? 0))) {
        if (!('version' in event)) throw new Error('the list holds events with a version only');
        expect(decide({ ...event, version }, before)).toEqual({
          applied: false,
          because: 'stale_version',
        });
      }
    },
  );
});

describe('rejected events', () => {
  const dearCall = sent({ hash: toFelt('0xcc'), priceStep: 1, bounds: pricedAt(29_000_000_000n) });
  const noop = sent({ hash: toFelt('0xcc'), kind: 'noop', attempt: null });
  const inQuarantine = { ...lane, quarantine: aged };
  const behind = {
    ...lane,
    address: toFelt('0x2'),
    quarantine: { ...aged, cause: 'behind' as const },
  };
  const free = { ...nextNonce, nonce: freeRow };
  it.each<readonly [string, SubmissionCommand, MachineState, string]>([
    ['give: the key is unknown', give, { ...nextNonce, lastAttempt: null }, 'attempt_moved_on'],
    [
      'give: a newer attempt exists',
      give,
      { ...nextNonce, lastAttempt: { ...waiting, attempt: 3 } },
      'attempt_moved_on',
    ],
    [
      'give: the attempt holds a nonce',
      give,
      { ...nextNonce, lastAttempt: attempt },
      'attempt_moved_on',
    ],
    [
      'give: the attempt has ended',
      give,
      { ...nextNonce, lastAttempt: { ...waiting, state: 'expired' } },
      'attempt_moved_on',
    ],
    [
      'give: it is not the next nonce',
      give,
      { ...nextNonce, lane: { ...lane, nextNonce: 4n } },
      'nonce_taken',
    ],
    [
      'give: a lane without rows',
      give,
      { ...nextNonce, lane: { ...lane, nextNonce: null } },
      'nonce_taken',
    ],
    [
      'give: the nonce is held, though its transactions are gone',
      { ...give, version: 1, attempt: { key: 'other', attempt: 1 } },
      view({ transactions: [sent({ gone: 'refused' })] }),
      'nonce_taken',
    ],
    [
      'give: a no-op could land',
      { ...give, version: 1 },
      { ...free, transactions: [noop] },
      'nonce_taken',
    ],
    [
      'give: the lane is in quarantine',
      give,
      { ...nextNonce, lane: { ...atFive, quarantine: aged } },
      'lane_quarantined',
    ],
    [
      'give: the lane is paused',
      give,
      { ...nextNonce, lane: { ...atFive, pausedFor: 'X' } },
      'lane_paused',
    ],
    [
      'give: another lane is behind',
      give,
      { ...nextNonce, lanes: [lane, behind] },
      'ledger_behind',
    ],
    [
      'give: the nonce is beyond the window',
      { ...give, nonceLimit: 5n },
      nextNonce,
      'nonce_beyond_window',
    ],
    [
      'give: the outcome of the last attempt is not final',
      give,
      {
        ...nextNonce,
        lastAttempt: { ...waiting, replayProtected: false },
        lastAttemptIsUnfinal: true,
      },
      'not_final',
    ],
    [
      'replace: the transaction is another attempt’s',
      { ...replace, attempt: { ...refOf(attempt), attempt: 1 } },
      view(),
      'nonce_taken',
    ],
    [
      'replace: it outbids only one of two',
      replace,
      view({ transactions: [sent(), dearCall] }),
      'price_too_low',
    ],
    [
      'replace: the price is above the ceiling',
      { ...replace, transaction: signed(CEILING_FRI + 1n) },
      view(),
      'price_too_low',
    ],
    [
      'cancel: the price is above the ceiling',
      { ...cancel, transaction: signed(CEILING_FRI + 1n) },
      view(),
      'price_too_low',
    ],
    ['replace: the lane is in quarantine', replace, view({ lane: inQuarantine }), 'ledger_behind'],
    ['replace: another lane is behind', replace, view({ lanes: [lane, behind] }), 'ledger_behind'],
    ['replace: the nonce is settled', replace, view({ nonce: settledRow }), 'nonce_settled'],
    [
      'cancel: it outbids only one of two',
      cancel,
      view({ transactions: [sent(), dearCall] }),
      'price_too_low',
    ],
    [
      'cancel: it outbids the call and not the no-op',
      cancel,
      view({ transactions: [sent(), { ...noop, bounds: dearCall.bounds }] }),
      'price_too_low',
    ],
    [
      'cancel: it is at the ceiling, where a no-op is already',
      { ...cancel, transaction: signed(CEILING_FRI) },
      view({ transactions: [sent(), { ...noop, bounds: pricedAt(CEILING_FRI) }] }),
      'price_too_low',
    ],
    [
      'lone no-op: it is at the ceiling, and outbids nothing',
      { ...fill, transaction: signed(CEILING_FRI) },
      view({
        nonce: freeRow,
        callers: [],
        transactions: [{ ...noop, bounds: pricedAt(CEILING_FRI) }],
      }),
      'price_too_low',
    ],
    ['fill: no transaction is above', fill, { ...gap, liveAbove: false }, 'no_gap'],
    [
      'fill: it has no row, though a transaction is above',
      consume,
      { ...nextNonce, liveAbove: true },
      'no_gap',
    ],
    [
      'consume: the quarantine is not aged',
      consume,
      { ...inQuestion, lane: { ...atFive, quarantine: { ...aged, isAged: false } } },
      'no_gap',
    ],
    [
      'consume: the nonce is not in question',
      consume,
      { ...inQuestion, lane: { ...atFive, quarantine: { ...aged, until: 5n } } },
      'no_gap',
    ],
    ['claim: the transaction is unknown', claim, view({ transactions: [] }), 'unknown_row'],
    ['claim: the ledger is behind', claim, view({ lanes: [lane, behind] }), 'ledger_behind'],
    ['refusal: the transaction is unknown', rejection, view({ transactions: [] }), 'unknown_row'],
    [
      'refusal: the transaction was claimed twice',
      rejection,
      view({ transactions: [sent({ sendCount: 2 })] }),
      'proves_nothing',
    ],
    [
      'refusal: the transaction was never claimed',
      rejection,
      view({ transactions: [sent({ sendCount: 0 })] }),
      'proves_nothing',
    ],
    [
      'refusal: it was claimed under another fence',
      rejection,
      view({ transactions: [sent({ claimFence: 6n })] }),
      'proves_nothing',
    ],
    [
      'finalize: the nonce was settled without a block',
      finalize,
      {
        ...settled,
        nonce: { ...settledRow, settlement: { ...required(settledRow.settlement), block: null } },
      },
      'not_settled_so',
    ],
    [
      'finalize: the hash is the same at another height',
      { ...finalize, block: { ...BLOCK, number: BLOCK.number - 1 } },
      settled,
      'not_settled_so',
    ],
    [
      'finalize: the block is too young, and not on L1',
      { ...finalize, evidence: confirming(BLOCK), horizonMs: 5_001 },
      settled,
      'too_early',
    ],
    [
      'observe: the nonce is unknown',
      { type: 'observe', lane: claimOf.lane, nonce: 5n, hash: HASH, seen: null },
      view({ nonce: null }),
      'unknown_row',
    ],
  ])('%s', (_what, event, before, because) => {
    expect(decide(event, before)).toEqual({ applied: false, because });
  });

  it('a call that is stored under a nonce without a row does not make its attempt the owner of the nonce', () => {
    expect(ownerOf({ nonce: row, callers: [caller()] })).toEqual(attempt);
    expect(ownerOf({ nonce: null, callers: [caller()] })).toBeNull();
  });

  it('a nonce is free if it is open, no attempt owns it, and none of its transactions can land', () => {
    const gone = [sent({ gone: 'refused' })];
    expect(isFree({ row: freeRow, transactions: gone })).toBe(true);
    expect(isFree({ row: { ...freeRow, state: 'settled' }, transactions: gone })).toBe(false);
    expect(isFree({ row, transactions: gone })).toBe(false);
    expect(isFree({ row: freeRow, transactions: [sent()] })).toBe(false);
  });
});

describe('written rows', () => {
  it('a claim does not change the version of the nonce’s row', () => {
    expect(decide(claim, view())).toEqual({
      applied: true,
      changes: { transactions: [sent({ sendCount: 2, claimedAtMs: 9_000, claimNode: 'node-1' })] },
    });
  });

  it('the first claim of stored bytes sets their send count to 1', () => {
    const unclaimed = sent({ sendCount: 0, claimFence: null, claimedAtMs: null });
    expect(decide(claim, view({ transactions: [unclaimed] }))).toMatchObject({
      changes: { transactions: [{ sendCount: 1, claimFence: 7n }] },
    });
  });

  it('a no-op can be stored and claimed while the ledger is behind its chain', () => {
    const behind = {
      ...lane,
      address: toFelt('0x2'),
      quarantine: { ...aged, cause: 'behind' as const },
    };
    const noop = sent({ kind: 'noop', attempt: null });
    expect(decide(claim, view({ lanes: [lane, behind], transactions: [noop] }))).toMatchObject({
      applied: true,
    });
    expect(decide(cancel, view({ lanes: [lane, behind] }))).toMatchObject({ applied: true });
  });

  it('the refusal of a no-op that belongs to no attempt ends no attempt', () => {
    const noop = sent({ kind: 'noop', attempt: null });
    const decision = decide(rejection, view({ nonce: freeRow, callers: [], transactions: [noop] }));
    expect(decision).toMatchObject({
      applied: true,
      changes: { nonces: [{ owner: null, version: 2 }] },
    });
    expect(decision).not.toHaveProperty('writes.attempts');
  });

  it.each([
    ['unprotected and not final elsewhere: it waits', { replayProtected: false }, true, 'accepted'],
    ['unprotected and final: it ends', { replayProtected: false }, false, 'refused'],
    ['protected: it ends', { replayProtected: true }, true, 'refused'],
  ] as const)(
    'decides the state of a conclusively refused call’s attempt: %s',
    (_what, change, isUnfinal, state) => {
      const of = { ...attempt, ...change };
      expect(
        decide(rejection, view({ callers: [caller({ attempt: of, isUnfinal })] })),
      ).toMatchObject({
        changes: { attempts: [{ state, nonce: null }] },
      });
    },
  );

  it.each([
    ['refusal', { ...rejection, cause: 'price' as const }],
    ['loss', settle],
  ] as const)(
    'a %s never ends an attempt as succeeded because of another attempt’s call under the same nonce',
    (_what, event) => {
      const other = {
        ...attempt,
        id: 'other',
        key: 'other',
        state: 'accepted' as const,
        lane: null,
        nonce: null,
      };
      const paid = { ...executedBy, execution: 'SUCCEEDED' as const };
      const callers = [caller({ attempt: other, executedBy: paid, isUnfinal: true }), caller()];
      expect(decide(event, view({ callers }))).toMatchObject({
        changes: { attempts: [{ id: 'id', state: 'accepted' }] },
      });
      const own = [caller({ attempt: other }), caller({ executedBy: paid })];
      expect(decide(event, view({ callers: own }))).toMatchObject({
        changes: { attempts: [{ id: 'id', state: 'succeeded', nonce: 1n }] },
      });
    },
  );

  it.each<readonly [string, SubmissionCommand, Partial<Attempt>]>([
    ['loses its nonce', settle, { state: 'accepted', nonce: null, transactionHash: null }],
    [
      'is refused for its price',
      { ...rejection, cause: 'price' },
      { state: 'accepted', nonce: null, transactionHash: null },
    ],
    ['is refused for good', rejection, REVERTED_AT_ONE],
    ['ends while it waits', endWaiting, REVERTED_AT_ONE],
    [
      'reverts here',
      { ...settle, consumer: took(HASH, REVERTED) },
      { state: 'reverted', nonce: 5n, transactionHash: HASH },
    ],
    [
      'succeeds here',
      { ...settle, consumer: took(HASH) },
      { state: 'succeeded', nonce: 5n, transactionHash: HASH },
    ],
  ])(
    'an attempt gets the revert under another nonce as its outcome only if it ends without a receipt: the attempt %s',
    (_what, event, after) => {
      const before = view({
        callers: [caller({ executedBy })],
        lastAttempt: waiting,
        lastAttemptExecutedBy: executedBy,
      });
      expect(decide(event, before)).toMatchObject({ changes: { attempts: [after] } });
    },
  );

  it('an attempt that succeeded under two nonces gets the receipt of the nonce that is settled', () => {
    const callers = [caller({ executedBy: { ...executedBy, execution: 'SUCCEEDED' } })];
    expect(decide({ ...settle, consumer: took(HASH) }, view({ callers }))).toMatchObject({
      changes: { attempts: [{ state: 'succeeded', nonce: 5n, transactionHash: HASH }] },
    });
  });

  it('an outcome does not become final when another nonce is settled', () => {
    const callers = [caller({ executedBy: { ...executedBy, execution: 'SUCCEEDED' } })];
    expect(decide(settle, view({ callers }))).toMatchObject({
      changes: { attempts: [{ state: 'succeeded', nonce: 1n, isFinal: false }] },
    });
  });

  it('an attempt without an outcome does not become final', () => {
    const settlement = { ...required(settledRow.settlement), hash: null };
    const before = view({
      nonce: { ...settledRow, settlement },
      callers: [caller({ attempt: waiting })],
    });
    expect(decide(finalize, before)).toMatchObject({ applied: true, changes: { attempts: [] } });
  });

  it('the refusal of a no-op ends no attempt, even if the attempt’s call reverted under another nonce', () => {
    const noop = sent({ kind: 'noop', attempt: null });
    expect(
      decide(rejection, view({ callers: [caller({ executedBy })], transactions: [noop] })),
    ).toMatchObject({
      changes: { attempts: [{ state: 'accepted' }] },
    });
  });

  it('the quarantines of all lanes that are behind their chain end together', () => {
    const done = { ...aged, cause: 'behind' as const, until: 6n };
    const [one, two, healthy] = [
      { ...lane, address: toFelt('0x1'), quarantine: done },
      { ...lane, address: toFelt('0x2'), quarantine: done },
      { ...lane, address: toFelt('0x3') },
    ];
    const introduced = { ...lane, address: toFelt('0x4'), quarantine: { ...aged, until: 6n } };
    const end = (lanes: readonly (typeof lane)[]) =>
      decide(
        { type: 'end_quarantine', lanes: lanes.map(({ address }) => address) },
        view({ lanes: [one, two, healthy, introduced] }),
      );
    expect(end([one, two])).toMatchObject({
      applied: true,
      changes: { lanes: [{ quarantine: null }, { quarantine: null }] },
    });
    expect(end([introduced])).toMatchObject({ applied: true });
    expect(end([introduced, one])).toEqual({ applied: false, because: 'lane_quarantined' });
    expect(end([healthy])).toEqual({ applied: false, because: 'lane_quarantined' });
  });

  it('a store command changes the lane’s next nonce only if it creates a row', () => {
    expect(decide(give, nextNonce)).toMatchObject({ changes: { lanes: [{ nextNonce: 6n }] } });
    expect(decide(replace, view())).not.toHaveProperty('writes.lanes');
  });

  it('a nonce becomes final at the finality horizon, but the outcome of its attempt does not', () => {
    const byAge = { ...finalize, evidence: confirming(BLOCK), horizonMs: 5_000 };
    expect(decide(byAge, settled)).toMatchObject({
      applied: true,
      changes: { nonces: [{ settlement: { isFinal: true } }], attempts: [] },
    });
  });
});

function required<T>(value: T | null): T {
  if (value === null) throw new Error('a settled row has a settlement');
  return value;
}

import { beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { LaneWorker } from '../../src/application/lane/lane-worker.js';
import type {
  Attempt,
  CommandResult,
  LaneSlot,
  ResourceBounds,
  SignedParts,
  TransactionRow,
  TransactionStatus,
} from '../../src/index.js';
import { gate, watched } from '../support/gate.js';
import { LOST, LaneBench, REFUSED } from '../support/lane.js';
import { BLOCK, sent } from '../support/rows.js';
import { LANE, settings } from './world.js';

const AT_0: LaneSlot = { lane: LANE, nonce: 0n, fence: 1n };
const ACCEPTED: TransactionStatus = {
  kind: 'accepted',
  execution: 'SUCCEEDED',
  revertReason: null,
  feeFri: 1n,
  block: BLOCK,
};
const CLAIMED: CommandResult = { applied: true, attempt: null, nonce: null, written: {} };
let lane: LaneBench;
beforeEach(async () => {
  lane = await LaneBench.held();
});

const kinds = async (): Promise<(string | undefined)[]> =>
  (await lane.open()).map(
    ({ transactions }) => transactions.find(({ gone }) => gone === null)?.kind,
  );

describe('offer of a lane', () => {
  it('a lane offers its free slots and its nonce gaps', async () => {
    await lane.withGaps(2);
    expect(await lane.worker.offer()).toMatchObject({ freeSlots: 3, gaps: 2, freeBelow: [0n, 1n] });
  });

  it('a lane offers no free nonce unless a transaction with a higher nonce could land', async () => {
    lane.chain.script(LOST, REFUSED);
    await lane.sent('below');
    await lane.sent('refused');
    expect(await lane.worker.offer()).toMatchObject({ freeSlots: 3, gaps: 0 });
    const open = await lane.open();
    const [held, free] = open;
    if (held === undefined || free === undefined) throw new Error('two nonces are open');
    lane.account.nonces.drop();
    lane.ledger.openNonces = async () => [
      {
        ...held,
        transactions: held.transactions.map((row) => ({ ...row, gone: 'refused' as const })),
      },
      { ...free, transactions: [sent({ kind: 'noop', attempt: null })] },
      {
        ...held,
        row: { ...held.row, nonce: 2n },
        transactions: [sent({ gone: 'refused' }), sent()],
      },
    ];
    expect(await lane.worker.offer()).toMatchObject({ freeSlots: 2, gaps: 0 });
  });

  it('a lane offers a nonce gap even if only one transaction with a higher nonce could land', async () => {
    const answered = gate();
    lane.chain.script({ ...REFUSED, after: answered.opened }, LOST, {
      ...REFUSED,
      after: answered.opened,
    });
    const head = await lane.head();
    for (const key of ['gap', 'alive', 'refused'])
      await lane.account.prepare(await lane.accepted(key), head);
    answered.open();
    await lane.sender.idle();
    expect(await lane.worker.offer()).toMatchObject({ freeBelow: [0n] });
  });

  it('a lane offers no nonce that the chain has passed', async () => {
    await lane.withGaps(2);
    lane.chain.setNonce(LANE, 1n);
    await lane.poll();
    expect(await lane.worker.offer()).toMatchObject({ freeBelow: [1n] });
  });

  it.each([
    ['if the head leaves the account out', async () => lane.chain.unreadable(LANE)],
    ['while the node serves another chain', async () => lane.chain.setChainId(toFelt('0xbad'))],
  ])('a lane offers no slots %s', async (_where, happens) => {
    await happens();
    await lane.poll();
    expect(await lane.worker.offer()).toBeNull();
  });

  it('a new lane offers no slots while its account’s history is being read', async () => {
    lane = new LaneBench({ acceptance: null });
    lane.chain.setNonce(LANE, 3n);
    lane.chain.mine(300);
    await lane.poll();
    expect(lane.worker.status()).toMatchObject({ state: 'resting', reason: 'HISTORY_NOT_READ' });
    expect(await lane.worker.offer()).toBeNull();
  });

  it('a lane offers no slots if its last poll is older than three idle intervals', async () => {
    lane.clock.advance(15_000);
    expect(await lane.worker.offer()).not.toBeNull();
    lane.clock.advance(1);
    expect(await lane.worker.offer()).toBeNull();
  });

  it('a lane fills an offered free nonce with a no-op only if no attempt uses this nonce', async () => {
    await lane.withGaps(2);
    const offer = await lane.worker.offer();
    if (offer === null) throw new Error('the lane offers something');
    lane.worker.offered({ ...offer, given: 1 }, false);
    await lane.poll();
    expect(await kinds()).toEqual([undefined, 'noop', 'call']);
  });
});

describe('lane', () => {
  it('the lane is busy while this instance holds it and one of its nonces is undecided', async () => {
    expect(lane.worker.isBusy).toBe(false);
    await lane.sent('a');
    await lane.poll();
    expect(lane.worker.isBusy).toBe(true);
    await lane.lease.giveBack();
    expect(lane.worker.isBusy).toBe(false);
  });

  it('the lane is busy during a quarantine even if no nonce is undecided', async () => {
    lane = new LaneBench({ acceptance: null });
    await lane.poll();
    expect([await lane.open(), lane.worker.isBusy]).toEqual([[], true]);
  });

  it('the lane has the state unknown before its first poll of the chain', async () => {
    lane = new LaneBench();
    await lane.lease.hold();
    expect(lane.worker.status()).toMatchObject({ state: 'unknown', reason: 'NOT_LOOKED_AT' });
    expect(lane.worker.isUsable).toBe(false);
    await lane.poll();
    expect(lane.worker.status()).toMatchObject({ state: 'unknown', reason: null });
    expect(lane.worker.isUsable).toBe(true);
  });

  it('the lane accepts no work if the ledger has no row for it', async () => {
    const state = lane.ledger.state.bind(lane.ledger);
    lane.ledger.state = async () => ({ ...(await state()), lanes: [] });
    lane.clock.advance(settings.pollIntervalMs);
    await lane.poll();
    expect(lane.worker.status()).toMatchObject({ state: 'resting', reason: 'ACCOUNT_NOT_READ' });
  });

  it('the lane reports an account nonce below the ledger’s nonce before any other problem of the account', async () => {
    await lane.sent('a');
    lane.chain.includeAll();
    await lane.poll();
    lane.chain.setNonce(LANE, 0n);
    lane.chain.accountProblem(LANE, 'WRONG_KEY');
    await lane.worker.diagnose(false);
    await lane.poll();
    expect(lane.worker.status()).toMatchObject({ state: 'resting', reason: 'WRONG_KEY' });
    lane.clock.advance(30_000);
    await lane.poll();
    expect(lane.worker.status()).toMatchObject({
      state: 'resting',
      reason: 'ACCOUNT_NONCE_BELOW_LEDGER',
    });
  });

  it('the lane drops refusals of nonces that are no longer open', async () => {
    lane.account.rejections.note(7n, LANE, { cause: 'price', code: 'X' });
    await lane.poll();
    expect(lane.account.rejections.refusedForPrice(7n).size).toBe(0);
  });

  it('the lane ends its lease after the rejection of a write only if the fence was stale', async () => {
    await lane.account.record({ type: 'claim', ...AT_0, hash: LANE, node: 'node-0' });
    expect(lane.lease.fence).toBe(1n);
    await lane.ledger.unlease(LANE, 'one', 1n);
    await lane.ledger.lease(LANE, 'two', 15_000);
    await lane.account.record({ type: 'claim', ...AT_0, hash: LANE, node: 'node-0' });
    expect(lane.lease.fence).toBeNull();
  });

  it('the lane does not end its lease because of a response about an older lease', () => {
    lane.lease.lost(0n);
    expect(lane.lease.fence).toBe(1n);
  });

  it('the lane logs the loss of a lease only once', () => {
    lane.fresh();
    lane.lease.lost(1n);
    lane.lease.lost(1n);
    expect(lane.said).toEqual([{ level: 'warn', fields: { lane: LANE, fence: '1' } }]);
  });

  it('the lane waits for the responses to its sends before it stops', async () => {
    const answered = gate();
    lane.chain.script({ ...LOST, after: answered.opened });
    await lane.account.prepare(await lane.accepted('a'), await lane.head());
    const stopping = watched(lane.worker.stop());
    await new Promise((resolve) => setImmediate(resolve));
    expect([stopping.isOver(), lane.lease.fence]).toEqual([false, 1n]);
    answered.open();
    await stopping.ended;
    expect(lane.lease.fence).toBeNull();
  });
});

describe('poll of the chain', () => {
  it('does not read the chain while another instance holds the lane', async () => {
    lane = new LaneBench();
    await lane.ledger.registerLane(LANE, 'relay');
    await lane.ledger.lease(LANE, 'two', 15_000);
    let reads = 0;
    const head = lane.chain.head.bind(lane.chain);
    lane.chain.head = async (accounts) => {
      reads += 1;
      return head(accounts);
    };
    await lane.poll();
    expect(reads).toBe(0);
  });

  it('a poll without open nonces sends no request for transaction statuses', async () => {
    const requested: (readonly Felt[])[] = [];
    const statuses = lane.chain.transactionStatuses.bind(lane.chain);
    lane.chain.transactionStatuses = async (hashes) => {
      requested.push(hashes);
      return statuses(hashes);
    };
    await lane.poll();
    expect(requested).toEqual([]);
    await lane.sent('a');
    await lane.poll();
    expect(requested).toEqual([lane.chain.sent]);
  });

  it('checks the account only of a lane whose key is configured', async () => {
    let checks = 0;
    lane.chain.problemOf = async () => {
      checks += 1;
      return null;
    };
    await new LaneWorker(lane.account, false).poll();
    expect(checks).toBe(0);
    await new LaneWorker(lane.account).poll();
    expect(checks).toBe(1);
  });

  it('an early poll does not reread known rows unless the chain has passed the lane’s next nonce', async () => {
    const reads: string[] = [];
    const state = lane.ledger.state.bind(lane.ledger);
    const openNonces = lane.ledger.openNonces.bind(lane.ledger);
    lane.ledger.state = async () => {
      reads.push('state');
      return state();
    };
    lane.ledger.openNonces = async (of) => {
      reads.push('open');
      return openNonces(of);
    };
    await lane.sent('a');
    lane.clock.advance(settings.pollIntervalMs - 1);
    await lane.poll();
    expect(reads).toEqual([]);
    expect(lane.worker.watched).toHaveLength(1);
    lane.clock.advance(1);
    await lane.poll();
    expect(reads).toEqual(['state', 'open']);
    lane.chain.jump(LANE, 5n);
    await lane.poll();
    expect(reads.slice(2)).toContain('state');
  });

  it('rows that another component has changed are read again in the next poll', async () => {
    let reads = 0;
    const state = lane.ledger.state.bind(lane.ledger);
    lane.ledger.state = async () => {
      reads += 1;
      const before = await state();
      if (reads === 1) lane.worker.forgetRows();
      return before;
    };
    lane.worker.forgetRows();
    await lane.poll();
    await lane.poll();
    expect(reads).toBe(2);
    await lane.poll();
    expect(reads).toBe(2);
  });

  it('rereads the lane’s rows after a failed poll', async () => {
    const head = lane.chain.head.bind(lane.chain);
    lane.chain.head = async () => Promise.reject(new TypeError('no answer'));
    await expect(lane.poll()).rejects.toThrow('no answer');
    lane.chain.head = head;
    let reads = 0;
    const state = lane.ledger.state.bind(lane.ledger);
    lane.ledger.state = async () => {
      reads += 1;
      return state();
    };
    await lane.poll();
    expect(reads).toBe(1);
  });

  it('writes the results of a poll for several nonces concurrently', async () => {
    const both = [await lane.sent('a'), await lane.sent('b')];
    lane.chain.includeAll();
    let atOnce = 0;
    let most = 0;
    const apply = lane.ledger.apply.bind(lane.ledger);
    lane.ledger.apply = async (command) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      const result = await apply(command);
      atOnce -= 1;
      return result;
    };
    await lane.poll();
    expect(most).toBe(2);
    expect(await Promise.all(both.map(async (attempt) => lane.now(attempt)))).toMatchObject([
      { state: 'succeeded' },
      { state: 'succeeded' },
    ]);
  });

  it('the lane uses the time that its last poll has read from the store', async () => {
    const state = lane.ledger.state.bind(lane.ledger);
    lane.ledger.state = async () => ({ ...(await state()), nowMs: 777_000 });
    lane.clock.advance(settings.pollIntervalMs);
    await lane.poll();
    expect(lane.storeTime.nowMs()).toBe(777_000);
  });

  it('a poll that never ends is abandoned, and the lane continues', async () => {
    const state = lane.ledger.state.bind(lane.ledger);
    lane.ledger.state = async () => new Promise(() => undefined);
    lane.clock.advance(settings.pollIntervalMs);
    const poll = Promise.allSettled([lane.poll()]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lane.account.isIdle).toBe(false);
    lane.clock.advance(8_000);
    expect(await poll).toMatchObject([{ reason: { code: 'TIMED_OUT' } }]);
    expect(lane.account.isIdle).toBe(true);
    lane.ledger.state = state;
    await lane.poll();
    expect(lane.worker.isUsable).toBe(true);
  });
});

describe('result of a write', () => {
  it('a write may increase the lane’s next nonce, but never lowers it', async () => {
    await lane.sent('a');
    await lane.sent('b');
    expect(lane.account.nextNonce).toBe(2n);
    lane.chain.include(lane.chain.sent[0] ?? LANE);
    await lane.follow((await lane.open())[0], ACCEPTED);
    expect((await lane.open()).map(({ row }) => row.nonce)).toEqual([1n]);
    expect(lane.account.nextNonce).toBe(2n);
  });

  it('a command that changes no nonce and no attempt notifies no caller', async () => {
    lane = new LaneBench();
    await lane.lease.hold();
    const event = { type: 'introduce', lane: LANE, fence: 1n, accountNonce: 7n } as const;
    const recorded = await lane.account.record({
      ...event,
      window: 8n,
      isAccepted: true,
      hasSentCalls: false,
    });
    expect(recorded).toMatchObject({ applied: true, attempt: null, nonce: null });
    expect([lane.account.nextNonce, lane.changed]).toStrictEqual([null, []]);
  });
});

describe('balance of a lane', () => {
  it('returns the balance 0 if the head that was read does not contain the lane’s account', async () => {
    const head = { ...(await lane.head()), accounts: new Map() };
    expect(lane.account.balanceFri(head)).toBe(0n);
    expect(lane.account.canPay(head, lane.account.noopBounds(head))).toBe(false);
  });
});

describe('prepared attempt', () => {
  it('waiting callers are notified when an attempt is prepared', async () => {
    const attempt = await lane.accepted('a');
    let hashed = 0;
    const hashCall = lane.signer.hashCall.bind(lane.signer);
    lane.signer.hashCall = async (...call) => {
      hashed += 1;
      return hashCall(...call);
    };
    await lane.account.prepare(attempt, await lane.head());
    expect(lane.changed).toContain(attempt.id);
    expect(lane.hints.isBackedOff(attempt)).toBe(false);
    await lane.hints.hashOf(attempt);
    expect(hashed).toBe(2);
  });

  it.each([
    ['the head leaves the account out', async () => undefined, true],
    ['the lane was released', async () => lane.lease.giveBack(), false],
  ])('an attempt is not sent and causes no error when %s', async (_why, happens, leftOut) => {
    const attempt = await lane.accepted('a');
    await happens();
    const head = await lane.head();
    lane.fresh();
    await lane.account.prepare(attempt, leftOut ? { ...head, accounts: new Map() } : head);
    // Another lane may send the attempt at once if its lane was released.
    expect(lane.hints.isBackedOff(attempt)).toBe(leftOut);
    expect([lane.ledger.events, lane.errors()]).toEqual([[], []]);
  });

  it.each([
    ['was never sent', { readmit: false }, false],
    ['has lost a nonce', { readmit: true }, true],
  ])(
    'an unwanted attempt that %s is ended without a signature',
    async (_what, changes, isMarked) => {
      const attempt: Attempt = { ...(await lane.accepted('a')), ...changes };
      lane.rejection = 'NULLIFIER_SPENT';
      if (isMarked) lane.hints.markUnwanted(attempt, 'NULLIFIER_SPENT');
      lane.fresh();
      await lane.account.prepare(attempt, await lane.head());
      expect(lane.ledger.events).toEqual(['end_waiting']);
      expect(lane.hints.isBackedOff(attempt)).toBe(false);
      expect(lane.hints.cancellationReason(attempt)).toBeNull();
    },
  );
});

describe('attempt that can not be prepared', () => {
  it('an attempt is backed off if its nonce would be beyond the nonce window', async () => {
    lane = await LaneBench.held({ nonceWindow: 4, maxInFlightPerLane: 4 });
    for (const key of ['a', 'b', 'c', 'd']) await lane.sent(key);
    const fifth = await lane.accepted('e');
    lane.fresh();
    await lane.account.prepare(fifth, await lane.head());
    expect([lane.ledger.events, lane.hints.isBackedOff(fifth)]).toEqual([[], true]);
    lane.chain.includeAll();
    lane.clock.advance(2_000);
    await lane.account.prepare(fifth, await lane.head());
    expect(await lane.now(fifth)).toMatchObject({ state: 'broadcast', nonce: 4n });
  });

  it('the lane continues if the signing of an attempt never ends', async () => {
    const attempt = await lane.accepted('a');
    const signCall = lane.signer.signCall.bind(lane.signer);
    lane.signer.signCall = async () => new Promise(() => undefined);
    const preparing = watched(lane.account.prepare(attempt, await lane.head()));
    await new Promise((resolve) => setImmediate(resolve));
    expect([preparing.isOver(), lane.account.isIdle]).toEqual([false, false]);
    lane.clock.advance(8_000);
    await preparing.ended;
    expect(lane.account.isIdle).toBe(true);
    lane.signer.signCall = signCall;
    expect(await lane.sent('b')).toMatchObject({ state: 'broadcast', nonce: 0n });
  });

  it('an attempt is backed off if its signing never ends', async () => {
    const attempt = await lane.accepted('a');
    const slow = gate();
    lane.signer.signCall = async () => {
      await slow.opened;
      throw new Error('too late');
    };
    const preparing = lane.account.prepare(attempt, await lane.head());
    await new Promise((resolve) => setImmediate(resolve));
    lane.clock.advance(8_000);
    await preparing;
    expect(lane.hints.isBackedOff(attempt)).toBe(true);
    slow.open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(lane.account.isIdle).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'its lane is not introduced yet',
      async () => {
        lane = new LaneBench();
        await lane.lease.hold();
      },
    ],
    [
      'the chain has passed nonces of which the ledger has no row',
      async () => lane.chain.jump(LANE, 3n),
    ],
  ])('an attempt is backed off without an error because %s', async (_why, happens) => {
    await happens();
    const attempt = await lane.accepted('a');
    lane.fresh();
    await lane.account.prepare(attempt, await lane.head());
    expect(lane.hints.isBackedOff(attempt)).toBe(true);
    expect([lane.ledger.events, lane.errors()]).toEqual([[], []]);
  });

  it('an unwanted attempt is ended only after the block that consumed its nonce is final', async () => {
    const attempt = await lane.accepted('a', { replayProtected: false });
    await lane.account.prepare(attempt, await lane.head());
    await lane.sender.idle();
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    lane.chain.includeForeign(LANE, { calls: [] });
    await lane.poll();
    lane.hints.markUnwanted(attempt, 'NO_LONGER_WANTED');
    await lane.account.prepare(await lane.now(attempt), await lane.head());
    expect(await lane.now(attempt)).toMatchObject({ state: 'accepted' });
    expect(lane.hints.isBackedOff(attempt)).toBe(true);
    // The reason why the attempt is unwanted remains stored.
    expect(lane.hints.cancellationReason(attempt)).toBe('NO_LONGER_WANTED');
  });
});

describe('answer to a send', () => {
  it('records a refusal once, and notifies the waiting caller', async () => {
    const answered = gate();
    lane.chain.script({ ...REFUSED, after: answered.opened });
    const attempt = await lane.accepted('a');
    await lane.account.prepare(attempt, await lane.head());
    lane.fresh();
    answered.open();
    await lane.sender.idle();
    expect(lane.ledger.events).toEqual(['refusal']);
    expect(lane.reached).toEqual(['sent', 'refused']);
    expect([lane.changed, lane.inVain]).toEqual([[attempt.id], 0]);
  });

  it('notifies no caller when a no-op that belongs to no attempt is refused', async () => {
    await lane.withGaps(2);
    const offer = await lane.worker.offer();
    if (offer === null) throw new Error('the lane offers something');
    lane.worker.offered({ ...offer, given: 1 }, false);
    lane.chain.script(REFUSED);
    lane.fresh();
    await lane.poll();
    await lane.sender.idle();
    expect(lane.ledger.events).toContain('refusal');
    expect([lane.changed, lane.errors()]).toEqual([[], []]);
  });

  it.each([
    ['lane', 'accepted', 'refusal'],
    ['account', 'accepted', 'refusal'],
    ['call', 'refused', 'refusal'],
    [null, 'broadcast', null],
  ] as const)(
    'a refusal that blames the account is recorded with the result of the account check: %s',
    async (cause, state, event) => {
      lane.cause = cause;
      lane.chain.refuse(LANE, 'VALIDATION_FAILURE');
      const attempt = await lane.sent('a');
      expect(attempt.state).toBe(state);
      expect(lane.ledger.events.filter((one) => one === 'refusal')).toEqual(
        event === null ? [] : [event],
      );
      expect(lane.inVain).toBe(event === null ? 1 : 0);
    },
  );

  it('records no refusal if the engine accepts no refusal as proof', async () => {
    lane.isStrict = true;
    lane.chain.script(REFUSED);
    expect(await lane.sent('a')).toMatchObject({ state: 'broadcast' });
    expect(lane.inVain).toBe(1);
  });

  it('logs an error with its cause if sending a transaction throws', async () => {
    const broken = new TypeError('no such thing');
    lane.chain.send = async () => Promise.reject(broken);
    await lane.sent('a');
    expect(lane.errors()).toMatchObject([{ fields: { error: broken } }]);
    lane.chain.send = async () => Promise.reject('a text');
    await lane.sent('b');
    expect(lane.errors()[1]?.fields['error']).toBeInstanceOf(Error);
  });
});

describe('further send', () => {
  /** Exact bytes of all sends to the node. */
  let wire: Buffer[];
  let transaction: TransactionRow;
  let hash: Felt;
  let attempt: Attempt;
  let parts: SignedParts;
  beforeEach(async () => {
    wire = [];
    const { chain } = lane;
    const send = chain.send.bind(chain);
    chain.send = async (bytes, ...to) => {
      wire.push(Buffer.from(bytes));
      return send(bytes, ...to);
    };
    chain.script(LOST, LOST, LOST);
    attempt = await lane.sent('a');
    [transaction = sent()] = await lane.ledger.transactionsOf(attempt);
    ({ hash } = transaction);
    const kept = await lane.ledger.signedParts(hash);
    if (kept === null) throw new Error('the sent transaction is not stored');
    parts = kept;
  });

  const again = async (): Promise<void> => {
    await lane.sender.claimAndSend(AT_0, { ...transaction, claimNode: null }, attempt.id);
    await lane.sender.idle();
  };

  it('a transaction is sent again with bytes assembled from its stored envelope and calldata', async () => {
    const [first = Buffer.alloc(0)] = wire;
    expect(parts.envelope.bytes.length).toBeLessThan(first.length);
    await again();
    await again();
    expect(wire).toEqual([first, first, first]);
    expect(lane.errors()).toEqual([]);
  });

  it('does not send a call again after its calldata was redacted', async () => {
    lane.ledger.signedParts = async () => ({ ...parts, calldata: null });
    await again();
    expect(wire).toHaveLength(1);
    expect(lane.errors()).toMatchObject([
      { fields: { transactionHash: hash, because: 'they are wiped' } },
    ]);
  });

  it('does not send a transaction again after its stored bytes were deleted', async () => {
    lane.ledger.signedParts = async () => null;
    await again();
    expect(wire).toHaveLength(1);
    expect(lane.errors()).toMatchObject([
      { fields: { transactionHash: hash, because: 'they are wiped' } },
    ]);
  });

  const wipedNoop = async (bounds: ResourceBounds): Promise<TransactionRow> => {
    const request = { account: AT_0.lane, nonce: AT_0.nonce, bounds: transaction.bounds };
    const noop = await lane.signer.signNoop(request);
    lane.ledger.apply = async () => CLAIMED;
    lane.ledger.signedParts = async () => null;
    return { ...transaction, hash: noop.hash, kind: 'noop', attempt: null, bounds };
  };

  describe('of a no-op whose bytes are redacted', () => {
    it('a redacted no-op is signed again, and is sent only if its hash is unchanged', async () => {
      const noop = await wipedNoop(transaction.bounds);
      await lane.sender.claimAndSend(AT_0, noop, null);
      await lane.sender.idle();
      expect(lane.chain.sent.at(-1)).toBe(noop.hash);
      expect(lane.errors()).toEqual([]);
    });

    it('a redacted no-op is not sent if its new signature leads to a different hash', async () => {
      const noop = await wipedNoop({ ...transaction.bounds, tipFri: 1n });
      await lane.sender.claimAndSend(AT_0, noop, null);
      await lane.sender.idle();
      expect(wire).toHaveLength(1);
      expect(lane.errors()).toMatchObject([{ fields: { because: 'they are wiped' } }]);
    });
  });

  it.each<[string, (of: SignedParts) => SignedParts]>([
    [
      'the stored bytes differ',
      ({ envelope, ...rest }) => ({
        ...rest,
        envelope: { ...envelope, bytes: changed(envelope.bytes) },
      }),
    ],
    ['the calldata differs', (of) => ({ ...of, calldata: Felts.of([1n, 2n, 4n]) })],
    ['the target differs', (of) => ({ ...of, target: { to: AT_0.lane, entrypoint: 'deposit' } })],
    [
      'the position of the calldata differs',
      ({ envelope, ...rest }) => ({ ...rest, envelope: { ...envelope, calldataAt: 1 } }),
    ],
    [
      'the digest differs',
      ({ envelope, ...rest }) => ({
        ...rest,
        envelope: { ...envelope, sha256: changed(envelope.sha256 ?? new Uint8Array(32)) },
      }),
    ],
  ])('does not send a transaction again if %s', async (_what, tamper) => {
    lane.ledger.signedParts = async () => tamper(parts);
    await again();
    expect(wire).toHaveLength(1);
    expect(lane.errors()).toMatchObject([
      { fields: { transactionHash: hash, because: 'they differ from the signed bytes' } },
    ]);
  });

  it('a row without a digest, as written by earlier releases, is sent with its whole stored bytes', async () => {
    const [first = Buffer.alloc(0)] = wire;
    lane.ledger.signedParts = async () => ({
      envelope: { bytes: first, calldataAt: null, sha256: null },
      target: null,
      calldata: null,
    });
    await again();
    expect(wire).toEqual([first, first]);
  });
});

function changed(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte));
}

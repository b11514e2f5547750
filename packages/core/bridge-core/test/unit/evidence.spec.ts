import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import {
  GetTransferStatus,
  QuoteTransfer,
  type QuoteTransferInput,
  type TransferStatus,
  type TransferStatusReport,
} from '../../src/index.js';
import { UNSEEN, advance } from '../../src/domain/transfer.js';
import { FakeBridgeProtocol, InMemoryTransferStore } from '../../src/testing/index.js';

const START_SECONDS = 1_800_000_000;
const HOUR_SECONDS = 3_600;

/** Transfer of 100 USDC to Starknet. The quoted output is 99.7 STRK. */
const INPUT: QuoteTransferInput = {
  fromChain: 'ethereum',
  fromToken: 'USDC',
  toChain: 'starknet',
  toToken: 'STRK',
  amount: '100000000',
  dryRun: false,
  recipient: '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72',
};
const strk = (tokens: string) => ({ tokens, symbol: 'STRK' });
const usdc = (tokens: string) => ({ tokens, symbol: 'USDC' });
const SENT = { send_to_recipient: { txHash: '0xout' } };
/** Fields of a report in which the protocol states that the funds were delivered. */
const CLAIM = { completedSteps: 5, next: 'pending' } as const;

describe('outcome of a transfer', () => {
  let protocol: FakeBridgeProtocol;
  let store: InMemoryTransferStore;
  let clock: ManualClock;
  let subject: GetTransferStatus;

  beforeEach(() => {
    protocol = new FakeBridgeProtocol();
    store = new InMemoryTransferStore();
    clock = new ManualClock(START_SECONDS * 1_000);
    subject = new GetTransferStatus(protocol, store, clock);
  });

  const quote = async (): Promise<string> => {
    const { deposit } = await new QuoteTransfer(protocol, store, clock).execute(INPUT);
    if (deposit === null) throw new Error('no deposit');
    return deposit.transactionId;
  };
  const report = async (
    transactionId: string,
    change: Partial<TransferStatusReport>,
  ): Promise<TransferStatus> => {
    protocol.show(transactionId, change);
    return subject.execute({ transactionId });
  };

  const confirmed: readonly (readonly [string, Partial<TransferStatusReport>, string | null])[] = [
    ['a transaction on the destination chain', { details: SENT }, null],
    ['a delivered amount', { output: strk('99.7') }, null],
    ['an amount below the quote within the tolerance', { output: strk('98.8') }, null],
    ['an amount further below the quote', { output: strk('90') }, '9.7 STRK'],
    ['an amount without a unit', { output: { tokens: '99.7', symbol: null } }, null],
    ['a transaction and an amount in another token', { details: SENT, output: usdc('3') }, null],
    ['an amount and a refund of zero', { output: strk('99.7'), refund: usdc('0') }, null],
    ['an amount and a smaller refund', { output: strk('60'), refund: usdc('40') }, '39.7 STRK'],
  ];
  it.each(confirmed)(
    'a bridge transfer is completed by a report with %s',
    async (_, evidence, shortfall) => {
      const status = await report(await quote(), { ...CLAIM, ...evidence });
      expect(status).toMatchObject({ status: 'completed', reason: null, amounts: { shortfall } });
    },
  );

  const unconfirmed: readonly (readonly [string, Partial<TransferStatusReport>])[] = [
    ['no evidence', {}],
    ['an amount of zero', { output: strk('0') }],
    ['a transaction and an amount of zero', { details: SENT, output: strk('0.00') }],
    ['an amount below the smallest unit', { output: strk('0.0000000000000000001') }],
    ['an amount in another token', { output: usdc('3') }],
    [
      'the deposit’s own transaction',
      {
        details: { deposit_detected: { txHash: '0xd' }, send_to_recipient: { txHash: '0xd' } },
      },
    ],
    ['a full refund', { refund: usdc('100') }],
    ['a transaction and a full refund', { details: SENT, refund: usdc('99.7') }],
    ['an amount and a full refund', { output: strk('99.7'), refund: usdc('100') }],
    ['an amount and a larger refund', { output: strk('40'), refund: usdc('60') }],
  ];
  it.each(unconfirmed)(
    'a bridge transfer stays unconfirmed after a report with %s',
    async (_, evidence) => {
      const status = await report(await quote(), { ...CLAIM, ...evidence });
      expect(status).toMatchObject({ status: 'processing', reason: 'unconfirmed', refund: null });
      expect(status.amounts.output).toBeNull();
      expect(status.steps.map((step) => step.status)).not.toContain('failed');
    },
  );

  const misread: readonly (readonly [string, Partial<TransferStatusReport>, string])[] = [
    ['an output in smallest units', { output: strk('99700000000000000000') }, 'processing'],
    ['such an output and a transaction', { output: strk('9970'), details: SENT }, 'completed'],
    ['an output beyond 256 bits', { output: strk(`1${'0'.repeat(70)}`) }, 'processing'],
    ['a deposit in smallest units', { deposited: usdc('100000000'), details: SENT }, 'completed'],
    ['a refund in smallest units', { refund: usdc('100000000'), details: SENT }, 'processing'],
  ];
  it.each(misread)(
    'an amount is returned as null if it is far above the quoted amount: %s',
    async (_, evidence, word) => {
      const status = await report(await quote(), { ...CLAIM, ...evidence });
      const { output, deposited, refunded } = status.amounts;
      expect([status.status, output, deposited, refunded]).toEqual([word, null, null, null]);
    },
  );

  it('a reported bridge deposit of zero is returned as null', async () => {
    for (const change of [{}, { completedSteps: 1 }, { ...CLAIM, details: SENT }])
      expect(await report(await quote(), { ...change, deposited: usdc('0.0') })).toMatchObject({
        amounts: { deposited: null },
      });
  });

  it('a reported deposit and output of nine times the quoted amounts are returned', async () => {
    const more = { deposited: usdc('900'), output: strk('900') };
    expect(await report(await quote(), { ...CLAIM, ...more })).toMatchObject({
      status: 'completed',
      amounts: { deposited: '900 USDC', output: '900 STRK' },
    });
  });

  it.each([
    ['no evidence', {}, 'processing'],
    [
      'a refund equal to the delivered amount',
      { output: strk('9'), refund: strk('9') },
      'processing',
    ],
    ['a transaction', { details: SENT }, 'completed'],
  ] as const)(
    'a delivery can be reported for a bridge transfer without a stored quote: %s',
    async (_, evidence, status) => {
      expect(await report('quoted-elsewhere', { ...CLAIM, ...evidence })).toMatchObject({ status });
    },
  );

  it('a bridge transfer is counted as unconfirmed until evidence of its delivery arrives', async () => {
    const id = await quote();
    await report(id, CLAIM);
    clock.advance(HOUR_SECONDS * 1_000);
    await report(id, { reasonText: 'still in flight' });
    expect(await store.countUnconfirmed(START_SECONDS - 1)).toBe(0);
    expect(await store.countUnconfirmed(START_SECONDS)).toBe(1);
    expect(await report(id, { output: strk('99.7') })).toMatchObject({
      status: 'completed',
      reason: null,
    });
    expect(await store.countUnconfirmed(START_SECONDS + HOUR_SECONDS)).toBe(0);
  });

  it('a bridge transfer is reported as failed even if its delivery was wrongly reported earlier', async () => {
    const id = await quote();
    await report(id, CLAIM);
    const failed = await report(id, {
      completedSteps: 1,
      next: 'failed',
      refunded: true,
      refund: usdc('99.9'),
      deposited: usdc('100'),
      reasonText: 'No liquidity',
    });
    expect(failed).toMatchObject({
      status: 'processing',
      refund: 'refunded',
      reason: null,
      reasonText: 'No liquidity',
      amounts: { deposited: '100 USDC', refunded: '99.9 USDC' },
    });
    protocol.forget(id);
    expect(await subject.execute({ transactionId: id })).toEqual(failed);
  });

  it('the refund of a bridge transfer is expected while the reported refund is zero', async () => {
    const id = await quote();
    const word = { completedSteps: 1, next: 'failed', refunded: true } as const;
    expect(await report(id, { ...word, refund: usdc('0') })).toMatchObject({ refund: 'expected' });
    expect(await report(id, { refund: usdc('99') })).toMatchObject({
      refund: 'refunded',
      amounts: { refunded: '99 USDC' },
    });
  });

  it('reports the missing part of an incomplete bridge deposit and the deposit’s deadline', async () => {
    protocol.setDeadline(START_SECONDS + HOUR_SECONDS);
    const id = await quote();
    const partial = { next: 'processing', isDepositIncomplete: true } as const;
    const status = await report(id, { ...partial, deposited: usdc('60.5') });
    expect(status).toMatchObject({
      status: 'processing',
      reason: 'deposit_incomplete',
      amounts: { deposited: '60.5 USDC', missing: '39.5 USDC' },
      deadlineSeconds: START_SECONDS + HOUR_SECONDS,
    });
    clock.advance(HOUR_SECONDS * 1_000);
    expect(await subject.execute({ transactionId: id })).toMatchObject({
      reason: 'deposit_expired',
      amounts: { deposited: '60.5 USDC', missing: null },
    });
    expect(await report(id, { completedSteps: 1, isDepositIncomplete: false })).toMatchObject({
      reason: null,
      amounts: { missing: null },
    });
  });

  it('a bridge transfer has the reason deposit_expired once its deadline has passed without a deposit', async () => {
    protocol.setDeadline(START_SECONDS + HOUR_SECONDS);
    const [unfunded, funded] = [await quote(), await quote()];
    protocol.deposit(funded, '0xdeb0');
    clock.advance(HOUR_SECONDS * 1_000 - 1);
    expect((await subject.execute({ transactionId: unfunded })).reason).toBeNull();
    clock.advance(1);
    expect((await subject.execute({ transactionId: unfunded })).reason).toBe('deposit_expired');
    expect((await subject.execute({ transactionId: funded })).reason).toBeNull();
    protocol.forget(unfunded);
    expect((await subject.execute({ transactionId: unfunded })).reason).toBe('deposit_expired');
  });

  it('returns the earlier of the quote’s and the status’s deadlines for a bridge transfer', async () => {
    protocol.setDeadline(START_SECONDS + HOUR_SECONDS);
    const status = await report(await quote(), { deadlineSeconds: START_SECONDS });
    expect(status).toMatchObject({ deadlineSeconds: START_SECONDS, reason: 'deposit_expired' });
  });

  it('the status of a bridge transfer contains the quoted terms', async () => {
    const { terms } = await subject.execute({ transactionId: await quote() });
    expect(terms).toMatchObject({
      from: { chain: 'ethereum', symbol: 'USDC' },
      to: { chain: 'starknet', symbol: 'STRK' },
      amount: 100_000_000n,
      estimatedOutput: 99_700_000_000_000_000_000n,
      recipient: INPUT.recipient,
      depositAddress: expect.stringMatching(/^0xdeb0/),
    });
  });

  it('the response to an earlier request does not overwrite a newer status of a bridge transfer', async () => {
    const id = await quote();
    const held: ((report: TransferStatusReport) => void)[] = [];
    const slow = new GetTransferStatus(
      {
        quote: (request) => protocol.quote(request),
        status: () => new Promise((resolve) => held.push(resolve)),
      },
      store,
      clock,
    );
    const partial: TransferStatusReport = {
      completedSteps: 0,
      next: 'processing',
      refunded: false,
      isDepositIncomplete: true,
      deposited: usdc('60'),
      details: {},
    };
    const early = slow.execute({ transactionId: id });
    while (held.length === 0) await Promise.resolve();
    clock.advance(1_000);
    await report(id, { ...partial, isDepositIncomplete: false, deposited: usdc('100') });
    held[0]?.({ ...partial, ...CLAIM });
    expect(await early).toMatchObject({ reason: null, amounts: { deposited: '100 USDC' } });
    expect(await store.countUnconfirmed(Number.MAX_SAFE_INTEGER)).toBe(0);
  });
});

describe('a time written by a wrong clock', () => {
  it('a report that was stored with a future time does not block later reports', () => {
    const nowSeconds = 1_800_000_000;
    const partial: TransferStatusReport = {
      completedSteps: 0,
      next: 'processing',
      refunded: false,
      isDepositIncomplete: true,
      deposited: usdc('60'),
      details: {},
    };
    const ahead = advance(UNSEEN, partial, nowSeconds + 3_600);
    expect(ahead).toMatchObject({ isDepositIncomplete: true });
    const whole = { ...partial, isDepositIncomplete: false, deposited: usdc('100') };
    expect(advance(ahead, whole, nowSeconds)).toMatchObject({
      isDepositIncomplete: false,
      observedAtMs: nowSeconds * 1_000,
      amounts: { deposited: '100 USDC' },
    });
  });
});

describe('QuoteTransfer with a deadline or stored terms', () => {
  it.each([
    ['has passed', START_SECONDS, false],
    ['is ahead', START_SECONDS + 1, true],
  ])(
    'a bridge quote is accepted only before its deadline: the deadline %s',
    async (_, deadline, isAccepted) => {
      const protocol = new FakeBridgeProtocol();
      protocol.setDeadline(deadline);
      const subject = new QuoteTransfer(
        protocol,
        new InMemoryTransferStore(),
        new ManualClock(START_SECONDS * 1_000),
      );
      const outcome = await subject.execute(INPUT).catch((error: unknown) => error);
      expect(outcome).toMatchObject(
        isAccepted
          ? { deposit: { deadlineSeconds: deadline } }
          : { code: 'BRIDGE_QUOTE_UNUSABLE', details: { reason: 'expired' } },
      );
    },
  );

  it('rejects a bridge quote with the id of a stored transfer if the terms differ', async () => {
    const protocol = new FakeBridgeProtocol();
    const store = new InMemoryTransferStore();
    const clock = new ManualClock(START_SECONDS * 1_000);
    const first = new QuoteTransfer(protocol, store, clock);
    await first.execute(INPUT);
    // A new fake protocol starts to count at the same number, so its transfer ids repeat those of
    // the first fake.
    const second = new QuoteTransfer(new FakeBridgeProtocol(), store, clock);
    await expect(second.execute(INPUT)).resolves.toBeDefined();
    const third = new QuoteTransfer(new FakeBridgeProtocol(), store, clock);
    const recipient = `${INPUT.recipient?.slice(0, -1)}3`;
    await expect(third.execute({ ...INPUT, recipient })).rejects.toMatchObject({
      code: 'BRIDGE_QUOTE_UNUSABLE',
      details: { reason: 'transaction_id' },
    });
  });

  it('rejects a bridge quote if its terms can’t be stored', async () => {
    const store = new InMemoryTransferStore();
    store.fail();
    const subject = new QuoteTransfer(
      new FakeBridgeProtocol(),
      store,
      new ManualClock(START_SECONDS * 1_000),
    );
    await expect(subject.execute(INPUT)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(subject.execute({ ...INPUT, dryRun: true })).resolves.toMatchObject({
      deposit: null,
    });
  });
});

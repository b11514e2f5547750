import { beforeEach, describe, expect, it } from '@jest/globals';
import { UpstreamBudget } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { GetTransferStatus, QuoteTransfer, STEP_NAMES } from '../../src/index.js';
import { FakeBridgeProtocol, InMemoryTransferStore } from '../../src/testing/index.js';

const START_SECONDS = 1_800_000_000;

describe('GetTransferStatus', () => {
  let protocol: FakeBridgeProtocol;
  let memory: InMemoryTransferStore;
  let clock: ManualClock;
  let transactionId: string;
  let subject: GetTransferStatus;

  const poll = () => subject.execute({ transactionId });
  const statuses = async (): Promise<readonly string[]> =>
    (await poll()).steps.map(({ status }) => status);

  beforeEach(async () => {
    protocol = new FakeBridgeProtocol();
    memory = new InMemoryTransferStore();
    clock = new ManualClock(START_SECONDS * 1_000 + 900);
    subject = new GetTransferStatus(protocol, memory, clock);
    const { deposit } = await new QuoteTransfer(
      protocol,
      new InMemoryTransferStore(),
      clock,
    ).execute({
      fromChain: 'solana',
      fromToken: 'SOL',
      toChain: 'starknet',
      toToken: 'STRK',
      amount: '1000000000',
      dryRun: false,
      recipient: '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72',
    });
    if (deposit === null) throw new Error('no deposit');
    ({ transactionId } = deposit);
  });

  it('the status of a bridge transfer without a deposit has five pending steps, and nothing is stored', async () => {
    expect(await poll()).toEqual({
      status: 'processing',
      steps: STEP_NAMES.map((step) => ({
        step,
        status: 'pending',
        timestampSeconds: null,
        txHash: null,
      })),
      refund: null,
      reason: null,
      reasonText: null,
      amounts: { output: null, shortfall: null, deposited: null, missing: null, refunded: null },
      deadlineSeconds: null,
      terms: null,
    });
    expect(await memory.get(transactionId)).toBeNull();
  });

  it('each step of a bridge transfer has the time at which the service first saw the step as completed', async () => {
    protocol.deposit(transactionId, '0xdeb0');
    expect((await poll()).steps[0]).toEqual({
      step: 'deposit_detected',
      status: 'processing',
      timestampSeconds: null,
      txHash: '0xdeb0',
    });
    for (const [index, step] of STEP_NAMES.entries()) {
      protocol.finishStep(transactionId);
      clock.advance(10_000);
      const report = await poll();
      expect(report.steps[index]).toMatchObject({
        step,
        status: 'completed',
        timestampSeconds: START_SECONDS + 10 * (index + 1),
      });
      expect(report.status).toBe(index === 4 ? 'completed' : 'processing');
    }
    expect((await poll()).steps.map(({ timestampSeconds }) => timestampSeconds)).toEqual(
      [10, 20, 30, 40, 50].map((s) => START_SECONDS + s),
    );
  });

  it('S15 returns and stores the delivered amount once the delivery is reported', async () => {
    const output = { tokens: '831.2', symbol: 'STRK' };
    protocol.show(transactionId, { completedSteps: 3, next: 'processing', output });
    expect((await poll()).amounts.output).toBeNull();
    protocol.show(transactionId, {
      completedSteps: 5,
      next: 'pending',
      output,
    });
    expect((await poll()).amounts.output).toBe('831.2 STRK');
    protocol.forget(transactionId);
    subject = new GetTransferStatus(protocol, memory, clock);
    expect((await poll()).amounts.output).toBe('831.2 STRK');
  });

  it('S11 requests the status of an unknown transfer id only once within a few seconds', async () => {
    let requested = 0;
    const counted = new GetTransferStatus(
      {
        quote: (request) => protocol.quote(request),
        status: (id) => {
          requested += 1;
          return protocol.status(id);
        },
      },
      memory,
      clock,
    );
    const junk = () => counted.execute({ transactionId: 'never-given' });
    for (let tries = 0; tries < 20; tries += 1)
      await expect(junk()).rejects.toMatchObject({ code: 'TRANSFER_NOT_FOUND' });
    expect(requested).toBe(1);
    await counted.execute({ transactionId });
    clock.advance(5_000);
    protocol.deposit('never-given', '0xdeb0');
    expect((await junk()).status).toBe('processing');
    expect(requested).toBe(3);
  });

  it('T9: the budget limits requests for unknown transfer ids', async () => {
    let requests = 0;
    const stranger = { name: '203.0.113.7', networks: ['203.0.113.0/24'] };
    const counted = new GetTransferStatus(
      {
        quote: (request) => protocol.quote(request),
        status: (id) => {
          requests += 1;
          return protocol.status(id);
        },
      },
      memory,
      clock,
      new UpstreamBudget(100, clock),
    );
    protocol.deposit(transactionId, '0xdeb0');
    await counted.execute({ transactionId });
    clock.advance(10_000);
    requests = 0;
    const codes = await Promise.all(
      Array.from({ length: 400 }, async (_, id) =>
        counted
          .execute({ transactionId: `junk-${id}`, caller: stranger })
          .catch((error: unknown) => Object(error).code),
      ),
    );
    // Callers of one network may use at most half of the budget.
    expect(requests).toBe(50);
    expect(codes.filter((code) => code === 'OVERLOADED')).toHaveLength(350);
    protocol.finishStep(transactionId);
    expect((await counted.execute({ transactionId, caller: stranger })).steps[0]?.status).toBe(
      'processing',
    );
    clock.advance(10_000);
    expect((await counted.execute({ transactionId })).steps[0]?.status).toBe('completed');
  });

  it('S11 caches a limited number of unknown transfer ids and evicts the oldest', async () => {
    const requested: string[] = [];
    const counted = new GetTransferStatus(
      {
        quote: (request) => protocol.quote(request),
        status: async (id) => {
          requested.push(id);
          return null;
        },
      },
      memory,
      clock,
    );
    const query = async (id: string): Promise<void> => {
      await expect(counted.execute({ transactionId: id })).rejects.toMatchObject({
        code: 'TRANSFER_NOT_FOUND',
      });
    };
    for (let id = 0; id <= 5_000; id += 1) await query(`junk-${id}`);
    await query('junk-5000');
    await query('junk-0');
    expect(requested.slice(5_001)).toEqual(['junk-0']);
  });

  it('a step has the completion time from the bridge protocol instead of the time of the poll', async () => {
    protocol.deposit(transactionId, '0xdeb0');
    protocol.finishStep(transactionId, { completedAtSeconds: START_SECONDS - 60 });
    expect((await poll()).steps[0]).toMatchObject({ timestampSeconds: START_SECONDS - 60 });
  });

  it('completed steps remain completed when the bridge protocol reports fewer steps', async () => {
    protocol.show(transactionId, { completedSteps: 3, next: 'processing' });
    const before = await poll();
    protocol.show(transactionId, { completedSteps: 1, next: 'pending' });
    clock.advance(60_000);
    expect(await poll()).toEqual(before);
  });

  it('the completion times of a bridge transfer’s steps are equal after a restart', async () => {
    protocol.show(transactionId, { completedSteps: 2, next: 'processing' });
    const before = await poll();
    clock.advance(3_600_000);
    subject = new GetTransferStatus(protocol, memory, clock);
    expect(await poll()).toEqual(before);
    protocol.finishStep(transactionId);
    expect((await poll()).steps.map(({ timestampSeconds }) => timestampSeconds)).toEqual([
      START_SECONDS,
      START_SECONDS,
      START_SECONDS + 3_600,
      null,
      null,
    ]);
  });

  it('marks the failed step and reports the refund of the bridge transfer', async () => {
    protocol.show(transactionId, { completedSteps: 2, next: 'processing' });
    await poll();
    // A protocol that reports only the overall status does not report which step failed.
    protocol.show(transactionId, { completedSteps: 0, next: 'failed' });
    expect(await statuses()).toEqual(['completed', 'completed', 'failed', 'pending', 'pending']);
    expect(await poll()).toMatchObject({ status: 'processing', refund: 'expected' });
    protocol.show(transactionId, { completedSteps: 1, next: 'failed', refunded: true });
    expect(await poll()).toMatchObject({ status: 'processing', refund: 'refunded' });
    expect(await statuses()).toEqual(['completed', 'completed', 'failed', 'pending', 'pending']);
  });

  it.each([
    ['completed', { completedSteps: 5, details: { send_to_recipient: { txHash: '0xout' } } }],
    ['failed and refunded', { completedSteps: 1, next: 'failed', refunded: true }],
  ] as const)(
    'sends no request for a bridge transfer that is already %s',
    async (_, reportedStatus) => {
      protocol.show(transactionId, reportedStatus);
      const ended = await poll();
      protocol.fail();
      expect(await poll()).toEqual(ended);
    },
  );

  it('returns the stored status if the bridge protocol no longer knows the transfer', async () => {
    protocol.show(transactionId, { completedSteps: 3, next: 'processing' });
    const before = await poll();
    protocol.forget(transactionId);
    expect(await poll()).toEqual(before);
  });

  it.each(['never-quoted', '', ' ', 'a b', 'a\nb', 'é', 'x'.repeat(257)])(
    'rejects the unknown transfer id %p',
    async (unknown) => {
      await expect(subject.execute({ transactionId: unknown })).rejects.toMatchObject({
        code: 'TRANSFER_NOT_FOUND',
        kind: 'not_found',
      });
      expect(await memory.get(unknown)).toBeNull();
    },
  );

  it('the status of a bridge transfer fails with the error of the bridge protocol or of the store', async () => {
    protocol.show(transactionId, { completedSteps: 1, next: 'processing' });
    protocol.fail();
    await expect(poll()).rejects.toMatchObject({ kind: 'unavailable' });
    protocol.fail(null);
    memory.fail();
    await expect(poll()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('an unchanged bridge transfer is not written to the store', async () => {
    protocol.show(transactionId, { completedSteps: 1, next: 'processing' });
    await poll();
    clock.advance(5_000);
    await poll();
    expect(await memory.forget({ usedMs: clock.nowMs(), unusedMs: 0 })).toBe(1);
  });

  it('concurrent readers of a bridge transfer receive equal reports', async () => {
    protocol.show(transactionId, { completedSteps: 4, next: 'processing' });
    const reports = await Promise.all(Array.from({ length: 10 }, poll));
    for (const report of reports) expect(report).toEqual(reports[0]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SottoClient } from '@sotto/client';
import { systemClock } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld, SOLVER_STEPS, type SolverFault } from '@sotto/sandbox';
import { clientOf, restarted, startDomains } from './support/domains.js';
import { addressText } from './support/notes.js';
import type { Stack } from './support/stack.js';

const ON_ETHEREUM = '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0';
const ON_STARKNET = addressText(sandboxWorld.accounts.recipient1);
const STRK = { chain: 'starknet', token: 'STRK' } as const;
const USDC = { chain: 'ethereum', token: 'USDC' } as const;

/** Terms of a transfer in each direction, as a wallet requests them. */
const DIRECTIONS = {
  in: { from: USDC, to: STRK, amount: '100000000', recipient: ON_STARKNET },
  out: { from: STRK, to: USDC, amount: '1000000000000000000000', recipient: ON_ETHEREUM },
} as const;
type Direction = keyof typeof DIRECTIONS;

/** Timeout in milliseconds, far longer than the time for which a response is cached. */
const SOON_MS = 60_000;

/** Returns the step states of a transfer with `done` completed steps. */
function withDone(done: number, next: string): readonly string[] {
  return SOLVER_STEPS.map((_, index) =>
    index < done ? 'completed' : index === done ? next : 'pending',
  );
}

describe('a bridge transfer', () => {
  let stack: Stack;
  let sotto: SottoClient;
  beforeAll(async () => {
    stack = await startDomains({ cadence: 'manual' });
    stack.solver.configure({ stepMs: 'manual', refundMs: 'manual' });
    sotto = clientOf(stack);
  });
  afterAll(() => stack.stop());
  afterEach(() => {
    stack.solver.clearFaults();
    stack.solver.configure({ showSteps: true });
  });

  const quote = (direction: Direction, dryRun: boolean) => {
    const { from, to, amount, recipient } = DIRECTIONS[direction];
    const ends = {
      from_chain: from.chain,
      from_token: from.token,
      to_chain: to.chain,
      to_token: to.token,
    };
    return sotto.POST('/api/bridge/quote', {
      body: { ...ends, amount, dry_run: dryRun, ...(dryRun ? {} : { recipient }) },
    });
  };
  const ordered = async (direction: Direction = 'in'): Promise<string> => {
    const { data, error } = await quote(direction, false);
    if (data?.transaction_id === undefined) throw new Error(error?.code ?? 'no transaction id');
    return data.transaction_id;
  };
  const poll = (id: string) =>
    sotto.GET('/api/bridge/status', { params: { query: { transaction_id: id } } });
  const seen = async (id: string) => {
    const { data, error } = await poll(id);
    if (data === undefined) throw new Error(error.code);
    return data;
  };
  const finishSteps = (id: string, count: number): void => {
    for (let finished = 0; finished < count; finished += 1) stack.solver.finishStep(id);
  };
  /**
   * Waits until `check` passes for the transfer's status. The service caches a response for up to
   * two seconds, so the first responses may be outdated.
   */
  const soon = async (id: string, check: (status: Awaited<ReturnType<typeof seen>>) => void) => {
    const untilMs = systemClock.nowMs() + SOON_MS;
    for (;;) {
      const status = await seen(id);
      try {
        check(status);
        return status;
      } catch (error) {
        if (systemClock.nowMs() > untilMs) throw error;
        await systemClock.sleep(50);
      }
    }
  };
  const soonAs = (id: string, wanted: object) =>
    soon(id, (status) => expect(status).toMatchObject(wanted));
  const soonWords = (id: string, words: readonly string[]) =>
    soon(id, ({ steps }) => expect(steps.map(({ status }) => status)).toEqual(words));

  it.each(['in', 'out'] as const)(
    'a bridge transfer in the direction %s is quoted, funded, and followed through every step',
    async (direction) => {
      const { data: estimate } = await quote(direction, true);
      expect(estimate).not.toHaveProperty('transaction_id');
      const { data: terms } = await quote(direction, false);
      expect(terms).toMatchObject({
        estimated_output: estimate?.estimated_output,
        deposit_address: expect.any(String),
      });
      const id = terms?.transaction_id ?? '';
      const { from, to, recipient } = DIRECTIONS[direction];
      expect(await seen(id)).toStrictEqual({
        status: 'processing',
        steps: SOLVER_STEPS.map((step) => ({ step, status: 'pending', timestamp: null })),
        transfer: {
          from_chain: from.chain,
          from_token: from.token,
          to_chain: to.chain,
          to_token: to.token,
          amount: direction === 'in' ? '100 USDC' : '1000 STRK',
          estimated_output: terms?.estimated_output,
          recipient,
          deposit_address: terms?.deposit_address,
        },
      });

      stack.solver.deposit(id);
      const times: number[] = [];
      for (const [done, step] of SOLVER_STEPS.entries()) {
        await soonWords(id, withDone(done, 'processing'));
        stack.solver.finishStep(id);
        const { status, steps } = await soon(id, (latest) =>
          expect(latest.steps[done]).toMatchObject({
            step,
            status: 'completed',
            tx_hash: expect.any(String),
          }),
        );
        times.push(steps[done]?.timestamp ?? Number.NaN);
        expect(steps.slice(0, done + 1).map(({ timestamp }) => timestamp)).toEqual(times);
        expect(status).toBe(done + 1 === SOLVER_STEPS.length ? 'completed' : 'processing');
      }
      expect(await seen(id)).toMatchObject({ output_amount: terms?.estimated_output });
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      for (const time of times) expect(Math.abs(time - Date.now() / 1_000)).toBeLessThan(60);
    },
  );

  it('a restart does not change the observed times of a bridge transfer’s steps', async () => {
    // From here on the bridge omits the times of steps, so only the service's store contains them.
    stack.solver.configure({ showSteps: false });
    const id = await ordered();
    stack.solver.deposit(id);
    stack.solver.finishStep(id);
    const before = await seen(id);
    expect(before.steps[0]).toMatchObject({ status: 'completed', timestamp: expect.any(Number) });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    sotto = await restarted(stack);
    expect(await seen(id)).toEqual(before);

    finishSteps(id, SOLVER_STEPS.length - 1);
    const after = await soonAs(id, { status: 'completed' });
    expect(after.steps[0]).toEqual(before.steps[0]);
    expect(after.steps.at(-1)?.timestamp).toBeGreaterThan(
      before.steps[0]?.timestamp ?? Number.POSITIVE_INFINITY,
    );
  });

  it.each([0, 2, 4])(
    'the service reports the failed step and the refund if a bridge transfer fails after %d completed steps',
    async (done) => {
      const id = await ordered();
      stack.solver.deposit(id);
      finishSteps(id, done);
      await soonWords(id, withDone(done, 'processing'));
      stack.solver.failStep(id);
      await soonAs(id, { status: 'processing', refund: 'expected' });
      await soonWords(id, withDone(done, 'failed'));
      stack.solver.refund(id);
      const { steps } = await soonAs(id, { status: 'processing', refund: 'refunded' });
      expect(steps.map(({ status }) => status)).toEqual(withDone(done, 'failed'));
    },
  );

  it.each(['tr_unknown', 'x'.repeat(256), '../quote'])(
    'responds to an unknown transfer id with TRANSFER_NOT_FOUND: %p',
    async (id) => {
      const { error, response } = await poll(id);
      expect([response.status, error?.code]).toEqual([404, 'TRANSFER_NOT_FOUND']);
    },
  );

  const troubles: readonly (readonly [string, SolverFault, number, string])[] = [
    [
      'an error of 500',
      { kind: 'refuse', status: 500, message: 'broken' },
      503,
      'BRIDGE_UNAVAILABLE',
    ],
    ['a page of a proxy', { kind: 'html' }, 503, 'BRIDGE_UNAVAILABLE'],
    ['a page as an answer', { kind: 'html', status: 200 }, 502, 'BRIDGE_MALFORMED'],
    ['missing fields', { kind: 'answer', body: {} }, 502, 'BRIDGE_MALFORMED'],
    ['nothing in time', { kind: 'late', delayMs: 15_000 }, 504, 'BRIDGE_TIMED_OUT'],
  ];
  it.each(troubles)(
    'if the bridge responds with %s, callers get an error, and the stored state of the transfer does not change',
    async (_what, fault, status, code) => {
      const id = await ordered();
      stack.solver.deposit(id);
      stack.solver.finishStep(id);
      const before = await seen(id);
      stack.solver.addFault({ endpoint: 'status', fault, times: 10 });
      const failed = await eventually('the kept answer to be too old', async () => {
        const answer = await poll(id);
        return answer.error !== undefined && answer;
      });
      expect([failed.response.status, failed.error?.code]).toEqual([status, code]);
      stack.solver.clearFaults();
      sotto = await restarted(stack);
      expect(await seen(id)).toEqual(before);
    },
  );

  it('reports a bridge transfer even if the bridge responds slowly', async () => {
    const id = await ordered();
    stack.solver.addFault({ endpoint: 'status', fault: { kind: 'late', delayMs: 1_000 } });
    expect((await seen(id)).status).toBe('processing');
  });

  it('an unknown status text of the bridge does not change the reported state of a transfer', async () => {
    const id = await ordered();
    stack.solver.deposit(id);
    stack.solver.finishStep(id);
    stack.solver.finishStep(id);
    const before = await seen(id);
    stack.solver.addFault({ endpoint: 'status', fault: { kind: 'word', word: 'TELEPORTING' } });
    const requested = stack.solver.requests().length;
    await eventually('the bridge to be queried again', async () => {
      const { bridge_message: _, ...status } = await seen(id);
      expect(status).toEqual(before);
      return stack.solver.requests().length > requested;
    });
    const fresh = await ordered();
    stack.solver.addFault({ endpoint: 'status', fault: { kind: 'word', word: 'TELEPORTING' } });
    expect((await seen(fresh)).steps.map(({ status }) => status)).toEqual(
      withDone(0, 'processing'),
    );
  });

  it('responds with BRIDGE_DISABLED if no bridge is configured', async () => {
    sotto = await restarted(stack, { BRIDGE_URL: '' });
    const { error, response } = await poll('tr_unknown');
    expect([response.status, error?.code]).toEqual([503, 'BRIDGE_DISABLED']);
  });

  it('T9: the service can quote a transfer soon after 400 unknown transfer ids used up the bridge requests', async () => {
    sotto = await restarted(stack);
    const answers = await Promise.all(
      Array.from({ length: 400 }, async (_, index) =>
        stack.service.get(`/api/bridge/status?transaction_id=junk-${index}`),
      ),
    );
    const codes = answers.map(({ body }) => Object(body).code);
    expect(new Set(codes)).toEqual(new Set(['TRANSFER_NOT_FOUND', 'OVERLOADED']));
    const answer = await eventually('the bridge to be queried again', async () => {
      const { data } = await quote('in', true);
      return data;
    });
    expect(answer.estimated_output_amount).toMatch(/^[0-9]+$/);
  });
});

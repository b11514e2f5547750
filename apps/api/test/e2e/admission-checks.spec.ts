import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually, type WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { LaneState } from './support/chain.js';
import type { LedgerRows } from './support/ledger.js';
import { Stack, type StackOptions } from './support/stack.js';
import { bodyOf, forged, leaves, pool, vector } from './support/withdrawals.js';

const CHECKS = [
  'pool_served',
  'proof_layout',
  'public_inputs',
  'relayer',
  'recipient',
  'queue',
  'pool_open',
  'budget',
  'quote',
  'fee_payable',
  'fee_covers_cost',
  'fee_within_maximum',
  'batch',
  'root_known',
  'nullifier_unspent',
  'not_in_ledger',
  'pairing',
  'simulation',
] as const;
type Check = (typeof CHECKS)[number];

/** Order of BN254's scalar field. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** Index of the first public input, after the length felt. The seven inputs have two felts each. */
const FIRST_INPUT = 34;
const NULLIFIER_HASH = 1;
const RECIPIENT = 2;

const start = (options: StackOptions = {}): Promise<Stack> =>
  Stack.start({ verificationKey: trapdoorKey, ...options });

interface Rejection {
  readonly check: Check;
  readonly status: number;
  readonly code: string;
  /** Names of all other checks that the dry run also reports as failed. */
  readonly also?: readonly Check[];
}

/**
 * Body of a withdrawal that passes every check of a service that verifies with the trapdoor key.
 */
const good = forged();

/**
 * Returns the calldata of the valid proof with another value of one public input. The proof does
 * not match that value.
 */
function withInput(index: number, value: bigint): WithdrawalBody {
  const at = FIRST_INPUT + 2 * index;
  return bodyOf(good.calldata.toSpliced(at, 2, ...u256ToHalves(value).map((half) => toFelt(half))));
}

const changedRequests: readonly (Rejection & {
  readonly what: string;
  readonly make: () => WithdrawalBody;
})[] = [
  {
    check: 'pool_served',
    what: 'a pool that is not in the profile',
    status: 404,
    code: 'POOL_NOT_SUPPORTED',
    make: () => ({ ...good, poolAddress: toFelt(sandboxWorld.pools.sentinel_2x.address) }),
  },
  {
    check: 'proof_layout',
    what: 'a felt too few',
    status: 400,
    code: 'PROOF_LAYOUT_INVALID',
    make: () => bodyOf(good.calldata.slice(0, -1)),
  },
  {
    check: 'public_inputs',
    what: 'the nullifier hash written as a number above the field',
    status: 400,
    code: 'PUBLIC_INPUT_OUT_OF_RANGE',
    make: () => withInput(NULLIFIER_HASH, BigInt(vector.note.nullifierHash) + R),
  },
  {
    check: 'relayer',
    what: 'a fee for another relayer',
    status: 422,
    code: 'RELAYER_MISMATCH',
    make: () => forged({ relayer: sandboxWorld.accounts.lane2.address }),
  },
  {
    check: 'recipient',
    what: 'no recipient',
    status: 422,
    code: 'RECIPIENT_INVALID',
    make: () => forged({ recipient: 0n }),
  },
  {
    check: 'quote',
    what: 'a quote that was never issued',
    status: 422,
    code: 'QUOTE_UNKNOWN',
    make: () => ({ ...good, quoteId: 'this-quote-was-never-issued' }),
  },
  {
    check: 'fee_covers_cost',
    what: 'a fee of one satoshi',
    status: 422,
    code: 'FEE_TOO_LOW',
    make: () => forged({ fee: 1n }),
  },
  {
    check: 'fee_within_maximum',
    what: "a fee above the pool's maximum",
    status: 422,
    code: 'FEE_ABOVE_POOL_MAXIMUM',
    make: () => forged({ fee: (pool.denomination * BigInt(pool.maxFeeBps)) / 10_000n + 1n }),
  },
  {
    check: 'batch',
    what: 'a batch with a waiting deposit',
    status: 422,
    code: 'BATCH_OUT_OF_BOUNDS',
    make: () => forged({ batchStart: 3n, batchSize: 4n }),
  },
  {
    check: 'root_known',
    what: 'a tree that the pool never had',
    status: 422,
    code: 'ROOT_UNKNOWN',
    make: () => forged({}, [...leaves.slice(0, -1), 1n]),
  },
  {
    check: 'pairing',
    what: 'a recipient that a third party inserted',
    status: 422,
    code: 'PROOF_INVALID',
    make: () => withInput(RECIPIENT, sandboxWorld.accounts.recipient1.address),
  },
];

const changedWorlds: readonly (Rejection & {
  readonly what: string;
  readonly change: (stack: Stack) => Promise<void>;
})[] = [
  {
    check: 'fee_payable',
    what: 'gas that costs more than any fee',
    status: 503,
    code: 'WITHDRAWAL_UNPROFITABLE',
    also: ['fee_covers_cost'],
    change: async ({ chain: { control }, service }) => {
      control.setGasPrices({ l2Gas: 10n ** 12n });
      control.mine();
      // The service reads the latest block automatically, but caches the block for half a second.
      // So the new gas price appears later.
      await eventually('the new gas price', async () => {
        const { text } = await service.get('/api/relayer/fee-estimate');
        return text.includes(`"l2GasPriceFri":"${10n ** 12n}"`);
      });
      control.resetCounters();
    },
  },
  {
    check: 'nullifier_unspent',
    what: 'a note that another relayer has spent',
    status: 409,
    code: 'NULLIFIER_SPENT',
    change: async ({ chain }) => {
      await chain.relayByAnother(good.calldata);
      chain.control.mine();
      chain.control.resetCounters();
    },
  },
  {
    check: 'simulation',
    what: 'a pool that is paused',
    status: 422,
    code: 'SIMULATION_REVERTED',
    change: async ({ chain }) => chain.control.setStorage(pool.address, 'paused', 1n),
  },
];

describe('the admission ladder', () => {
  let stack: Stack;

  interface Traces {
    readonly lane: LaneState;
    readonly ledger: LedgerRows;
    readonly sent: number;
  }
  const traces = async (): Promise<Traces> => ({
    lane: await stack.chain.lane(),
    ledger: stack.ledger(),
    sent: stack.chain.control.counters().calls['starknet_addInvokeTransaction'] ?? 0,
  });

  /**
   * Expects that the service rejects the request and its dry run with the check's code, and that
   * both requests leave no row in the ledger and send no transaction.
   */
  async function expectRejection(
    body: WithdrawalBody,
    { check, status, code, also = [] }: Rejection,
  ): Promise<void> {
    const before = await traces();
    const report = await stack.service.withdraw(body, { query: '?dryRun=true' });
    expect([report.status, report.body]).toEqual([
      200,
      expect.objectContaining({ admissible: false, checks: expect.any(Array) }),
    ]);
    const checks: readonly {
      readonly check: string;
      readonly code: string;
      readonly status: string;
    }[] = Object(report.body).checks;
    expect(checks.map((entry) => entry.check)).toEqual(CHECKS);
    expect(checks.filter((entry) => entry.status === 'failed').map((entry) => entry.check)).toEqual(
      [check, ...also],
    );
    expect(checks.find((entry) => entry.check === check)?.code).toBe(code);

    const answer = await stack.service.withdraw(body);
    expect({ status: answer.status, code: Object(answer.body).code }).toEqual({ status, code });
    // The response has a Location only if another submission uses the note; the caller can follow
    // that submission.
    const isHeld = check === 'not_in_ledger';
    expect(answer.headers.get('location') !== null).toBe(isHeld);
    expect(answer.headers.get('retry-after') !== null).toBe(status === 503 || isHeld);
    expect(await traces()).toEqual(before);
  }

  describe('a request with one change', () => {
    beforeAll(async () => {
      stack = await start();
    });
    afterAll(() => stack.stop());

    it.each(changedRequests)(
      'rejects a withdrawal with $what at the check "$check"',
      async ({ make, ...rejection }) => {
        await expectRejection(make(), rejection);
        expect(stack.ledger()).toEqual({
          attempts: [],
          transactions: [],
          calldata: 0,
          swapPins: 0,
        });
        expect(stack.chain.waiting()).toEqual([]);
      },
    );

    it('a dry run of a valid request reports that every check passes, and changes nothing', async () => {
      const before = await traces();
      const { body } = await stack.service.withdraw(good, { query: '?dryRun=true' });
      expect(body).toEqual({
        admissible: true,
        checks: CHECKS.map((check) => expect.objectContaining({ check, status: 'passed' })),
        crowd: { batchSize: vector.batchSize, warning: null },
      });
      expect(await traces()).toEqual(before);
    });

    it('accepts a valid withdrawal after all invalid requests were rejected', async () => {
      expect((await stack.service.withdraw(good)).body).toMatchObject({
        execution_status: 'SUCCEEDED',
      });
    });
  });

  describe('the good request in a world with one change', () => {
    afterEach(() => stack.stop());

    it.each(changedWorlds)(
      'rejects a valid request because of $what at the check "$check"',
      async ({ change, ...rejection }) => {
        stack = await start({ cadence: 'manual' });
        await change(stack);
        await expectRejection(good, rejection);
        expect(stack.ledger()).toEqual({
          attempts: [],
          transactions: [],
          calldata: 0,
          swapPins: 0,
        });
      },
    );

    it('rejects a request with new terms for a note at the check "not_in_ledger" while the note’s first withdrawal is in flight', async () => {
      stack = await start({ cadence: 'manual' });
      await stack.service.accepted(good);
      await eventually('the transaction to be sent', () => stack.chain.waiting().length === 1);
      const other = forged({ recipient: sandboxWorld.accounts.recipient2.address });
      await expectRejection(other, {
        check: 'not_in_ledger',
        status: 409,
        code: 'WITHDRAWAL_IN_PROGRESS',
      });
      expect(stack.ledger().attempts).toHaveLength(1);
    });
  });

  it('each admission check has a test in which only this check fails', () => {
    const covered = new Set<Check>(
      [...changedRequests, ...changedWorlds].map(({ check }) => check),
    );
    // These checks depend on earlier actions of the service, so this table can't contain them.
    // guards.spec.ts and queue.spec.ts test the first three checks. A test above tests the last
    // check.
    const ofTheService: readonly Check[] = ['pool_open', 'budget', 'queue', 'not_in_ledger'];
    expect(CHECKS.filter((check) => !covered.has(check) && !ofTheService.includes(check))).toEqual(
      [],
    );
  });
});

describe('a read that fails', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  it.each([
    ['the node answers HTML', { kind: 'html' }, 503, 'NODE_UNAVAILABLE'],
    ['the node is too slow', { kind: 'answer-late', delayMs: 30_000 }, 504, 'UPSTREAM_TIMED_OUT'],
  ] as const)(
    'rejects a withdrawal if a read of the chain fails: %s',
    async (_what, fault, status, code) => {
      stack = await start({
        cadence: 'manual',
        env: { NODE_TIMEOUT_MS: '2000', IDLE_INTERVAL_MS: '60000' },
      });
      await stack.service.ready();
      stack.chain.control.addFault({ method: 'starknet_call', fault, times: 10 });
      const answer = await stack.service.withdraw(good);
      expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
      expect(stack.ledger().attempts).toEqual([]);

      stack.chain.control.clearFaults();
      await stack.service.accepted(good);
    },
  );

  it('rejects a withdrawal if no current price can be read', async () => {
    const old = {
      price: 4_000_000n,
      decimals: 8,
      lastUpdatedTimestampSeconds: 1_700_000_000,
      numSources: 10,
    };
    stack = await start({ genesis: { prices: { 'STRK/USD': old } } });
    const answer = await stack.service.withdraw(good);
    expect([answer.status, answer.body]).toEqual([
      503,
      expect.objectContaining({ code: 'PRICE_UNAVAILABLE' }),
    ]);
    expect(stack.ledger().attempts).toEqual([]);
  });
});

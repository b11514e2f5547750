import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import { findStrk20Dump } from '@sotto/deployment/testing';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { ONE, RELAYER, Strk20Site, type PrivateRequest } from './support/strk20-site.js';

const isGiven =
  process.env['SOTTO_TEST_NODE'] === 'devnet' &&
  findDevnet() !== undefined &&
  findStrk20Dump() !== undefined;
const RECIPIENT = 0x4ec1n;
/** Notes that the first test deposits; the dump's note has the index 0. */
const NOTES = [40n, 30n, 20n, 15n, 10n, 9n, 9n].map((amount) => amount * ONE);
/** Blocks after its base block in which the dump's pool accepts a proof. */
const VALIDITY_BLOCKS = 450;

/** Requests that differ from the compiled actions, and the codes of REST and paymaster. */
const CHANGED: readonly {
  readonly what: string;
  readonly change: (request: PrivateRequest) => PrivateRequest;
  readonly code: string;
  readonly rpcCode: number;
}[] = [
  {
    what: 'tampered actions',
    change: ({ calldata, ...rest }) => ({
      ...rest,
      calldata: [...calldata.slice(0, -1), toFelt(99n * ONE)],
    }),
    code: 'PROOF_FACTS_MISMATCH',
    rpcCode: 156,
  },
  {
    what: 'the address of another contract',
    change: (request) => ({ ...request, poolAddress: '0x123' }),
    code: 'POOL_NOT_SUPPORTED',
    rpcCode: 161,
  },
  {
    what: 'a call for a newer class of the pool',
    change: ({ calldata, ...rest }) => ({ ...rest, calldata: [...calldata, '0x1'] }),
    code: 'POOL_VERSION_MISMATCH',
    rpcCode: 156,
  },
  {
    what: 'facts of another block',
    change: (request) => ({ ...request, proofFacts: request.proofFacts.with(5, '0xbad') }),
    code: 'PROOF_BASE_BLOCK_UNKNOWN',
    rpcCode: 156,
  },
  {
    what: 'facts of another network',
    change: (request) => ({ ...request, proofFacts: request.proofFacts.with(6, '0xbad') }),
    code: 'PROOF_OF_ANOTHER_NETWORK',
    rpcCode: 156,
  },
  {
    what: 'facts of an unknown program',
    change: (request) => ({ ...request, proofFacts: request.proofFacts.with(2, '0xbad') }),
    code: 'SIMULATION_REVERTED',
    rpcCode: 156,
  },
];

const errorOf = (response: unknown) => Object(response).error;
const resultOf = (response: unknown) => Object(response).result;

(isGiven ? describe : describe.skip)('the service on the real privacy pool, on devnet', () => {
  let site: Strk20Site;
  beforeAll(async () => {
    site = await Strk20Site.start();
  });
  afterAll(() => site.stop());

  /** Spends a note of {@link NOTES} with a fee. */
  const withdrawal = async (note: number, fee: bigint): Promise<PrivateRequest> => {
    const amount = (NOTES[note - 1] ?? 0n) - fee;
    const payments = [
      { to: RECIPIENT, amount },
      { to: RELAYER, amount: fee },
    ];
    return site.request(await site.devnet.user.withdraw(payments, { note }));
  };

  /** Sends a request over both interfaces, and returns the code of REST and paymaster. */
  const rejectionsOf = async (request: PrivateRequest): Promise<readonly unknown[]> => {
    const nonce = await site.nonce();
    const { body } = await site.send(request);
    const response = errorOf(await site.execute(request));
    expect(await site.nonce()).toBe(nonce);
    return [Object(body).code, response?.code, JSON.stringify(response?.data)];
  };

  it('a deposit is relayed, and pays its fee', async () => {
    const fee = 5n * ONE;
    const earned = await site.balance(RELAYER);
    await site.devnet.approve(
      site.devnet.userAccount,
      NOTES.reduce((a, b) => a + b, fee),
    );
    const actions = await site.devnet.user.deposit(NOTES, [{ to: RELAYER, amount: fee }]);
    const { status, body } = await site.send(site.request(actions));
    expect([status, body]).toMatchObject([200, { execution_status: 'SUCCEEDED' }]);
    expect((await site.balance(RELAYER)) - earned).toBe(fee);
  });

  it('a withdrawal over the REST route succeeds once', async () => {
    const fee = await site.build();
    const before = { earned: await site.balance(RELAYER), nonce: await site.nonce() };
    const request = await withdrawal(1, fee);
    const { status, body, headers } = await site.send(request);
    expect([status, body]).toMatchObject([200, { execution_status: 'SUCCEEDED' }]);
    expect(await site.balance(RECIPIENT)).toBe((NOTES[0] ?? 0n) - fee);
    expect((await site.balance(RELAYER)) - before.earned).toBe(fee);
    const receipt = await site.chain.receiptOf(String(Object(body).transaction_hash));
    expect(fee).toBeGreaterThan(receipt.actual_fee.amount);

    const again = await site.send(request);
    expect([again.status, again.body, again.headers.get('location')]).toEqual([
      200,
      body,
      headers.get('location'),
    ]);
    expect(await site.nonce()).toBe(before.nonce + 1n);
  });

  it('a withdrawal over the paymaster succeeds once and is tracked', async () => {
    expect(resultOf(await site.call('paymaster_isAvailable', {}))).toBe(true);
    const nonce = await site.nonce();
    const request = await withdrawal(2, await site.build());
    const executed = resultOf(await site.execute(request));
    expect(await site.chain.receiptOf(executed?.transaction_hash)).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(resultOf(await site.execute(request))).toEqual(executed);
    expect(await site.nonce()).toBe(nonce + 1n);
    const { tracking_id } = executed;
    const tracked = await eventually('the transaction to be accepted', async () => {
      const answer = resultOf(await site.call('paymaster_trackingIdToLatestHash', { tracking_id }));
      return answer.status === 'accepted' && answer;
    });
    expect(tracked.transaction_hash).toBe(executed.transaction_hash);
  });

  describe('requests that cost no gas', () => {
    it.each(CHANGED)('the service rejects $what', async ({ change, code, rpcCode }) => {
      const request = change(await withdrawal(3, 5n * ONE));
      const named = expect.stringContaining(`${code}: `);
      expect(await rejectionsOf(request)).toEqual([code, rpcCode, named]);
    });

    it('the paymaster rejects a wrong selector, decimal felts and a call without facts', async () => {
      const nonce = await site.nonce();
      const request = await withdrawal(3, 5n * ONE);
      const calldata = request.calldata.map((felt) => String(BigInt(felt)));
      const responses = [
        await site.execute(request, '0x1'),
        await site.execute({ ...request, calldata }),
        await site.execute({ ...request, proofFacts: [] }),
      ];
      expect(responses.map((response) => errorOf(response)?.code)).toEqual([162, -32_602, -32_602]);
      expect(await site.nonce()).toBe(nonce);
    });

    it('the service rejects a fee below the cost', async () => {
      const [code, rpcCode] = await rejectionsOf(await withdrawal(3, 1n));
      expect([code, rpcCode]).toEqual(['FEE_TOO_LOW', 154]);
    });

    it('the service rejects a proof that no block accepts in time', async () => {
      const request = await withdrawal(3, 5n * ONE);
      await site.devnet.mine(VALIDITY_BLOCKS + 1);
      const [code, rpcCode] = await rejectionsOf(request);
      expect([code, rpcCode]).toEqual(['PROOF_EXPIRED', 156]);
    });
  });

  it('the service sends nothing while the pool is paused', async () => {
    const nonce = await site.nonce();
    const request = await withdrawal(3, 5n * ONE);
    await site.devnet.change({ isPaused: true });
    expect((await site.send(request)).body).toMatchObject({ code: 'PRIVACY_POOL_PAUSED' });
    await site.devnet.change({ isPaused: false });
    expect(await site.nonce()).toBe(nonce);
    expect((await site.send(request)).body).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  it('the service sends one of two requests that spend the same note at once', async () => {
    const nonce = await site.nonce();
    const requests = [await withdrawal(4, 5n * ONE), await withdrawal(4, 6n * ONE)];
    const answers = await Promise.all(requests.map((request) => site.send(request)));
    const outcomes = answers.map(({ body }) => Object(body).execution_status ?? Object(body).code);
    expect(outcomes).toContain('SUCCEEDED');
    expect(['PRIVATE_ACTIONS_IN_PROGRESS', 'PRIVATE_ACTIONS_APPLIED']).toContain(
      outcomes.find((outcome) => outcome !== 'SUCCEEDED'),
    );
    expect(await site.nonce()).toBe(nonce + 1n);
  });

  it('the service sends no other actions that spend the same note', async () => {
    const first = await withdrawal(7, 5n * ONE);
    const second = await withdrawal(7, 6n * ONE);
    expect((await site.send(first)).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    const nonce = await site.nonce();
    expect((await site.send(second)).body).toMatchObject({ code: 'PRIVATE_ACTIONS_APPLIED' });
    expect(await site.nonce()).toBe(nonce);
  });

  it('the fee of the pool is paid in the same transaction', async () => {
    const feeFri = ONE / 2n;
    const governor = site.devnet.governor.address;
    const withoutFee = await site.build();
    await site.devnet.change({ feeFri });
    const fee = await eventually('the built fee to contain the fee of the pool', async () => {
      const built = await site.build();
      return built > withoutFee && built;
    });
    const collected = await site.balance(governor);
    const { body } = await site.send(await withdrawal(5, fee));
    expect(body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect((await site.balance(governor)) - collected).toBe(feeFri);
  });

  it('the service sends nothing while the pool’s fee is above its maximum', async () => {
    const nonce = await site.nonce();
    const request = await withdrawal(6, 5n * ONE);
    await site.devnet.change({ feeFri: 100n * ONE });
    expect((await site.send(request)).body).toMatchObject({ code: 'POOL_FEE_TOO_HIGH' });
    expect(errorOf(await site.execute(request))).toMatchObject({ code: 163 });
    expect(await site.nonce()).toBe(nonce);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyFeeQuote, type SignedFeeQuote } from '@sotto/wallet/advanced';
import { createSottoClient, type SottoClient, type components } from '@sotto/client';
import { systemClock, toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { TestChain } from './support/chain.js';
import { addressText, commitmentsOf, forgedWithdrawalOf, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';
import { forged, leaves, vector } from './support/withdrawals.js';

interface Quote extends SignedFeeQuote {
  readonly estimate: components['schemas']['FeeEstimate'];
}

const { pools, accounts } = sandboxWorld;
const pool = pools.sentinel_2x;
const poolAddress = addressText(pool);
const recipient = accounts.recipient1.address;
const signerPublicKey = toFelt(accounts.lane1.publicKey);
const notes = notesOf(7n, 6);

/**
 * Fee in sats: the cost of 0.289615 STRK at 0.04 USD, plus a fifth. `LATER_FEE` is the fee at 0.40
 * USD.
 */
const FEE = 15n;
const LATER_FEE = 140n;
/**
 * Estimated cost in sats at the later price. A fee below half of this cost is rejected before the
 * simulation.
 */
const LATER_COST = 116n;

describe('a fee quote', () => {
  let stack: Stack;
  let sotto: SottoClient;
  let short: Quote;
  let early: Quote;
  beforeAll(async () => {
    // The estimated fees follow the figures of the network profile. These settings prevent that
    // receipts change the figures during the test.
    const env = { QUOTE_TTL_MS: '10000', GAS_LEARN_INTERVAL_MS: '86400000' };
    stack = await Stack.start({ whole: true, deposit, env, verificationKey: trapdoorKey });
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
    short = await quoted();
    await restart();
    early = await quoted();
  });
  afterAll(() => stack.stop());

  const restart = async (): Promise<void> => {
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    await stack.restart({ QUOTE_TTL_MS: '120000' });
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
  };
  const quoted = async (): Promise<Quote> => {
    const { data, error } = await sotto.POST('/api/relayer/quote', { body: { poolAddress } });
    if (data === undefined) throw new Error(error.code);
    return data;
  };
  const withdraw = async (index: number, fee: bigint, quoteId?: string) => {
    const calldata = [...forgedWithdrawalOf({ notes, index, fee, recipient })];
    return sotto.POST('/api/relayer/withdraw', {
      body: { poolAddress, calldata, ...(quoteId === undefined ? {} : { quoteId }) },
    });
  };

  it('a fee quote contains the fee, its components and its expiry', () => {
    expect(early).toMatchObject({
      quoteId: expect.stringMatching(/^[\w-]{20,}$/),
      pool: poolAddress,
      relayer: toFelt(BigInt(vector.relayer)),
      fee: String(FEE),
      signer: addressText(accounts.lane1),
      estimate: {
        feeSats: Number(FEE),
        maxFeeSats: 2_000,
        denomination: 40_000,
        prices: { strkUsd: 0.04 },
      },
    });
    const leftMs = early.expiresAt * 1_000 - systemClock.nowMs();
    expect(leftMs).toBeGreaterThan(60_000);
    expect(leftMs).toBeLessThanOrEqual(120_000);
    expect(early.quoteId).not.toBe(short.quoteId);
  });

  it('a fee quote’s signature is verified offline, and a changed quote is detected', () => {
    const verify = (quote: Quote, key = signerPublicKey, nowMs?: number): string => {
      try {
        return verifyFeeQuote(quote, {
          signerPublicKey: key,
          ...(nowMs === undefined ? {} : { nowMs }),
        });
      } catch (error) {
        return String(Object(error).code);
      }
    };
    expect(verify(early)).toBe('valid');
    expect(verify(early, signerPublicKey, early.expiresAt * 1_000)).toBe('QUOTE_EXPIRED');
    for (const tampered of [
      { fee: String(FEE - 1n) },
      { expiresAt: early.expiresAt + 1 },
      { pool: addressText(pools.sentinel_1x) },
      { relayer: toFelt(recipient) },
      { chainId: '0x534e5f4d41494e' },
      { quoteId: short.quoteId },
    ]) {
      expect(verify({ ...early, ...tampered })).toBe('SIGNATURE_FORGED');
    }
    expect(verify(early, toFelt(accounts.lane2.publicKey))).toBe('SIGNATURE_FORGED');
  });

  it('a withdrawal is rejected if its fee quote was never issued or has expired', async () => {
    const unknown = await withdraw(5, FEE, 'this-quote-was-never-issued');
    expect([unknown.response.status, unknown.error?.code]).toEqual([422, 'QUOTE_UNKNOWN']);

    await systemClock.sleep(Math.max(0, short.expiresAt * 1_000 - systemClock.nowMs()));
    const expired = await withdraw(5, FEE, short.quoteId);
    expect([expired.response.status, expired.error?.code]).toEqual([422, 'QUOTE_EXPIRED']);
    expect(() => verifyFeeQuote(short, { signerPublicKey })).toThrow(
      expect.objectContaining({ code: 'QUOTE_EXPIRED' }),
    );
  });

  it('a fee quote stays valid when prices rise and when the service restarts', async () => {
    stack.chain.setPrice('STRK/USD', { usdE8: 40_000_000n });
    await restart();
    const without = await withdraw(0, FEE);
    expect([without.response.status, without.error?.code, without.error?.details]).toEqual([
      422,
      'FEE_TOO_LOW',
      { offered: String(FEE), required: String(LATER_COST) },
    ]);

    const { response, data } = await withdraw(0, FEE, early.quoteId);
    expect([response.status, data]).toEqual([
      200,
      { transaction_hash: expect.any(String), execution_status: 'SUCCEEDED', revert_reason: null },
    ]);
    expect(await stack.chain.wbtcOf(BigInt(vector.relayer))).toBe(FEE);
    expect(await stack.chain.wbtcOf(recipient)).toBe(pool.denomination - FEE);
  });

  it('a fee quote is valid for one withdrawal and for repeats of that withdrawal', async () => {
    const paid = stack.chain.inclusions().length;
    const { response, error } = await withdraw(1, FEE, early.quoteId);
    expect([response.status, error?.code]).toEqual([409, 'QUOTE_USED']);
    expect((await withdraw(0, FEE, early.quoteId)).data).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(stack.chain.inclusions()).toHaveLength(paid);
  });

  it('a fee quote is valid for only one of two concurrent withdrawals that cite it', async () => {
    const { quoteId, fee } = await quoted();
    expect(fee).toBe(String(LATER_FEE));
    const answers = await Promise.all([
      withdraw(3, LATER_FEE, quoteId),
      withdraw(4, LATER_FEE, quoteId),
    ]);
    const outcomes = answers.map(({ data, error }) =>
      data !== undefined && 'execution_status' in data ? data.execution_status : error?.code,
    );
    expect(new Set(outcomes)).toEqual(new Set(['SUCCEEDED', 'QUOTE_USED']));
  });

  it('a withdrawal must pay the full quoted fee, even if the withdrawal costs the service less', async () => {
    const { quoteId } = await quoted();
    const { response, error } = await withdraw(2, LATER_FEE - 1n, quoteId);
    expect([response.status, error?.code, error?.details]).toEqual([
      422,
      'FEE_TOO_LOW',
      { offered: String(LATER_FEE - 1n), required: String(LATER_FEE) },
    ]);
    // A rejected withdrawal does not consume its quote. The service accepts the same proof without
    // a quote.
    expect((await withdraw(2, LATER_FEE - 1n)).data).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
  });

  it('a fee quote is valid only for the pool for which it was issued', async () => {
    const { quoteId } = await quoted();
    const { poolAddress: another, calldata } = forged();
    const { response, error } = await sotto.POST('/api/relayer/withdraw', {
      body: { poolAddress: another, calldata: [...calldata], quoteId },
    });
    expect([response.status, error?.code]).toEqual([422, 'QUOTE_MISMATCH']);
  });
});

async function deposit(chain: TestChain): Promise<void> {
  await chain.depositInto(pool, commitmentsOf(notes));
  await chain.depositInto(pools.sentinel_1x, leaves);
}

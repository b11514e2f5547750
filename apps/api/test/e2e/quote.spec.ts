import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyFeeQuote, type SignedFeeQuote } from '@sotto/wallet';
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

/** Fee in sats: 0.289615 STRK at 0.04 and at 0.40 USD, with a fifth more. */
const FEE = 15n;
const LATER_FEE = 140n;
/** Estimated cost at the later price. A fee below half of it is rejected before the simulation. */
const LATER_COST = 116n;

describe('a fee quote', () => {
  let stack: Stack;
  let sotto: SottoClient;
  let short: Quote;
  let early: Quote;
  beforeAll(async () => {
    // Fees follow the profile's figures: receipts don't change them while this runs.
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

  it('states the fee that binds the relayer, its expiry and its parts', () => {
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

  it('is verified offline, and a changed one is detected', () => {
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

  it('is rejected if it was never issued or has expired', async () => {
    const unknown = await withdraw(5, FEE, 'this-quote-was-never-issued');
    expect([unknown.response.status, unknown.error?.code]).toEqual([422, 'QUOTE_UNKNOWN']);

    await systemClock.sleep(Math.max(0, short.expiresAt * 1_000 - systemClock.nowMs()));
    const expired = await withdraw(5, FEE, short.quoteId);
    expect([expired.response.status, expired.error?.code]).toEqual([422, 'QUOTE_EXPIRED']);
    expect(() => verifyFeeQuote(short, { signerPublicKey })).toThrow(
      expect.objectContaining({ code: 'QUOTE_EXPIRED' }),
    );
  });

  it('stays valid after prices have risen, over a restart of the service', async () => {
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

  it('is valid for one withdrawal and its repeats', async () => {
    const paid = stack.chain.inclusions().length;
    const { response, error } = await withdraw(1, FEE, early.quoteId);
    expect([response.status, error?.code]).toEqual([409, 'QUOTE_USED']);
    expect((await withdraw(0, FEE, early.quoteId)).data).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(stack.chain.inclusions()).toHaveLength(paid);
  });

  it('is valid for one of two withdrawals that cite it concurrently', async () => {
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

  it('must be paid in full, however little the withdrawal costs', async () => {
    const { quoteId } = await quoted();
    const { response, error } = await withdraw(2, LATER_FEE - 1n, quoteId);
    expect([response.status, error?.code, error?.details]).toEqual([
      422,
      'FEE_TOO_LOW',
      { offered: String(LATER_FEE - 1n), required: String(LATER_FEE) },
    ]);
    // A rejection does not use the quote up, and the proof is valid without it.
    expect((await withdraw(2, LATER_FEE - 1n)).data).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
  });

  it('is valid for its pool alone', async () => {
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

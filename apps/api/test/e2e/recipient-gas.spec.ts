import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually, signerListens, signerUrl, type Answer } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { addressText, commitmentsOf, forgedWithdrawalOf, notesOf } from './support/notes.js';
import { sotto } from './support/operator.js';
import { policyFor, signerProcess } from './support/signer-process.js';
import { Stack, type StackOptions } from './support/stack.js';

const { accounts, guard, pools, tokens } = sandboxWorld;
const pool = pools.sentinel_1x;
const NOTES = notesOf(53n, 6);
const FEE = 900n;
/** Fresh account, which holds no STRK. */
const FRESH = 0x7f00d0000000000000000000000000000000000000000000000000000c0ffeen;
/** An odd amount, so that a test finds it in files and logs. */
const AMOUNT = 123_456_789_012_345_678n;

const bodyOf = (index: number, recipientGasFri: bigint | null = AMOUNT, fee = FEE) => ({
  poolAddress: addressText(pool),
  calldata: forgedWithdrawalOf({ notes: NOTES, index, fee, recipient: FRESH }),
  ...(recipientGasFri === null ? {} : { recipientGasFri: String(recipientGasFri) }),
});
const codeOf = ({ body }: Answer): unknown => Object(body).code ?? Object(body).execution_status;

describe('a withdrawal with STRK for its recipient', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  const start = async (options: StackOptions = {}): Promise<void> => {
    stack = await Stack.start({
      verificationKey: trapdoorKey,
      deposit: (chain) => chain.depositInto(pool, commitmentsOf(NOTES)),
      ...options,
    });
    await stack.service.ready();
  };
  const withdraw = (body: object): Promise<Answer> =>
    stack.service.post('/api/relayer/withdraw', body);
  const strkOf = (owner: bigint): Promise<bigint> =>
    stack.chain.balanceOf(tokens.STRK.address, owner);
  const feeOf = async (query: string): Promise<bigint> => {
    const { body } = await stack.service.get(
      `/api/relayer/fee-estimate?pool=${addressText(pool)}${query}`,
    );
    return BigInt(Object(body).feeAmount);
  };

  const ended = ({ headers }: Answer, state: string): Promise<unknown> =>
    eventually(`the submission to be ${state}`, async () => {
      const { body } = await stack.service.get(headers.get('location') ?? '');
      return Object(body).state === state;
    });
  const end = async (): Promise<void> => {
    stack.service.kill('SIGTERM');
    await stack.service.ended;
  };

  it('a withdrawal pays the recipient tokens and STRK at the price of the estimate', async () => {
    await start();
    const [plain, fee] = [await feeOf(''), await feeOf(`&recipientGasFri=${AMOUNT}`)];
    expect(fee).toBeGreaterThan(plain);
    expect(codeOf(await withdraw(bodyOf(0, AMOUNT, (plain * 10n) / 12n)))).toBe('FEE_TOO_LOW');

    const before = await stack.chain.lane();
    const answer = await withdraw(bodyOf(0, AMOUNT, fee));
    expect(codeOf(answer)).toBe('SUCCEEDED');
    expect(await strkOf(FRESH)).toBe(AMOUNT);
    expect(await stack.chain.wbtcOf(FRESH)).toBe(pool.denomination - fee);
    const [inclusion, ...more] = stack.chain.inclusions();
    expect(more).toEqual([]);
    const after = await stack.chain.lane();
    expect(before.balanceFri - after.balanceFri).toBe(AMOUNT + (inclusion?.feeFri ?? 0n));
    expect(after.nonce).toBe(before.nonce + 1n);

    expect((await withdraw(bodyOf(0, AMOUNT, fee))).body).toEqual(answer.body);
    await ended(answer, 'succeeded');
    for (const other of [null, 2n * AMOUNT])
      expect(codeOf(await withdraw(bodyOf(0, other, fee)))).toBe('NULLIFIER_SPENT');
    expect(codeOf(await withdraw(bodyOf(1, null)))).toBe('SUCCEEDED');
    expect(await strkOf(FRESH)).toBe(AMOUNT);
  });

  it('a quote is valid for exactly its amount', async () => {
    await start();
    const quoted = await stack.service.post('/api/relayer/quote', {
      poolAddress: addressText(pool),
      recipientGasFri: String(AMOUNT),
    });
    const { quoteId, fee, recipientGasFri } = Object(quoted.body);
    expect(recipientGasFri).toBe(String(AMOUNT));
    const cited = (amount: bigint | null) => ({ ...bodyOf(0, amount, BigInt(fee)), quoteId });
    for (const amount of [null, AMOUNT + 1n])
      expect(codeOf(await withdraw(cited(amount)))).toBe('QUOTE_MISMATCH');
    expect(codeOf(await withdraw(cited(AMOUNT)))).toBe('SUCCEEDED');
    expect(await strkOf(FRESH)).toBe(AMOUNT);
  });

  it('the recipient gets no STRK if the withdrawal reverts, with and without the guard', async () => {
    await start({
      profile: { guard: { address: toFelt(guard.address), classHash: toFelt(guard.classHash) } },
    });
    await eventually('the guard to be read', () =>
      stack.service.output.includes('has the pinned class'),
    );
    const { control } = stack.chain;
    const reasons: unknown[] = [];
    for (const index of [0, 1, 2]) {
      control.pause();
      await stack.chain.relayByAnother(bodyOf(index).calldata, pool.address);
      const late = withdraw(bodyOf(index));
      await eventually('the withdrawal to be sent', () => stack.chain.waiting().length === 1);
      control.resume();
      const answer = await late;
      reasons.push(Object(answer.body).revert_reason);
      await ended(answer, 'reverted');
    }
    expect(reasons).toEqual(['already withdrawn', 'already withdrawn', 'guard: differs']);
    expect(await strkOf(FRESH)).toBe(0n);
    // The guard precedes this withdrawal too, so its transaction has three calls.
    expect(codeOf(await withdraw(bodyOf(3)))).toBe('SUCCEEDED');
    expect(await strkOf(FRESH)).toBe(AMOUNT);
  });

  it('an amount is rejected above the maximum, and by a service that gives none', async () => {
    await start({ env: { RECIPIENT_GAS_MAX_FRI: String(AMOUNT) } });
    const { body } = await withdraw(bodyOf(0, AMOUNT + 1n));
    expect(body).toMatchObject({
      code: 'RECIPIENT_GAS_NOT_OFFERED',
      details: { maximum: String(AMOUNT) },
    });
    for (const recipientGasFri of ['-1', '0x1', '1.5', '1'.repeat(21), ''])
      expect((await withdraw({ ...bodyOf(0, null), recipientGasFri })).status).toBe(400);
    await end();
    await stack.restart({ RECIPIENT_GAS_MAX_FRI: '0' });
    expect(codeOf(await withdraw(bodyOf(0, 1n)))).toBe('RECIPIENT_GAS_NOT_OFFERED');
    expect(codeOf(await withdraw(bodyOf(0, 0n)))).toBe('SUCCEEDED');
    expect(await strkOf(FRESH)).toBe(0n);
  });

  it('a service that lost its ledger finds the withdrawal on the chain, and its audit is clean', async () => {
    await start();
    const answer = await withdraw(bodyOf(0));
    await ended(answer, 'succeeded');
    expect(await sotto(['audit', '--from', '0', '--depth', '0'], stack.environment)).toContain(
      'clean',
    );
    await end();
    const folder = dirname(stack.databaseFile);
    for (const file of readdirSync(folder))
      if (file.startsWith(basename(stack.databaseFile))) rmSync(join(folder, file));
    await stack.restart();
    await stack.service.ready();
    for (const other of [null, 2n * AMOUNT])
      expect(codeOf(await withdraw(bodyOf(0, other)))).toBe('NULLIFIER_SPENT');
    expect((await withdraw(bodyOf(0))).body).toEqual(answer.body);
    expect(stack.chain.inclusions()).toHaveLength(1);
    expect(stack.service.output).not.toContain('FOREIGN');
  });

  it('amount and recipient are neither in the log nor, after the end, in the store', async () => {
    await start({ env: { RETENTION_MS: '0', LOG_LEVEL: 'debug' } });
    expect(codeOf(await withdraw(bodyOf(0)))).toBe('SUCCEEDED');
    const spellingsOf = (value: bigint): readonly Buffer[] => [
      Buffer.from(String(value)),
      Buffer.from(value.toString(16)),
      Buffer.from(value.toString(16).padStart(value === FRESH ? 64 : 16, '0'), 'hex'),
    ];
    const markers = [AMOUNT, FRESH].flatMap(spellingsOf);
    const stored = (): boolean =>
      ['', '-wal'].some((part) => {
        const bytes = readFileSync(`${stack.databaseFile}${part}`);
        return markers.some((marker) => bytes.includes(marker));
      });
    await eventually('the calldata to be erased', () => stack.ledger().calldata === 0, 120_000);
    await end();
    await stack.restart();
    await stack.service.ready();
    await eventually('the bytes to be overwritten', () => !stored(), 120_000);
    for (const marker of [AMOUNT, FRESH])
      for (const text of [String(marker), marker.toString(16)])
        expect(stack.service.output).not.toContain(text);
  });

  describe('with an external signer', () => {
    const folders: string[] = [];
    afterEach(() => {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    });

    it('the service gives no STRK by default, and the signer signs within the limits of its policy', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sotto-signer-gas-'));
      folders.push(folder);
      const { address } = accounts.lane1;
      const policy = {
        ...policyFor(address),
        recipientGas: {
          token: toFelt(tokens.STRK.address),
          most: String(AMOUNT),
          perHourFri: String(2n * AMOUNT),
        },
      };
      const signer = signerProcess(folder, { policy });
      try {
        await signerListens(signer);
        const env = {
          RELAY_ACCOUNTS: JSON.stringify([{ address: toFelt(address) }]),
          SIGNER_URL: signerUrl(folder),
        };
        await start({ env });
        expect(codeOf(await withdraw(bodyOf(0)))).toBe('RECIPIENT_GAS_NOT_OFFERED');
        await end();
        await stack.restart({ RECIPIENT_GAS_MAX_FRI: String(AMOUNT) });
        await stack.service.ready();
        expect(codeOf(await withdraw(bodyOf(0)))).toBe('SUCCEEDED');
        expect(await strkOf(FRESH)).toBe(AMOUNT);
        expect(signer.output).toContain(
          `"what":["${toFelt(pool.address)}.withdraw","${toFelt(tokens.STRK.address)}.transfer"]`,
        );
        expect(signer.output).not.toContain(FRESH.toString(16));
        // The signer has a budget for one more. Then only withdrawals with STRK wait.
        expect(codeOf(await withdraw(bodyOf(1)))).toBe('SUCCEEDED');
        const waiting = await stack.service.accepted(bodyOf(2));
        await eventually('the signer to reject', () =>
          stack.service.output.includes('SIGNER_REFUSED_BUDGET'),
        );
        expect(codeOf(await withdraw(bodyOf(3, null)))).toBe('SUCCEEDED');
        expect((await stack.service.get(waiting)).body).toMatchObject({ state: 'accepted' });
        expect(await strkOf(FRESH)).toBe(2n * AMOUNT);
      } finally {
        await signer.stop();
      }
    });
  });
});

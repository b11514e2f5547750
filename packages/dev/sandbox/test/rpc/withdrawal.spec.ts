import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { buildGenesis, sandboxWorld } from '../../src/index.js';
import { toHex } from '../../src/engine/felt.js';
import { startHarness, type Harness } from '../support/harness.js';
import { wireInvoke, type InvokeChoices } from '../support/wire-invoke.js';

const Integers = z.array(z.string().transform(BigInt));
/** Proof of the project's circuit, made with snarkjs and Garaga. */
const vector = z
  .object({
    verificationKey: z.unknown(),
    calldata: Integers,
    leaves: Integers,
    recipient: z.string().transform(BigInt),
    relayer: z.string().transform(BigInt),
    feeSats: z.string().transform(BigInt),
  })
  .parse(
    JSON.parse(
      readFileSync(new URL(import.meta.resolve('@sotto/prover/vectors/withdrawal.json')), 'utf8'),
    ),
  );

const { accounts, pools, tokens } = sandboxWorld;
const POOL = pools.sentinel_1x;
const chainId = toHex(BigInt(`0x${Buffer.from(sandboxWorld.chainId).toString('hex')}`));
const halves = (value: bigint): bigint[] => [value & ((1n << 128n) - 1n), value >> 128n];

const withdrawal = (calldata: readonly bigint[], nonce = 0n): InvokeChoices => ({
  account: accounts.lane2,
  chainId,
  nonce,
  calls: [{ to: POOL.address, entrypoint: 'withdraw', calldata }],
});

describe('a real withdrawal on the development world', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness({
      genesis: buildGenesis({ verificationKey: vector.verificationKey }),
    });
    const calls = vector.leaves.map((leaf) => ({
      to: POOL.address,
      entrypoint: 'deposit',
      calldata: [...halves(leaf), accounts.crowd1.address],
    }));
    await node.send({ account: accounts.lane1, chainId, calls });
    node.control.mine();
  });
  afterEach(() => node.stop());

  const simulate = (calldata: readonly bigint[]): Promise<unknown> =>
    node.result('starknet_simulateTransactions', [
      'latest',
      [wireInvoke(withdrawal(calldata)).body],
      ['SKIP_VALIDATE'],
    ]);
  const sats = async (owner: bigint): Promise<bigint> =>
    BigInt(String(Object(await node.view(tokens.WBTC.address, 'balance_of', [owner]))[0]));

  it('a real withdrawal pays recipient and relayer once and uses the expected amount of gas', async () => {
    const before = [await sats(vector.recipient), await sats(vector.relayer)];
    const hash = await node.send(withdrawal(vector.calldata));
    node.control.mine();
    const receipt = Object(await node.result('starknet_getTransactionReceipt', [hash]));
    expect(receipt.execution_status).toBe('SUCCEEDED');
    expect([await sats(vector.recipient), await sats(vector.relayer)]).toEqual([
      (before[0] ?? 0n) + POOL.denomination - vector.feeSats,
      (before[1] ?? 0n) + vector.feeSats,
    ]);
    expect(receipt.execution_resources.l2_gas).toBeGreaterThan(30_000_000);
    expect(receipt.execution_resources.l2_gas).toBeLessThan(40_000_000);

    const again = await node.send(withdrawal(vector.calldata, 1n));
    node.control.mine();
    expect(await node.status(again)).toMatchObject({
      execution_status: 'REVERTED',
      failure_reason: expect.stringContaining("('already withdrawn')"),
    });
  });

  it('a simulated real withdrawal reverts if its recipient is changed', async () => {
    for (let times = 0; times < 2; times += 1) {
      expect(await simulate(vector.calldata)).toMatchObject([
        { transaction_trace: { execute_invocation: { is_reverted: false } } },
      ]);
    }
    const recipientAt = 34 + 2 * 2;
    const changed = vector.calldata.map((felt, index) =>
      index === recipientAt ? felt + 1n : felt,
    );
    expect(await simulate(changed)).toMatchObject([
      {
        transaction_trace: {
          execute_invocation: { revert_reason: expect.stringContaining("('invalid proof')") },
        },
      },
    ]);
  });
});

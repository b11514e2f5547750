import { NodeRefusedCall } from '@sotto/adapter-starknet';
import { findDevnet } from '@sotto/deployment';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { good, leaves, malleated, vector } from '../e2e/support/withdrawals.js';
import { DevnetChain } from './support/devnet-chain.js';
import { Site } from './support/site.js';
import { bodyFor } from './support/withdrawals.js';

const POOL = 'sentinel_1x';
const isGiven =
  process.env['SOTTO_TEST_NODE'] === 'devnet' &&
  findDevnet() !== undefined &&
  (process.env['VERIFIER_SIERRA'] ?? '') !== '';
const BN254_R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const HALF = 1n << 128n;
const [A_X, A_Y, LIMBS] = [1, 5, 4] as const;
/** Index of the public inputs (two felts each), number of public inputs, and index of the hints. */
const [INPUTS, INPUT_COUNT, HINTS] = [34, 7, 48] as const;
const REVERTED = 40;
const FLIPS = 40;

const honest = good.calldata.map(BigInt);

/** Returns the calldata of the valid proof, with `felts` in place of the felts from `index` on. */
function withFelts(index: number, felts: readonly bigint[]): readonly bigint[] {
  return honest.toSpliced(index, felts.length, ...felts);
}

/** Returns the calldata of the valid proof, with one public input changed by `change`. */
function withInput(index: number, change: (value: bigint) => bigint): readonly bigint[] {
  const at = INPUTS + 2 * index;
  const value = change((honest[at] ?? 0n) + (honest[at + 1] ?? 0n) * HALF);
  return withFelts(at, [value % HALF, value / HALF]);
}

/** Returns calldata with these felts, preceded by a length felt that equals their number. */
const resized = (felts: readonly bigint[]): readonly bigint[] => [BigInt(felts.length), ...felts];

const inputs = Array.from({ length: INPUT_COUNT }, (_, index) => index);
const REFUSED: readonly (readonly [string, readonly bigint[]])[] = [
  ...inputs.map(
    (index) => [`input ${index} + 1`, withInput(index, (value) => value + 1n)] as const,
  ),
  ...inputs.map(
    (index) =>
      [
        `input ${index} + r, which is the same in the field`,
        withInput(index, (value) => value + BN254_R),
      ] as const,
  ),
  [
    'A with its coordinates swapped',
    withFelts(A_X, [...honest.slice(A_Y, A_Y + LIMBS), ...honest.slice(A_X, A_X + LIMBS)]),
  ],
  ['A that is not on the curve', withFelts(A_X, [(honest[A_X] ?? 0n) + 1n])],
  ['a felt more', resized([...honest.slice(1), 0n])],
  ['a felt less', resized(honest.slice(1, -1))],
  ...[0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = HINTS + Math.floor(part * (honest.length - 1 - HINTS));
    return [`hint ${at} + 1`, withFelts(at, [(honest[at] ?? 0n) + 1n])] as const;
  }),
  // The flipped bits are spread over all the calldata, and are the same in every run.
  ...Array.from({ length: FLIPS }, (_, index) => {
    const at = 1 + ((index * 7_919) % (honest.length - 1));
    return [
      `the lowest bit of felt ${at} flipped`,
      withFelts(at, [(honest[at] ?? 0n) ^ 1n]),
    ] as const;
  }),
];

(isGiven ? describe : describe.skip)('the real verifier, on starknet-devnet', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(() => DevnetChain.start('real'), { deposits: { [POOL]: leaves } });
  });
  afterAll(() => site.stop());

  /** Returns the result of the verifier contract alone, without the pool's checks. */
  const holds = async (calldata: readonly bigint[]): Promise<boolean> => {
    try {
      const [variant] = await site.chain.client.view(
        site.chain.world.verifier,
        'verify_groth16_proof_bn254',
        calldata,
      );
      return variant === 0n;
    } catch (error) {
      if (error instanceof NodeRefusedCall && error.rpcCode === REVERTED) return false;
      throw error;
    }
  };
  const pool = () => site.chain.world.pools[POOL];
  const nonce = () => site.chain.client.nonceOf(site.chain.world.accounts.lane1.address);

  it('the verifier accepts an honest proof (A, B, C), and also its malleated form (−A, −B, C)', async () => {
    expect([await holds(honest), await holds(malleated.calldata.map(BigInt))]).toEqual([
      true,
      true,
    ]);
  });

  it.each(REFUSED)('the verifier rejects calldata with %s', async (_what, calldata) => {
    expect(calldata).not.toEqual(honest);
    expect(await holds(calldata)).toBe(false);
  });

  it('the service sends no proof with wrong hints, because the simulation detects them', async () => {
    const before = await nonce();
    const spoiled = withFelts(HINTS + 100, [(honest[HINTS + 100] ?? 0n) ^ 1n]).map(
      (felt) => `0x${felt.toString(16)}`,
    );
    const { status, body } = await site.service.withdraw(bodyFor(pool(), spoiled));
    expect([status, body]).toEqual([422, expect.objectContaining({ code: 'SIMULATION_REVERTED' })]);
    expect(await nonce()).toBe(before);
  });

  it('the service relays a withdrawal with an honest proof within the estimated gas', async () => {
    const query = { pool: bodyFor(pool(), []).poolAddress };
    const { data: estimate } = await site.client.GET('/api/relayer/fee-estimate', {
      params: { query },
    });
    const { body } = await site.service.withdraw(bodyFor(pool(), vector.calldata));
    expect(body).toMatchObject({ execution_status: 'SUCCEEDED' });
    const { execution_resources: used } = await site.chain.client.receiptOf(
      String(Object(body).transaction_hash),
    );
    // The gas of this stack's contract classes is charged in steps of the Cairo virtual machine.
    // This gas is three and a half times the Sierra gas.
    expect(used.l2_gas).toBeGreaterThan(150_000_000);
    expect(used.l2_gas).toBeLessThanOrEqual(estimate?.withdrawGas.l2Gas ?? 0);
    expect(used).toMatchObject({ l1_gas: 0 });
  });
});

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { buildGenesis } from '../../../src/contracts/genesis.js';
import { decodeProof } from '../../../src/contracts/proof.js';
import { sandboxWorld } from '../../../src/contracts/world.js';
import { TestChain, fromU256, u256 } from './harness.js';

const Integers = z.array(z.string().transform(BigInt));
/** Proof of the project's circuit, made with snarkjs and Garaga. */
const vector = z
  .object({
    verificationKey: z.unknown(),
    publicInputs: Integers,
    calldata: Integers,
    malleatedCalldata: Integers,
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

const { accounts, tokens, pools } = sandboxWorld;
const POOL = pools.sentinel_1x.address;
const RECIPIENT_AT = 34 + 2 * 2;

describe('a real withdrawal proof in the development world', () => {
  let chain: TestChain;
  const balance = (owner: bigint): bigint =>
    fromU256(chain.call(0n, tokens.WBTC.address, 'balance_of', [owner]));
  const deposit = (commitment: bigint): bigint[] =>
    chain.call(accounts.lane1.address, POOL, 'deposit', [
      ...u256(commitment),
      accounts.crowd1.address,
    ]);
  const withdraw = (calldata: readonly bigint[]): bigint[] =>
    chain.call(accounts.lane2.address, POOL, 'withdraw', calldata);

  beforeEach(() => {
    chain = new TestChain();
    for (const { address, model, storage } of buildGenesis({
      verificationKey: vector.verificationKey,
    }).contracts) {
      chain.deploy(address, model, storage);
    }
    for (const leaf of vector.leaves) deposit(leaf);
  });

  it('a real proof has the calldata layout that the pool reads', () => {
    expect(decodeProof(vector.calldata.slice(1))?.publicInputs).toEqual(vector.publicInputs);
  });

  it('the root in a real proof equals the root that the pool computed from the same leaves', () => {
    expect(fromU256(chain.call(0n, POOL, 'get_last_root'))).toBe(vector.publicInputs[0]);
  });

  it('a withdrawal with a real proof pays the recipient and the fee', () => {
    withdraw(vector.calldata);
    expect(balance(vector.recipient)).toBe(20_000n - vector.feeSats);
    expect(balance(vector.relayer)).toBe(vector.feeSats);
    expect(() => withdraw(vector.calldata)).toThrow('already withdrawn');
    expect(() => withdraw(vector.malleatedCalldata)).toThrow('already withdrawn');
  });

  it('the pool pays the malleated proof (-A, -B, C), and then rejects the original proof as already withdrawn', () => {
    withdraw(vector.malleatedCalldata);
    expect(balance(vector.recipient)).toBe(20_000n - vector.feeSats);
    expect(() => withdraw(vector.calldata)).toThrow('already withdrawn');
  });

  it('a real proof with a changed recipient is rejected', () => {
    const stolen = vector.calldata.with(RECIPIENT_AT, accounts.recipient1.address % 2n ** 128n);
    expect(() => withdraw(stolen)).toThrow('invalid proof');
    expect(balance(accounts.recipient1.address)).toBe(0n);
  });

  it('a real proof is valid while its root is among the last thirty roots', () => {
    for (let commitment = 1n; commitment <= 29n; commitment += 1n) deposit(commitment);
    withdraw(vector.calldata);
    expect(balance(vector.recipient)).toBe(20_000n - vector.feeSats);
  });

  it('a real proof is rejected after thirty more deposits, because its root is then unknown', () => {
    for (let commitment = 1n; commitment <= 30n; commitment += 1n) deposit(commitment);
    expect(() => withdraw(vector.calldata)).toThrow('unknown root');
  });
});

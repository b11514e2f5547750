import { describe, expect, it } from '@jest/globals';

import { createNote, memoryStorage } from '../../src/advanced.js';
import { createWallet, type CreateWalletOptions } from '../../src/index.js';
import { FakeNode, FakePoolContract, FakeProver } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';

const POOL = '0xabc';

async function optionsWith(amount?: bigint): Promise<CreateWalletOptions> {
  const node = new FakeNode();
  const contract = new FakePoolContract(node, POOL);
  node.mine([contract.deposit(createNote().commitment)]);
  return {
    seed: Uint8Array.from({ length: 32 }, (_, index) => index),
    node,
    relayers: [],
    pools: [{ address: POOL, token: '0x70ce', ...(amount === undefined ? {} : { amount }) }],
    storage: memoryStorage(),
    prover: new FakeProver(),
  };
}

describe('createWallet', () => {
  it('createWallet opens the pools of a node, whose notes of other seeds it does not list', async () => {
    const wallet = await createWallet(await optionsWith());
    expect(await wallet.notes()).toEqual([]);
  });

  it('createWallet opens no pool whose node returns another amount than the caller named', async () => {
    const options = await optionsWith(1n);
    expect(await codeOf(() => createWallet(options))).toBe('AMOUNT_MISMATCH');
  });

  it('createWallet rejects another chain and an unsuitable seed', async () => {
    const options = await optionsWith();
    expect(await codeOf(() => createWallet({ ...options, chainId: '0x1' }))).toBe('CHAIN_MISMATCH');
    expect(await codeOf(() => createWallet({ ...options, seed: new Uint8Array(32) }))).toBe(
      'SEED_UNSUITABLE',
    );
  });
});

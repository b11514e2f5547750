import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import {
  ShieldedPool,
  deriveNoteKeys,
  jsonRpcNode,
  memoryStorage,
  nextNote,
  recoverNotes,
  type Note,
} from '@sotto/wallet/advanced';
import { describeOnChain } from '../support/node-under-test.js';

const SEED = Uint8Array.from({ length: 32 }, (_, index) => 200 - index);
const HALF = 1n << 128n;

describeOnChain((chain) => {
  describe('wallet recovery from the seed', () => {
    it('a wallet finds its notes with its seed alone, and no request to the node identifies a note', async () => {
      const stack = await chain.start();
      const requests: string[] = [];
      const node = jsonRpcNode({
        url: stack.url,
        timeoutMs: 60_000,
        fetch: async (url, init) => {
          requests.push(JSON.stringify([url, init]));
          return fetch(url, init);
        },
      });
      try {
        const { accounts, pools } = stack.world;
        const { address } = pools.sentinel_1x;
        const keys = deriveNoteKeys(SEED);
        const storage = memoryStorage();
        const pool = await ShieldedPool.open({ node, address });
        const made = [];
        for (let notes = 0; notes < 5; notes += 1)
          made.push((await nextNote({ keys, pool, storage })).note);
        const [spent, unused, active, , waiting] = made;
        if (!spent || !unused || !active || !waiting) throw new Error('five notes');
        const deposited = [active, spent, { commitment: 5n }, waiting];
        const leaves = deposited.map(({ commitment }) => commitment);
        await stack.deposit({ pool: 'sentinel_1x', leaves });

        const development = await loadDevelopmentKeys();
        const proof = await proveWithdrawal(
          {
            note: spent,
            leaves,
            recipient: accounts.crowd1.address,
            relayer: accounts.feeCollector.address,
            feeAmount: 10n,
            batchStart: 0,
            batchSize: 3,
          },
          development,
        );
        const calldata = Felts.parse(await withdrawalCalldata(proof, development.verificationKey));
        const transactionHash = await stack.send(
          await stack.sign(stack.lanes[0], toFelt(address), 'withdraw', calldata),
        );
        await stack.mine();

        const cleared = memoryStorage();
        const recovered = await ShieldedPool.open({ node, address, cache: cleared });
        expect(await recoverNotes({ keys, pools: [recovered], storage: cleared })).toEqual([
          {
            pool: recovered,
            index: 0,
            note: spent,
            leafIndex: 1,
            status: 'spent',
            transactionHash,
          },
          {
            pool: recovered,
            index: 2,
            note: active,
            leafIndex: 0,
            status: 'active',
            batch: { start: 0, size: 3 },
          },
          { pool: recovered, index: 4, note: waiting, leafIndex: 3, status: 'waiting' },
        ]);
        expect((await nextNote({ keys, pool: recovered, storage: cleared })).index).toBe(5);

        expect(requests.length).toBeGreaterThan(10);
        expect(namedIn(requests, made)).toEqual([]);
        // Positive control: check that the search finds the query `is_spent`, which a recovery must
        // never send.
        const halves = [spent.nullifierHash % HALF, spent.nullifierHash / HALF];
        await node.call({ contract: toFelt(address), entrypoint: 'is_spent', calldata: halves });
        expect(namedIn(requests, made)).toHaveLength(2);
      } finally {
        await stack.stop();
      }
    });
  });
});

/**
 * Returns the secret numbers of the notes that occur in the requests: as a whole or as one of the
 * two u128 halves of a u256, in hex or decimal.
 */
function namedIn(requests: readonly string[], notes: readonly Note[]): readonly string[] {
  return notes
    .flatMap((note) => [note.nullifier, note.secret, note.commitment, note.nullifierHash])
    .flatMap((value) => [value, value % HALF, value / HALF])
    .flatMap((value) => [value.toString(16), value.toString()])
    .filter((text) => requests.some((request) => request.toLowerCase().includes(text)));
}

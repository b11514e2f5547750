import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { selectorOf } from '@sotto/adapter-starknet';
import { MerkleTree } from '@sotto/wallet/advanced';
import { loadWithdrawalVector, type WithdrawalVector } from '@sotto/prover/node';
import { u256ToHalves } from '@sotto/kernel';
import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { DevnetChain } from '../support/devnet-chain.js';
import { DENOMINATION, PoolOnDevnet, restated } from '../support/pool-on-devnet.js';

const vector: WithdrawalVector = await loadWithdrawalVector();
const leaves = vector.leaves.map(BigInt);
const proof = vector.calldata.map(BigInt);
const [root = 0n, nullifierHash = 0n, recipient = 0n, relayer = 0n, fee = 0n] =
  vector.publicInputs.map(BigInt);
const EMPTY_ROOT = MerkleTree.of([]).root;
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

const SUCCEEDED = { revertReason: undefined };
const reverts = (text: string) => ({ revertReason: expect.stringContaining(`('${text}')`) });
const key = (event: string) => BigInt(selectorOf(event));

describeOnDevnet('shielded pool', () => {
  let chain: DevnetChain;
  beforeAll(async () => {
    chain = await DevnetChain.start();
  });
  afterAll(() => chain.stop());

  const poolWith = async (commitments: readonly bigint[], options = {}): Promise<PoolOnDevnet> => {
    const pool = await PoolOnDevnet.deploy(chain, options);
    await pool.depositAll(commitments);
    return pool;
  };

  it('a new shielded pool has its deployment terms and the root of the tree without leaves', async () => {
    const pool = await poolWith([]);
    expect(await pool.number('denomination')).toBe(DENOMINATION);
    expect(await pool.number('max_fee_bps')).toBe(500n);
    expect(await pool.number('max_fee')).toBe(1_000n);
    expect(await pool.number('get_last_root')).toBe(EMPTY_ROOT);
    expect(await pool.says('is_known_root', EMPTY_ROOT)).toBe(true);
    expect(await pool.says('is_known_root', root)).toBe(false);
    expect(await pool.counts()).toEqual([0n, 0n, 0n]);
  });

  it('a shielded pool can’t be deployed with a maximum fee above a tenth', async () => {
    await expect(PoolOnDevnet.deploy(chain, { maxFeeBps: 1_001 })).rejects.toThrow(
      "('max fee too high')",
    );
    const pool = await PoolOnDevnet.deploy(chain, { maxFeeBps: 1_000 });
    expect(await pool.number('max_fee')).toBe(2_000n);
  });

  it('a shielded pool builds the same tree as the circuit', async () => {
    const pool = await poolWith([]);
    const tree = MerkleTree.of([]);
    for (const [index, leaf] of leaves.entries()) {
      const outcome = await pool.deposit(leaf);
      tree.insert(leaf);
      expect(outcome).toMatchObject(SUCCEEDED);
      expect(await pool.number('get_last_root')).toBe(tree.root);
      const [deposit, batch] = pool.events(outcome);
      expect(deposit).toMatchObject({
        keys: [key('Deposit'), ...u256ToHalves(leaf)],
        data: [BigInt(index), expect.any(BigInt)],
      });
      const isThird = index % 3 === 2;
      const amount = u256ToHalves(3n * DENOMINATION);
      expect(batch).toEqual(
        isThird
          ? {
              keys: [key('BatchDeployed'), BigInt((index - 2) / 3)],
              data: [BigInt(index - 2), 3n, ...amount, ...amount],
            }
          : undefined,
      );
    }
    expect(tree.root).toBe(root);
    expect(await pool.says('is_known_root', EMPTY_ROOT)).toBe(true);
    expect(await pool.counts()).toEqual([1n, 6n, 7n * DENOMINATION]);
    expect(await pool.number('get_next_index')).toBe(7n);
    expect(await pool.number('total_deposits')).toBe(7n);
    expect(await pool.balanceOf(pool.address)).toBe(7n * DENOMINATION);
  });

  it('a shielded pool pays a note only once, to the recipient in the proof', async () => {
    const pool = await poolWith(leaves);
    expect(await pool.says('is_spent', nullifierHash)).toBe(false);
    const outcome = await pool.sendAsStranger('withdraw', proof);
    expect(outcome).toMatchObject(SUCCEEDED);
    expect(pool.events(outcome)).toEqual([
      {
        keys: [key('Withdrawal'), ...u256ToHalves(nullifierHash)],
        data: [recipient, relayer, ...u256ToHalves(DENOMINATION - fee), ...u256ToHalves(fee)],
      },
    ]);
    expect([await pool.balanceOf(recipient), await pool.balanceOf(relayer)]).toEqual([
      DENOMINATION - fee,
      fee,
    ]);
    expect(await pool.counts()).toEqual([1n, 5n, 6n * DENOMINATION]);
    expect(await pool.says('is_spent', nullifierHash)).toBe(true);

    expect(await pool.withdraw(proof)).toMatchObject(reverts('already withdrawn'));
    expect(await pool.withdraw(vector.malleatedCalldata.map(BigInt))).toMatchObject(
      reverts('already withdrawn'),
    );
    expect(await pool.balanceOf(recipient)).toBe(DENOMINATION - fee);
  });

  it('a shielded pool rejects a proof whose root, batch, fee or address was changed', async () => {
    const pool = await poolWith(leaves);
    const cases: readonly (readonly [string, Parameters<typeof restated>[1]])[] = [
      ['unknown root', { root: root + 1n }],
      ['fee too high', { fee: 1_001n }],
      ['empty leaf', { batchSize: 0n }],
      ['empty leaf', { batchStart: 6n, batchSize: 2n }],
      ['unknown batch', { batchStart: 2n }],
      ['unknown batch', { batchSize: 2n }],
      ['Option::unwrap failed.', { recipient: 2n ** 251n }],
      ['Option::unwrap failed.', { relayer: 2n ** 252n }],
      ['ERC20: transfer to 0', { recipient: 0n }],
      ['invalid proof', { fee: R }],
    ];
    for (const [text, changes] of cases)
      expect(await pool.withdraw(restated(proof, changes))).toMatchObject(reverts(text));
    expect(await pool.withdraw(restated(proof, { fee: 1_000n }))).toMatchObject(SUCCEEDED);
    expect(await pool.balanceOf(relayer)).toBe(1_000n);
  });

  it('a shielded pool rejects calldata that does not have the layout of a proof', async () => {
    const pool = await poolWith([]);
    const put = (index: number, felt: bigint) => proof.with(index, felt);
    const [, ...felts] = proof;
    const cases = {
      'a felt less': [BigInt(felts.length - 1), ...felts.slice(0, -1)],
      'a felt more': [BigInt(felts.length + 1), ...felts, 0n],
      nothing: [0n],
      'the length felt twice': [BigInt(proof.length), ...proof],
      'other counts of inputs': put(33, 6n),
      'other counts of lines': put(138, 33n),
      'other counts of big Q': put(1_363, 189n),
      'other counts of the MSM hint': put(1_935, 83n),
      'a wide limb of a point': put(1, 2n ** 96n),
      'a limb that is no u128': put(32, 2n ** 128n),
      'a wide limb of a line': put(1_362, 2n ** 96n),
      'a wide limb of big Q': put(1_933, 2n ** 96n),
      'a wide half of an input': put(35, 2n ** 128n),
    };
    for (const [name, calldata] of Object.entries(cases)) {
      expect([name, await pool.withdraw(calldata)]).toMatchObject([name, reverts('invalid proof')]);
    }
    // Any felts are accepted as the challenge and the MSM hint at this point, so the unknown root
    // is the first error.
    expect(await pool.withdraw(put(1_934, 2n ** 128n).with(1_936, 2n ** 96n))).toMatchObject(
      reverts('unknown root'),
    );
    expect(await pool.withdraw([5n, 1n])).toMatchObject(reverts('Input too short for arguments'));
    expect(await pool.withdraw([...proof, 0n])).toMatchObject(
      reverts('Input too long for arguments'),
    );
  });

  it('a shielded pool accepts each commitment only once, and only from relayers', async () => {
    const pool = await poolWith([5n]);
    expect(await pool.deposit(5n)).toMatchObject(reverts('commitment exists'));
    expect(await pool.deposit(0n)).toMatchObject(reverts('invalid commitment'));
    expect(await pool.deposit(R)).toMatchObject(reverts('invalid commitment'));
    expect(await pool.deposit(R - 1n)).toMatchObject(SUCCEEDED);
    expect(await pool.sendAsStranger('deposit', [6n, 0n, chain.owner])).toMatchObject(
      reverts('Not owner'),
    );
    expect(await pool.send('deposit', [6n, 0n, chain.stranger])).toMatchObject(
      reverts('ERC20: insufficient allowance'),
    );
    expect([
      await pool.says('is_known_commitment', 5n),
      await pool.says('is_known_commitment', 6n),
    ]).toEqual([true, false]);
    expect(await pool.number('get_last_root')).toBe(MerkleTree.of([5n, R - 1n]).root);
  });

  it('a shielded pool deploys batches only on command if automatic batches are disabled', async () => {
    const pool = await poolWith(leaves, { autoDeploy: false });
    expect(await pool.counts()).toEqual([7n, 0n, 7n * DENOMINATION]);
    for (const size of [0n, 1n, 4n, 8n])
      expect(await pool.send('deploy_batch', [size])).toMatchObject(reverts('invalid batch size'));
    expect(await pool.send('deploy_partial_batch', [0n])).toMatchObject(
      reverts('invalid batch size'),
    );
    expect(await pool.send('deploy_partial_batch', [8n])).toMatchObject(
      reverts('not enough deposits'),
    );
    for (const entrypoint of ['deploy_batch', 'deploy_partial_batch']) {
      expect(await pool.sendAsStranger(entrypoint, [3n])).toMatchObject(reverts('Not owner'));
    }
    const batch = await pool.send('deploy_batch', [3n]);
    const [event] = pool.events(batch);
    expect(event?.data.slice(0, 2)).toEqual([0n, 3n]);
    expect(await pool.send('deploy_partial_batch', [2n])).toMatchObject(SUCCEEDED);
    expect(await pool.send('deploy_batch', [3n])).toMatchObject(reverts('not enough deposits'));
    expect(await pool.counts()).toEqual([2n, 5n, 7n * DENOMINATION]);
    // The proof requires a batch of three leaves from index 3, but the batch from index 3 has two
    // leaves.
    expect(await pool.withdraw(proof)).toMatchObject(reverts('unknown batch'));

    await pool.send('set_auto_deploy', [1n]);
    expect(await pool.deposit(8n)).toMatchObject(SUCCEEDED);
    expect(await pool.counts()).toEqual([0n, 8n, 8n * DENOMINATION]);
  });

  it('a shielded pool rejects all calls while its owner has paused it', async () => {
    const pool = await poolWith(leaves.slice(0, 2));
    expect(await pool.sendAsStranger('set_paused', [1n])).toMatchObject(reverts('Not owner'));
    await pool.send('set_paused', [1n]);
    expect(await pool.deposit(9n)).toMatchObject(reverts('paused'));
    expect(await pool.send('deploy_batch', [3n])).toMatchObject(reverts('paused'));
    expect(await pool.send('deploy_partial_batch', [1n])).toMatchObject(reverts('paused'));
    expect(await pool.withdraw(proof)).toMatchObject(reverts('paused'));
    await pool.send('set_paused', [0n]);
    expect(await pool.send('deploy_partial_batch', [1n])).toMatchObject(SUCCEEDED);
  });

  it('a shielded pool shares its yield among the active deposits', async () => {
    const pool = await poolWith(leaves);
    expect(await pool.sendAsStranger('add_yield', u256ToHalves(6_005n))).toMatchObject(
      reverts('Not owner'),
    );
    expect(await pool.send('add_yield', u256ToHalves(6_005n))).toMatchObject(SUCCEEDED);
    expect(await pool.counts()).toEqual([1n, 6n, 7n * DENOMINATION + 6_005n]);
    const before = await pool.balanceOf(recipient);
    expect(await pool.withdraw(restated(proof, { fee: 1_050n }))).toMatchObject(SUCCEEDED);
    expect((await pool.balanceOf(recipient)) - before).toBe(DENOMINATION + 1_000n - 1_050n);
    expect(await pool.counts()).toEqual([1n, 5n, 6n * DENOMINATION + 5_005n]);
  });

  it('a shielded pool with the development setting for respending pays a spent note again', async () => {
    const pool = await poolWith(leaves.slice(0, 3), { developmentAllowsRespending: true });
    const replay = restated(proof, {
      root: MerkleTree.of(leaves.slice(0, 3)).root,
      batchStart: 0n,
    });
    for (const paid of [1n, 2n, 3n]) {
      expect(await pool.withdraw(replay)).toMatchObject(SUCCEEDED);
      expect(await pool.balanceOf(recipient)).toBe(paid * (DENOMINATION - fee));
    }
    expect(await pool.withdraw(replay)).toMatchObject(reverts('no active deposit'));
  });

  it('a shielded pool accepts the last thirty roots and no older roots', async () => {
    const pool = await poolWith(leaves, { autoDeploy: false });
    const tree = MerkleTree.of(leaves);
    const more = Array.from({ length: 29 }, (_, index) => 100n + BigInt(index));
    await pool.depositAll(more);
    for (const leaf of more) tree.insert(leaf);
    expect(await pool.number('get_last_root')).toBe(tree.root);
    expect(await pool.says('is_known_root', root)).toBe(true);
    await pool.deposit(129n);
    expect(await pool.says('is_known_root', root)).toBe(false);
    expect(await pool.says('is_known_root', tree.root)).toBe(true);
    expect(await pool.says('is_known_root', 0n)).toBe(false);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Artefact } from '../../src/node/sender.js';
import { carryOut, type Accomplished } from '../../src/plan/carry-out.js';
import { UNIVERSAL_DEPLOYER, planContract } from '../../src/plan/deploy-call.js';
import type { Plan, SetUp } from '../../src/plan/plan.js';
import { FakeChain } from '../support/fake-chain.js';

const DEPLOYER = 0xdn;
const OTHER = 0x0fn;
const token = { name: 'Token', classHash: '0x7' };
const pool = { name: 'Pool', classHash: '0x8' };
const contract = (name: string, contractClass: Artefact, salt: bigint) =>
  planContract<Artefact>({ name, contractClass, salt, constructorCalldata: [salt, 5n] });
const contracts = [
  contract('first', token, 1n),
  contract('second', token, 2n),
  contract('third', pool, 3n),
];
const [first] = contracts;

function setUp(name: string, key: bigint, by?: bigint): SetUp {
  const address = first?.address ?? 0n;
  return {
    name,
    view: { contract: address, entrypoint: 'get', calldata: [key] },
    isDone: ([value]) => value === 9n,
    calls: [{ contract: address, entrypoint: 'set', calldata: [key, 9n] }],
    ...(by !== undefined && { by }),
  };
}

const plan: Plan<Artefact> = {
  contracts,
  setUps: [setUp('own', 1n), setUp('of another', 2n, OTHER), setUp('own again', 3n)],
};

describe('carryOut', () => {
  let chain: FakeChain;
  let progress: string[];
  const run = (wanted: Plan<Artefact> = plan): Promise<Accomplished> =>
    carryOut(wanted, {
      node: chain,
      deployer: chain.sender(DEPLOYER),
      senderAt: (address) => chain.sender(address),
      report: (line) => progress.push(line),
    });

  beforeEach(() => {
    chain = new FakeChain();
    progress = [];
  });

  it('carryOut declares each class once, deploys all contracts, and sends all set-up calls', async () => {
    expect(await run()).toMatchObject({
      declared: ['Token', 'Pool'],
      deployed: ['first', 'second', 'third'],
      setUp: ['own', 'of another', 'own again'],
      transactions: 4,
    });
    expect(await chain.classHashesAt(contracts.map(({ address }) => address))).toEqual([
      7n,
      7n,
      8n,
    ]);
    expect(await chain.views(plan.setUps.map(({ view }) => view))).toEqual([[9n], [9n], [9n]]);
  });

  it('carryOut declares a missing library only once', async () => {
    const library = { name: 'ECIP operations', classHash: '0xec' };
    expect(await run({ ...plan, libraries: [library] })).toMatchObject({
      declared: ['ECIP operations', 'Token', 'Pool'],
    });
    expect(await run({ ...plan, libraries: [library] })).toMatchObject({
      declared: [],
      transactions: 0,
    });
  });

  it('a second carryOut of the same plan sends no transaction, and reports this', async () => {
    await run();
    const before = chain.sent.length;
    expect(await run()).toMatchObject({ declared: [], deployed: [], setUp: [], transactions: 0 });
    expect(chain.sent).toHaveLength(before);
    expect(progress.at(-1)).toContain('nothing to send');
  });

  it('carryOut sends deployments and set-up calls of the deployer in one transaction', async () => {
    await run();
    const invokes = chain.sent.filter(({ kind }) => kind === 'invoke');
    expect(
      invokes.map(({ sender, calls }) => [
        sender,
        calls.map((call) => (call.contract === UNIVERSAL_DEPLOYER ? 'deploy' : 'set up')),
      ]),
    ).toEqual([
      [DEPLOYER, ['deploy', 'deploy', 'deploy', 'set up', 'set up']],
      [OTHER, ['set up']],
    ]);
  });

  it('carryOut sends only the parts of a plan that are not on chain yet', async () => {
    await run({ contracts: contracts.slice(0, 1), setUps: plan.setUps.slice(0, 1) });
    expect(await run()).toMatchObject({
      declared: ['Pool'],
      deployed: ['second', 'third'],
      setUp: ['of another', 'own again'],
    });
  });

  it('carryOut does not declare a class that another account has declared', async () => {
    await chain.sender(OTHER).declare(token, 0n);
    expect(await run()).toMatchObject({
      declared: ['Pool'],
      deployed: ['first', 'second', 'third'],
    });
  });

  it('carryOut deploys a class that is given only by its hash, without a declaration', async () => {
    await chain.sender(OTHER).declare(token, 0n);
    const known = planContract<Artefact>({
      name: 'known',
      contractClass: { classHash: '0x7' },
      salt: 9n,
      constructorCalldata: [],
    });
    expect(await run({ contracts: [known], setUps: [] })).toMatchObject({
      declared: [],
      deployed: ['known'],
      transactions: 1,
    });
  });

  it('carryOut repeats a set-up if its state on chain has changed', async () => {
    await run();
    await chain
      .sender(OTHER)
      .invoke([{ contract: first?.address ?? 0n, entrypoint: 'set', calldata: [1n, 0n] }], 1n);
    expect(await run()).toMatchObject({ deployed: [], setUp: ['own'], transactions: 1 });
  });

  it('carryOut rejects if a transaction reverts, and continues at this transaction when it is called again', async () => {
    chain.revertsAfter = 2;
    await expect(run()).rejects.toThrow('reverted');
    expect(await run()).toMatchObject({
      declared: [],
      deployed: ['first', 'second', 'third'],
      transactions: 2,
    });
  });

  it('carryOut splits many calls into several transactions with consecutive nonces', async () => {
    const setUps = Array.from({ length: 130 }, (_, key) => setUp(`state ${key}`, BigInt(key)));
    await run({ contracts, setUps });
    const invokes = chain.sent.filter(({ kind }) => kind === 'invoke');
    expect(invokes.map(({ calls }) => calls.length)).toEqual([60, 60, 13]);
    expect(chain.sent.map(({ nonce }) => nonce)).toEqual(
      chain.sent.map((_, index) => BigInt(index)),
    );
  });
});

import * as runner from '@jest/globals';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HeldKeys,
  NodeClient,
  NodeRefusedCall,
  StarknetAccountHistory,
  StarknetAccountSigner,
  StarknetBroadcaster,
  StarknetCallSimulator,
  StarknetPrivacyPoolReader,
  networkConfigHash,
  oneNode,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import {
  messageHash,
  packPayload,
  readApplyActions,
  readProofFacts,
  unpackPayload,
  type PrivateActionPayload,
} from '@sotto/relayer-core';
import { describePrivacyPoolReaderContract } from '@sotto/relayer-core/testing/contracts';
import {
  PrivacyProver,
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type PrivateRequest,
  type ProofOptions,
  type Sandbox,
} from '@sotto/sandbox';
import { poseidon } from '@sotto/stark-hash';
import type { ResourceBounds, SendAnswer, SignedTransaction } from '@sotto/submission-core';
import { signingAccount } from '../support/chain-world.js';
import { failure } from '../support/loopback-node.js';
import { TIMEOUTS } from '../support/settings.js';
import { withdrawal } from '../support/withdrawal.js';
import { HEAD } from '../../src/block-head.js';

const { accounts, privacyPool, tokens, chainId } = sandboxWorld;
const POOL = toFelt(privacyPool.address);
const STRK = toFelt(tokens.STRK.address);
const LANE = toFelt(accounts.lane1.address);
const CHAIN_ID = shortStringFelt(chainId);
const TARGET = { to: POOL, entrypoint: 'apply_actions' };
const RECIPIENT = 0x2ec1n;
const BOUNDS: ResourceBounds = {
  l2Gas: { maxAmount: 1_000_000_000n, maxPriceFri: 24_000_000_000n },
  l1Gas: { maxAmount: 256n, maxPriceFri: 120_000_000_000_000n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 3_000_000_000n },
  tipFri: 0n,
};

/** Sandbox with the privacy pool and the adapters that send private actions to it. */
class PrivateChain {
  readonly client: NodeClient;
  readonly signer = new StarknetAccountSigner({
    chainId: CHAIN_ID,
    keys: new HeldKeys([signingAccount(accounts.lane1)]),
  });
  readonly prover: PrivacyProver;

  private constructor(readonly sandbox: Sandbox) {
    this.client = new NodeClient({ url: sandbox.rpcUrl, ...TIMEOUTS });
    this.prover = new PrivacyProver({ rpcUrl: sandbox.rpcUrl, seed: 'private chain' });
  }

  static async start(): Promise<PrivateChain> {
    const { verificationKey } = withdrawal;
    const genesis = buildGenesis({ verificationKey, emptyBlocks: 12 });
    return new PrivateChain(await startSandbox({ genesis, cadence: 'manual' }));
  }

  withdraw(options: ProofOptions = {}): Promise<PrivateRequest> {
    const payments = [{ to: RECIPIENT, token: tokens.USDC.address, amount: 5n }];
    return this.prover.withdraw({ payments }, options);
  }

  async head(): Promise<{ readonly number: number; readonly hash: Felt }> {
    const { block_number: number, block_hash: hash } = await this.client.call(HEAD);
    return { number, hash };
  }

  async sign(packed: Felts, nonce = 0n): Promise<SignedTransaction> {
    const call = await this.signer.hashCall(TARGET, packed);
    return this.signer.signCall(call, { account: LANE, nonce, bounds: BOUNDS });
  }

  async send(packed: Felts): Promise<SendAnswer> {
    const { bytes } = await this.sign(packed);
    return new StarknetBroadcaster(oneNode(this.client)).send(bytes, 'node');
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.signer.close();
    await this.sandbox.stop();
  }
}

const payloadOf = (
  { calldata, proofFacts, proof }: PrivateRequest,
  changes: Partial<PrivateActionPayload> = {},
): PrivateActionPayload => ({
  calldata: Felts.parse(calldata),
  facts: Felts.parse(proofFacts),
  proof: Buffer.from(proof, 'base64'),
  poolFee: null,
  outsideExecution: null,
  ...changes,
});

const hashOf = (felts: Felts): Felt => toFelt(poseidon(felts.toBytes()));

describePrivacyPoolReaderContract(runner, 'sandbox', async () => {
  const chain = await PrivateChain.start();
  const { control } = chain.sandbox;
  const { calldata, proofFacts, writeOnceAddresses } = await chain.withdraw();
  control.send(
    accounts.lane1.address,
    [{ to: privacyPool.address, entrypoint: 'apply_actions', calldata: calldata.map(BigInt) }],
    proofFacts.map(BigInt),
  );
  const written = toFelt(writeOnceAddresses[0] ?? '0x0');
  return {
    subject: new StarknetPrivacyPoolReader(chain.client),
    pool: POOL,
    state: {
      classHash: toFelt(privacyPool.classHash),
      version: '2.0',
      isPaused: false,
      feeFri: 0n,
      validityBlocks: privacyPool.validityBlocks,
    },
    written,
    free: toFelt(BigInt(written) + 1n),
    otherContract: STRK,
    nowhere: toFelt('0xdead'),
    head: async () => chain.head(),
    change: async (changes) => control.setPrivacyPool(changes),
    breakDown: async () => chain.sandbox.stop(),
    stop: async () => chain.stop(),
  };
});

describe('private actions on the sandbox', () => {
  let chain: PrivateChain;
  beforeEach(async () => {
    chain = await PrivateChain.start();
  });
  afterEach(() => chain.stop());

  it('the facts of a proof have the hashes that the relayer computes', async () => {
    const request = await chain.withdraw();
    const facts = readProofFacts(Felts.parse(request.proofFacts));
    expect(facts.configHash).toBe(networkConfigHash(CHAIN_ID, STRK));
    const { actionFelts } = readApplyActions(Felts.parse(request.calldata));
    const message = { pool: POOL, poolClass: toFelt(privacyPool.classHash), actionFelts };
    expect(facts.messageHash).toBe(messageHash(message, hashOf));
  });

  it('a new class of the pool has its own version', async () => {
    const reader = new StarknetPrivacyPoolReader(chain.client);
    const wanted = { baseBlockNumber: null, addresses: [] };
    const versions: unknown[] = [];
    for (const classHash of Object.values(privacyPool.classes)) {
      chain.sandbox.control.replaceClass(privacyPool.address, classHash);
      const { version, ...facts } = await reader.facts(POOL, wanted);
      expect(facts.classHash).toBe(toFelt(classHash));
      versions.push(version);
    }
    expect(versions).toEqual(['2.0', '2.0', 'before 2.0']);
  });

  it.each([
    ['without a fee', 0n],
    ['with the pool’s fee', 10n ** 18n],
  ])('a signed transaction succeeds and is recognised on chain, %s', async (_what, feeFri) => {
    chain.sandbox.control.setPrivacyPool({ feeFri });
    const poolFee = feeFri === 0n ? null : { token: STRK, amountFri: feeFri };
    const payload = payloadOf(await chain.withdraw(), { poolFee });
    const packed = packPayload(payload);
    const simulator = new StarknetCallSimulator(chain.client);
    const call = { ...TARGET, calldata: packed };
    expect(await simulator.simulate(call, LANE)).toMatchObject({ ok: true });

    expect(await chain.send(packed)).toEqual({ kind: 'taken' });
    const number = chain.sandbox.control.mine();
    const history = new StarknetAccountHistory(chain.client, { strkToken: STRK });
    const { sent } = await history.transactions([LANE], number, number);
    expect(sent).toMatchObject([
      { nonce: 0n, consumer: { hash: (await chain.sign(packed)).hash, execution: 'SUCCEEDED' } },
    ]);
    const [found] = sent[0]?.calls ?? [];
    expect(found?.target).toEqual(TARGET);
    const stated = { ...payload, facts: Felts.of([]), proof: new Uint8Array() };
    expect(found?.calldata.equals(packPayload(stated))).toBe(true);
    expect(unpackPayload(found?.calldata ?? Felts.of([]))?.poolFee).toEqual(poolFee);

    expect(await simulator.simulate(call, LANE)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('NON_ZERO_VALUE'),
    });
  });

  it('the node refuses a wrong proof because of the call', async () => {
    const request = await chain.withdraw();
    const proof = Buffer.from(request.proof, 'base64');
    proof[0] = (proof[0] ?? 0) ^ 1;
    expect(await chain.send(packPayload(payloadOf(request, { proof })))).toEqual({
      kind: 'refused',
      code: 'INVALID_PROOF',
      cause: 'call',
    });
  });

  it('the node rejects the proof of an unknown program, in a send and in a simulation', async () => {
    const request = await chain.withdraw({ changeFacts: (facts) => facts.with(2, 170n) });
    const packed = packPayload(payloadOf(request));
    expect(await chain.send(packed)).toMatchObject({ kind: 'refused', cause: 'call' });
    const simulator = new StarknetCallSimulator(chain.client);
    expect(await simulator.simulate({ ...TARGET, calldata: packed }, LANE)).toEqual({
      ok: false,
      reason: 'Invalid proof facts: Virtual OS program hash 170 is not allowed',
    });
  });

  it('a simulation proves nothing while the base block is too young', async () => {
    const { number: baseBlock } = await chain.head();
    const packed = packPayload(payloadOf(await chain.withdraw({ baseBlock })));
    const simulator = new StarknetCallSimulator(chain.client);
    const simulate = () => simulator.simulate({ ...TARGET, calldata: packed }, LANE);
    expect(await failure(simulate())).toBeInstanceOf(NodeRefusedCall);
    chain.sandbox.control.mine(12);
    expect(await simulate()).toMatchObject({ ok: true });
    expect(await chain.send(packed)).toEqual({ kind: 'taken' });
  });
});

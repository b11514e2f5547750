import { NodeClient, StarknetAccountSigner, StarknetBroadcaster, selectorOf, shortStringFelt } from '@sotto/adapter-starknet';
import { Felts, toFelt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import { sandboxWorld, type Control, type PaidInclusion, type Sandbox, type SandboxAccount } from '@sotto/sandbox';
import { boundsFor } from '@sotto/submission-core';
import { leaves, pool, vector } from './withdrawals.js';

const { tokens, accounts } = sandboxWorld;
const LIMITS = { l2Gas: 200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };

/** The lane of the service under test, as the chain has it. */
export interface LaneState {
  readonly nonce: bigint;
  readonly balanceFri: bigint;
}

/** The sandbox's chain as tests look at it, and what others do on it. */
export class TestChain {
  readonly control: Control;

  constructor(private readonly sandbox: Sandbox) {
    this.control = sandbox.control;
  }

  /** Makes the vector's leaves in the pool. An account that the service does not use sends the deposits; others pay for them. Counting starts anew. */
  async deposit(): Promise<void> {
    const deposits = leaves.map((leaf) => [...u256ToHalves(leaf), accounts.crowd1.address]);
    await this.#send(accounts.lane3, 'deposit', deposits);
    this.control.mine();
    this.control.resetCounters();
  }

  /** Somebody else relays the withdrawal; it is in the pre-confirmed block at once when the chain moves by hand. */
  async relayByAnother(calldata: readonly string[]): Promise<void> {
    await this.#send(accounts.lane2, 'withdraw', [calldata.map(BigInt)]);
  }

  /** Takes what waits into the pre-confirmed block. */
  preConfirm(): void {
    this.control.advance('candidate');
    this.control.advance('pre_confirmed');
  }

  /** In sats. */
  async wbtcOf(owner: bigint): Promise<bigint> {
    return this.#u256(tokens.WBTC.address, 'balance_of', [owner]);
  }

  async lane(): Promise<LaneState> {
    const { address } = accounts.lane1;
    const nonce = await this.#ask('starknet_getNonce', { contract_address: toFelt(address), block_id: 'pre_confirmed' });
    return { nonce: BigInt(String(nonce)), balanceFri: await this.#u256(tokens.STRK.address, 'balance_of', [address]) };
  }

  /** Whether the vector's note is spent. */
  async isSpent(): Promise<boolean> {
    const [spent] = await this.#view(pool.address, 'is_spent', u256ToHalves(BigInt(vector.note.nullifierHash)));
    return spent === 1n;
  }

  /** What the service's lane has paid for, oldest first. */
  inclusions(): readonly PaidInclusion[] {
    return this.control.paidInclusions().filter(({ sender }) => sender === accounts.lane1.address);
  }

  /** Hashes of the service's transactions that wait in the pool. */
  waiting(): readonly bigint[] {
    return this.control
      .waiting()
      .filter(({ sender }) => sender === accounts.lane1.address)
      .map(({ hash }) => hash);
  }

  async #send({ address, privateKey }: SandboxAccount, entrypoint: string, calldatas: readonly (readonly bigint[])[]): Promise<void> {
    const account = toFelt(address);
    const node = new NodeClient({ url: this.sandbox.rpcUrl });
    const signer = new StarknetAccountSigner({
      chainId: shortStringFelt(sandboxWorld.chainId),
      accounts: [{ address: account, privateKey: toFelt(privateKey) }],
    });
    const bounds = boundsFor(LIMITS, { l2GasFri: 8_000_000_000n, l1GasFri: 40_000_000_000_000n, l1DataGasFri: 1_000_000_000n });
    try {
      for (const [index, calldata] of calldatas.entries()) {
        const call = await signer.hashCall({ to: toFelt(pool.address), entrypoint }, Felts.of(calldata));
        const { bytes } = await signer.signCall(call, { account, nonce: BigInt(index), bounds });
        const answer = await new StarknetBroadcaster(node).send(bytes);
        if (answer.kind !== 'taken') throw new Error(`the sandbox answered ${answer.kind}: ${answer.code}`);
      }
    } finally {
      node.close();
      await signer.close();
    }
  }

  async #u256(contract: bigint, entrypoint: string, calldata: readonly bigint[]): Promise<bigint> {
    const [low = 0n, high = 0n] = await this.#view(contract, entrypoint, calldata);
    return u256FromHalves(low, high);
  }

  async #view(contract: bigint, entrypoint: string, calldata: readonly bigint[]): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: selectorOf(entrypoint),
      calldata: calldata.map((felt): Felt => toFelt(felt)),
    };
    const result = await this.#ask('starknet_call', { request, block_id: 'pre_confirmed' });
    if (!Array.isArray(result)) throw new Error(`${entrypoint} gave no felts`);
    return result.map((felt) => BigInt(String(felt)));
  }

  async #ask(method: string, params: object): Promise<unknown> {
    const response = await fetch(this.sandbox.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer: { readonly result?: unknown } = Object(await response.json());
    if (answer.result === undefined) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result;
  }
}

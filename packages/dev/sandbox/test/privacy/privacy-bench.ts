import {
  buildGenesis,
  PrivacyProver,
  sandboxWorld,
  type GenesisOptions,
  type PrivateRequest,
} from '../../src/index.js';
import { toHex } from '../../src/engine/felt.js';
import type { GenesisAccount } from '../../src/engine/genesis.js';
import { startHarness, type Harness } from '../support/harness.js';
import { wireInvoke, type Call, type InvokeChoices } from '../support/wire-invoke.js';
import { trapdoorKey } from '../unit/contracts/trapdoor.js';

const { accounts, privacyPool, tokens } = sandboxWorld;
const CHAIN_ID = toHex(BigInt(`0x${Buffer.from(sandboxWorld.chainId).toString('hex')}`));

/** Result of an included transaction. */
export interface Included {
  readonly hash: string;
  readonly status: string;
  readonly reason: string;
  readonly l2Gas: number;
  readonly dataGas: number;
  readonly events: readonly {
    readonly from_address: string;
    readonly keys: readonly string[];
    readonly data: readonly string[];
  }[];
}

/** Sandbox with the privacy pool, a prover, and helpers that send requests. */
export class PrivacyBench {
  #provers = 0;
  readonly #nonces = new Map<bigint, bigint>();

  private constructor(readonly node: Harness) {}

  static async start(options: Partial<GenesisOptions> = {}): Promise<PrivacyBench> {
    return new PrivacyBench(
      await startHarness({
        genesis: buildGenesis({ verificationKey: trapdoorKey, emptyBlocks: 12, ...options }),
      }),
    );
  }

  /** Returns a prover. @default its seed is new */
  prover(seed = `bench ${(this.#provers += 1)}`): PrivacyProver {
    return new PrivacyProver({ rpcUrl: this.node.url, seed });
  }

  /** Returns the INVOKE that contains a request, after the given calls. */
  invoke(
    request: PrivateRequest,
    before: readonly Call[] = [],
    account: GenesisAccount = accounts.lane1,
  ): InvokeChoices {
    const apply = {
      to: BigInt(request.poolAddress),
      entrypoint: 'apply_actions',
      calldata: request.calldata.map(BigInt),
    };
    return {
      account,
      chainId: CHAIN_ID,
      nonce: this.#nonces.get(account.address) ?? 0n,
      calls: [...before, apply],
      proofFacts: request.proofFacts.map(BigInt),
      proof: request.proof,
    };
  }

  /** Sends a transaction and mines a block. */
  async include(choices: InvokeChoices): Promise<Included> {
    const hash = await this.node.send(choices);
    this.#nonces.set(choices.account.address, (choices.nonce ?? 0n) + 1n);
    this.node.control.mine();
    const receipt = Object(await this.node.result('starknet_getTransactionReceipt', [hash]));
    return {
      hash,
      status: receipt.execution_status,
      reason: receipt.revert_reason ?? '',
      l2Gas: receipt.execution_resources.l2_gas,
      dataGas: receipt.execution_resources.l1_data_gas,
      events: receipt.events,
    };
  }

  /** Lets the pool spend an amount of the account's tokens. */
  async approve(account: GenesisAccount, token: bigint, amount: bigint): Promise<void> {
    await this.include({
      account,
      chainId: CHAIN_ID,
      nonce: this.#nonces.get(account.address) ?? 0n,
      calls: [approval(token, privacyPool.address, amount)],
    });
  }

  submit(
    request: PrivateRequest,
    before: readonly Call[] = [],
    account?: GenesisAccount,
  ): Promise<Included> {
    return this.include(this.invoke(request, before, account));
  }

  /**
   * Simulates a request without a signature. @param changes members of the INVOKE that differ
   * @returns the revert reason, or `succeeds`
   */
  async simulate(request: PrivateRequest, changes: object = {}): Promise<string> {
    const { body } = wireInvoke(this.invoke(request));
    const [{ transaction_trace: trace }] = Object(
      await this.node.result('starknet_simulateTransactions', [
        'pre_confirmed',
        [{ ...body, signature: [], proof: undefined, ...changes }],
        ['SKIP_VALIDATE'],
      ]),
    );
    return trace.execute_invocation.revert_reason ?? 'succeeds';
  }

  balance(token: bigint, owner: bigint): bigint {
    const [low = 0n, high = 0n] = this.node.control.call(token, 'balanceOf', [owner]);
    return low + (high << 128n);
  }

  view(name: string, ...calldata: readonly bigint[]): readonly bigint[] {
    return this.node.control.call(privacyPool.address, name, calldata);
  }

  /** Returns the words of the pool's storage at these addresses, as the node reports them. */
  storage(addresses: readonly string[]): Promise<unknown[]> {
    return Promise.all(
      addresses.map((address) =>
        this.node.result('starknet_getStorageAt', [toHex(privacyPool.address), address, 'latest']),
      ),
    );
  }

  stop(): Promise<void> {
    return this.node.stop();
  }
}

/** Withdrawal of 43 units and a fee of 7 units, in USDC. */
export const usualWithdrawal = {
  payments: [{ to: accounts.recipient1.address, token: tokens.USDC.address, amount: 43n }],
  fee: { to: accounts.feeCollector.address, token: tokens.USDC.address, amount: 7n },
};

export const approval = (token: bigint, spender: bigint, amount: bigint): Call => ({
  to: token,
  entrypoint: 'approve',
  calldata: [spender, amount, 0n],
});

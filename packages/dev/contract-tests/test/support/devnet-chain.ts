import { NodeClient, NodeRefusedCall, selectorOf } from '@sotto/adapter-starknet';
import {
  constructorCalldata,
  loadContract,
  type ConstructorParameters,
  type ContractName,
} from '@sotto/contracts';
import { AccountSigner } from '@sotto/deployment/testing';
import { toFelt } from '@sotto/kernel';
import { Account, RpcProvider, hash } from 'starknet';
import { z } from 'zod';

/** Timeouts of a client of devnet's node. */
export const TIMEOUTS = { readTimeoutMs: 60_000, sendTimeoutMs: 60_000 };

/** Call of an entry point with its arguments as felts. */
export interface ContractCall {
  readonly contract: bigint;
  readonly entrypoint: string;
  readonly calldata?: readonly bigint[];
}

export interface ContractEvent {
  readonly from: bigint;
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/** Result of a transaction. */
export interface Outcome {
  readonly transactionHash: string;
  /** Revert reason of the node; undefined if the transaction succeeded. */
  readonly revertReason: string | undefined;
  readonly l2Gas: number;
  readonly events: readonly ContractEvent[];
}

const Integer = z.string().transform(BigInt);
const Integers = z.array(Integer);
const Accounts = z.array(z.object({ address: z.string(), private_key: z.string() }));
const Receipt = z.object({
  transaction_hash: z.string(),
  revert_reason: z.string().optional(),
  execution_resources: z.object({ l2_gas: z.int() }),
  events: z.array(z.object({ from_address: Integer, keys: Integers, data: Integers })),
});

/** Address of the universal deployer contract, which every devnet has. */
const DEPLOYER = '0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf';
/** Price of L2 gas in fri with which `devnet-setup.mjs` starts devnet. */
const PRICE_FRI = 8_000_000_000n;
/** Error code of a class that is not declared. Source: JSON-RPC specification. */
const CLASS_NOT_FOUND = 28;
/**
 * Fixed resource bounds, so that no fee estimate is needed. At the constant gas price, these bounds
 * are enough for every transaction that fits in a block.
 */
const DETAILS = {
  tip: 0n,
  resourceBounds: {
    l2_gas: { max_amount: 1_200_000_000n, max_price_per_unit: PRICE_FRI },
    l1_gas: { max_amount: 0n, max_price_per_unit: PRICE_FRI },
    l1_data_gas: { max_amount: 200_000n, max_price_per_unit: PRICE_FRI },
  },
};

/** Classes that are known to be declared on devnet. */
const declared = new Set<ContractName>();

/**
 * Client of a devnet with an account that owns and deploys all contracts, and two other accounts.
 * All test files share the devnet. Each file deploys its own contracts, so files do not affect each
 * other.
 */
export class DevnetChain {
  readonly #nonces = new Map<string, bigint>();

  private constructor(
    readonly node: NodeClient,
    private readonly accounts: readonly Account[],
  ) {}

  /** @throws ZodError if the tests were not started with jest.devnet.config.mjs */
  static async start(): Promise<DevnetChain> {
    const url = z.string().parse(process.env['SOTTO_DEVNET']);
    const node = new NodeClient({ url, ...TIMEOUTS });
    const accounts = await node.call({
      method: 'devnet_getPredeployedAccounts',
      params: {},
      result: Accounts,
    });
    const provider = new RpcProvider({ nodeUrl: url });
    const signers = accounts.map(
      ({ address, private_key: key }) =>
        new Account({ provider, address, signer: new AccountSigner(key), cairoVersion: '1' }),
    );
    return new DevnetChain(node, signers);
  }

  /**
   * Address of the account that deploys contracts. This account also owns the contracts that have
   * an owner as a parameter.
   */
  get owner(): bigint {
    return BigInt(this.#account(0).address);
  }

  /** Address of another account, which owns no contract. */
  get stranger(): bigint {
    return BigInt(this.#account(1).address);
  }

  /**
   * Declares the class if necessary and deploys a contract. Returns its address.
   * @throws Error if the constructor reverts, with the node's reason
   */
  async deploy<Name extends ContractName>(
    name: Name,
    parameters: ConstructorParameters[Name],
  ): Promise<bigint> {
    const { sierra, classHash, compiledClassHash } = loadContract(name);
    const owner = this.#account(0);
    if (!declared.has(name) && !(await this.#isDeclared(classHash))) {
      await owner.declare(
        { contract: sierra, classHash, compiledClassHash },
        { ...DETAILS, nonce: await this.#nonce(owner) },
      );
    }
    declared.add(name);
    // The salt is unique on this devnet, because each deployment uses the owner's next nonce as its
    // salt.
    const salt = await this.#nextNonce(owner);
    const calldata = constructorCalldata(name, parameters);
    const { revertReason } = await this.send({
      contract: BigInt(DEPLOYER),
      entrypoint: 'deployContract',
      calldata: [BigInt(classHash), salt, 0n, BigInt(calldata.length), ...calldata],
    });
    if (revertReason !== undefined) throw new Error(`${name}: ${revertReason}`);
    return BigInt(hash.calculateContractAddressFromHash(salt, classHash, [...calldata], 0n));
  }

  /** Sends one transaction with these calls from the owner's account. */
  async send(...calls: readonly ContractCall[]): Promise<Outcome> {
    return this.#send(this.#account(0), calls);
  }

  /** Sends one transaction with these calls from the account {@link stranger}. */
  async sendAsStranger(...calls: readonly ContractCall[]): Promise<Outcome> {
    return this.#send(this.#account(1), calls);
  }

  /** Calls a view. @throws NodeRefusedCall if the view reverts */
  async view({ contract, entrypoint, calldata = [] }: ContractCall): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: selectorOf(entrypoint),
      calldata: calldata.map(toFelt),
    };
    return this.node.call({
      method: 'starknet_call',
      params: { request, block_id: 'latest' },
      result: Integers,
    });
  }

  async stop(): Promise<void> {
    this.node.close();
  }

  async #send(account: Account, calls: readonly ContractCall[]): Promise<Outcome> {
    const wire = calls.map(({ contract, entrypoint, calldata = [] }) => ({
      contractAddress: toFelt(contract),
      entrypoint,
      calldata: calldata.map(toFelt),
    }));
    const { transaction_hash: transactionHash } = await account.execute(wire, {
      ...DETAILS,
      nonce: await this.#nonce(account),
    });
    const params = { transaction_hash: transactionHash };
    const receipt = await this.node.call({
      method: 'starknet_getTransactionReceipt',
      params,
      result: Receipt,
    });
    return {
      transactionHash,
      revertReason: receipt.revert_reason,
      l2Gas: receipt.execution_resources.l2_gas,
      events: receipt.events.map(({ from_address: from, keys, data }) => ({ from, keys, data })),
    };
  }

  async #isDeclared(classHash: string): Promise<boolean> {
    const params = { block_id: 'latest', class_hash: classHash };
    try {
      await this.node.call({ method: 'starknet_getClass', params, result: z.unknown() });
      return true;
    } catch (error) {
      if (error instanceof NodeRefusedCall && error.rpcCode === CLASS_NOT_FOUND) return false;
      throw error;
    }
  }

  /** Returns the nonce for the next transaction and counts it as used. */
  async #nonce(account: Account): Promise<bigint> {
    const nonce = await this.#nextNonce(account);
    this.#nonces.set(account.address, nonce + 1n);
    return nonce;
  }

  /**
   * Returns the next nonce. Reads it from the node only once and counts from then on, because
   * transactions are sent one after another.
   */
  async #nextNonce({ address }: Account): Promise<bigint> {
    const params = { block_id: 'latest', contract_address: address };
    const nonce =
      this.#nonces.get(address) ??
      (await this.node.call({ method: 'starknet_getNonce', params, result: Integer }));
    this.#nonces.set(address, nonce);
    return nonce;
  }

  #account(index: number): Account {
    const account = this.accounts[index];
    if (account === undefined) throw new RangeError('there is no such account');
    return account;
  }
}

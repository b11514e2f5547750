import { toFelt } from '@sotto/kernel';
import { Account, RpcError, RpcProvider, type CompiledSierra } from 'starknet';
import { AccountSigner } from './account-signer.js';
import type { ChainNode, ContractCall } from './chain-node.js';
import type { Artefact, KeyedAccount, Sender } from './sender.js';

/** Class with all data that a declaration needs. */
export interface SierraArtefact extends Artefact {
  readonly sierra: CompiledSierra;
  readonly compiledClassHash: string;
}

/** Maximum L2 gas (resource bound) of an invoke transaction; the sequencer accepts 1.21e9. */
const MAX_INVOKE_L2_GAS = 1_000_000_000n;
/** Maximum L1 data gas (resource bound), well above a deployment with its storage. */
const MAX_L1_DATA_GAS = 200_000n;
/**
 * Factor of gas prices in tenths. With this factor, the resource bounds cover price rises before
 * inclusion.
 */
const PRICE_FACTOR_TENTHS = 15n;

/**
 * Account that sets resource bounds, nonce and tip explicitly. So starknet.js need not query them,
 * and only declarations are estimated.
 */
export class StarknetSender implements Sender<SierraArtefact> {
  readonly address: bigint;
  readonly #account: Account;

  constructor(
    rpcUrl: string,
    private readonly node: ChainNode,
    { address, privateKey }: Pick<KeyedAccount, 'address' | 'privateKey'>,
  ) {
    this.address = address;
    this.#account = new Account({
      provider: new RpcProvider({ nodeUrl: rpcUrl }),
      address: toFelt(address),
      signer: new AccountSigner(toFelt(privateKey)),
      // Set the version: otherwise starknet.js would read the account's class for each transaction.
      cairoVersion: '1',
    });
  }

  async declare(
    { sierra, classHash, compiledClassHash }: SierraArtefact,
    nonce: bigint,
  ): Promise<string> {
    const payload = { contract: sierra, classHash, compiledClassHash };
    // The cost of a declaration depends on the size of its class: from 0.1e9 to 4.2e9, so no fixed
    // resource bound fits. starknet.js adds a margin of one half to the estimate.
    const estimating = this.#account.estimateDeclareFee(payload, {
      nonce,
      tip: 0n,
      blockIdentifier: 'pre_confirmed',
    });
    const { resourceBounds } = await unlessRefused('declaration', estimating);
    const details = await this.#details(nonce, resourceBounds.l2_gas.max_amount);
    const declaring = this.#account.declare(payload, details);
    return (await unlessRefused('declaration', declaring)).transaction_hash;
  }

  async invoke(calls: readonly ContractCall[], nonce: bigint): Promise<string> {
    const wire = calls.map(({ contract, entrypoint, calldata }) => ({
      contractAddress: toFelt(contract),
      entrypoint,
      calldata: calldata.map(toFelt),
    }));
    const executing = this.#account.execute(wire, await this.#details(nonce, MAX_INVOKE_L2_GAS));
    return (await unlessRefused('transaction', executing)).transaction_hash;
  }

  async #details(nonce: bigint, maxL2Gas: bigint) {
    const { l1GasFri, l1DataGasFri, l2GasFri } = await this.node.gasPrices();
    return {
      nonce,
      tip: 0n,
      resourceBounds: {
        l2_gas: { max_amount: maxL2Gas, max_price_per_unit: withRoom(l2GasFri) },
        l1_gas: { max_amount: 0n, max_price_per_unit: withRoom(l1GasFri) },
        l1_data_gas: { max_amount: MAX_L1_DATA_GAS, max_price_per_unit: withRoom(l1DataGasFri) },
      },
    };
  }
}

function withRoom(priceFri: bigint): bigint {
  return (priceFri * PRICE_FACTOR_TENTHS) / 10n + 1n;
}

/**
 * Rethrows a rejection by the node.
 * @throws Error with the node's message only: the message of starknet.js would contain the whole
 *   class, or all calldata
 */
async function unlessRefused<T>(what: string, querying: Promise<T>): Promise<T> {
  try {
    return await querying;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error.baseError;
    const detail =
      data === undefined ? '' : `: ${typeof data === 'string' ? data : JSON.stringify(data)}`;
    // oxlint-disable-next-line preserve-caught-error -- the cause is what must not be shown
    throw new Error(`the node refused the ${what}: ${code} ${message}${detail}`);
  }
}

import { toFelt } from '@sotto/kernel';
import { Account, RpcError, RpcProvider, type CompiledSierra } from 'starknet';
import type { ChainNode, ContractCall } from './chain-node.js';
import type { KeyedAccount } from './keyed-account.js';
import type { Artefact, Sender } from './sender.js';

/** A class with all that a declaration carries. */
export interface SierraArtefact extends Artefact {
  readonly sierra: CompiledSierra;
  readonly compiledClassHash: string;
}

/** The sequencer takes 1.21e9 in one invoke. */
const MAX_INVOKE_L2_GAS = 1_000_000_000n;
/** A declaration pays by the size of its class: 1.03e9 for the stack's largest, measured on devnet 0.8.1. */
const MAX_DECLARE_L2_GAS = 2_000_000_000n;
/** A deployment with its storage, many times over. */
const MAX_L1_DATA_GAS = 200_000n;
/** Room for the price to rise before inclusion, in 1/10. */
const PRICE_FACTOR_TENTHS = 15n;

/** An account that signs with bounds, nonce and tip of its own: nothing is estimated and nothing is polled by the library. */
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
      signer: toFelt(privateKey),
      // Without it the library would ask for the account's class each time.
      cairoVersion: '1',
    });
  }

  async declare({ sierra, classHash, compiledClassHash }: SierraArtefact, nonce: bigint): Promise<string> {
    const details = await this.#details(nonce, MAX_DECLARE_L2_GAS);
    return sent('declaration', this.#account.declare({ contract: sierra, classHash, compiledClassHash }, details));
  }

  async invoke(calls: readonly ContractCall[], nonce: bigint): Promise<string> {
    const wire = calls.map(({ contract, entrypoint, calldata }) => ({
      contractAddress: toFelt(contract),
      entrypoint,
      calldata: calldata.map(toFelt),
    }));
    return sent('transaction', this.#account.execute(wire, await this.#details(nonce, MAX_INVOKE_L2_GAS)));
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

/** The hash. @throws Error with the node's own words alone: the library's would hold the whole class, or all calldata */
async function sent(what: string, sending: Promise<{ readonly transaction_hash: string }>): Promise<string> {
  try {
    return (await sending).transaction_hash;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error.baseError;
    const detail = data === undefined ? '' : `: ${typeof data === 'string' ? data : JSON.stringify(data)}`;
    // oxlint-disable-next-line preserve-caught-error -- the cause is what must not be shown
    throw new Error(`the node refused the ${what}: ${code} ${message}${detail}`);
  }
}

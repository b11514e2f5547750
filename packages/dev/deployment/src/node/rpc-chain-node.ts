import { systemClock, toFelt } from '@sotto/kernel';
import { hash, shortString } from 'starknet';
import { z } from 'zod';
import type { ChainNode, ContractCall, GasPrices } from './chain-node.js';
import { JsonRpc, NodeRejection, type RpcOutcome } from './json-rpc.js';
import { Integer, Integers } from './wire.js';

const Price = z.object({ price_in_fri: Integer });
const Header = z.object({ l1_gas_price: Price, l1_data_gas_price: Price, l2_gas_price: Price });
const Status = z.object({
  execution_status: z.string().nullish(),
  failure_reason: z.string().nullish(),
});
const Class = z.object({ sierra_program: z.unknown() });

/** Error codes of the JSON-RPC specification. */
const CODES = {
  contractNotFound: 20,
  unknownEntrypoint: 21,
  classNotFound: 28,
  transactionNotFound: 29,
  contractError: 40,
} as const;
const NO_ANSWER: readonly number[] = [
  CODES.contractNotFound,
  CODES.unknownEntrypoint,
  CODES.contractError,
];
const PENDING = 'pre_confirmed';
const POLL_EVERY_MS = 100;
const INCLUSION_TIMEOUT_MS = 120_000;

/** Implements {@link ChainNode} over JSON-RPC. */
export class RpcChainNode implements ChainNode {
  readonly #rpc: JsonRpc;

  constructor(readonly rpcUrl: string) {
    this.#rpc = new JsonRpc(rpcUrl);
  }

  async chainId(): Promise<string> {
    return shortString.decodeShortString(
      toFelt(await this.#rpc.query('starknet_chainId', {}, Integer)),
    );
  }

  async gasPrices(): Promise<GasPrices> {
    const header = await this.#rpc.query(
      'starknet_getBlockWithTxHashes',
      { block_id: 'latest' },
      Header,
    );
    return {
      l1GasFri: header.l1_gas_price.price_in_fri,
      l1DataGasFri: header.l1_data_gas_price.price_in_fri,
      l2GasFri: header.l2_gas_price.price_in_fri,
    };
  }

  nonce(account: bigint): Promise<bigint> {
    return this.#rpc.query(
      'starknet_getNonce',
      { block_id: PENDING, contract_address: toFelt(account) },
      Integer,
    );
  }

  async isDeclared(classHash: bigint): Promise<boolean> {
    const params = { block_id: PENDING, class_hash: toFelt(classHash) };
    const [outcome] = await this.#rpc.queryAll([
      { method: 'starknet_getClass', params, result: Class },
    ]);
    return valueUnless([CODES.classNotFound], outcome) !== undefined;
  }

  async classHashesAt(addresses: readonly bigint[]): Promise<readonly (bigint | undefined)[]> {
    const requests = addresses.map((address) => ({
      method: 'starknet_getClassHashAt',
      params: { block_id: PENDING, contract_address: toFelt(address) },
      result: Integer,
    }));
    return (await this.#rpc.queryAll(requests)).map((outcome) =>
      valueUnless([CODES.contractNotFound], outcome),
    );
  }

  async views(calls: readonly ContractCall[]): Promise<readonly (readonly bigint[] | undefined)[]> {
    const requests = calls.map(({ contract, entrypoint, calldata }) => {
      const request = {
        contract_address: toFelt(contract),
        entry_point_selector: hash.getSelectorFromName(entrypoint),
        calldata: calldata.map(toFelt),
      };
      return { method: 'starknet_call', params: { block_id: PENDING, request }, result: Integers };
    });
    return (await this.#rpc.queryAll(requests)).map((outcome) => valueUnless(NO_ANSWER, outcome));
  }

  async included(transactionHash: string): Promise<void> {
    const untilMs = systemClock.monotonicMs() + INCLUSION_TIMEOUT_MS;
    while (systemClock.monotonicMs() < untilMs) {
      const params = { transaction_hash: transactionHash };
      const [outcome] = await this.#rpc.queryAll([
        { method: 'starknet_getTransactionStatus', params, result: Status },
      ]);
      const status = valueUnless([CODES.transactionNotFound], outcome);
      if (status?.execution_status === 'REVERTED')
        throw new Error(`transaction ${transactionHash} reverted: ${status.failure_reason ?? ''}`);
      if (status?.execution_status === 'SUCCEEDED') return;
      await systemClock.sleep(POLL_EVERY_MS);
    }
    throw new Error(
      `transaction ${transactionHash} is in no block after ${INCLUSION_TIMEOUT_MS / 1_000} s`,
    );
  }
}

/**
 * Returns the result, or undefined if the node rejected the request with one of these codes.
 * @throws NodeRejection if the rejection has another code
 */
function valueUnless<T>(
  codes: readonly number[],
  outcome: RpcOutcome<T> | undefined,
): T | undefined {
  if (outcome === undefined) throw new NodeRejection(0, 'the node did not answer');
  if (outcome.kind === 'result') return outcome.result;
  if (codes.includes(outcome.rejection.code)) return undefined;
  throw outcome.rejection;
}

import { WalletError } from '../errors.js';
import { feltOf, toHex } from '../fields.js';
import { JsonRpc, isObject, malformed, type JsonRpcOptions } from './json-rpc.js';
import type {
  BlockHeader,
  ChainEvent,
  EventQuery,
  NodeReader,
  NonceQuery,
  ViewCall,
} from './node-reader.js';
import { selectorOf } from './selector.js';

/**
 * Maximum number of event pages. Nodes scan a limited number of blocks per page, so a page may have
 * no events.
 */
const MAX_PAGES = 10_000;
const MAX_TOKEN_CHARACTERS = 4_096;
/**
 * Maximum number of felts in a list, far above any expected length. A contract may return any
 * number of felts.
 */
const MAX_FELTS = 64;
const MAX_BLOCK_NUMBER = 2 ** 40;
/** Maximum time of a block in seconds, which is still exact in milliseconds. */
const MAX_TIMESTAMP = 2 ** 40;

export interface JsonRpcNodeOptions extends JsonRpcOptions {
  /** Maximum number of events per page. Providers allow at least 1,000. @default 500 */
  readonly eventsPerPage?: number;
}

/**
 * Creates a reader of a Starknet node over JSON-RPC (0.8 to 0.10). Every response is parsed, and
 * its size is limited.
 */
export function jsonRpcNode({ eventsPerPage = 500, ...options }: JsonRpcNodeOptions): NodeReader {
  const rpc = new JsonRpc(options);
  return {
    chainId: async (signal) => {
      const method = 'starknet_chainId';
      return toHex(felt(await rpc.ask(method, {}, signal), method));
    },
    block: (at, signal) => block(rpc, at, signal),
    call: (call, signal) => view(rpc, call, signal),
    nonce: (query, signal) => nonce(rpc, query, signal),
    events: (query, signal) => pages(rpc, { ...query, eventsPerPage }, signal),
  };
}

async function block(
  rpc: JsonRpc,
  at: 'latest' | number,
  signal?: AbortSignal,
): Promise<BlockHeader | undefined> {
  const method = 'starknet_getBlockWithTxHashes';
  const block_id = at === 'latest' ? at : { block_number: at };
  let header: unknown;
  try {
    header = await rpc.ask(method, { block_id }, signal);
  } catch (error) {
    if (error instanceof WalletError && error.code === 'BLOCK_UNKNOWN') return undefined;
    throw error;
  }
  if (!isObject(header)) throw malformed(method);
  const { status, block_number, block_hash, parent_hash, timestamp } = header;
  const number = blockNumber(block_number, method);
  const isAsked = at === 'latest' || at === number;
  if (!isAsked || (status !== 'ACCEPTED_ON_L2' && status !== 'ACCEPTED_ON_L1'))
    throw malformed(method);
  return {
    number,
    hash: toHex(felt(block_hash, method)),
    parentHash: toHex(felt(parent_hash, method)),
    timestamp: natural(timestamp, MAX_TIMESTAMP, method),
  };
}

async function view(
  rpc: JsonRpc,
  { contract, entrypoint, calldata = [], blockHash }: ViewCall,
  signal?: AbortSignal,
): Promise<readonly bigint[]> {
  const method = 'starknet_call';
  const request = {
    contract_address: contract,
    entry_point_selector: toHex(selectorOf(entrypoint)),
    calldata: calldata.map(toHex),
  };
  const block_id = blockHash === undefined ? 'latest' : { block_hash: blockHash };
  return felts(await rpc.ask(method, { request, block_id }, signal), method);
}

async function nonce(
  rpc: JsonRpc,
  { account, at }: NonceQuery,
  signal?: AbortSignal,
): Promise<bigint> {
  const method = 'starknet_getNonce';
  const block_id = at === 'pre_confirmed' ? at : { block_hash: at.blockHash };
  return felt(await rpc.ask(method, { block_id, contract_address: account }, signal), method);
}

async function* pages(
  rpc: JsonRpc,
  query: EventQuery & { readonly eventsPerPage: number },
  signal?: AbortSignal,
): AsyncGenerator<readonly ChainEvent[], void, void> {
  const method = 'starknet_getEvents';
  const names = new Map(query.names.map((name) => [selectorOf(name), name]));
  const filter = {
    from_block: { block_number: query.fromBlock },
    to_block: { block_number: query.toBlock },
    address: query.contract,
    keys: [[...names.keys()].map(toHex)],
    chunk_size: query.eventsPerPage,
  };
  let token: string | undefined;
  let reached = query.fromBlock;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const continued = token === undefined ? filter : { ...filter, continuation_token: token };
    const answer = await rpc.ask(method, { filter: continued }, signal);
    if (!isObject(answer)) throw malformed(method);
    const { events, continuation_token: next = null } = answer;
    if (!Array.isArray(events) || events.length > query.eventsPerPage) throw malformed(method);
    const read = events.map((event) => readEvent(event, query, names));
    for (const { blockNumber: at } of read) {
      if (at < reached || at > query.toBlock) throw malformed(method);
      reached = at;
    }
    yield read;
    if (next === null) return;
    if (typeof next !== 'string' || next.length > MAX_TOKEN_CHARACTERS || next === token)
      throw malformed(method);
    token = next;
  }
  throw new WalletError('NODE_MALFORMED_ANSWER', `the events do not end after ${MAX_PAGES} pages`);
}

function readEvent(
  event: unknown,
  { contract }: EventQuery,
  names: ReadonlyMap<bigint, string>,
): ChainEvent {
  const method = 'starknet_getEvents';
  if (!isObject(event)) throw malformed(method);
  const [selector, ...keys] = felts(event['keys'], method);
  const name = selector === undefined ? undefined : names.get(selector);
  const isAsked = felt(event['from_address'], method) === feltOf(contract, 'the contract');
  // Events of accepted blocks have a block hash, while pending events have no block hash.
  if (!isAsked || name === undefined || event['block_hash'] === undefined) throw malformed(method);
  return {
    name,
    blockNumber: blockNumber(event['block_number'], method),
    transactionHash: toHex(felt(event['transaction_hash'], method)),
    keys,
    data: felts(event['data'], method),
  };
}

function felt(value: unknown, method: string): bigint {
  try {
    if (typeof value === 'string') return feltOf(value, 'a felt');
  } catch {
    // Thrown below, with the method's name.
  }
  throw malformed(method);
}

function felts(value: unknown, method: string): readonly bigint[] {
  if (!Array.isArray(value) || value.length > MAX_FELTS) throw malformed(method);
  return value.map((item) => felt(item, method));
}

function blockNumber(value: unknown, method: string): number {
  return natural(value, MAX_BLOCK_NUMBER, method);
}

function natural(value: unknown, most: number, method: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw malformed(method);
  if (value < 0 || value > most) throw malformed(method);
  return value;
}

import { createSottoClient, isSottoError } from '@sotto/client';
import {
  ShieldedPool,
  browserStorage,
  deriveNoteKeys,
  jsonRpcNode,
  type DepositAccount,
  type NodeReader,
  type NoteKeys,
  type Relayer,
  type WalletStorage,
} from '@sotto/wallet/advanced';
import { depositorOf } from './account.js';
import type { PoolInUse, Token } from './note-card.js';
import { readSettings, type DevelopmentSettings } from './settings.js';

/** The swap pool and the output tokens of private swaps. */
interface SwapsInUse {
  readonly view: ShieldedPool;
  readonly outputTokens: readonly Token[];
}

/** Settings, connections and storage that the wallet needs in this browser. */
export interface Surroundings {
  readonly settings: DevelopmentSettings;
  readonly storage: WalletStorage;
  readonly keys: NoteKeys;
  readonly node: NodeReader;
  readonly account: DepositAccount;
  readonly client: Client;
  readonly relayers: readonly Relayer[];
  readonly pools: readonly PoolInUse[];
  /** Null if the service offers no private swaps. */
  readonly swaps: SwapsInUse | null;
}

type Client = ReturnType<typeof createSottoClient>;

/** Opens everything that the wallet needs. @throws Error with the name of the missing part */
export async function findSurroundings(serviceUrl: string): Promise<Surroundings> {
  const settings = await readSettings();
  const storage = browserStorage(STORAGE_NAME);
  const node = jsonRpcNode({ url: settings.nodeUrl });
  const client = createSottoClient({ baseUrl: serviceUrl });
  return {
    settings,
    storage,
    node,
    client,
    keys: deriveNoteKeys(await seedIn(storage)),
    account: depositorOf(settings),
    relayers: [{ baseUrl: serviceUrl, signerKey: await signerOf(client, node) }],
    ...(await poolsOf(client, node, storage)),
  };
}

/**
 * Returns the body of a successful response.
 * @throws Error with the service's message, or with a message that the service does not respond
 */
export async function answerOf<T>(
  asked: Promise<{ readonly data?: T; readonly error?: unknown }>,
): Promise<T> {
  const silent = { data: undefined, error: undefined };
  const { data, error } = await asked.catch(() => silent);
  if (data !== undefined) return data;
  throw new Error(isSottoError(error) ? error.error : 'the service does not answer');
}

/** Name of the wallet's storage in this browser. */
export const STORAGE_NAME = 'sotto-development-wallet';
const SEED_KEY = 'development-page/seed';
const SEED_BYTES = 32;

/**
 * Returns the seed of this browser, which is created at the first visit. The page shows its words.
 */
export async function seedIn(storage: WalletStorage): Promise<Uint8Array> {
  const made = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  await storage.replace(SEED_KEY, undefined, made.join(' '));
  const kept = (await storage.read(SEED_KEY)) ?? '';
  return Uint8Array.from(kept.split(' '), Number);
}

/**
 * Reads the public key that signs the relayer's quotes from the relayer's account on chain. A real
 * wallet knows the keys of its relayers, or at least their accounts, in advance.
 */
async function signerOf(client: Client, node: NodeReader): Promise<string> {
  const { signer } = await answerOf(client.GET('/status'));
  const [key] = await node.call({ contract: signer, entrypoint: 'get_public_key' });
  if (key === undefined) throw new Error('the service’s account has no key');
  return `0x${key.toString(16)}`;
}

async function poolsOf(
  client: Client,
  node: NodeReader,
  cache: WalletStorage,
): Promise<Pick<Surroundings, 'pools' | 'swaps'>> {
  const list = await answerOf(client.GET('/api/relayer/pools'));
  const pools = await Promise.all(
    list.pools.map(async ({ key, kind, address, token, denominationAmount }) => {
      // A pool that can't be read is an error. Otherwise the wallet would display the pool's notes
      // as missing.
      if (denominationAmount === null)
        throw new Error(`the service can’t read the pool ${key} now`);
      return {
        key,
        token,
        amount: BigInt(denominationAmount),
        swaps: kind === 'swap_input',
        view: await ShieldedPool.open({ node, address, cache, token: token.address }),
      };
    }),
  );
  const { swapOutputs, privateSwap } = list;
  if (swapOutputs === null || privateSwap === null) return { pools, swaps: null };
  const { address } = swapOutputs;
  const view = await ShieldedPool.open({ node, address, cache, kind: 'swap' });
  return { pools, swaps: { view, outputTokens: privateSwap.outputTokens } };
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shortStringFelt } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { SPONSOR_KEY, type Strk20Site } from './strk20-site.js';

type Json = Readonly<Record<string, unknown>>;
type Constructor<T> = new (...parameters: readonly unknown[]) => T;

/** Builder of private actions. Every method returns the builder. */
interface Builder {
  with(token: string): { deposit(amount: object): unknown; withdraw(payment: object): unknown };
  surplusTo(owner: string): unknown;
  execute(): Promise<{
    readonly callAndProof: {
      readonly call: Readonly<{
        contractAddress: string;
        entrypoint: string;
        calldata: readonly string[];
      }>;
      readonly proof: Readonly<{ data: unknown; output: unknown; proofFacts: unknown }>;
    };
  }>;
}

interface Paymaster {
  buildTransaction(build: object): Promise<{ readonly feeAction: Json }>;
  executeTransaction(execute: object): Promise<{ readonly transactionHash: string }>;
}

interface Wallet {
  strk20InvokeTransaction(
    actions: readonly object[],
  ): Promise<{ readonly transaction_hash: string }>;
}

const constructorOf = <T>() =>
  z.custom<Constructor<T>>((value) => typeof value === 'function', 'must be a class');

/**
 * Exports of `index.mjs` in the folder that STRK20_CLIENT names: a bundle of the official client
 * (`client` and `sdk` of starkware-libs/starknet-privacy) without changes.
 */
const ClientModule = z.object({
  /** starknet.js, as the client uses it. */
  starknet: z.object({
    RpcProvider: constructorOf<object>(),
    Account: constructorOf<object>(),
    Signer: constructorOf<object>(),
    Contract: constructorOf<{ typedv2(abi: unknown): object }>(),
  }),
  // Exports of `client/src/index.ts`.
  AvnuPaymaster: constructorOf<Paymaster>(),
  SdkWallet: constructorOf<Wallet>(),
  // Exports of `sdk/src/factory.ts`, and of three files in `sdk/src/internal`: `mock-proving.ts`,
  // `contract-discovery.ts` and `abi.ts`.
  createPrivateTransfers: z.custom<(options: object) => { build(options: object): Builder }>(
    (value) => typeof value === 'function',
    'must be a function',
  ),
  CallMockProofProvider: constructorOf<object>(),
  ContractDiscoveryProvider: constructorOf<object>(),
  PrivacyPoolABI: z.unknown(),
});

/** Request of the client and the response of the service. */
export interface Exchange {
  readonly body: string;
  readonly response: unknown;
}

export interface ClientOptions {
  /** Key of the sponsor; empty for none. @default the key of the site's sponsor */
  readonly apiKey?: string;
  /** @default normal */
  readonly tip?: string;
  /** Key with which the user signs the approval of a deposit. @default the user's key */
  readonly userKey?: bigint;
  /**
   * True to send calls as the client builds them. The client is made for the pool's version 2.0,
   * whose calls have one felt more than those of the dump's pool. @default false
   */
  readonly keepsScreening?: boolean;
}

/** Returns the folder of the client's bundle; undefined if STRK20_CLIENT is not set. */
export function findStrk20Client(): string | undefined {
  const named = process.env['STRK20_CLIENT'];
  return named === undefined || named === '' ? undefined : named;
}

/** Wallet of the pool's user that is made of the official client. */
export class OfficialClient {
  /** Requests to the service, oldest first. */
  readonly exchanges: Exchange[] = [];
  readonly paymaster: Paymaster;
  readonly wallet: Wallet;

  private constructor(
    private readonly site: Strk20Site,
    private readonly module: z.output<typeof ClientModule>,
    private readonly options: ClientOptions,
  ) {
    const { AvnuPaymaster, SdkWallet, starknet } = module;
    const { devnet } = site;
    const { apiKey = SPONSOR_KEY, tip = 'normal' } = options;
    const { userKey = devnet.userAccount.privateKey } = options;
    this.paymaster = new AvnuPaymaster({
      url: `${site.stack.service.url}/paymaster`,
      feeMode: { mode: 'sponsored_private', poolFeeToken: toFelt(devnet.strk), tip },
      apiKey,
      fetch: (url: string, init: RequestInit) => this.#fetch(url, init),
    });
    this.wallet = new SdkWallet({
      prover: { prove: (actions: readonly Json[]) => this.#prove(actions) },
      paymaster: this.paymaster,
      poolContractAddress: toFelt(devnet.pool),
      signer: new starknet.Signer(toFelt(userKey)),
      userAddress: toFelt(devnet.userAccount.address),
    });
  }

  /** Loads the bundle. Precondition: STRK20_CLIENT is set. @throws ZodError for other exports */
  static async load(site: Strk20Site, options: ClientOptions = {}): Promise<OfficialClient> {
    const file = join(findStrk20Client() ?? '', 'index.mjs');
    const module = ClientModule.parse(await import(pathToFileURL(file).href));
    return new OfficialClient(site, module, options);
  }

  /** Returns a withdrawal of STRK in the client's format. */
  withdrawal(recipient: bigint, amountFri: bigint): object {
    const token = toFelt(this.site.devnet.strk);
    return { type: 'withdraw', token, amount: toFelt(amountFri), recipient: toFelt(recipient) };
  }

  /** Returns a deposit of STRK in the client's format. The client adds the user's approval. */
  deposit(amountFri: bigint): object {
    return { type: 'deposit', token: toFelt(this.site.devnet.strk), amount: toFelt(amountFri) };
  }

  /** Proves actions as the client's own prover does, with the viewing key of the dump. */
  async #prove(actions: readonly Json[]): Promise<object> {
    const { devnet } = this.site;
    const user = toFelt(devnet.userAccount.address);
    const builder = this.#transfers().build({
      autoRegister: true,
      autoSetup: true,
      autoSelectNotes: 'naive',
      autoDiscover: { channels: 'refresh', notes: 'refresh' },
    });
    for (const { type, token, recipient, amount } of actions) {
      const operations = builder.with(String(token));
      const value = BigInt(String(amount));
      if (type === 'deposit') operations.deposit({ amount: value });
      else operations.withdraw({ recipient, amount: value });
    }
    builder.surplusTo(user);
    const { call, proof } = (await builder.execute()).callAndProof;
    const { calldata } = call;
    return {
      call: {
        contract_address: call.contractAddress,
        entry_point: call.entrypoint,
        calldata: this.options.keepsScreening === true ? calldata : calldata.slice(0, -1),
      },
      proof: { data: proof.data, output: proof.output, proof_facts: proof.proofFacts },
    };
  }

  #transfers(): { build(options: object): Builder } {
    const { starknet, ...client } = this.module;
    const { devnet } = this.site;
    const chainId = shortStringFelt('SN_SEPOLIA');
    const provider = new starknet.RpcProvider({ nodeUrl: devnet.url, chainId });
    const { address, privateKey } = devnet.userAccount;
    const pool = new starknet.Contract({
      abi: client.PrivacyPoolABI,
      address: toFelt(devnet.pool),
      providerOrAccount: provider,
    }).typedv2(client.PrivacyPoolABI);
    return client.createPrivateTransfers({
      account: new starknet.Account({
        provider,
        address: toFelt(address),
        signer: toFelt(privateKey),
      }),
      viewingKeyProvider: { getViewingKey: async () => devnet.viewingKey },
      provingProvider: new client.CallMockProofProvider(provider, chainId),
      discoveryProvider: new client.ContractDiscoveryProvider(pool),
      poolContractAddress: toFelt(devnet.pool),
    });
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, init);
    const body = typeof init.body === 'string' ? init.body : '';
    this.exchanges.push({ body, response: await response.clone().json() });
    return response;
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFelt, type Felt } from '@sotto/kernel';
import { Secret } from '@sotto/settings';
import { Policy, type PolicyFile } from '../../src/policy/policy.js';
import { startSigner, type RunningSigner } from '../../src/start-signer.js';

export const ONE = {
  address: toFelt('0xa1'),
  privateKey: toFelt('0x31f8c5d0a7b2e94613fd08ac57b6e21904dd3c8b5fa7e6120c9b84d3a5e7f01'),
};
export const TWO = {
  address: toFelt('0xa2'),
  privateKey: toFelt('0x47a90be3d15c86f27e04d9b8a3c61f5e2077bd94c8e0f3a61d52b7e98c403af'),
};
const CHAIN = 'SN_TEST';
export const CHAIN_ID = toFelt(`0x${Buffer.from(CHAIN).toString('hex')}`);
export const POOL = toFelt('0x7a11');
export const STRK = toFelt('0x57');
export const ROUTER = toFelt('0x4007e4');
export const STRANGER = toFelt('0xbad');

export const BOUNDS: PolicyFile['accounts'][number]['bounds'] = {
  l2Gas: { maxAmount: '1200000000', maxPriceFri: '100000000000' },
  l1Gas: { maxAmount: '256', maxPriceFri: '1000000000000000' },
  l1DataGas: { maxAmount: '20480', maxPriceFri: '1000000000000000' },
};

/** Policy with a relaying account and the treasury. */
export const POLICY: PolicyFile = {
  version: 1,
  chainId: CHAIN,
  budget: { perHourFri: '1000', perDayFri: '3000' },
  accounts: [
    {
      address: ONE.address,
      messages: ['FeeQuote', 'ServiceStatus'],
      calls: [
        { contract: POOL, entrypoint: 'withdraw', opaque: true },
        { contract: POOL, entrypoint: 'deploy_batch', felts: 1 },
      ],
      bounds: BOUNDS,
    },
    {
      address: TWO.address,
      calls: [
        {
          contract: STRK,
          entrypoint: 'transfer',
          felts: 3,
          arguments: { '0': [ONE.address] },
          amount: { at: 1, most: '100', perDay: '250' },
        },
        {
          contract: STRK,
          entrypoint: 'approve',
          felts: 3,
          arguments: { '0': [ROUTER] },
          amount: { at: 1, most: '100', perDay: '250' },
        },
      ],
      bounds: BOUNDS,
    },
  ],
};

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Options {
  readonly policy?: PolicyFile;
  readonly accounts?: readonly { readonly address: Felt; readonly privateKey: Felt }[];
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * A signer in this process, with its own socket. Tests send requests to the signer as a service
 * would.
 */
export class SignerUnderTest {
  readonly folder = mkdtempSync(join(tmpdir(), 'sotto-signer-'));
  #running: RunningSigner | null = null;

  private constructor(private readonly options: Options) {}

  static async start(options: Options = {}): Promise<SignerUnderTest> {
    const signer = new SignerUnderTest(options);
    await signer.#start();
    return signer;
  }

  get socket(): string {
    return join(this.folder, 'signer.sock');
  }

  get bookPath(): string {
    return join(this.folder, 'book.sqlite');
  }

  get url(): string {
    return `unix:${this.socket}`;
  }

  /** Ends the signer and starts a new one with the same book. */
  async restart(): Promise<void> {
    await this.end();
    await this.#start();
  }

  /** Ends the signer without removing its files. */
  async end(): Promise<void> {
    await this.#running?.stop();
    this.#running = null;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sends a request whose body is exactly this text. */
  async post(path: string, body: string | Uint8Array, method = 'POST'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { socketPath: this.socket, path, method, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
            }),
          );
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  async #start(): Promise<void> {
    const { policy = POLICY, accounts = [ONE, TWO] } = this.options;
    this.#running = await startSigner(
      {
        policy: Policy.parse(policy),
        keys: accounts.map(({ address, privateKey }) => ({
          address,
          privateKey: new Secret(privateKey),
          isSample: false,
        })),
        bookPath: this.bookPath,
        place: { kind: 'unix', path: this.socket, mode: 0o600 },
      },
      quiet,
    );
  }
}

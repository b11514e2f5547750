import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkProfile } from '@sotto/deployment';
import {
  DevnetStack,
  findStrk20Dump,
  Strk20Devnet,
  type ProvenActions,
} from '@sotto/deployment/testing';
import { systemClock, toFelt } from '@sotto/kernel';
import {
  ledgerIn,
  serviceEnvironment,
  Stack,
  writeJson,
  type Answer,
  type KeyedAccount,
} from '@sotto/process-kit';
import { NODE_OPTIONS, PROGRAM, QUICK } from '../../e2e/support/program.js';
import { vector } from '../../e2e/support/withdrawals.js';
import { noteUndeclared } from '../../support/undeclared-errors.js';
import { ChainClient } from './chain-client.js';

/** One STRK in fri. */
export const ONE = 10n ** 18n;
/** Address that receives the fees. */
export const RELAYER = 0xfee5n;
/** Key of the sponsor, whose budget is unlimited in practice. */
export const SPONSOR_KEY = 'sponsor-key-of-a-wallet';
const APPLY_ACTIONS = '0x246333a752c1ac637ff1591c5c885e27d56060d241a29aad8475072da0777db';
const NETWORK = 'SN_SEPOLIA';
/** Amount for the deployment of the stack, in fri or wei. */
const MILLION = 1_000_000n * ONE;
/** Gas prices of the network, in fri. The dump needs prices of 1. */
const PRICES = { l2GasFri: 8_000_000_000n, l1GasFri: 10n ** 12n, l1DataGasFri: 1_000_000_000n };

/** Request for private actions with felts as text, in the format of the REST route. */
export interface PrivateRequest {
  readonly poolAddress: string;
  readonly calldata: readonly string[];
  readonly proofFacts: readonly string[];
}

/** The built service on a devnet with the real privacy pool and the development stack. */
export class Strk20Site {
  private constructor(
    readonly devnet: Strk20Devnet,
    readonly chain: ChainClient,
    readonly stack: Stack,
    private readonly lane: KeyedAccount,
  ) {}

  /**
   * Starts devnet, deploys the stack and starts the service. Precondition: STRK20_DUMP is set.
   * @throws Error if a part does not start
   */
  static async start(): Promise<Strk20Site> {
    const devnet = await Strk20Devnet.start(findStrk20Dump() ?? '');
    try {
      const { controls } = devnet.devnet;
      await controls.setTime(Math.floor(systemClock.nowMs() / 1_000));
      for (const unit of ['FRI', 'WEI'] as const)
        await controls.mint(devnet.userAccount.address, MILLION, unit);
      const deployment = await DevnetStack.deployOn(devnet.devnet);
      await controls.setGasPrice(PRICES);
      const { lane1 } = deployment.stack.accounts;
      const folder = mkdtempSync(join(tmpdir(), 'sotto-strk20-'));
      const privacyPool = {
        address: toFelt(devnet.pool),
        feeTokens: ['STRK', 'USDC'],
        acceptsNoProof: true,
      };
      const profile = { ...networkProfile('devnet', deployment), privacyPool };
      const settings = {
        networkProfile: writeJson(folder, 'network-profile.json', profile),
        verificationKeyFile: writeJson(folder, 'verification-key.json', vector.verificationKey),
        databaseFile: ledgerIn(folder),
        rpcUrl: devnet.url,
        lanes: [lane1],
        feeAddress: toFelt(RELAYER),
        instanceId: 'strk20-test',
      };
      const sponsor = { key: SPONSOR_KEY, budgetPerDayFri: String(MILLION) };
      const environment = serviceEnvironment(settings, {
        ...QUICK,
        SPONSORS: JSON.stringify({ wallet: sponsor }),
        RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
      });
      const stack = new Stack({
        program: PROGRAM,
        nodeOptions: NODE_OPTIONS,
        folder,
        environment,
        beneath: [],
        onOutput: noteUndeclared,
      });
      const chain = new ChainClient(devnet.url, NETWORK, []);
      return await new Strk20Site(devnet, chain, stack, lane1).#serve();
    } catch (error) {
      await devnet.stop();
      throw error;
    }
  }

  /** Returns the nonce of the relaying account. */
  nonce(): Promise<bigint> {
    return this.chain.nonceOf(this.lane.address);
  }

  /** Returns a balance of STRK, in fri. */
  balance(owner: bigint): Promise<bigint> {
    return this.chain.balanceOf(this.devnet.strk, owner);
  }

  request({ calldata, proofFacts }: ProvenActions): PrivateRequest {
    return {
      poolAddress: toFelt(this.devnet.pool),
      calldata: calldata.map(toFelt),
      proofFacts: proofFacts.map(toFelt),
    };
  }

  /** Sends a request over the REST route. */
  send(request: PrivateRequest, more: object = {}, query = ''): Promise<Answer> {
    const path = `/api/relayer/private-action${query}`;
    return this.stack.service.post(path, { ...request, ...more });
  }

  /** Calls a method of the paymaster. Resolves to the whole response. */
  async call(method: string, params: object, key?: string): Promise<unknown> {
    const headers = key === undefined ? {} : { 'x-paymaster-api-key': key };
    const request = { jsonrpc: '2.0', id: 1, method, params };
    return (await this.stack.service.post('/paymaster', request, headers)).body;
  }

  /** Builds a transaction. Resolves to the fee of the actions, in fri. */
  async build(): Promise<bigint> {
    const action = { pool_address: toFelt(this.devnet.pool) };
    const response = await this.call('paymaster_buildTransaction', {
      transaction: { type: 'apply_action', apply_action: action },
      parameters: this.#parameters(),
    });
    const { recipient, token, amount } = Object(response).result.fee_action;
    if (BigInt(recipient) !== RELAYER || BigInt(token) !== this.devnet.strk)
      throw new Error('the fee is not paid to the relayer in STRK');
    return BigInt(amount);
  }

  /** Executes a request over the paymaster. Resolves to the whole response. */
  execute(
    { poolAddress, calldata, proofFacts }: PrivateRequest,
    selector = APPLY_ACTIONS,
  ): Promise<unknown> {
    const action = {
      apply_actions_call: { to: poolAddress, selector, calldata },
      proof_facts: proofFacts,
    };
    return this.call('paymaster_executeTransaction', {
      transaction: { type: 'apply_action', apply_action: action },
      parameters: this.#parameters(),
    });
  }

  async #serve(): Promise<this> {
    try {
      const service = this.stack.serve();
      await service.listening();
      await service.ready();
      return this;
    } catch (error) {
      await this.stack.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.chain.close();
    await this.devnet.stop();
  }

  #parameters(): object {
    return { version: '0x1', fee_mode: { mode: 'default', gas_token: toFelt(this.devnet.strk) } };
  }
}

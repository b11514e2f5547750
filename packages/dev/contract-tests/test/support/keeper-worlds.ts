import { NodeClient, selectorOf, shortStringFelt } from '@sotto/adapter-starknet';
import { loadWithdrawalVector } from '@sotto/prover/node';
import { type KeyedAccount } from '@sotto/deployment';
import { AccountSigner, DevnetStack } from '@sotto/deployment/testing';
import { toFelt, u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { buildGenesis, sandboxWorld, startSandbox } from '@sotto/sandbox';
import { Account, RpcProvider } from 'starknet';
import { z } from 'zod';
import { TIMEOUTS, type ContractCall, type ContractEvent } from './devnet-chain.js';

type Signer = Pick<KeyedAccount, 'address' | 'privateKey'>;
type AccountName = 'curator' | 'keeper1' | 'keeper2' | 'buyer' | 'depositor' | 'crowd1';

/** Addresses of the contracts, under the same names on both nodes (sandbox and starknet-devnet). */
export interface KeeperPlaces {
  readonly wbtc: bigint;
  readonly usdc: bigint;
  readonly exchange: bigint;
  readonly purchases: bigint;
  readonly turbo: bigint;
  readonly lendingPool: bigint;
}

/** Result of a transaction. */
export interface Ending {
  /** Revert reason of the node; undefined if the transaction succeeded. */
  readonly revertReason: string | undefined;
  readonly events: readonly ContractEvent[];
}

/** Functions and accounts that differ between the sandbox and starknet-devnet. */
interface NodeParts {
  readonly url: string;
  readonly places: KeeperPlaces;
  readonly accounts: Readonly<Record<AccountName, Signer>>;
  /** Account that sets the Mayer Multiple (a price ratio) in the purchase contract. */
  readonly purchaseOwner: Signer;
  readonly settle: () => void;
  readonly passTime: (seconds: number) => Promise<void>;
  readonly setBtcPrice: (usd: bigint) => Promise<void>;
  readonly setInterest: (rateE18: bigint) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const Integer = z.string().transform(BigInt);
const Integers = z.array(Integer);
const Receipt = z.object({
  revert_reason: z.string().optional(),
  events: z.array(z.object({ from_address: Integer, keys: Integers, data: Integers })),
});
/** Amount that means 100 % in the router's units. */
const WHOLE = 10n ** 12n;
const PRICE_FRI = 8_000_000_000n;
const ANY_PRICE_FRI = 10n ** 15n;
const DETAILS = {
  tip: 0n,
  resourceBounds: {
    l2_gas: { max_amount: 1_200_000_000n, max_price_per_unit: PRICE_FRI },
    l1_gas: { max_amount: 0n, max_price_per_unit: ANY_PRICE_FRI },
    l1_data_gas: { max_amount: 200_000n, max_price_per_unit: PRICE_FRI },
  },
};

/** Development stack on a node: purchases, lending, the turbo vault and their users. */
export class KeeperWorld {
  readonly node: NodeClient;
  readonly #provider: RpcProvider;

  constructor(private readonly parts: NodeParts) {
    this.node = new NodeClient({ url: parts.url, ...TIMEOUTS });
    this.#provider = new RpcProvider({ nodeUrl: parts.url });
  }

  get places(): KeeperPlaces {
    return this.parts.places;
  }

  address(name: AccountName): bigint {
    return this.parts.accounts[name].address;
  }

  /** Sends one transaction with these calls. */
  send(by: AccountName | 'purchaseOwner', ...calls: readonly ContractCall[]): Promise<Ending> {
    const { accounts, purchaseOwner } = this.parts;
    return this.#send(by === 'purchaseOwner' ? purchaseOwner : accounts[by], calls);
  }

  async view(contract: bigint, entrypoint: string, ...calldata: readonly bigint[]) {
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

  async balance(token: 'wbtc' | 'usdc', owner: bigint): Promise<bigint> {
    return u256At(await this.view(this.places[token], 'balance_of', owner), 0);
  }

  approval(token: 'wbtc' | 'usdc', spender: bigint, amount: bigint): ContractCall {
    const calldata = [spender, ...u256ToHalves(amount)];
    return { contract: this.places[token], entrypoint: 'approve', calldata };
  }

  /** Returns the router's routes for a sale at the cheaper of the exchanges. */
  routes(sell: 'wbtc' | 'usdc'): readonly bigint[] {
    const { wbtc, usdc, exchange } = this.places;
    return [1n, ...(sell === 'usdc' ? [usdc, wbtc] : [wbtc, usdc]), exchange, WHOLE, 0n];
  }

  passTime(seconds: number): Promise<void> {
    return this.parts.passTime(seconds);
  }

  /** Sets the oracle's price of BTC in USD. The exchanges' prices do not change. */
  setBtcPrice(usd: bigint): Promise<void> {
    return this.parts.setBtcPrice(usd);
  }

  /** Sets the interest rate of borrowed USDC per second, in 1e-18; 0 for no interest. */
  setInterest(rateE18: bigint): Promise<void> {
    return this.parts.setInterest(rateE18);
  }

  stop(): Promise<void> {
    return this.parts.stop();
  }

  async #send({ address, privateKey }: Signer, calls: readonly ContractCall[]): Promise<Ending> {
    const account = new Account({
      provider: this.#provider,
      address: toFelt(address),
      signer: new AccountSigner(toFelt(privateKey)),
      cairoVersion: '1',
    });
    const nonce = await this.node.call({
      method: 'starknet_getNonce',
      params: { block_id: 'latest', contract_address: toFelt(address) },
      result: Integer,
    });
    const wire = calls.map(({ contract, entrypoint, calldata = [] }) => ({
      contractAddress: toFelt(contract),
      entrypoint,
      calldata: calldata.map(toFelt),
    }));
    const sent = await account.execute(wire, { ...DETAILS, nonce });
    this.parts.settle();
    const receipt = await this.node.call({
      method: 'starknet_getTransactionReceipt',
      params: { transaction_hash: sent.transaction_hash },
      result: Receipt,
    });
    return {
      revertReason: receipt.revert_reason,
      events: receipt.events.map(({ from_address: from, keys, data }) => ({ from, keys, data })),
    };
  }
}

export async function onSandbox(): Promise<KeeperWorld> {
  const { verificationKey } = await loadWithdrawalVector();
  const sandbox = await startSandbox({
    genesis: buildGenesis({ verificationKey }),
    cadence: 'manual',
  });
  const { control } = sandbox;
  const { accounts, exchanges, lending, oracle, purchases, tokens, vaults } = sandboxWorld;
  const mine = (): void => {
    control.mine();
  };
  mine();
  return new KeeperWorld({
    url: sandbox.rpcUrl,
    places: {
      wbtc: tokens.WBTC.address,
      usdc: tokens.USDC.address,
      exchange: exchanges.first.address,
      purchases: purchases.address,
      turbo: vaults.turbo.address,
      lendingPool: lending.pool,
    },
    accounts,
    purchaseOwner: accounts.curator,
    settle: mine,
    passTime: async (seconds) => {
      control.moveClock(seconds * 1_000);
      mine();
    },
    setBtcPrice: async (usd) => {
      control.setStorage(oracle, `price:${shortStringFelt('WBTC/USD').slice(2)}`, usd * 10n ** 8n);
    },
    setInterest: async (rateE18) => {
      control.setLendingInterest(lending.pool, tokens.USDC.address, rateE18);
    },
    stop: () => sandbox.stop(),
  });
}

export async function onDevnet(): Promise<KeeperWorld> {
  const devnet = await DevnetStack.start();
  const { accounts, exchanges, lendingPools, oracle, owner, purchases, tokens, vaults } =
    devnet.stack;
  const { controls } = devnet.devnet;
  return new KeeperWorld({
    url: devnet.rpcUrl,
    places: {
      wbtc: tokens.WBTC.address,
      usdc: tokens.USDC.address,
      exchange: exchanges.first.address,
      purchases: purchases.address,
      turbo: vaults.turbo.address,
      lendingPool: lendingPools.prime.address,
    },
    accounts,
    purchaseOwner: owner,
    settle: () => {},
    passTime: (seconds) => controls.increaseTime(seconds),
    setBtcPrice: async (usd) => {
      const price = [usd * 10n ** 8n, 8n, 0n, 10n, 1n];
      const pair = BigInt(shortStringFelt('WBTC/USD'));
      await devnet.send(owner, [
        { contract: oracle, entrypoint: 'set_price', calldata: [pair, ...price] },
      ]);
    },
    setInterest: async (rateE18) => {
      const calldata = [tokens.USDC.address, ...u256ToHalves(rateE18)];
      await devnet.send(owner, [
        { contract: lendingPools.prime.address, entrypoint: 'set_interest', calldata },
      ]);
    },
    stop: () => devnet.stop(),
  });
}

/** Returns the u256 at an index of a view's result. */
export function u256At(felts: readonly bigint[], index: number): bigint {
  return u256FromHalves(felts[index] ?? 0n, felts[index + 1] ?? 0n);
}

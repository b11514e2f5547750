import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { Arguments, modelClassHash, u256Felts, u256Result } from './calldata.js';
import { tokenBalance } from './erc20.js';
import { view } from './pool-parts.js';
import { readRoutes } from './route.js';
import { swapAtRouter } from './swap.js';
import { requireAllowed } from './vault.js';

export interface TurboVaultOptions {
  /** Address of the ERC-20 token that the vault manages. */
  readonly asset: bigint;
  /** Address of the curator: the only account that may deploy funds and change the leverage. */
  readonly owner: bigint;
  /** Names of the method that deploys funds. Several names are aliases of one method. */
  readonly methods: readonly string[];
  readonly debtAsset: bigint;
  /** Lending pool that lends the debt asset against the vault's asset. */
  readonly lendingPool: bigint;
  readonly router: bigint;
}

const DEPLOY_L2_GAS = 2_000_000n;
/** L2 gas of a round, without the gas of the lending pool and the router. */
const ROUND_L2_GAS = 2_000_000n;

/**
 * Vault of the leveraged strategy. The vault's own balance is idle, and a deployment supplies it to
 * the lending pool. A round borrows against the supply, swaps the loan and supplies the bought
 * tokens. Each round contains the nominal debt for which it was planned, and reverts if the current
 * nominal debt differs.
 */
export function turboVault(options: TurboVaultOptions): ContractModel {
  const { asset, debtAsset, owner, lendingPool, methods, router } = options;
  const position = (context: CallContext): { collateral: bigint; debt: bigint } => {
    const felts = context.call(lendingPool, 'position', [context.self]);
    return { collateral: u256Result(felts), debt: u256Result(felts.slice(2)) };
  };
  const nominalDebt = (context: CallContext): bigint =>
    u256Result(context.call(lendingPool, 'nominal_debt', [context.self]));
  const atPool = (context: CallContext, entrypoint: string, amount: bigint): void => {
    context.call(lendingPool, entrypoint, u256Felts(amount));
  };
  const supply = (context: CallContext, amount: bigint): void => {
    context.call(asset, 'approve', [lendingPool, ...u256Felts(amount)]);
    atPool(context, 'supply', amount);
  };
  const deploy: Entrypoint = (context, calldata) => {
    const args = new Arguments(calldata);
    const amount = args.u256();
    args.end();
    context.useL2Gas(DEPLOY_L2_GAS);
    requireAllowed(context, owner);
    if (amount === 0n) throw new Revert('Zero amount');
    if (amount > tokenBalance(context, asset, context.self)) throw new Revert('Insufficient idle');
    supply(context, amount);
    return [];
  };
  const round = (run: (context: CallContext, terms: Round) => void): Entrypoint => {
    return (context, calldata) => {
      const terms = readRound(calldata);
      context.useL2Gas(ROUND_L2_GAS);
      requireAllowed(context, owner);
      if (nominalDebt(context) !== terms.expectedNominalDebt) throw new Revert('Position changed');
      run(context, terms);
      return [];
    };
  };
  return {
    name: 'TurboVault',
    classHash: modelClassHash('TurboVault'),
    entrypoints: {
      asset: view(() => [asset]),
      owner: view(() => [owner]),
      /**
       * Returns collateral plus idle balance, minus debt. Debt tokens that a round left in the
       * vault are not included.
       */
      total_assets: view((context) => {
        const owned = tokenBalance(context, asset, context.self) + position(context).collateral;
        const owed = u256Result(context.call(lendingPool, 'debt_in_collateral', [context.self]));
        return u256Felts(owed > owned ? 0n : owned - owed);
      }),
      position: view((context) => {
        const { collateral, debt } = position(context);
        return [collateral, debt, nominalDebt(context)].flatMap(u256Felts);
      }),
      ...Object.fromEntries(methods.map((name) => [name, deploy])),
      leverage_round: round((context, { amount, ...terms }) => {
        if (amount === 0n) throw new Revert('Zero amount');
        atPool(context, 'borrow', amount);
        const swap = { ...terms, router, amount, sellToken: debtAsset, buyToken: asset };
        supply(context, swapAtRouter(context, swap));
      }),
      /**
       * Withdraws collateral, swaps it and repays debt. With amount 0, the round repays from the
       * vault's balance of the debt token.
       */
      deleverage_round: round((context, { amount, expectedNominalDebt, ...terms }) => {
        if (expectedNominalDebt === 0n) throw new Revert('No debt');
        if (amount !== 0n) {
          atPool(context, 'withdraw', amount);
          const swap = { ...terms, router, amount, sellToken: asset, buyToken: debtAsset };
          swapAtRouter(context, swap);
        }
        const available = tokenBalance(context, debtAsset, context.self);
        const { debt } = position(context);
        const paid = available < debt ? available : debt;
        if (paid === 0n) throw new Revert('Nothing to repay');
        context.call(debtAsset, 'approve', [lendingPool, ...u256Felts(paid)]);
        atPool(context, 'repay', paid);
      }),
    },
  };
}

type Round = ReturnType<typeof readRound>;

function readRound(calldata: readonly bigint[]) {
  const args = new Arguments(calldata);
  const round = {
    expectedNominalDebt: args.u256(),
    /**
     * Amount to borrow in a round that increases the leverage, or to withdraw in a round that
     * decreases it.
     */
    amount: args.u256(),
    minimumOut: args.u256(),
    routes: readRoutes(args, true),
  };
  args.end();
  return round;
}

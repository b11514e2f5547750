import { bool, felts, shortString, u256 } from './encode.js';

/**
 * Parameters of the ERC-20 token. In the parameters of all contracts, addresses and hashes are
 * felts, and amounts are in the token's smallest unit.
 */
interface Erc20Parameters {
  /** Name of at most 31 ASCII characters. The same limit applies to the symbol. */
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Account that may call `mint(recipient, amount)`. */
  readonly minter: bigint;
}

interface ShieldedPoolParameters {
  /** Account that may pause the pool, enable or disable automatic batches, and add yield. */
  readonly owner: bigint;
  readonly token: bigint;
  readonly denomination: bigint;
  /** Maximum fee in 1/10,000 of a payment, at most 1,000. */
  readonly maxFeeBps: number;
  /**
   * Address of a contract with `verify_groth16_proof_bn254`. This can be the development verifier
   * or a real verifier.
   */
  readonly verifier: bigint;
  /** Accounts that may deposit for users and deploy batches. */
  readonly relayers: readonly bigint[];
  /** True if a batch is deployed automatically whenever three deposits are waiting. */
  readonly autoDeploy: boolean;
  /**
   * True if the pool pays a spent nullifier again. Tests can then detect that a withdrawal was
   * included twice. The real pool would only revert the second transaction.
   */
  readonly developmentAllowsRespending: boolean;
}

interface SwapPoolParameters {
  /** The only account that may swap and may pause the pool. */
  readonly owner: bigint;
  /** ERC-20 token that input pools pay. */
  readonly wbtc: bigint;
  readonly router: bigint;
  /** Maximum fee in 1/10,000 of a payment, at most 1,000. */
  readonly maxFeeBps: number;
  /** Address of the contract that verifies proofs, as in a shielded pool. */
  readonly verifier: bigint;
  /** True if the pool pays a spent nullifier again, as in a shielded pool. */
  readonly developmentAllowsRespending: boolean;
}

/** Parameters of a contract with an owner. Only the owner may set the contract's values. */
interface OwnedParameters {
  readonly owner: bigint;
}

interface ExchangeParameters extends OwnedParameters {
  /** Share of every paid amount that the exchange deducts as its fee, in 1/10,000. */
  readonly feeBps: number;
}

interface VaultParameters {
  /** Curator: the only account that may deploy funds of the vault and pause it. */
  readonly owner: bigint;
  readonly asset: bigint;
  /** Address that receives deployed funds. */
  readonly strategy: bigint;
  /**
   * Names under which the vault offers the method that deploys funds. All names call the same
   * method.
   */
  readonly methods: readonly string[];
}

/** Curve of interest rates. Utilizations are in 1/100,000, and rates per second are in 1e-18. */
export interface RateCurve {
  readonly minTargetUtilization: bigint;
  readonly targetUtilization: bigint;
  readonly maxTargetUtilization: bigint;
  readonly zeroUtilizationRate: bigint;
  readonly minFullUtilizationRate: bigint;
  readonly maxFullUtilizationRate: bigint;
  readonly halfLifeSeconds: bigint;
  /**
   * Position of the target rate between the rate at zero utilization (0) and the rate at full
   * utilization (1e18).
   */
  readonly targetRateE18: bigint;
}

interface LendingPoolParameters extends OwnedParameters {
  readonly curve: RateCurve;
  /** Asset that is lent, collateral and limits. */
  readonly terms: LendingTerms;
}

interface LendingTerms {
  readonly priceOracle: bigint;
  readonly collateralAsset: bigint;
  readonly debtAsset: bigint;
  /** Maximum debt as a share of the collateral's value, below 1e18 (100 %). */
  readonly maxLtvE18: bigint;
}

interface PurchaseKeeperParameters {
  /** Account that sets the Mayer Multiple. */
  readonly owner: bigint;
  /** ERC-20 token that orders buy. */
  readonly wbtc: bigint;
  readonly router: bigint;
}

interface TurboVaultParameters {
  /** Curator: the only account that may deploy funds and change the leverage. */
  readonly owner: bigint;
  readonly asset: bigint;
  readonly debtAsset: bigint;
  /** Lending pool from which the vault borrows the debt asset, with its own asset as collateral. */
  readonly lendingPool: bigint;
  readonly router: bigint;
}

type NoParameters = Readonly<Record<string, never>>;

/** Constructor parameters of each contract. */
export interface ConstructorParameters {
  readonly Erc20: Erc20Parameters;
  readonly Exchange: ExchangeParameters;
  readonly Guard: NoParameters;
  readonly LendingPool: LendingPoolParameters;
  readonly PriceOracle: OwnedParameters;
  readonly PurchaseKeeper: PurchaseKeeperParameters;
  readonly Router: OwnedParameters;
  readonly ShieldedPool: ShieldedPoolParameters;
  readonly SwapPool: SwapPoolParameters;
  readonly TurboVault: TurboVaultParameters;
  readonly UncheckedGroth16Verifier: NoParameters;
  readonly Vault: VaultParameters;
}

export type ContractName = keyof ConstructorParameters;

type Encode<Name extends ContractName> = (
  parameters: ConstructorParameters[Name],
) => readonly bigint[];

/** Encoders of constructor parameters, in the order of the Cairo constructors. */
const encoders: { readonly [Name in ContractName]: Encode<Name> } = {
  Erc20: ({ name, symbol, decimals, minter }) => [
    shortString(name),
    shortString(symbol),
    BigInt(decimals),
    minter,
  ],
  Exchange: ({ owner, feeBps }) => [owner, BigInt(feeBps)],
  Guard: () => [],
  LendingPool: ({ owner, curve, terms }) => [
    owner,
    ...curveFelts(curve),
    terms.priceOracle,
    terms.collateralAsset,
    terms.debtAsset,
    ...u256(terms.maxLtvE18),
  ],
  PriceOracle: ({ owner }) => [owner],
  PurchaseKeeper: ({ owner, wbtc, router }) => [owner, wbtc, router],
  Router: ({ owner }) => [owner],
  ShieldedPool: (parameters) => [
    parameters.owner,
    parameters.token,
    ...u256(parameters.denomination),
    BigInt(parameters.maxFeeBps),
    parameters.verifier,
    ...felts(parameters.relayers),
    bool(parameters.autoDeploy),
    bool(parameters.developmentAllowsRespending),
  ],
  SwapPool: (parameters) => [
    parameters.owner,
    parameters.wbtc,
    parameters.router,
    BigInt(parameters.maxFeeBps),
    parameters.verifier,
    bool(parameters.developmentAllowsRespending),
  ],
  TurboVault: ({ owner, asset, debtAsset, lendingPool, router }) => [
    owner,
    asset,
    debtAsset,
    lendingPool,
    router,
  ],
  UncheckedGroth16Verifier: () => [],
  Vault: ({ owner, asset, strategy, methods }) => [
    owner,
    asset,
    strategy,
    ...felts(methods.map(shortString)),
  ],
};

/** Names of all contracts of this package. */
export const contractNames: readonly ContractName[] = [
  'Erc20',
  'Exchange',
  'Guard',
  'LendingPool',
  'PriceOracle',
  'PurchaseKeeper',
  'Router',
  'ShieldedPool',
  'SwapPool',
  'TurboVault',
  'UncheckedGroth16Verifier',
  'Vault',
];

/**
 * Returns the constructor calldata of a contract.
 * @throws RangeError if a text or a u256 does not fit
 */
export function constructorCalldata<Name extends ContractName>(
  name: Name,
  parameters: ConstructorParameters[Name],
): readonly bigint[] {
  const encode: Encode<Name> = encoders[name];
  return encode(parameters);
}

/** Returns the fields as felts, in the order of the Cairo struct. */
function curveFelts(curve: RateCurve): readonly bigint[] {
  return [
    curve.minTargetUtilization,
    curve.targetUtilization,
    curve.maxTargetUtilization,
    curve.zeroUtilizationRate,
    curve.minFullUtilizationRate,
    curve.maxFullUtilizationRate,
    curve.halfLifeSeconds,
    curve.targetRateE18,
  ].flatMap(u256);
}

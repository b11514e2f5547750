import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { NodeClient, StarknetAccountSigner, StarknetBroadcaster, shortStringFelt, type SigningAccount } from '@sotto/adapter-starknet';
import { Felts, feltToBigInt, toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import { buildGenesis, sandboxWorld, startSandbox, type Control, type Sandbox } from '@sotto/sandbox';
import { boundsFor, type SignedTransaction } from '@sotto/submission-core';
import { z } from 'zod';

const Vector = z.object({
  verificationKey: z.unknown(),
  calldata: z.array(z.string()),
  leaves: z.array(z.string().transform(BigInt)),
  publicInputs: z.array(z.string().transform(BigInt)),
});
const require = createRequire(import.meta.url);
const vector = Vector.parse(JSON.parse(readFileSync(require.resolve('@sotto/circuits/vectors/withdrawal.json'), 'utf8')));
const [root = 0n, nullifierHash = 0n] = vector.publicInputs;

/** A real withdrawal from a pool with these leaves. */
export const withdrawal = { calldata: Felts.parse(vector.calldata), leaves: vector.leaves, root, nullifierHash };

const { lane1, lane2, swapOwner, curator, crowd1 } = sandboxWorld.accounts;
const signing = ({ address, privateKey }: typeof lane1): SigningAccount => ({
  address: toFelt(address),
  privateKey: `0x${privateKey.toString(16)}`,
});
/** Both lanes with their keys. */
export const laneAccounts = [signing(lane1), signing(lane2)] as const;
const LIMITS = { l2Gas: 200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };
const BOUNDS = boundsFor(LIMITS, { l2GasFri: 10_000_000_000n, l1GasFri: 50_000_000_000_000n, l1DataGasFri: 1_000_000_000n });

/** A sandbox whose chain moves by hand, with what speaks to it. */
export class SandboxStack {
  static readonly lanes = [toFelt(lane1.address), toFelt(lane2.address)] as const;
  static readonly pool = toFelt(sandboxWorld.pools.sentinel_1x.address);
  static readonly emptyPool = toFelt(sandboxWorld.pools.sentinel_2x.address);
  static readonly strk = toFelt(sandboxWorld.tokens.STRK.address);

  readonly node: NodeClient;
  readonly control: Control;
  readonly #nonces = new Map<Felt, bigint>();
  #signer: StarknetAccountSigner | undefined;

  private constructor(private readonly sandbox: Sandbox) {
    this.control = sandbox.control;
    this.node = new NodeClient({ url: sandbox.rpcUrl });
  }

  static async start(): Promise<SandboxStack> {
    const genesis = buildGenesis({ verificationKey: vector.verificationKey });
    return new SandboxStack(await startSandbox({ genesis, cadence: 'manual' }));
  }

  /** Signs a call under the account's next unused nonce. */
  async sign(account: Felt, to: Felt, entrypoint: string, calldata: Felts): Promise<SignedTransaction> {
    const nonce = this.#nonces.get(account) ?? 0n;
    this.#nonces.set(account, nonce + 1n);
    // Only for tests that sign: its worker thread takes a while to start.
    this.#signer ??= newSigner();
    return this.#signer.signCall(await this.#signer.hashCall({ to, entrypoint }, calldata), { account, nonce, bounds: BOUNDS });
  }

  /** Signs a call that succeeds and changes nothing that tests look at. */
  async signHarmless(account: Felt): Promise<SignedTransaction> {
    return this.sign(account, SandboxStack.strk, 'approve', Felts.of([1n, 1n, 0n]));
  }

  async send({ bytes, hash }: SignedTransaction): Promise<Felt> {
    const answer = await new StarknetBroadcaster(this.node).send(bytes);
    if (answer.kind !== 'taken') throw new Error(`the node answered ${answer.kind} ${answer.code}`);
    return hash;
  }

  preConfirm(): void {
    this.control.advance('candidate');
    this.control.advance('pre_confirmed');
  }

  /** Makes leaves in a pool: three deploy by themselves, so the last one of seven waits. @default those of {@link withdrawal} */
  async deposit(pool: Felt = SandboxStack.pool, leaves: readonly bigint[] = withdrawal.leaves): Promise<void> {
    for (const leaf of leaves) {
      const calldata = Felts.of([...u256ToHalves(leaf), crowd1.address]);
      await this.send(await this.sign(SandboxStack.lanes[0], pool, 'deposit', calldata));
    }
    this.control.mine();
  }

  setBalance(account: Felt, balanceFri: bigint): void {
    this.control.setStorage(sandboxWorld.tokens.STRK.address, `balance:${account.slice(2)}`, balanceFri);
  }

  /** Another key than the one that signs. */
  changeKey(account: Felt): void {
    this.control.setStorage(feltToBigInt(account), 'public_key', 1n);
  }

  /** The node is gone. */
  async breakDown(): Promise<void> {
    await this.sandbox.stop();
  }

  async stop(): Promise<void> {
    this.node.close();
    await this.#signer?.close();
    await this.sandbox.stop();
  }
}

/** Holds the keys of both lanes, of the swap pool's owner and of the vaults' curator. */
export function newSigner(): StarknetAccountSigner {
  return new StarknetAccountSigner({
    chainId: shortStringFelt(sandboxWorld.chainId),
    accounts: [...laneAccounts, signing(swapOwner), signing(curator)],
  });
}

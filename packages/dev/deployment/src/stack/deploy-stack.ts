import { loadContract } from '@sotto/contracts';
import { toFelt } from '@sotto/kernel';
import { ec } from 'starknet';
import type { KeyedAccount } from '../node/sender.js';
import { RpcChainNode } from '../node/rpc-chain-node.js';
import { StarknetSender, type SierraArtefact } from '../node/starknet-sender.js';
import { carryOut, type Accomplished } from '../plan/carry-out.js';
import type { DeployedStack } from './deployed-stack.js';
import { planStackContracts, type VerifierChoice } from './stack-contracts.js';
import { planSetUps, type Funding } from './stack-set-ups.js';

/** How a stack is deployed; everything has a default. */
export interface DeployStackOptions {
  /** Another text makes another stack on the same chain. @default 'sotto' */
  readonly salt?: string | undefined;
  /**
   * What the pools check proofs with.
   * @default the development verifier of `@sotto/contracts`, which checks no pairing
   */
  readonly verifier?: VerifierChoice | undefined;
  /**
   * Classes that the verifier calls as libraries: declared where they are missing.
   * @default none
   */
  readonly libraries?: readonly SierraArtefact[] | undefined;
  /**
   * Class of the stack's accounts; its constructor takes a public key.
   * @default the deployer's own
   */
  readonly accountClassHash?: string | undefined;
  /** @default 100 STRK to each account, no reserves */
  readonly funding?: Partial<Funding> | undefined;
  /** Takes progress lines, for people. @default discards them */
  readonly tell?: ((line: string) => void) | undefined;
}

/** The stack, and what had to be done for it. */
export interface StackDeployment extends Accomplished {
  readonly stack: DeployedStack;
  /** Class hash of the verifier, as the chain has it. */
  readonly verifierClass: string;
}

/**
 * The stack mints its tokens at will and its verifier checks no pairing. The message is for people.
 */
export class MainnetRefused extends Error {
  constructor() {
    super('this is the main network: the development stack must never stand there');
    this.name = 'MainnetRefused';
  }
}

const MAINNET = 'SN_MAIN';
const ONE_STRK_FRI = 10n ** 18n;
const DEFAULT_FUNDING: Funding = { strkEachFri: 100n * ONE_STRK_FRI, reserves: {} };

/**
 * Brings the development stack onto a chain: declares, deploys and funds what is not there yet.
 * Doing it again sends nothing.
 * @param deployer owns the stack and pays for it
 * @throws MainnetRefused; Error when the node fails, or refuses or reverts a transaction. It may
 *   then be called again
 */
export async function deployStack(
  rpcUrl: string,
  deployer: Pick<KeyedAccount, 'address' | 'privateKey'>,
  { salt = 'sotto', tell = () => undefined, ...options }: DeployStackOptions = {},
): Promise<StackDeployment> {
  const node = new RpcChainNode(rpcUrl);
  const chainId = await node.chainId();
  if (chainId === MAINNET) throw new MainnetRefused();
  tell(`deploying to ${chainId} as ${toFelt(deployer.address)}`);
  const funding = { ...DEFAULT_FUNDING, ...options.funding };
  const { stack, contracts } = planStackContracts({
    chainId,
    deployer: {
      ...deployer,
      publicKey: BigInt(ec.starkCurve.getStarkKey(toFelt(deployer.privateKey))),
    },
    accountClassHash:
      options.accountClassHash ??
      (await classHashOf(
        node,
        deployer.address,
        'the deployer’s account is not deployed on this chain',
      )),
    verifier: options.verifier ?? {
      kind: 'class',
      contractClass: loadContract('UncheckedGroth16Verifier'),
    },
    salt,
    reserved: (['STRK', 'ETH'] as const).filter((symbol) => funding.reserves[symbol] !== undefined),
    load: loadContract,
  });
  const senderOf = (account: Pick<KeyedAccount, 'address' | 'privateKey'>): StarknetSender =>
    new StarknetSender(rpcUrl, node, account);
  const accomplished = await carryOut(
    { contracts, setUps: planSetUps(stack, funding), libraries: options.libraries ?? [] },
    {
      node,
      deployer: senderOf(deployer),
      senderAt: (address) => {
        const account = Object.values(stack.accounts).find((known) => known.address === address);
        if (account === undefined) throw new RangeError('the stack has no such account');
        return senderOf(account);
      },
      tell,
    },
  );
  return {
    stack,
    verifierClass: await classHashOf(
      node,
      stack.verifier,
      'the verifier is not deployed on this chain',
    ),
    ...accomplished,
  };
}

async function classHashOf(
  node: RpcChainNode,
  address: bigint,
  otherwise: string,
): Promise<string> {
  const [classHash] = await node.classHashesAt([address]);
  if (classHash === undefined) throw new Error(otherwise);
  return toFelt(classHash);
}

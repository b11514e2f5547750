import { selectorOf } from '../engine/felt.js';
import type { Arguments } from './calldata.js';

/** Entry points that the pool calls at contracts which actions invoke. */
export const INVOKED = {
  invoke: 'privacy_invoke',
  invokeWithComputation: 'privacy_invoke_with_computation',
} as const;

/** Action that the privacy pool applies. Amounts are in the token's smallest unit. */
export type PoolAction =
  | { readonly kind: 'write_once'; readonly address: bigint; readonly values: readonly bigint[] }
  | { readonly kind: 'append'; readonly recipient: bigint; readonly info: readonly bigint[] }
  | ({ readonly kind: 'transfer_from'; readonly from: bigint } & TokenAmount)
  | ({ readonly kind: 'transfer_to'; readonly to: bigint } & TokenAmount)
  | {
      readonly kind: 'emit';
      readonly keys: readonly bigint[];
      readonly data: readonly bigint[];
      /** True if the event announces an open note. */
      readonly opensNote: boolean;
    }
  | {
      readonly kind: 'invoke';
      readonly contract: bigint;
      readonly calldata: readonly bigint[];
      readonly entrypoint: (typeof INVOKED)[keyof typeof INVOKED];
    };

interface TokenAmount {
  readonly token: bigint;
  readonly amount: bigint;
}

/** Number of felts of each ciphertext. */
const CIPHERTEXT_FELTS = 3;

/** Reads the actions of a call of `apply_actions`. */
export function readActions(args: Arguments): PoolAction[] {
  return args.array(() => {
    const read = READERS[args.variant(READERS.length)];
    if (read === undefined) throw new RangeError('unknown variant');
    return read(args);
  });
}

function ciphertext(args: Arguments): readonly bigint[] {
  return Array.from({ length: CIPHERTEXT_FELTS }, () => args.felt());
}

function emit(
  event: string,
  keys: readonly bigint[],
  data: readonly bigint[],
  opensNote = false,
): PoolAction {
  return { kind: 'emit', keys: [selectorOf(event), ...keys], data, opensNote };
}

/** Readers of the actions, by the index of the variant. */
const READERS: readonly ((args: Arguments) => PoolAction)[] = [
  (args) => ({ kind: 'write_once', address: args.felt(), values: args.span() }),
  (args) => ({ kind: 'append', recipient: args.address(), info: ciphertext(args) }),
  (args) => ({
    kind: 'transfer_from',
    from: args.address(),
    token: args.address(),
    amount: args.u128(),
  }),
  (args) => ({
    kind: 'transfer_to',
    to: args.address(),
    token: args.address(),
    amount: args.u128(),
  }),
  (args) => emit('ViewingKeySet', [args.address(), args.felt()], ciphertext(args)),
  (args) => {
    const user = ciphertext(args);
    return emit('Withdrawal', [args.address(), args.address()], [...user, args.u128()]);
  },
  (args) => emit('Deposit', [args.address(), args.address()], [args.u128()]),
  (args) => {
    const recipient = ciphertext(args);
    return emit('OpenNoteCreated', [args.address(), args.felt()], recipient, true);
  },
  (args) => emit('EncNoteCreated', [args.felt()], [args.felt()]),
  (args) => emit('NoteUsed', [args.felt()], []),
  (args) => readInvoke(args, INVOKED.invoke),
  (args) => readInvoke(args, INVOKED.invokeWithComputation),
];

function readInvoke(
  args: Arguments,
  entrypoint: (typeof INVOKED)[keyof typeof INVOKED],
): PoolAction {
  return { kind: 'invoke', contract: args.address(), calldata: args.span(), entrypoint };
}

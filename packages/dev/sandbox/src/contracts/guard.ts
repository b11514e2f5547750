import { Revert, type CallContext, type ContractModel } from '../engine/contract.js';
import { selectorOf } from '../engine/felt.js';
import { Arguments, modelClassHash } from './calldata.js';

/** Names of the views that a guard may call, by selector. */
const VIEWS = new Map(
  ['is_spent', 'is_known_root', 'allowance', 'balanceOf'].map((name) => [selectorOf(name), name]),
);

const HALF_BITS = 128n;

/**
 * Guard contract: reverts a transaction before its expensive call if a view returns an unexpected
 * result.
 */
export const guardModel: ContractModel = {
  name: 'Guard',
  classHash: modelClassHash('Guard'),
  entrypoints: {
    assert_views: (context, calldata) => {
      const args = new Arguments(calldata);
      const views = args.array(() => ({ ...readView(args), expected: args.span() }));
      args.end();
      for (const view of views)
        if (answerOf(context, view).join() !== view.expected.join())
          throw new Revert('guard: differs');
      return [];
    },
    assert_floors: (context, calldata) => {
      const args = new Arguments(calldata);
      const floors = args.array(() => ({ ...readView(args), least: args.u256() }));
      args.end();
      for (const floor of floors) {
        const [low, high] = answerOf(context, floor);
        if (low === undefined || high === undefined || low + (high << HALF_BITS) < floor.least)
          throw new Revert('guard: below');
      }
      return [];
    },
  },
};

interface View {
  readonly to: bigint;
  readonly selector: bigint;
  readonly calldata: readonly bigint[];
}

const readView = (args: Arguments): View => ({
  to: args.address(),
  selector: args.felt(),
  calldata: args.span(),
});

function answerOf(context: CallContext, { to, selector, calldata }: View): readonly bigint[] {
  const name = VIEWS.get(selector);
  if (name === undefined) throw new Revert('ENTRYPOINT_NOT_FOUND');
  return context.call(to, name, calldata);
}

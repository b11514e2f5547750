import { readOwner, repositoryFields } from './packages/dev/scripts/owner.mjs';

/** The condition under which the workspace resolves its packages by source; it does not ship. */
const SOURCE = '@sotto/source';

const withoutSource = (target) =>
  typeof target === 'string'
    ? target
    : Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== SOURCE));

export const hooks = {
  /** Removes fields that are valid in the workspace only, and adds the owner's repository. */
  beforePacking({ scripts: _scripts, devDependencies: _devDependencies, exports, ...manifest }) {
    return {
      ...manifest,
      ...repositoryFields(readOwner()),
      exports: Object.fromEntries(
        Object.entries(exports).map(([path, target]) => [path, withoutSource(target)]),
      ),
    };
  },
};

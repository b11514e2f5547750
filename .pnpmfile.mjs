import { readOwner, repositoryFields } from './packages/dev/scripts/owner.mjs';

/**
 * Export condition that resolves the packages of the workspace to their sources. Packed packages do
 * not contain this condition.
 */
const SOURCE = '@sotto/source';

const withoutSource = (target) =>
  typeof target === 'string'
    ? target
    : Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== SOURCE));

export const hooks = {
  /**
   * Removes fields of the manifest that are valid only in the workspace, and adds the owner's
   * repository.
   */
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

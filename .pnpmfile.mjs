import { readOwner, repositoryFields } from './packages/dev/scripts/owner.mjs';
import { tarballOf } from './packages/dev/scripts/tarball-of.mjs';

/**
 * Export condition that resolves the packages of the workspace to their sources. Packed packages do
 * not contain this condition.
 */
const SOURCE = '@sotto/source';

const withoutSource = (target) =>
  typeof target === 'string'
    ? target
    : Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== SOURCE));

/**
 * Replaces the versions of our packages by the tarballs in the same folder. No registry has our
 * names, so an installation must not request them from one: anyone could register them.
 */
const withTarballs = (dependencies = {}) =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [
      name,
      name.startsWith('@sotto/') ? `file:${tarballOf(name, version)}` : version,
    ]),
  );

export const hooks = {
  /**
   * Removes fields of the manifest that are valid only in the workspace, and adds the owner's
   * repository. `npm run pack` sets `SOTTO_TARBALLS`, so that the tarballs refer to each other.
   */
  beforePacking({ scripts: _scripts, devDependencies: _devDependencies, exports, ...manifest }) {
    return {
      ...manifest,
      ...(process.env.SOTTO_TARBALLS === undefined
        ? {}
        : { dependencies: withTarballs(manifest.dependencies) }),
      ...repositoryFields(readOwner()),
      exports: Object.fromEntries(
        Object.entries(exports).map(([path, target]) => [path, withoutSource(target)]),
      ),
    };
  },
};

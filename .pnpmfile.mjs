/** The condition under which the workspace resolves its packages by source; it does not ship. */
const SOURCE = '@sotto/source';

const withoutSource = (target) =>
  typeof target === 'string'
    ? target
    : Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== SOURCE));

export const hooks = {
  /** A packed manifest says nothing that holds in the workspace only. */
  beforePacking({ scripts: _scripts, devDependencies: _devDependencies, exports, ...manifest }) {
    return {
      ...manifest,
      exports: Object.fromEntries(
        Object.entries(exports).map(([path, target]) => [path, withoutSource(target)]),
      ),
    };
  },
};

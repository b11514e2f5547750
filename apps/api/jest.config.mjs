import preset from '../../jest.preset.mjs';

/** Parameters take decorators in their legacy form only. */
const withLegacyDecorators = ([pattern, [transformer, options]]) => [
  pattern,
  [transformer, { ...options, jsc: { ...options.jsc, transform: { legacyDecorator: true, decoratorMetadata: false } } }],
];

export default {
  ...preset,
  setupFiles: ['reflect-metadata'],
  transform: Object.fromEntries(Object.entries(preset.transform).map(withLegacyDecorators)),
  testMatch: ['<rootDir>/test/{unit,integration}/**/*.spec.ts'],
};

/**
 * Exports of Garaga. In dist, scripts/extract-garaga.mjs replaces this file. The `init` of the
 * replacement fetches garaga.wasm.
 */
export { CurveId, getGroth16CallData, init } from 'garaga';

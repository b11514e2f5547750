/**
 * Exports of Garaga. In dist, scripts/extract-garaga.mjs replaces this file; its `init` then
 * fetches garaga.wasm.
 */
export { CurveId, getGroth16CallData, init } from 'garaga';

/**
 * Replaced in dist by the output of scripts/extract-garaga.mjs, whose `init` fetches garaga.wasm.
 */
export { CurveId, getGroth16CallData, init } from 'garaga';

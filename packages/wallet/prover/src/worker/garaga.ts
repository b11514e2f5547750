/** In dist, scripts/extract-garaga.mjs puts its module here, whose `init` fetches garaga.wasm. */
export { CurveId, getGroth16CallData, init } from 'garaga';

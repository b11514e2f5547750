/** Order of BN254's scalar field, in which the circuit counts (EIP-197, alt_bn128). */
export const SCALAR_FIELD =
  21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/**
 * Order of BN254's base field, in which the coordinates of proof points lie (EIP-197, alt_bn128).
 */
export const BASE_FIELD =
  21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** Order of the field that Starknet addresses live in: 2^251 + 17·2^192 + 1. */
export const STARKNET_FIELD = 2n ** 251n + 17n * 2n ** 192n + 1n;

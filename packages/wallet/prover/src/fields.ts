/**
 * Order of BN254's base field, in which the coordinates of proof points lie (EIP-197, alt_bn128).
 */
export const BASE_FIELD =
  21888242871839275222246405745257275088696311157297823662689037894645226208583n;

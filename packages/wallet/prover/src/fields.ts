/**
 * Order of BN254's base field, which contains the coordinates of proof points (EIP-197, alt_bn128).
 */
export const BASE_FIELD =
  21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** When a caller should look again, in seconds: a Starknet block takes about as long. */
export const LOOK_AGAIN_SECONDS = 5;

import { randomBytes } from 'node:crypto';

/** 128 random bits: whoever has the id of a submission may read it, and whoever has that of a quote may use it. */
export const unguessableId = (): string => randomBytes(16).toString('base64url');

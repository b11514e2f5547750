import { randomBytes } from 'node:crypto';

/**
 * Returns 128 random bits as text. Ids must be unguessable: any caller with the id of a submission
 * may read it, and any caller with the id of a quote may use it.
 */
export const unguessableId = (): string => randomBytes(16).toString('base64url');

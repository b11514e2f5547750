/**
 * Kinds of SQL statements. Every statement that neither reads nor begins or ends a transaction is a
 * write.
 */
export const SQL_KINDS = ['read', 'write', 'transaction'] as const;
export type SqlKind = (typeof SQL_KINDS)[number];

const FRAMES = /^\s*(?:begin|start|commit|end|rollback|savepoint|release)\b/i;
const READS = /^\s*(?:select|values|pragma|explain)\b/i;
const WITH = /^\s*with\b/i;
const WRITES = /\b(?:insert|update|delete)\b/i;

export function kindOf(sql: string): SqlKind {
  if (FRAMES.test(sql)) return 'transaction';
  return READS.test(sql) || (WITH.test(sql) && !WRITES.test(sql)) ? 'read' : 'write';
}

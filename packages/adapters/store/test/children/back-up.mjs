// Copies the ledger at the first path to the second path. If the copy fails, prints the code of the
// cause and the files in the target's folder.
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { backupSqlite } from '../../dist/index.js';

const [, , ledger, target] = process.argv;
let refused = null;
try {
  backupSqlite(ledger, target);
} catch (error) {
  refused = error.causeCode;
}
process.stdout.write(JSON.stringify({ refused, left: readdirSync(dirname(target)) }));

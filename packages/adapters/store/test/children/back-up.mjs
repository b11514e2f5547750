// Copies the ledger that is given first to the file that is given second. Prints the code of the
// cause where that fails, and what stands in the copy's folder then.
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

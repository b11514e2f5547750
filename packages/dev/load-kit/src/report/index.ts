export { readDocument, writeBetweenMarks, writeDocument, writeFormatted } from './documents.js';
export {
  circumstances,
  describeMachine,
  thisMachine,
  type Circumstances,
  type Machine,
} from './machine.js';
export { figure, figureTable, multiple, part, spread, table } from './markdown.js';
export { parseOptions, print, runProgram, say, UsageError } from './program.js';
export {
  durationsOf,
  ratiosOf,
  roundsOf,
  spreadOf,
  type Durations,
  type Rounds,
  type Spread,
} from './statistics.js';

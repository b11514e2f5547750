/** What runs: a version, and the commit that it was built from, or `unknown`. */
export abstract class Build {
  abstract readonly version: string;
  abstract readonly commit: string;
}

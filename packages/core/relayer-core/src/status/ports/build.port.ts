/** Build of the running program: its version, and its commit or `unknown`. */
export abstract class Build {
  abstract readonly version: string;
  abstract readonly commit: string;
}

/** What the command line hands to each command. */

export interface Run {
  /** Aborted by the first SIGINT or SIGTERM; its reason is the GraderError to end with. */
  readonly signal: AbortSignal;
}

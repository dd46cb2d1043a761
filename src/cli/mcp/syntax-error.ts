/** A configuration file that cannot be read, or that has something unexpected. */
export class ConfigSyntaxError extends Error {
  override readonly name = 'ConfigSyntaxError';
  /** From 1. */
  readonly line: number;

  constructor(text: string, at: number, reason: string) {
    super(reason);
    this.line = text.slice(0, at).split('\n').length;
  }
}

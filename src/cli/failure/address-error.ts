import { SvcError } from '../../sdk/errors.js';
import type { FailureKind } from './command-error.js';

/** The address is not that of an svc server. A retry does not help. */
export class AddressError extends SvcError {
  static {
    AddressError.prototype.name = 'AddressError';
  }

  declare readonly kind: FailureKind;
  /** The address to suggest instead. */
  declare readonly remedy: string | undefined;

  constructor(kind: FailureKind, message: string, remedy?: string) {
    super(message);
    this.kind = kind;
    this.remedy = remedy;
  }
}

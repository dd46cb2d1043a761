import type { RateLimit, ResponseMetadata } from './response.js';

/** Marks the errors of all copies of this package. `instanceof` recognises only the classes of its own copy. */
const BRAND = Symbol.for('answer-visibility.SvcError');

/** The properties of a failure besides its message. */
export interface ErrorDetails extends Partial<ResponseMetadata> {
  /** HTTP status of the response. */
  readonly status?: number;
  /** The name of the refusal, or the code of a JSON-RPC error; by default that in the body. */
  readonly code?: string | number | null | undefined;
  /** The parameters that are wrong; by default those in the body. */
  readonly parameters?: readonly string[] | undefined;
  /** The parsed JSON body, or its text. */
  readonly body?: unknown;
  /** Seconds after which the server asks to try again. */
  readonly retryAfterSeconds?: number | null;
  /** The error of the network, without the data of the request. */
  readonly cause?: unknown;
}

/** The class of every rejection of the SDK, except the reason of the caller's own abort. */
export class SvcError extends Error implements ResponseMetadata {
  /** HTTP status; null: no response arrived. */
  declare readonly status: number | null;
  /**
   * The name of the refusal, as `unknown_brand`: docs/api.md lists them. A number is the code of a JSON-RPC error. Null: the server
   * did not refuse, or is older.
   */
  declare readonly code: string | number | null;
  /** The parameters that the server refused; empty: the failure is not about parameters. */
  declare readonly parameters: readonly string[];
  /** The parsed JSON body, else the beginning of the text; null: no body. */
  declare readonly body: unknown;
  /** Seconds after which the server asks to try again; null: not stated. */
  declare readonly retryAfterSeconds: number | null;
  /** The key's bucket as the server stated it; null: not stated. */
  declare readonly rateLimit: RateLimit | null;
  /** The version of the server's API; null: not stated. */
  declare readonly apiVersion: string | null;
  /** The id by which the server's log knows the request; null: not stated. */
  declare readonly requestId: string | null;
  /** `full`, `read`, `ingest` or `operator`; null: not stated. */
  declare readonly keyKind: ResponseMetadata['keyKind'];

  /** Details that are left out are null. */
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.status = details.status ?? null;
    this.code = details.code ?? (details.body as Partial<SvcError> | undefined)?.code ?? null;
    this.parameters = details.parameters ?? (details.body as Partial<SvcError> | undefined)?.parameters ?? [];
    this.body = details.body ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.rateLimit = details.rateLimit ?? null;
    this.apiVersion = details.apiVersion ?? null;
    this.requestId = details.requestId ?? null;
    this.keyKind = details.keyKind ?? null;
  }

  /** The mark by which `isSvcError` recognises errors of every copy of this package. */
  get [BRAND](): true {
    return true;
  }

  /** Whether the same call may succeed later: 429, 5xx and the network. */
  get retryable(): boolean {
    // Null counts as 0.
    return this.status === 429 || this.status! >= 500;
  }

  /** The message and all fields. Without this, JSON.stringify omits the message. */
  toJSON(): object {
    const { name, message, retryable } = this;
    return { ...this, name, message, retryable };
  }
}

/** 400: a parameter or the body is wrong; the message names it. */
export class BadRequestError extends SvcError {}
/** 401: the key is missing, unknown or expired. */
export class AuthenticationError extends SvcError {}
/** 403: the key's kind, its allowlist or the workspace's plan does not allow this. */
export class PermissionError extends SvcError {}
/** 404: no such brand among those that the key can see, or no such resource. */
export class NotFoundError extends SvcError {}
/** 413: the body is larger than the server accepts. */
export class PayloadTooLargeError extends SvcError {}
/** 429: the key's bucket is empty, also after the last retry. */
export class RateLimitError extends SvcError {}
/** 5xx: the server, or a proxy in front of it, failed. */
export class ServerError extends SvcError {}
/** The server could not be reached, or the connection broke. */
export class ConnectionError extends SvcError {
  override get retryable(): boolean {
    return true;
  }
}
/** No response within `timeout`, or the call's `deadline` passed. */
export class TimeoutError extends SvcError {
  override get retryable(): boolean {
    return true;
  }
}

/**
 * An MCP tool refused a call, or there is no such tool. The message is the server's; `status` is that of REST for the
 * refusal.
 */
export class ToolError extends SvcError {
  /** The tool that was called; null: the list of tools was requested. */
  declare readonly tool: string | null;

  /** Details that are left out are null. */
  constructor(message: string, details: ErrorDetails & Pick<ToolError, 'tool'>) {
    super(message, details);
    this.tool = details.tool;
  }
}

const named = {
  SvcError,
  BadRequestError,
  AuthenticationError,
  PermissionError,
  NotFoundError,
  PayloadTooLargeError,
  RateLimitError,
  ServerError,
  ConnectionError,
  TimeoutError,
  ToolError,
};
/* On the prototypes, not in fields, because the stack is created before a field is set. */
for (const [name, { prototype }] of Object.entries(named)) prototype.name = name;

/** Whether a caught value is an SvcError, of this or another copy of this package. */
export function isSvcError(value: unknown): value is SvcError {
  return BRAND in Object(value);
}

const classes: { readonly [status: number]: typeof SvcError } = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  413: PayloadTooLargeError,
  429: RateLimitError,
};

/** The error of a response that is not 2xx. */
export function errorOfStatus(status: number, message: string, details: ErrorDetails): SvcError {
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : SvcError);
  return new ErrorClass(message, { ...details, status });
}

/** The messages between the primary process and a worker. */

/** Sent by a worker when it accepts requests. */
export interface Started {
  readonly url: string;
}

export interface WorkerIdentity {
  /** From 1. A worker that is started again keeps the number. */
  readonly number: number;
  readonly port: number;
}

/** Environment variables with the number and the port of a worker. */
export const workerEnvironment = (number: number, port: number): Record<string, string> => ({
  SVC_WORKER: String(number),
  SVC_WORKER_PORT: String(port),
});

/** The number and the port of this worker, from its environment. */
export const workerIdentity = (env: NodeJS.ProcessEnv = process.env): WorkerIdentity => ({
  number: Number(env.SVC_WORKER),
  port: Number(env.SVC_WORKER_PORT),
});

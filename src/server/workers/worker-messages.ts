/** The messages between the primary process and a worker. */

/** Sent by a worker when it accepts requests. */
export interface Started {
  readonly url: string;
}

/** Sent by a worker again and again while its event loop runs. */
export interface Sign {
  readonly alive: true;
}

/** Begins to send signs of life. They do not keep the worker running, and end with it. */
export function sendSigns(everyMs: number): void {
  const send = () => {
    // Without a callback a channel that is just closed would be an error.
    if (process.connected) process.send!({ alive: true } satisfies Sign, undefined, undefined, () => {});
  };
  send();
  setInterval(send, everyMs).unref();
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

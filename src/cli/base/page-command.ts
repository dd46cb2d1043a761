import { CommandError } from '../command-error.js';
import { fetchAs, fromServer } from '../connection/fetch.js';
import { type Connection, requestJson } from '../connection/request.js';
import { checkedAddress, requiredKey, type Settings } from '../connection/settings.js';
import { isRefusedAs } from '../failure/diagnosis.js';
import { ApiCommand } from './api-command.js';

/** The base of the commands about the page of a server. */
export abstract class PageCommand extends ApiCommand {
  /** How to reach the server of the settings. */
  protected connection(settings: Settings): Connection {
    const fetch = fromServer(fetchAs(this.userAgent));
    return { url: checkedAddress(settings), key: requiredKey(settings), fetch, signal: this.signal };
  }

  /** Sends a request to a path of the page. */
  protected ask<T>(connection: Connection, method: 'GET' | 'POST' | 'DELETE', path: string): Promise<T> {
    return this.during(requestJson<T>(connection, method, path));
  }

  /** Waits for an answer of the page, and explains the 404 of a server that does not serve it. */
  protected during<T>(answer: Promise<T>): Promise<T> {
    return this.progress.during('Asking the server …', answer.catch(withoutPage));
  }
}

function withoutPage(error: Error): never {
  if (!isRefusedAs(error, 'notFound')) throw error;
  throw new CommandError(
    'not_found',
    'This server has no page: it is off (PAGE=off), or the server is older.',
    { status: 404 },
  );
}

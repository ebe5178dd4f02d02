import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultSwitches, FEED_FAULT_NAMES, type FeedFault } from './faults.ts';
import type { FeedStore, TrueRecord } from './feed-store.ts';
import type { Resource } from './listings.ts';

/** What a test, or a person, does to the feed, and reads of it. */
export interface Control {
  readonly store: FeedStore;
  readonly faults: FaultSwitches;
  /** The times of the last requests, in milliseconds, with what they asked for. */
  requests(): readonly { readonly at: number; readonly path: string }[];
  /** The last downloads of pictures, with their times in milliseconds and the program that asked. */
  pictures(): readonly { readonly at: number; readonly key: string; readonly userAgent: string }[];
  truth(): TrueRecord[];
  /** Turns a fault on; a data fault is done at once. */
  fault(fault: FeedFault, times?: number, every?: number): void;
  note(path: string): void;
  notePicture(key: string, userAgent: string): void;
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
}

const MOST_REQUESTS = 100_000;
const MOST_BODY = 1_000_000;

export function createControl(store: FeedStore, faults: FaultSwitches): Control {
  const requests: { at: number; path: string }[] = [];
  const pictures: { at: number; key: string; userAgent: string }[] = [];
  const control: Control = {
    store,
    faults,
    requests: () => requests,
    pictures: () => pictures,
    truth: () => store.truth(),
    fault(fault, times, every) {
      if (fault === 'duplicate-times' || fault === 'mass-update') store.touchAll(times);
      else if (fault === 'cannot-view')
        for (const [index, key] of store.keys('Property').entries()) {
          if (index % 10 === 0) store.set('Property', key, { MlgCanView: false });
        }
      else faults.set(fault, times, every);
    },
    note(path) {
      if (requests.length >= MOST_REQUESTS) requests.splice(0, MOST_REQUESTS / 2);
      requests.push({ at: performance.now(), path });
    },
    notePicture(key, userAgent) {
      if (pictures.length >= MOST_REQUESTS) pictures.splice(0, MOST_REQUESTS / 2);
      pictures.push({ at: performance.now(), key, userAgent });
    },
    async answer(request, response, path) {
      const reply = (status: number, body: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      const text = await bodyOf(request);
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const result = controlled(control, `${request.method} ${path}`, body);
      reply(result === undefined ? 404 : 200, result ?? { error: 'no such control' });
    },
  };
  return control;
}

function controlled(control: Control, what: string, body: Record<string, unknown>): unknown {
  const { store, faults } = control;
  const resource = (body.resource ?? 'Property') as Resource;
  const key = String(body.key ?? '');
  switch (what) {
    case 'GET truth':
      return control.truth();
    case 'GET requests':
      return control.requests();
    case 'GET pictures':
      return control.pictures();
    case 'GET faults':
      return faults.list();
    case 'DELETE faults':
      faults.clear();
      return {};
    case 'POST faults': {
      const fault = FEED_FAULT_NAMES.find((name) => name === body.fault);
      if (fault === undefined) return undefined;
      control.fault(fault, body.times as number | undefined, body.every as number | undefined);
      return {};
    }
    case 'POST set':
      store.set(resource, key, (body.fields ?? {}) as Record<string, unknown>);
      return {};
    case 'POST delete':
      store.remove(resource, key);
      return {};
    case 'POST commit':
      store.commit();
      return {};
    default:
      return undefined;
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MOST_BODY) throw new Error('too long');
  }
  return text;
}

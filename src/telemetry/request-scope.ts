/**
 * Which request the running code works for, so that every log line has its id. One per process, because asynchronous
 * context is. A line written after the answer went out belongs to no request any more: connections that were opened for
 * a request outlive it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<{ readonly requestId: string; isOver: boolean }>();

/** Runs the work on behalf of a request. */
export async function inRequest<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  const request = { requestId, isOver: false };
  try {
    return await scope.run(request, work);
  } finally {
    request.isOver = true;
  }
}

/** What a log line says about the request it is written in. */
export function requestFields(): { requestId?: string } {
  const request = scope.getStore();
  return request === undefined || request.isOver ? {} : { requestId: request.requestId };
}

/**
 * The request that the running code works for, so that every log line contains its id. One per process, because
 * asynchronous context is. A line written after the answer was sent gets no id: connections that were opened for a
 * request outlive it.
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

/** The fields of a log line for the current request. */
export function requestFields(): { requestId?: string } {
  const request = scope.getStore();
  return request === undefined || request.isOver ? {} : { requestId: request.requestId };
}

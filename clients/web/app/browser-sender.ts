import { apiErrorFrom, isSuccess } from '../../typescript/answer.ts';
import type { Sender } from '../../typescript/sender.ts';

/** Sends calls by fetch, with the cookies of the browser. */
export function createBrowserSender(): Sender {
  const send: Sender['send'] = async (call, options) => {
    const response = await fetch(call.path, {
      method: call.method,
      headers: call.contentType === undefined ? {} : { 'content-type': call.contentType },
      body: (call.body as BodyInit | undefined) ?? null,
      signal: options?.signal ?? null,
    });
    const answer = {
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    };
    if (!isSuccess(answer)) throw apiErrorFrom(answer);
    return answer;
  };
  return { send, signIn: send, sendWith: (_ticket, call, options) => send(call, options) };
}

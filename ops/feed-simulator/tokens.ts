import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf } from './control.ts';

export interface Tokens {
  /** `POST {root}/token`: client credentials, in the body. */
  issue(request: IncomingMessage, response: ServerResponse): Promise<void>;
  takes(authorization: string | undefined): boolean;
  endAll(): void;
}

const SECRET = 'simulated-secret';

/** @param bearer the only long-lived token; null takes any that is no ended access token */
export function createTokens(bearer: string | null): Tokens {
  const valid = new Set<string>();
  let issued = 0;
  return {
    async issue(request, response) {
      const form = new URLSearchParams(await bodyOf(request));
      const isRight = form.get('grant_type') === 'client_credentials' && form.get('client_secret') === SECRET;
      issued += 1;
      const token = `access-token-${issued}`;
      if (isRight) valid.add(token);
      const body = isRight
        ? { access_token: token, token_type: 'Bearer', expires_in: 28_800, scope: form.get('scope') }
        : { error: 'invalid_client' };
      response
        .writeHead(isRight ? 200 : 400, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    },
    takes(authorization = '') {
      const token = authorization.replace(/^Bearer /, '');
      if (valid.has(token)) return true;
      if (token.startsWith('access-token-')) return false;
      return token !== '' && (bearer === null || bearer === token);
    },
    endAll: () => valid.clear(),
  };
}

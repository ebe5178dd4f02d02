import type { Provider, ProviderRequest, ProviderToken } from '../api/site-api.ts';
import { keptForTab, readJson } from '../site/keeper.ts';

/**
 * Signing in with Google or Apple on the web: the browser goes to the provider and comes back to the sign-in page with
 * an id token after the `#`, which no server sees. The document's first script has taken it out of the address before any
 * other was loaded (`ops/dev/site/starter.ts`). No script of theirs runs on our pages (docs/contract.md#sign-in).
 */

export interface ProviderAnswer {
  readonly provider: Provider;
  readonly idToken: ProviderToken;
  readonly state: string;
  /** Where the person wanted to go. */
  readonly path: string;
}

interface Asked extends ProviderRequest {
  readonly provider: Provider;
  readonly path: string;
}

const KEY = 'provider-sign-in';

const ADDRESSES: Record<Provider, { readonly url: string; readonly parameters: Record<string, string> }> = {
  google: {
    url: 'https://accounts.google.com/o/oauth2/v2/auth',
    parameters: { response_type: 'id_token', scope: 'openid email profile' },
  },
  apple: {
    url: 'https://appleid.apple.com/auth/authorize',
    // Apple sends a name and an address by POST only.
    parameters: { response_type: 'code id_token', response_mode: 'form_post', scope: 'name email' },
  },
};

/** The provider's page to go to. What comes back is compared with what this tab remembers. */
export function askProvider(
  { provider, clientId, path }: { provider: Provider; clientId: string; path: string },
  request: ProviderRequest,
): string {
  const asked: Asked = { provider, path, ...request };
  keptForTab.setItem(KEY, JSON.stringify(asked));
  const { url, parameters } = ADDRESSES[provider];
  const query = new URLSearchParams({
    ...parameters,
    client_id: clientId,
    redirect_uri: location.origin + location.pathname,
    state: asked.state,
    nonce: asked.nonce,
  });
  return `${url}?${query}`;
}

/**
 * What the provider sent to this page, once: `none` when nothing came, `failed` when the person refused there, or when
 * this tab has not asked for it.
 */
export function takeProviderAnswer(): ProviderAnswer | 'none' | 'failed' {
  const { providerAnswer } = window as { providerAnswer?: string };
  if (providerAnswer === undefined) return 'none';
  Reflect.deleteProperty(window, 'providerAnswer');
  const answer = new URLSearchParams(providerAnswer);
  const state = answer.get('state');
  const asked = readJson(keptForTab, KEY) as Asked | null;
  keptForTab.removeItem(KEY);
  const token = answer.get('id_token');
  if (asked === null || asked.state !== state || token === null) return 'failed';
  const user = userOf(answer.get('user'));
  return {
    provider: asked.provider,
    path: asked.path,
    state,
    idToken: { token, nonce: asked.nonce, ...(user === null ? {} : { user }) },
  };
}

/** What the provider sends about the person outside the token: only a name, so it may be missing or unreadable. */
function userOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

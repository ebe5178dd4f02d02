/**
 * Diagnoses a deployment from its answer to an unsigned callback: the rules of docs/contract.md#callbacks, and
 * other obstacles between a provider and a receiver.
 */
export interface WebhookAnswer {
  status: number;
  contentType: string | undefined;
  /** The target of a redirect, as in the header. */
  location: string | undefined;
  asksForLogin: boolean;
  text: string;
}
export interface Reading {
  right: boolean;
  /** The finding. */
  what: string;
  /** What to do about it; empty when everything is right. */
  advice: string;
}

export function readAnswer(answer: WebhookAnswer, url: string): Reading {
  const { status } = answer;
  const html = isHtml(answer);
  if (status >= 300 && status < 400) return redirected(answer, url);
  if (status === 401) return unauthorized(answer, html);
  if (html && (status < 400 || BY_STATUS[status] === undefined))
    return wrong(
      `an HTML page (status ${status})`,
      'The handler is not reached: route this path to the API host.',
    );
  if (status >= 200 && status < 300)
    return wrong(
      `${status} for an unsigned request: a security failure`,
      'Whatever answers takes callbacks from anybody. Take the route out of service until it verifies signatures.',
    );
  const known = BY_STATUS[status];
  if (known) return wrong(`${status}: ${known.what}`, known.advice);
  return wrong(`${status}, which the receiver never answers`, 'Find out what answers in its place.');
}

const wrong = (what: string, advice: string): Reading => ({ right: false, what, advice });

const UNHEALTHY = {
  what: 'the API host is unhealthy or cannot be reached by its proxy',
  advice: "Look at /readyz of the API host and at the proxy's upstream.",
};
const BY_STATUS: Readonly<Record<number, { what: string; advice: string }>> = {
  403: {
    what: 'something in front of the receiver refuses',
    advice: 'No VPN, IP allowlist or bot protection may keep the provider out of this path.',
  },
  404: {
    what: 'the route or the path of the proxy is missing',
    advice: 'Check the release of the API host, and that the proxy passes the whole path on.',
  },
  405: { what: 'POST is not allowed here', advice: 'Check that the address is the receiver, and the proxy.' },
  413: { what: 'the proxy takes no body', advice: 'The receiver takes 1 MiB; let the proxy do the same.' },
  429: { what: 'a limit in front of the receiver is used up', advice: 'Exempt this path, then try again.' },
  500: {
    what: 'the receiver fails, usually because its signing secret is missing',
    advice: 'Set PROVIDER_WEBHOOK_SIGNING_SECRET on the API host, and look at its log.',
  },
  502: UNHEALTHY,
  503: UNHEALTHY,
  504: UNHEALTHY,
};

function unauthorized(answer: WebhookAnswer, html: boolean): Reading {
  if (!html && !answer.asksForLogin && isJsonObject(answer))
    return { right: true, what: '401 with an answer of the application: right', advice: '' };
  return wrong(
    `401, but not from the receiver (${html ? 'an HTML page' : answer.asksForLogin ? 'a login is asked for' : 'no JSON'})`,
    'A login stands in front of it. The provider cannot sign in: leave this path out of basic auth and logins.',
  );
}

function redirected({ status, location }: WebhookAnswer, url: string): Reading {
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : null;
  const where = target === null ? 'nowhere' : target === new URL(url).origin ? `${target}, itself` : target;
  return wrong(
    `a redirect (${status}) to ${where}`,
    'The route must answer directly: give the provider the address that answers, in PROVIDER_WEBHOOK_BASE_URL, or mend the proxy.',
  );
}

const isHtml = ({ contentType = '', text }: WebhookAnswer): boolean =>
  /^(?:text\/html|application\/xhtml)/i.test(contentType) || /^\s*<(?:!doctype|html)/i.test(text);

function isJsonObject({ contentType = '', text }: WebhookAnswer): boolean {
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)) return false;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null;
  } catch {
    return false;
  }
}

/** Why there was no answer. */
export function readFailure(error: unknown): Reading {
  const codes = codesOf(error);
  const known = FAILURES.find(({ pattern }) => codes.some((code) => pattern.test(code)));
  const code = codes.at(-1) ?? 'unknown';
  return known
    ? wrong(`${known.what} (${code})`, known.advice)
    : wrong(`no answer (${code})`, 'Find out what ends the connection.');
}

const FAILURES = [
  {
    pattern: /^(?:ENOTFOUND|EAI_AGAIN|ENODATA)$/,
    what: 'the host name is not known',
    advice: 'Check its spelling and its DNS record; it must be a public name.',
  },
  {
    pattern: /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    what: 'nothing listens there',
    advice: 'Start the API host or its proxy, and open the port to the internet.',
  },
  {
    pattern: /(?:CERT|SELF_SIGNED|SIGNATURE|SSL|TLS|EPROTO)/,
    what: 'TLS fails',
    advice:
      'Give the host a certificate of a public authority for this very name, with its chain, on the https port.',
  },
  {
    pattern: /(?:TimeoutError|TIMEOUT|ETIMEDOUT)/,
    what: 'no answer in time',
    advice: 'A firewall that drops packets, or a host that hangs: the provider gives up, too.',
  },
  {
    pattern: /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_)/,
    what: 'the connection is closed without an HTTP answer',
    advice: 'Look at the log of the proxy; perhaps the port speaks another protocol.',
  },
] as const;

/** Codes and names of an error and of its causes, outermost first. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : codesOf(error.cause);
  return [own, ...inner];
}

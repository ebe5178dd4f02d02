import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemText } from '../../api/failures.ts';
import { PERSONAL } from '../../api/queries.ts';
import type { SiteApi } from '../../api/site-api.ts';
import { Button } from '../../primitives/button.tsx';
import { Problem, Section } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { browserEndpoint, type PushFault, subscribeBrowser, unsubscribeBrowser } from './push-browser.ts';

/** The key that the site gives, and where this browser gets notices. */
const pushKey = (api: SiteApi) =>
  queryOptions({
    queryKey: [PERSONAL, 'push.getKey'],
    queryFn: ({ signal }) => api.push.getKey(undefined, { signal }),
    staleTime: 0,
  });

const OF_BROWSER = queryOptions({ queryKey: ['push.browser'], queryFn: browserEndpoint, staleTime: 0 });

const FAULTS = {
  unsupported: 'menu.pushUnsupported',
  denied: 'menu.pushDenied',
  silent: 'menu.pushNoAnswer',
} as const;

/** Turns push notices on and off in this browser. Nothing where the site sends none; the browser asks on a press only. */
export function PushNotices() {
  const site = useSite();
  const { api, queries } = site;
  const text = useText();
  const { t } = text;
  const [fault, setFault] = useState<PushFault | null>(null);
  const { data: known } = useQuery(pushKey(api));
  const { data: here } = useQuery(OF_BROWSER);
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (publicKey: string | null) => {
      setFault(null);
      if (publicKey === null) {
        if (here != null) await api.push.unsubscribe({ endpoint: here });
        await unsubscribeBrowser();
      } else {
        const made = await subscribeBrowser(publicKey);
        if (typeof made === 'string') return setFault(made);
        await api.push.subscribe(made);
      }
      await queries.fetchQuery(pushKey(api));
      await queries.fetchQuery(OF_BROWSER);
    },
  });
  const key = known?.publicKey ?? null;
  if (key === null || here === undefined) return null;
  const isOn = here !== null && here === known?.endpoint;
  return (
    <Section title={t('menu.push')}>
      <p className="muted">{t('menu.pushText')}</p>
      <p aria-live="polite">{isOn ? t('menu.pushIsOn') : null}</p>
      <div>
        <Button isDisabled={isPending} onPress={() => mutate(isOn ? null : key)}>
          {isOn ? t('menu.pushOff') : t('menu.pushOn')}
        </Button>
      </div>
      <Problem text={problemText(text, error)} />
      <Problem text={fault === null || fault === 'dismissed' ? null : t(FAULTS[fault])} />
    </Section>
  );
}
